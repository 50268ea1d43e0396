//! The files that a configuration comes from.

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;

use super::{FILE_NAME, nearest, read_recording};

/// Returns the absolute paths on which [`load`](super::load) depends, whether or not they exist or are valid: the named
/// configuration, or those that are looked for at or above a path; those that it extends; and its baseline.
pub(crate) fn sources(system: &dyn System, named: Option<&Utf8Path>, from: &Utf8Path) -> Vec<Utf8PathBuf> {
    let mut sources = Vec::new();
    let path = match named {
        Some(path) => Some(system.absolute(path)),
        None => {
            sources = candidates(system, from);
            nearest(system, from)
        }
    };
    let config = path.and_then(|it| read_recording(system, &it, &mut sources).ok());
    sources.extend(config.and_then(|it| it.baseline));
    sources.iter().map(|it| system.absolute(it)).collect()
}

/// Returns the paths of the configurations that apply to a path if they exist, as far as none hides them.
pub(crate) fn candidates(system: &dyn System, from: &Utf8Path) -> Vec<Utf8PathBuf> {
    let own = nearest(system, from);
    let from = system.absolute(from);
    let mut candidates = Vec::new();
    // A file contains no configuration, and an edit of it is no change of one.
    for folder in from.ancestors().skip(usize::from(system.is_file(&from))) {
        let path = folder.join(FILE_NAME);
        let is_own = own.as_ref() == Some(&path);
        candidates.push(path);
        if is_own {
            break;
        }
    }
    candidates
}

#[cfg(test)]
mod tests {
    use marotte_db::MemorySystem;

    use super::*;

    #[test]
    fn all_files_that_a_configuration_comes_from_are_named_if_they_exist_or_not() {
        let system = MemorySystem::with_files([
            ("/a/b/marotte.toml", "extends = '../../e/one.toml'\nbaseline = 'known.json'\n"),
            ("/e/one.toml", "extends = 'two.toml'\n"),
            ("/e/three.toml", ""),
        ]);
        let of = |named: Option<&str>, from: &str| {
            let sources = sources(&system, named.map(Utf8Path::new), from.into());
            sources.into_iter().map(Utf8PathBuf::into_string).collect::<Vec<_>>()
        };
        let chain = ["/a/b/marotte.toml", "/e/one.toml", "/e/two.toml"];
        assert_eq!(of(None, "/a/b/c"), [&["/a/b/c/marotte.toml"], &chain[..]].concat());
        assert_eq!(of(Some("/a/b/marotte.toml"), "/x"), chain);
        assert_eq!(of(None, "/x/y"), ["/x/y/marotte.toml", "/x/marotte.toml", "/marotte.toml"]);
        system.write_file("/e/two.toml", "extends = 'three.toml'\n");
        assert_eq!(of(None, "/a/b"), [&chain[..], &["/e/three.toml", "/a/b/known.json"]].concat());
        assert_eq!(candidates(&system, "/a/b".into()), ["/a/b/marotte.toml"]);
        assert_eq!(candidates(&system, "/e/three.toml".into()), ["/e/marotte.toml", "/marotte.toml"]);
    }
}
