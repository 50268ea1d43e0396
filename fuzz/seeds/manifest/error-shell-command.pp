$x = $(date)

