stage { 'last': require => Stage['main'] }
node /run/ {
  include role
}
node default { }
