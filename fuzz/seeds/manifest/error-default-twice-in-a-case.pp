case $x {
  default: { include a }
  'b':     { include b }
  default: { include c }
}

