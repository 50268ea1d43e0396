strftime(Timestamp('2020-07-02T03:04:05.123456789 UTC'), '%N %L %3N %s')
