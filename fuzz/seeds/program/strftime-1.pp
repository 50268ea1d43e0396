strftime(Timestamp('2020-07-02T03:04:05 UTC'), '%A %-d %B, %j, %U %%')
