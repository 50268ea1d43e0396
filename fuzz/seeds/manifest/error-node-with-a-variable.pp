node $hostname {
}

