//! The operator `<<` without a blank before it, which the complete parser takes for the beginning of a heredoc.

use std::borrow::Cow;

/// The words after which Ruby expects an expression, so that `<<` may begin a heredoc.
const BEFORE_EXPRESSIONS: &[&str] = &[
    "BEGIN", "END", "alias", "and", "begin", "break", "case", "class", "def", "defined", "do", "else",
    "elsif", "ensure", "for", "if", "in", "module", "next", "not", "or", "rescue", "return", "then", "undef",
    "unless", "until", "when", "while",
];

/// A text of the same length for the complete parser: after a name or the end of an expression, as in `list<<"\n"`, the
/// operator `<<` is replaced by `>>`, which has the same precedence and never begins a heredoc.
///
/// The bytes of strings and comments may change, too. They are read from the original text.
pub(super) fn marked(text: &str) -> Cow<'_, str> {
    let mut marked = Cow::Borrowed(text);
    for (at, sign) in text.match_indices("<<") {
        if ends_expression(&text[..at]) && may_begin(&text[at + sign.len()..]) {
            marked.to_mut().replace_range(at..at + sign.len(), ">>");
        }
    }
    marked
}

/// Whether a text ends with the end of an expression, as far as its last word or sign shows.
fn ends_expression(before: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    match before.chars().next_back() {
        Some(')' | ']' | '}' | '"' | '\'') => true,
        Some(last) if is_word(last) => {
            let word = &before[before.trim_end_matches(is_word).len()..];
            // `%w<<a>>` is a literal.
            !BEFORE_EXPRESSIONS.contains(&word) && !before[..before.len() - word.len()].ends_with('%')
        }
        _ => false,
    }
}

/// Whether the parser may take `<<` for the beginning of a heredoc before this text.
fn may_begin(behind: &str) -> bool {
    behind.starts_with(|c: char| c.is_alphabetic() || matches!(c, '"' | '\'' | '`' | '~' | '-' | '_'))
}

#[cfg(test)]
mod tests {
    use super::marked;

    #[test]
    fn an_operator_after_an_expression_begins_no_heredoc() {
        for (text, expected) in [
            ("a<<\"\\n\"", "a>>\"\\n\""),
            ("f(a)<<'b'", "f(a)>>'b'"),
            ("a[1]<<b", "a[1]>>b"),
            ("é<<~b", "é>>~b"),
            ("a <<\"b\"", "a <<\"b\""),
            ("a << \"b\"", "a << \"b\""),
            ("return<<A", "return<<A"),
            ("class<<self", "class<<self"),
            ("f(<<A)", "f(<<A)"),
            ("%w<<a>>", "%w<<a>>"),
        ] {
            assert_eq!(marked(text), expected);
        }
    }

    #[test]
    fn code_after_such_an_operator_is_read() {
        let source = crate::syntax::parse("def f(a)\n  a<<\"\\n\"\nend\nb = 1\n");
        assert!(source.sound);
        assert_eq!(source.body.len(), 2);
    }
}
