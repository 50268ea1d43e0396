class a($_x, $y1) {}

