# A line of the message that greets whoever logs in.
#
# @param text
#   The line.
#
# @param order
#   Lines with lower numbers come first.
define motd::line (
  String[1]      $text,
  Integer[0, 99] $order = 50,
) {
  $number = sprintf('%02d', $order)

  file { "/etc/update-motd.d/${number}-${title}":
    ensure  => file,
    mode    => '0755',
    content => "#!/bin/sh\necho '${text}'\n",
  }
}
