type Sample::Entry = Struct[{
  port    => Stdlike::Port,
  aliases => Array[String],
  Optional[ensure] => Enum[present, absent],
}]
