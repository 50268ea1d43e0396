include foo::bar
class { 'foo::data': }
class foo::bar (Integer $prt) { contain foo::bar }
class foo::data (Integer $prt) { }
