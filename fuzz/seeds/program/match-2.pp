type B = Variant[Pattern['(z)'], Pattern['(a)']] match('abc', B)
