class a inherits 'b' {
}

