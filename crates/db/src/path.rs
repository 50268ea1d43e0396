use std::cmp::Ordering;

use camino::Utf8Path;

/// The order of absolute paths without dots, by their parts, as [`Ord`] has it: what is in a folder stands together. Texts are
/// compared, which is many times faster than to take the paths apart each time.
pub fn by_parts(one: &Utf8Path, other: &Utf8Path) -> Ordering {
    // A separator ends a name, and a shorter name comes before a longer one that begins with it.
    let rank = |byte: u8| if byte == b'/' { 0 } else { byte };
    one.as_str().bytes().map(rank).cmp(other.as_str().bytes().map(rank))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_paths() {
        let paths = ["/", "/a", "/a/b", "/a/b/c.pp", "/a/b-c", "/a/b c/d", "/a/b.pp", "/a/bc", "/ä/b", "/a0"];
        for (one, other) in paths.iter().flat_map(|one| paths.iter().map(move |other| (one, other))) {
            let (one, other) = (Utf8Path::new(one), Utf8Path::new(other));
            assert_eq!(by_parts(one, other), one.cmp(other), "{one} and {other}");
        }
    }
}
