//! The syntax of `%{…}` in texts (G9).

use std::ops::Range;

/// An expression in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression<'t> {
    /// The byte range in the text, including `%{` and `}`.
    pub range: Range<usize>,
    /// The value that the expression requests.
    pub kind: ExpressionKind<'t>,
}

/// The value that an expression requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpressionKind<'t> {
    /// No value is requested: the expression evaluates to nothing.
    Nothing,
    /// A variable, possibly followed by keys to dig for.
    Variable(&'t str),
    /// The result of a function for an argument.
    Call(Method<'t>, &'t str),
}

/// The functions that are available in expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method<'t> {
    /// `lookup`, `hiera`: the value of a key, as text.
    Lookup,
    /// `alias`: the value of a key, with its type preserved.
    Alias,
    /// `literal`: the argument itself.
    Literal,
    /// `scope`: the value of a variable.
    Scope,
    /// A name that isn't one of these functions.
    Unknown(&'t str),
}

/// The names of the functions.
pub const METHODS: [&str; 5] = ["lookup", "hiera", "alias", "literal", "scope"];

/// Expressions that evaluate to nothing.
const EMPTY: [&str; 6] = ["", "::", "\"\"", "''", "\"::\"", "'::'"];

/// The expressions of a text, in order. Unclosed ones are ignored.
pub fn expressions(text: &str) -> impl Iterator<Item = Expression<'_>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + text[from..].find("%{")?;
        let inner = start + "%{".len();
        let end = inner + text[inner..].find('}')?;
        from = end + "}".len();
        Some(Expression { range: start..from, kind: kind(&text[inner..end]) })
    })
}

/// Returns the offset of the first unclosed expression.
pub fn unclosed(text: &str) -> Option<usize> {
    let from = expressions(text).last().map_or(0, |it| it.range.end);
    text[from..].find("%{").map(|at| from + at)
}

fn kind(expression: &str) -> ExpressionKind<'_> {
    let trimmed = expression.trim_matches(|it: char| it.is_ascii_whitespace() || it == '\0' || it == '\u{b}');
    if EMPTY.contains(&trimmed) {
        return ExpressionKind::Nothing;
    }
    let Some((name, argument)) = call(trimmed) else { return ExpressionKind::Variable(trimmed) };
    let method = match name {
        "lookup" | "hiera" => Method::Lookup,
        "alias" => Method::Alias,
        "literal" => Method::Literal,
        "scope" => Method::Scope,
        other => Method::Unknown(other),
    };
    ExpressionKind::Call(method, argument)
}

/// Splits `name('argument')`; the whole text must match.
fn call(expression: &str) -> Option<(&str, &str)> {
    let (name, rest) = expression.split_once('(')?;
    if name.is_empty() || !name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_') {
        return None;
    }
    let quoted = rest.strip_suffix(')')?;
    let quote = quoted.chars().next().filter(|it| matches!(it, '"' | '\''))?;
    let inner = quoted[1..].strip_suffix(quote)?;
    (!inner.is_empty() && !inner.contains(quote)).then_some((name, inner))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_found_with_their_places() {
        let text = "a %{x} %{} é%{lookup('k')}%{ alias(\"b\") }%{nope('c')}%{lookup(k)} %{open";
        let found: Vec<_> = expressions(text).map(|it| (&text[it.range], it.kind)).collect();
        let expected = [
            ("%{x}", ExpressionKind::Variable("x")),
            ("%{}", ExpressionKind::Nothing),
            ("%{lookup('k')}", ExpressionKind::Call(Method::Lookup, "k")),
            ("%{ alias(\"b\") }", ExpressionKind::Call(Method::Alias, "b")),
            ("%{nope('c')}", ExpressionKind::Call(Method::Unknown("nope"), "c")),
            ("%{lookup(k)}", ExpressionKind::Variable("lookup(k)")),
        ];
        assert_eq!(found, expected);
        assert_eq!(unclosed(text), Some(text.len() - "%{open".len()));
        assert_eq!(unclosed("%{a} %"), None);
    }
}
