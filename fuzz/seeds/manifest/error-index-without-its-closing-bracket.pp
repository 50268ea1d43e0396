notice($facts['os']['name')
