include ntp, web
class role { include ntp, web }
class web { include Class['ntp'], web::own }
class web::own { $name2 = 'ntp' include $name2 }
include other
class ntp { }
class other { }
