type Ping = Variant[Integer, Array[Pong]] type Pong = Variant[String, Array[Ping]] [['x'], 1] =~ Ping
