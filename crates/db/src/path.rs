use std::cmp::Ordering;

use camino::Utf8Path;

/// Compares absolute paths without dots by component, as their [`Ord`] does: a folder's contents are adjacent. Compares the
/// texts, which is many times faster than splitting the paths each time.
pub fn by_parts(one: &Utf8Path, other: &Utf8Path) -> Ordering {
    // A separator ends a name, and a shorter name comes before a longer one that begins with it.
    let rank = |byte: u8| if byte == b'/' { 0 } else { byte };
    let (one, other) = (one.as_str().as_bytes(), other.as_str().as_bytes());
    // Paths of one tree begin alike.
    let blocks = one.chunks_exact(16).zip(other.chunks_exact(16));
    let same = 16 * blocks.take_while(|(one, other)| one == other).count();
    let (one, other) = (&one[same..], &other[same..]);
    match one.iter().zip(other).find(|(one, other)| one != other) {
        Some((one, other)) => rank(*one).cmp(&rank(*other)),
        None => one.len().cmp(&other.len()),
    }
}

/// Returns the rest of a path below a folder; empty for the folder itself. Both are absolute, and without dots.
///
/// Compares the texts, which is many times faster than [`strip_prefix`](Utf8Path::strip_prefix), which splits the paths.
pub fn relative_to<'path>(path: &'path Utf8Path, folder: &Utf8Path) -> Option<&'path Utf8Path> {
    let folder = folder.as_str();
    let rest = path.as_str().strip_prefix(folder.strip_suffix('/').unwrap_or(folder))?;
    match rest.strip_prefix('/') {
        Some(rest) => Some(Utf8Path::new(rest)),
        None => rest.is_empty().then_some(Utf8Path::new("")),
    }
}

/// Whether a path has an extension of configuration or data files. Code files never count, whatever a configuration lists.
pub fn may_be_hiera(path: &Utf8Path) -> bool {
    // Most files are code, which the last bytes of the text show: to find an extension takes much longer.
    let is_code = path.as_str().ends_with(".pp") || path.as_str().ends_with(".epp");
    !is_code && matches!(path.extension(), Some("yaml" | "yml" | "json" | "conf" | "hocon" | "eyaml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_below_a_folder_is_what_remains_without_it() {
        let paths = ["/", "/a", "/a/b", "/a/b/", "/a/bc", "/a/b/c.pp", "/a/b.pp", "/ab"];
        for (path, folder) in paths.iter().flat_map(|one| paths.iter().map(move |other| (one, other))) {
            let (path, folder) = (Utf8Path::new(path), Utf8Path::new(folder));
            assert_eq!(relative_to(path, folder), path.strip_prefix(folder).ok(), "{path} in {folder}");
        }
    }

    #[test]
    fn the_order_is_that_of_paths() {
        let paths = ["/", "/a", "/a/b", "/a/b/c.pp", "/a/b-c", "/a/b c/d", "/a/b.pp", "/a/bc", "/ä/b", "/a0"];
        for (one, other) in paths.iter().flat_map(|one| paths.iter().map(move |other| (one, other))) {
            let (one, other) = (Utf8Path::new(one), Utf8Path::new(other));
            assert_eq!(by_parts(one, other), one.cmp(other), "{one} and {other}");
        }
    }
}
