function a() { }
function a() { 1 }
function a::b($x, Integer $y = 1) { $x }
function a() >> Integer { 1 }
function a() >> Optional[Integer] { 1 }
function a { }
