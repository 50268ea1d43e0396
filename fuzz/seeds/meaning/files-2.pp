$a = epp('foo/motd')
$b = epp('foo/motd.epp')
$c = template('foo/deep/there.erb', '/etc/absolute.erb')
$d = epp("foo/${facts['kernel']}.epp")
$e = find_template('foo/none.epp')
$f = template('foo/../files/x')
$g = [inline_template('foo/none'), inline_epp('foo/none')]
