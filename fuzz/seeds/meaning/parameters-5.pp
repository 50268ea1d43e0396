foo::user { 'alice': }
foo::group { 'a': gid => undef }
foo::group { 'b': * => $facts['attributes'] }
foo::host { 'a': }
foo::net { 'a': }
foo::group { default: }
Foo::Host <| |> { address => '::1' }
class foo { Foo::User { uid => 1001 } }
define foo::user (Integer $uid) { }
define foo::group (Any $gid) { }
define foo::host (String $address) { }
define foo::net (String $mask) { }
class foo::late { Foo::Net['a'] { mask => '/8' } }
