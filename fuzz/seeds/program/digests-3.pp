sha1(/a/)
