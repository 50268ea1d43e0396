class string {
}

