'foo::gone'.include
['foo', '::foo::away'].contain
Class['foo::off'].require('foo', 'foo::out')
include ::nosuch
Class['foo'] -> Class['nosuch']
Class['foo'] ~> Class['::nosuch']
$facts['class'].include
'foo'.include
class foo { }
