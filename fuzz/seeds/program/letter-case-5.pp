capitalize('HELLO world')
