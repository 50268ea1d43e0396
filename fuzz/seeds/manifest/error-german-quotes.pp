notice(„hallo“)
