class web(
  Integer $port = undef,
  Enum['a', 'b'] $mode = 'c',
  Boolean $secure = 'true',
  Web::Root $root = '/srv',
  Variant[String, Array[String]] $names = [],
  Optional[Integer] $limit = undef,
  Integer $sum = 1 + 2,
  String $computed = $facts['os']['family'],
  Struct[{a => Integer, Optional[b] => String}] $options = {a => 1},
  Struct[{a => Integer, Optional[b] => String}] $more = {b => 'x'},
) { }
type Web::Root = Pattern[/^\//]
