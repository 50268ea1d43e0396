type Tree = Hash[String, Variant[Integer, Tree]]; {a => {b => 1}} =~ Tree
