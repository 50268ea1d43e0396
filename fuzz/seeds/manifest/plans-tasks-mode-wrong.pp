plan a() { }

