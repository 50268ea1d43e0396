class a {
}

