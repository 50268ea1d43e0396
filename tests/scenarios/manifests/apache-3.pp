# redhat-9 ubuntu-22.04
apache::vhost::custom { 'example':
  content  => "first line\nsecond line with \"quotes\"\n",
  priority => 60,
}
