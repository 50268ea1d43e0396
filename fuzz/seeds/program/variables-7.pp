$facts['networking'].dig('fqdn')
