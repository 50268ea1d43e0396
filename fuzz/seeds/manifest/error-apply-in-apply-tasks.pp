plan a::b($x) {
  apply($x) {
    apply($x) { }
  }
}

