node a-b.c { }

