regsubst('abcdefghij', '(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)', '\9\10')
