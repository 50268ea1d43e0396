class a { class b { } }
class a { define b { } }
class a { class b { class c { } } }
class a::b { class c::d { } }

