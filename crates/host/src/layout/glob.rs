//! Wildcards in the module path of an `environment.conf`, which the reference expands with Ruby's `Dir.glob`.

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;

/// The number of folders and alternatives that a path may stand for.
const MOST: usize = 1000;

/// Whether the reference expands a path.
pub(super) fn has_wildcards(path: &str) -> bool {
    path.contains(['*', '?', '[', '{'])
}

/// The folders that a path with wildcards stands for, in order. None if it stands for too many, or has wildcards other than `*`, `?`, `[…]`
/// and `{…}`.
pub(super) fn folders(system: &dyn System, path: &str) -> Option<Vec<Utf8PathBuf>> {
    let mut found = Vec::new();
    for path in alternatives(path)? {
        let mut open = vec![Utf8PathBuf::from("/")];
        for name in path.split('/').filter(|it| !it.is_empty()) {
            if name == "**" {
                return None;
            }
            let mut next = Vec::new();
            for folder in open {
                if !has_wildcards(name) {
                    next.push(folder.join(name));
                    continue;
                }
                let mut names: Vec<String> = system
                    .list(&folder)
                    .unwrap_or_default()
                    .into_iter()
                    .map(|it| it.name.to_string())
                    .collect();
                names.retain(|it| !it.starts_with('.') && matches(name.as_bytes(), it.as_bytes()));
                names.sort_unstable();
                next.extend(names.iter().map(|it| folder.join(it)).filter(|it| system.is_directory(it)));
            }
            if next.len() > MOST {
                return None;
            }
            open = next;
        }
        found.extend(open.into_iter().filter(|it| is_there(system, it)));
    }
    (found.len() <= MOST).then_some(found)
}

fn is_there(system: &dyn System, path: &Utf8Path) -> bool {
    system.is_directory(path)
}

/// The paths that a path with `{a,b}` stands for.
fn alternatives(path: &str) -> Option<Vec<String>> {
    let (mut open, mut found) = (vec![path.to_owned()], Vec::new());
    while let Some(path) = open.pop() {
        let Some(start) = path.find('{') else {
            found.push(path);
            continue;
        };
        let length = path[start..].find('}')?;
        let inner = &path[start + 1..start + length];
        if inner.contains('{') || open.len() + found.len() > MOST {
            return None;
        }
        let rest = &path[start + length + 1..];
        open.extend(inner.split(',').rev().map(|it| format!("{}{it}{rest}", &path[..start])));
    }
    Some(found)
}

/// Whether a name matches a pattern. A star is tried again with one character more where the rest does not match, so that the time is at most
/// the product of the lengths.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut letter) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while letter < name.len() {
        match pattern.get(at) {
            Some(b'*') => {
                star = Some((at + 1, letter));
                at += 1;
                continue;
            }
            Some(b'?') => {
                (at, letter) = (at + 1, letter + 1);
                continue;
            }
            Some(b'[') => {
                if let Some(length) = in_class(&pattern[at..], name[letter]) {
                    (at, letter) = (at + length, letter + 1);
                    continue;
                }
            }
            Some(it) if *it == name[letter] => {
                (at, letter) = (at + 1, letter + 1);
                continue;
            }
            _ => {}
        }
        let Some((after, from)) = star else { return false };
        star = Some((after, from + 1));
        (at, letter) = (after, from + 1);
    }
    pattern[at..].iter().all(|it| *it == b'*')
}

/// The length of the class of characters that a pattern starts with, if a character is in it.
fn in_class(pattern: &[u8], letter: u8) -> Option<usize> {
    let end = pattern.iter().skip(2).position(|it| *it == b']')? + 2;
    let is_negative = matches!(pattern[1], b'^' | b'!');
    let inner = &pattern[if is_negative { 2 } else { 1 }..end];
    let mut is_in = false;
    let mut at = 0;
    while at < inner.len() {
        match inner[at..] {
            [from, b'-', to, ..] => {
                is_in |= (from..=to).contains(&letter);
                at += 3;
            }
            _ => {
                is_in |= inner[at] == letter;
                at += 1;
            }
        }
    }
    (is_in != is_negative).then_some(end + 1)
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
