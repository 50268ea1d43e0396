# debian-12 ubuntu-22.04
class { 'filebeat':
  manage_repo   => true,
  run_options   => { '/etc/example/key' => 'run-option-value' },
  queue_size    => 4097,
  registry_file => '/etc/example/registry-file',
  autodiscover  => { '/etc/example/key' => 'autodiscover-value' },
}
filebeat::input { 'example':
  syslog_host    => '192.0.2.137',
  encoding       => 'plain',
  doc_type       => 'tcp',
  close_inactive => '5m',
  close_removed  => false,
  clean_removed  => false,
  tags           => ['tag-value', '-value'],
  symlinks       => true,
  pure_array     => true,
}
include filebeat::install::freebsd
