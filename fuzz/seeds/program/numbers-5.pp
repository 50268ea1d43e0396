floor('017.9')
