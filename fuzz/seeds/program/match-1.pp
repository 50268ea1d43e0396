match('abc', Variant[Pattern['x'], Regexp['c']])
