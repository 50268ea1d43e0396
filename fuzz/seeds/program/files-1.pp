file('site/hello.txt').split("\n")
