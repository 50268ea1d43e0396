call(Deferred('unwrap', [Sensitive(Deferred('join', [[a]]))]))
