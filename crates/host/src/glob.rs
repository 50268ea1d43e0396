//! Patterns of paths, as Ruby's `Dir.glob` takes them: data files of Hiera, and folders of a module path.

use globset::{GlobBuilder, GlobMatcher};

/// The maximum number of paths that the braces of a pattern are expanded to.
const MOST: usize = 1_000;

/// Whether a part of a path, without braces, may match other names than its own.
pub(crate) fn is_pattern(part: &str) -> bool {
    part.contains(['*', '?', '[', '\\'])
}

/// Compiles a part of a path, between slashes and without braces.
///
/// # Errors
/// If it is not a pattern: what is wrong with it.
pub(crate) fn matcher(part: &str) -> Result<GlobMatcher, String> {
    let glob = GlobBuilder::new(part).literal_separator(true).backslash_escape(true).build();
    glob.map(|it| it.compile_matcher()).map_err(|error| error.to_string())
}

/// Expands braces, in order, up to a limit; the rest isn't expanded.
pub(crate) fn alternatives(pattern: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut open = vec![pattern.to_owned()];
    while let Some(next) = open.pop() {
        match braces(&next) {
            Some((before, options, after)) if done.len() + open.len() + options.len() <= MOST => {
                let expanded = options.iter().rev().map(|it| format!("{before}{it}{after}"));
                let expanded: Vec<String> = expanded.collect();
                open.extend(expanded);
            }
            _ => done.push(next),
        }
    }
    done
}

/// The first pair of braces: the text before it, its alternatives, and the text after it.
fn braces(text: &str) -> Option<(&str, Vec<&str>, &str)> {
    let start = text.find('{')?;
    let (mut depth, mut from, mut options) = (0, start + 1, Vec::new());
    for (at, it) in text.bytes().enumerate().skip(start) {
        match it {
            b'{' => depth += 1,
            b',' if depth == 1 => {
                options.push(&text[from..at]);
                from = at + 1;
            }
            b'}' if depth == 1 => {
                options.push(&text[from..at]);
                return Some((&text[..start], options, &text[at + 1..]));
            }
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::alternatives;

    #[test]
    fn braces_stand_for_alternatives() {
        assert_eq!(alternatives("a/{b,c}.yaml"), ["a/b.yaml", "a/c.yaml"]);
        assert_eq!(alternatives("{a,b/{c,d}}"), ["a", "b/c", "b/d"]);
        assert_eq!(alternatives("a"), ["a"]);
        assert!(alternatives(&"{a,b}".repeat(40)).len() <= 1_000);
    }
}
