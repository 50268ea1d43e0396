//! Sample values of facts.

use std::sync::Arc;

use marotte_pcore::dialect::Dialect;
use marotte_pcore::format::interpolated;
use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;

/// The numbers of values, of names for each, and of letters of a value that are shown.
const VALUES: usize = 5;
const NAMES: usize = 3;
const LETTERS: usize = 60;

/// The values that a fact has on known nodes, each with the nodes that have it, in Markdown. None if no node has the fact.
pub fn fact_samples(path: &[Str], nodes: &[(Str, Arc<Hash>)]) -> Option<String> {
    let (first, rest) = path.split_first()?;
    let mut found: Vec<(String, Vec<&str>)> = Vec::new();
    for (name, facts) in nodes {
        let part = |whole: Option<&Value>, key: &Str| match whole? {
            Value::Hash(it) => it.get_str(key).cloned(),
            _ => None,
        };
        let value = rest.iter().fold(facts.get_str(first).cloned(), |whole, key| part(whole.as_ref(), key));
        let Some(value) = value else { continue };
        let text = shown(&value);
        match found.iter_mut().find(|(it, _)| *it == text) {
            Some((_, names)) => names.push(name),
            None => found.push((text, vec![name])),
        }
    }
    // The most frequent ones first.
    found.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    let of_value = |(text, names): &(String, Vec<&str>)| {
        let more = names.len().saturating_sub(NAMES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("- {text}: {}{more}", names[..names.len().min(NAMES)].join(", "))
    };
    let mut lines: Vec<String> = found.iter().take(VALUES).map(of_value).collect();
    if found.len() > VALUES {
        lines.push(format!("- {} more values", found.len() - VALUES));
    }
    (!lines.is_empty()).then(|| format!("**On known nodes**\n\n{}", lines.join("\n")))
}

fn shown(value: &Value) -> String {
    match value {
        Value::Hash(it) if it.len() == 1 => "a hash with 1 key".to_owned(),
        Value::Hash(it) => format!("a hash with {} keys", it.len()),
        Value::Array(it) if it.len() == 1 => "an array with 1 element".to_owned(),
        Value::Array(it) => format!("an array with {} elements", it.len()),
        // It is never shown.
        Value::Sensitive(_) => "a secret".to_owned(),
        other => {
            let text = interpolated(Dialect::puppet8(), other);
            let short: String = text
                .chars()
                .map(|it| if it.is_control() || it == '`' { ' ' } else { it })
                .take(LETTERS)
                .collect();
            let rest = if text.chars().count() > LETTERS { "…" } else { "" };
            format!("`{short}{rest}`")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(name: &str, family: &str) -> (Str, Arc<Hash>) {
        let hash = |key: &str, value: Value| {
            let mut hash = Hash::default();
            hash.insert(Value::from(key), value);
            Arc::new(hash)
        };
        (name.into(), hash("os", Value::Hash(hash("family", Value::from(family)))))
    }

    #[test]
    fn values_are_shown_with_the_nodes_that_have_them() {
        let nodes = [node("a", "Suse"), node("b", "Debian"), node("c", "Debian")];
        let samples = |path: &[&str]| {
            let path: Vec<Str> = path.iter().map(|it| Str::from(*it)).collect();
            fact_samples(&path, &nodes)
        };
        let expected = "**On known nodes**\n\n- `Debian`: b, c\n- `Suse`: a";
        assert_eq!(samples(&["os", "family"]).as_deref(), Some(expected));
        let expected = "**On known nodes**\n\n- a hash with 1 key: a, b, c";
        assert_eq!(samples(&["os"]).as_deref(), Some(expected));
        assert_eq!(samples(&["os", "name"]), None);
        assert_eq!(samples(&["os", "family", "x"]), None);
    }

    #[test]
    fn long_values_are_shortened_and_keep_to_their_line() {
        let long = format!("`a`\n{}", "x".repeat(100));
        let shown = fact_samples(&["os".into(), "family".into()], &[node("a", &long)]).unwrap_or_default();
        assert_eq!(shown, format!("**On known nodes**\n\n- ` a  {}…`: a", "x".repeat(56)));
    }
}
