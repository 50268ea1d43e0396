class ntp (server, port = 123) {
}

