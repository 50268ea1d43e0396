URI('http://example.com:8080/a').port
