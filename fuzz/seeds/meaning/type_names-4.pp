plan ntp(TargetSpec $targets) { return run_command('true', $targets) }
class ntp(Stdlib::Port $port = 123, Systemd::Unit $unit = 'x') { }
