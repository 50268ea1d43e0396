digest(undef)
