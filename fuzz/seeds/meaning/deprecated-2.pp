class old {
  notice(plain(1), old::tagged(1), is_thing(1), has_thing(1))
}
