sha256(Timespan(1))
