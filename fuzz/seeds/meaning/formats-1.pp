$n = $facts['processors']['count']
notice(sprintf('%d of %d', $n))
notice(sprintf('%d of %d of %s', $n, 1))
notice(sprintf('%y', $n))
notice(sprintf('%d% used', $n))
notice('%s-%s'.sprintf($n))
notice(sprintf('%<name', { 'name' => 1 }))
notice(sprintf('%1$s %s', $n))
