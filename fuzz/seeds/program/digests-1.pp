md5(SemVer('1.2.3'))
