# debian-12 redhat-9 ubuntu-22.04
include systemd
systemd::network { 'example':
  path            => '/srv/path',
  show_diff       => false,
  restart_service => false,
}
systemd::timer { 'example.timer': }
systemd::unit_file { 'example.service': }
systemd::udev::rule { '10-example.rules':
  rules => ['rule-value', '-value'],
}
include systemd::tmpfiles
loginctl_user { 'example':
  linger => 'linger-value',
}
