$path = "C:\windows\system32"
