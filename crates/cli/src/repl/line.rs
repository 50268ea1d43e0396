//! The kinds of inputs, and their completeness.

use marotte_syntax::{Mode, SyntaxErrorKind, parse};

/// A line of input, with its kind.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    Nothing,
    Quit,
    Help,
    /// `:type EXPR`.
    Type(&'a str),
    /// `:catalog`.
    Catalog,
    /// A word after a colon that is not a command.
    Unknown(&'a str),
    Code(&'a str),
}

impl Line<'_> {
    pub(super) fn parse(text: &str) -> Line<'_> {
        let trimmed = text.trim();
        // What people type in other dialogs; as Puppet code, both are strings without effect.
        if matches!(trimmed, "exit" | "quit") {
            return Line::Quit;
        }
        let Some(command) = trimmed.strip_prefix(':').filter(|it| !it.starts_with(':')) else {
            return if trimmed.is_empty() { Line::Nothing } else { Line::Code(text) };
        };
        let (word, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        match word {
            "q" | "quit" | "exit" => Line::Quit,
            "h" | "help" => Line::Help,
            "c" | "catalog" => Line::Catalog,
            "t" | "type" => Line::Type(rest.trim_start()),
            _ => Line::Unknown(&trimmed[..=word.len()]),
        }
    }
}

/// Whether a text can be evaluated as it is. It can't if a construct in it is still open; an empty line ends the input
/// nevertheless, so that users can always leave it.
pub(super) fn is_complete(text: &str) -> bool {
    let code = match Line::parse(text) {
        Line::Code(code) | Line::Type(code) => code,
        _ => return true,
    };
    let end = code.trim_end().len();
    let open = |kind: &SyntaxErrorKind| match kind {
        SyntaxErrorKind::Unexpected { found, .. } => found.is_none(),
        // If the place where it should have been closed is known, more text does not help.
        SyntaxErrorKind::Unclosed { expected_at, .. } => {
            expected_at.is_none_or(|at| usize::from(at.start()) >= end)
        }
        SyntaxErrorKind::UnclosedQuote { .. }
        | SyntaxErrorKind::UnclosedComment
        | SyntaxErrorKind::HeredocWithoutText
        | SyntaxErrorKind::HeredocWithoutEnd { .. } => true,
        _ => false,
    };
    text.ends_with("\n\n") || !parse(code, Mode::default()).errors.iter().any(|it| open(&it.kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_start_with_a_colon() {
        assert_eq!(Line::parse("  "), Line::Nothing);
        assert_eq!(Line::parse(":quit"), Line::Quit);
        assert_eq!(Line::parse(" exit "), Line::Quit);
        assert_eq!(Line::parse("'exit'"), Line::Code("'exit'"));
        assert_eq!(Line::parse(" :type  [1, 2]"), Line::Type("[1, 2]"));
        assert_eq!(Line::parse(":foo bar"), Line::Unknown(":foo"));
        assert_eq!(Line::parse("::f()"), Line::Code("::f()"));
    }

    #[test]
    fn what_is_open_goes_on() {
        for text in
            ["1 + 1", "[1, 2]", "f(", "if true {", "$x = [", "'a", "@(END)", "1 +", ":type [", "/* a", "{ [1"]
        {
            let complete = ["1 + 1", "[1, 2]"].contains(&text);
            assert_eq!(is_complete(text), complete, "{text}");
            assert!(is_complete(&format!("{text}\n\n")), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_told_at_once() {
        for text in ["1 2 )", "f(]", "}", "$x = = 1", ":help ["] {
            assert!(is_complete(text), "{text}");
        }
    }
}
