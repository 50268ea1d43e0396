Ntp::Install -> Notify['x']
notify { 'x': }
class ntp::install { }
