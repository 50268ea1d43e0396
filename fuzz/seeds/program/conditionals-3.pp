true and !false or false
