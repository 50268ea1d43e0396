type Car = Object[{
  attributes => {
    make => String,
    doors => {type => Integer, value => 4},
  },
}]
$c = Car('volvo')
[$c.make, $c.doors, $c =~ Car, "${c}", $c]
