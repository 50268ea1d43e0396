[main]
server = puppet.example.com

