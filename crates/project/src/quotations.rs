//! Quotations in messages: names in backticks, values in quotes, and the parameters of types in brackets.

use std::sync::LazyLock;

use regex::Regex;

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

/// Replaces those quotations in a message that must not be displayed.
pub(crate) fn hide(message: &mut String, is_hidden: impl Fn(Quoted<'_>) -> bool) {
    // An apostrophe in a word starts no quotation.
    #[expect(clippy::expect_used, reason = "a literal")]
    static PARTS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"`[^`]*`|\B'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[\[\]]|[\w.+-]+"#)
            .expect("a regular expression")
    });
    let mut depth = 0_usize;
    let (mut shown, mut copied) = (String::new(), 0);
    for part in PARTS.find_iter(message) {
        let whole = part.as_str();
        let inner = || whole.get(1..whole.len() - 1).unwrap_or_default();
        let (quoted, left_out) = match whole.as_bytes().first() {
            Some(b'`') => (Quoted::Name(inner()), LEFT_OUT),
            Some(b'\'' | b'"') => (Quoted::Value(inner()), LEFT_OUT),
            Some(b'[') => {
                depth += 1;
                continue;
            }
            Some(b']') => {
                depth = depth.saturating_sub(1);
                continue;
            }
            _ if depth > 0 => (Quoted::Parameter(whole), "…"),
            _ => continue,
        };
        if is_hidden(quoted) {
            shown.push_str(&message[copied..part.start()]);
            shown.push_str(left_out);
            copied = part.end();
        }
    }
    if copied > 0 {
        shown.push_str(&message[copied..]);
        *message = shown;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_replaced_as_a_whole() {
        let hides = |text: &str| {
            let mut message = text.to_owned();
            hide(&mut message, |_| true);
            message
        };
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
        let mut message = "`name`, 'value', Enum['value', 1]".to_owned();
        hide(&mut message, |it| matches!(it, Quoted::Value(_)));
        assert_eq!(message, "`name`, `…`, Enum[`…`, 1]");
    }
}
