class 'ntp' {
}
