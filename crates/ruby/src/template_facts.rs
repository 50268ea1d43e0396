//! The facts that the code of an ERB template reads by their names: `@facts['os']['family']`.

use marotte_text::{TextRange, TextSize};

/// A fact, or a part of one, that a template reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactRead<'t> {
    /// The name of the fact, and the keys of its parts, each with its range.
    pub path: Vec<(&'t str, TextRange)>,
}

/// The expressions that return the hash of all facts.
const FACTS: [&str; 8] = [
    "@facts",
    "scope['facts']",
    "scope[\"facts\"]",
    "scope['::facts']",
    "scope[\"::facts\"]",
    "scope.lookupvar('facts')",
    "scope.lookupvar('::facts')",
    "scope.lookupvar(\"::facts\")",
];

/// Finds the facts that the code of a template reads with literal keys, in order of position. Comments are left out, and lines that assign
/// to such a place.
pub fn facts(text: &str) -> Vec<FactRead<'_>> {
    let mut found = Vec::new();
    // Few templates read facts: one search rather than one for each form in each line.
    if !text.contains("facts") {
        return found;
    }
    for (start, code) in crate::template::tags(text) {
        let mut offset = start;
        for line in code.split_inclusive('\n') {
            let end = line.find(" #").unwrap_or(line.len());
            if !line.trim_start().starts_with('#') {
                in_line(&line[..end], offset, &mut found);
            }
            offset += line.len();
        }
    }
    found.sort_by_key(|it: &FactRead<'_>| it.path.first().map(|it| it.1.start()));
    found
}

fn in_line<'t>(line: &'t str, offset: usize, found: &mut Vec<FactRead<'t>>) {
    for (at, opening) in FACTS.iter().flat_map(|it| line.match_indices(it)) {
        let mut at = at + opening.len();
        let mut path = Vec::new();
        while let Some((key, key_at, next)) = key(line, at) {
            let offset_of = |it: usize| TextSize::try_from(it).unwrap_or_default();
            path.push((key, TextRange::at(offset_of(offset + key_at), TextSize::of(key))));
            at = next;
        }
        let rest = line[at..].trim_start();
        let is_assigned = rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=~");
        if !path.is_empty() && !is_assigned && !rest.starts_with("||=") {
            found.push(FactRead { path });
        }
    }
}

/// The quoted key in brackets that starts at a position: the key, its position, and the position after the bracket.
fn key(line: &str, at: usize) -> Option<(&str, usize, usize)> {
    let inner = line[at..].strip_prefix('[')?;
    let quote = inner.chars().next().filter(|it| matches!(it, '\'' | '"'))?;
    let length = inner[1..].find(quote)?;
    let key = &inner[1..=length];
    let is_plain = !key.is_empty() && key.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
    let next = at + length + 4;
    (is_plain && inner[length + 2..].starts_with(']')).then_some((key, at + 2, next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_read_by_literal_keys() {
        for (text, expected) in [
            ("<%= @facts['os']['family'] %>", vec!["os.family"]),
            ("<%= scope['facts'][\"os\"]['release']['major'].to_i %>", vec!["os.release.major"]),
            ("<%= scope.lookupvar('::facts')['kernel'] %>", vec!["kernel"]),
            ("<% if @facts['a'] == @facts['b'][x] %>", vec!["a", "b"]),
            ("<%# @facts['a'] %><% # @facts['b'] %> @facts['c']", vec![]),
            ("<% @facts['a'] = 1 %><% @facts[name] %><%= @facts['x y'] %>", vec![]),
            ("<%= @factsheet['a'] %>", vec![]),
        ] {
            let found = facts(text);
            let shown: Vec<String> =
                found.iter().map(|it| it.path.iter().map(|it| it.0).collect::<Vec<_>>().join(".")).collect();
            assert_eq!(shown, expected, "{text}");
            for (key, range) in found.iter().flat_map(|it| &it.path) {
                assert_eq!(&text[*range], *key);
            }
        }
    }
}
