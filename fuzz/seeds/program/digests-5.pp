sha256(undef)
