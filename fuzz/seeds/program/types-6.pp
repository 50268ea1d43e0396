type Car = Object[{attributes => {make => String, doors => {type => Integer, value => 4}}}]
Car({make => 'saab', doors => 2})
