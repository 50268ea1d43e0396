# What a module of a control repository does: packages, files, accounts, services, from data and facts.
class sample (
  String[1]                    $directory = '/etc/sample',
  Array[String[1]]             $packages  = [],
  Hash[String[1], Sample::Entry] $sites    = {},
  Hash[String[1], Integer]     $limits    = {},
  Enum['running', 'stopped']   $ensure    = 'running',
) {
  contain sample::install
  contain sample::config
  contain sample::service
  include sample::users

  Class['sample::install']
  -> Class['sample::config']
  ~> Class['sample::service']
}
