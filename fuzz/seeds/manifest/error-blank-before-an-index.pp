notice($facts ['os'])
