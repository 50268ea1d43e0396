define sample::fragment (
  String  $content,
  Integer $order = 10,
) {
  $number = sprintf('%03d', $order)
  file { "/etc/sample/${number}-${title}":
    content => $content,
    mode    => '0644',
    tag     => 'fragment',
  }
}
