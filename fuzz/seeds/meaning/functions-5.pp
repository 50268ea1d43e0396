$r = Rectangle(2, 3)
notice($r.area, URI('http://example.org').host)
type Shapes = TypeSet[{pcore_version => '1.0.0', version => '1.0.0', types => { Square => { attributes => { x => Integer } } } }]
type Rectangle = Object[{attributes => { x => Integer, y => Integer }, functions => { area => Callable[[], Integer] } }]
