class { 'web': port => 70000 }
class { '::web::ssl': mode => 'quick', dirs => ['/a', 1] }
class web(Integer[1, 65535] $port) { }
class web::ssl(Web::Mode $mode, Array[String] $dirs) { }
type Web::Mode = Enum['fast', 'safe']
