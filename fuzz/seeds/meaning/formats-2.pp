$n = $facts['processors']['count']
$all = [1, 2]
notice(sprintf('%05.1f %% %-10s %+d', 1, $n, 2))
notice(sprintf('%s %s', *$all))
notice(sprintf('%<a>d %{b}', $facts))
notice(sprintf('%2$s %1$s', 1, $n))
notice(sprintf("%${n}d", 1))
notice(sprintf('none'))
