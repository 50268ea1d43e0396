$all = [Any, CatalogEntry, Deferred, Error, Init, Node, Pcore::AnyType, Puppet::LookupKey, RichData, Sensitive[String], TypeReference]
$own = [Site::Port, ::Site::Port, Integer, Cron['x'], Vcsrepo['x'], Ntp::Pool['a'], Exec, ours]
$members = [Shapes::Square, Shapes]
$colour = Colors::Rgb
type Site::Port = Integer[1, 2]
define ntp::pool(Ntp::Tree $x = []) { }
type Ntp::Tree = Array[Variant[String, Ntp::Tree]]
type Shapes = TypeSet[{pcore_version => '1.0.0', version => '1.0.0', types => { Square => { attributes => { x => Side } }, Side => Integer } }]
