$now = `date`
