type Car = Object[{attributes => {make => String}}]
Car(1)
