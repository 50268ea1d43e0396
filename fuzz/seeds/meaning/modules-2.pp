include ntp, ntp::other, ntp::far
ntp::thing { 'x': }
class ntp { }
class ntp::other {
  # @api private
  notice('a remark about a statement')
}

class ntp::far { }
define ntp::thing { if $title == 'a' { notice("assert_private()") } }
