[ceiling('1.5'), ceiling('2.5')]
