type Port =
