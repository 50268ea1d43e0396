type(Sensitive(1), generalized)
