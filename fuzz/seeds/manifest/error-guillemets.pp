notice(«bonjour»)
