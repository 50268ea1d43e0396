sha1(undef)
