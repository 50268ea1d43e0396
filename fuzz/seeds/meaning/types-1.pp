class { 'web': port => '80', modules => ['ssl', 'php'] }
class web(Integer[1, 65535] $port, Array[String] $modules = [], Optional[Web::Mode] $mode = undef) { }
type Web::Mode = Enum['fast', 'safe']
