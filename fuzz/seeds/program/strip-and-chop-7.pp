chomp("\r\n\r\n")
