class plan {
}

