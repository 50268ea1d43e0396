/(?<year>\d+)-\k<year>/
/(?<=a)b(?!c)/
/a++b*+c?+/
/\h+/
/(?i-mx:a)/
/[[:alpha:]]\p{Alpha}/
/(?>a|ab)c/
/ü/
/\u00e9/
/\R\X/

