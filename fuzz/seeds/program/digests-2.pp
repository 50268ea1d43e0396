md5(Timestamp('2020-01-01'))
