class one { }
class two { }
include one, two
Class['one'] ~> Class['Two']
Class['::two'] -> Class['one']
