//! Quotations in messages: names in backticks, values in quotes, and the parameters of types in brackets.

use std::sync::LazyLock;

use regex::{Captures, Regex};

/// The replacement for a quotation.
const LEFT_OUT: &str = "`…`";

/// A text that a message quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quoted<'a> {
    /// A name, or a piece of code: `` `name` ``.
    Name(&'a str),
    /// A value: `'text'` or `"text"`.
    Value(&'a str),
    /// A word in the parameters of a type that is not in quotes: `1` in `Integer[1, 5]`.
    Parameter(&'a str),
}

impl<'a> Quoted<'a> {
    /// The text without its quotes.
    pub(crate) fn text(self) -> &'a str {
        match self {
            Quoted::Name(text) | Quoted::Value(text) | Quoted::Parameter(text) => text,
        }
    }
}

/// A message without those of its quotations that must not be displayed.
pub(crate) fn without_quotations(text: &str, is_hidden: impl Fn(Quoted<'_>) -> bool) -> String {
    // An apostrophe in a word starts no quotation.
    #[expect(clippy::expect_used, reason = "a literal")]
    static PARTS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"`[^`]*`|\B'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[\[\]]|[\w.+-]+"#)
            .expect("a regular expression")
    });
    let mut depth = 0_usize;
    let replaced = PARTS.replace_all(text, |part: &Captures<'_>| {
        let whole = &part[0];
        let inner = || whole.get(1..whole.len() - 1).unwrap_or_default();
        let (quoted, left_out) = match whole.as_bytes().first() {
            Some(b'`') => (Quoted::Name(inner()), LEFT_OUT),
            Some(b'\'' | b'"') => (Quoted::Value(inner()), LEFT_OUT),
            Some(b'[') => {
                depth += 1;
                return whole.to_owned();
            }
            Some(b']') => {
                depth = depth.saturating_sub(1);
                return whole.to_owned();
            }
            _ if depth > 0 => (Quoted::Parameter(whole), "…"),
            _ => return whole.to_owned(),
        };
        if is_hidden(quoted) { left_out.to_owned() } else { whole.to_owned() }
    });
    replaced.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_replaced_as_a_whole() {
        let hides = |text: &str| without_quotations(text, |_| true);
        assert_eq!(
            hides("parameter `$p` of `m::x` doesn't take 'a \\'b\\''"),
            "parameter `…` of `…` doesn't take `…`"
        );
        assert_eq!(
            hides("expects Integer[1, 5] or Pattern[/a+/], got \"x\""),
            "expects Integer[…, …] or Pattern[/…/], got `…`"
        );
        assert_eq!(hides("expects 2 arguments, got 3"), "expects 2 arguments, got 3");
    }

    #[test]
    fn kinds_of_quotations_are_told_apart() {
        let values = |text: &str| without_quotations(text, |it| matches!(it, Quoted::Value(_)));
        assert_eq!(values("`name`, 'value', Enum['value', 1]"), "`name`, `…`, Enum[`…`, 1]");
    }
}
