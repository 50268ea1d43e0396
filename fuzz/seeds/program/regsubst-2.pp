regsubst('abc', '(?<one>a)(?<two>b)', '\k<two>\k<one>')
