//! Wildcards in the module path of an `environment.conf`, which the reference expands with Ruby's `Dir.glob`.

use camino::Utf8PathBuf;
use marotte_db::System;

use crate::glob::{alternatives, is_pattern, matcher};

/// The maximum number of folders that a path is expanded to.
const MOST: usize = 1_000;

/// Whether the reference expands a path.
pub(super) fn has_wildcards(path: &str) -> bool {
    path.contains(['*', '?', '[', '{'])
}

/// Returns the folders that a path with wildcards matches, in order. None if there are too many, or if the path has `**` or a pattern
/// with an error.
pub(super) fn folders(system: &dyn System, path: &str) -> Option<Vec<Utf8PathBuf>> {
    let mut found = Vec::new();
    for path in alternatives(path) {
        let mut open = vec![Utf8PathBuf::from("/")];
        for part in path.split('/').filter(|it| !it.is_empty()) {
            if part == "**" || part.contains('{') {
                return None;
            }
            if !is_pattern(part) {
                open.iter_mut().for_each(|it| it.push(part));
                continue;
            }
            let matcher = matcher(part).ok()?;
            let mut next = Vec::new();
            for folder in open {
                let entries = system.list(&folder).unwrap_or_default();
                let matched =
                    entries.into_iter().filter(|it| !it.name.starts_with('.') && matcher.is_match(&it.name));
                next.extend(matched.filter(|it| it.is_directory).map(|it| folder.join(it.name)));
            }
            if next.len() > MOST {
                return None;
            }
            open = next;
        }
        found.extend(open.into_iter().filter(|it| system.is_directory(it)));
    }
    (found.len() <= MOST).then_some(found)
}

#[cfg(test)]
mod tests {
    use marotte_db::MemorySystem;

    use super::*;

    /// As `Dir.glob` of Ruby 3.1 answers.
    #[test]
    fn wildcards_stand_for_folders() {
        let system = MemorySystem::with_files([
            ("/env/site/a/x/init.pp", ""),
            ("/env/site/b/x/init.pp", ""),
            ("/env/site/.c/x/init.pp", ""),
            ("/env/site/file", ""),
            ("/env/modules/m/init.pp", ""),
        ]);
        for (path, expected) in [
            ("/env/site/*", Some(vec!["/env/site/a", "/env/site/b"])),
            ("/env/{modules,site/b}", Some(vec!["/env/modules", "/env/site/b"])),
            ("/env/s?te/[a]", Some(vec!["/env/site/a"])),
            ("/env/site/[^a]", Some(vec!["/env/site/b"])),
            ("/env/site/[a-c]", Some(vec!["/env/site/a", "/env/site/b"])),
            ("/env/*/b/x", Some(vec!["/env/site/b/x"])),
            ("/env/none/*", Some(vec![])),
            ("/env/**/x", None),
        ] {
            let found = folders(&system, path);
            let expected = expected.map(|it| it.into_iter().map(Utf8PathBuf::from).collect());
            assert_eq!(found, expected, "{path}");
        }
    }
}
