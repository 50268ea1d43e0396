node a { }
node a.b.c { }
node 'a.b' { }
node "a.b" { }
node default { }
node /a.*/ { }
node a, 'b', /c/, default { }
node a, { }
node 1.2.3.4 { }

