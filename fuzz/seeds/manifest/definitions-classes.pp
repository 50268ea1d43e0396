class a { }
class a() { }
class a($x) { }
class a($x,) { }
class a inherits b { }
class a($x) inherits b::c { }
class a inherits default { }
class a inherits ::b { }
class a inherits B { }
define a { }
define a($x) { }

