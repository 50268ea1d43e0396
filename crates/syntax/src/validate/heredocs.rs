//! Checks the text of heredocs against the syntax they declare. Only text without interpolation is known before
//! evaluation.

use marotte_text::{Str, TextRange, TextSize};

use super::json::json_error;
use super::{Checker, validate_within};
use crate::ast::{ExprKind, Heredoc};
use crate::grammar::{self, Rule};
use crate::{Mode, SyntaxError, SyntaxErrorKind, build, lexer, nesting};

/// The maximal depth to which manifests in heredocs of manifests are checked.
const DEPTH_LIMIT: u8 = 4;

impl Checker<'_> {
    pub(super) fn heredoc(&mut self, heredoc: &Heredoc, header: TextRange) {
        if !heredoc.syntax.is_empty()
            && let ExprKind::String(text) = &heredoc.text.kind
            && let Some(reason) = text_error(&heredoc.syntax, text, self.mode, self.depth)
        {
            let range = if heredoc.text.range.is_empty() { header } else { heredoc.text.range };
            self.report(range, SyntaxErrorKind::HeredocText { syntax: heredoc.syntax.clone(), reason });
        }
        self.inner(&heredoc.text);
    }
}

/// Checks a heredoc's text against the syntax it declares, for text that was not yet known at parse time.
pub fn heredoc_problem(syntax: &str, text: &str) -> Option<Str> {
    text_error(syntax, text, Mode::default(), 0)
}

/// Checks a text. The checker of `a+b+c` is that of `a+b+c`, `b+c` or `c`, whichever exists. The checkers for Puppet's
/// own languages fail if they are found by a longer name.
fn text_error(syntax: &str, text: &str, mode: Mode, depth: u8) -> Option<Str> {
    let checker = syntax.trim_end_matches('+').rsplit('+').next()?;
    match checker {
        "json" => json_error(text).map(Str::from),
        "base64" => base64_error(text).map(Str::from),
        "pp" | "epp" if checker != syntax => Some("no other syntax may appear before 'pp' and 'epp'".into()),
        "pp" | "epp" if depth < DEPTH_LIMIT => {
            let mode = Mode { template: checker == "epp", ..mode };
            first_error(text, mode, depth + 1).map(|error| words(&error, text))
        }
        _ => None,
    }
}

/// Returns the first error of a text, for which no recovery is needed.
fn first_error(text: &str, mode: Mode, depth: u8) -> Option<SyntaxError> {
    let lexed = lexer::lex(text, mode);
    let mut errors = lexed.errors;
    // Warnings are not passed on; and exceeding our own nesting limit is not an error of the text.
    errors.retain(|error| !error.kind.is_warning());
    if errors.is_empty() && nesting::too_deep(&lexed.tokens).is_none() {
        let rule = if mode.template { Rule::template } else { Rule::program };
        match grammar::arrange(&lexed.tokens, rule) {
            Ok(mut pairs) => {
                let program = build::build(text, &lexed.tokens, pairs.next()?, mode.choices, &mut errors);
                validate_within(&program, text, mode, depth, &[], &mut errors);
            }
            Err(at) => {
                let range = lexed.tokens.range(at, TextSize::of(text));
                let found = text.get(usize::from(range.start())..usize::from(range.end()));
                let found = found.filter(|found| !found.is_empty()).map(Str::from);
                let kind = SyntaxErrorKind::Unexpected { found, slip: crate::Slip::Unknown };
                errors.push(SyntaxError { range, kind });
            }
        }
    }
    errors.retain(|error| !error.kind.is_warning() && !is_own_limit(&error.kind));
    errors.into_iter().min_by_key(|error| error.range.start())
}

fn is_own_limit(kind: &SyntaxErrorKind) -> bool {
    matches!(kind, SyntaxErrorKind::NestingLimit(_) | SyntaxErrorKind::ChainLimit(_))
}

fn words(error: &SyntaxError, text: &str) -> Str {
    let before = text.get(..usize::from(error.range.start())).unwrap_or(text);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    match &error.kind {
        SyntaxErrorKind::Unexpected { found: Some(found), .. } if !found.contains('\n') => {
            format!("unexpected '{found}' in line {line}").into()
        }
        SyntaxErrorKind::Unexpected { found: None, .. } => "unexpected end".into(),
        _ => format!("line {line} is wrong").into(),
    }
}

/// Checks by Ruby's strict decoding, after blanks, line ends and question marks are removed.
fn base64_error(text: &str) -> Option<&'static str> {
    let ignored = |char: char| {
        matches!(
            char,
            '\r' | '\n'
                | '?'
                | '\t'
                | ' '
                | '\u{a0}'
                | '\u{1680}'
                | '\u{202f}'
                | '\u{205f}'
                | '\u{3000}'
                | '\u{2000}'..='\u{200a}'
        )
    };
    let mut digits = 0_usize;
    let mut padding = 0_usize;
    let mut last = 0_u8;
    for char in text.chars().filter(|char| !ignored(*char)) {
        let digit = match char {
            'A'..='Z' => char as u8 - b'A',
            'a'..='z' => char as u8 - b'a' + 26,
            '0'..='9' => char as u8 - b'0' + 52,
            '+' => 62,
            '/' => 63,
            '=' => {
                padding += 1;
                continue;
            }
            _ => return Some("a character that is none of base64"),
        };
        if padding > 0 {
            return Some("text after the padding");
        }
        digits += 1;
        last = digit;
    }
    let unused_bits = match (digits % 4, padding) {
        (0, 0) => 0,
        (2, 2) => last & 0b1111,
        (3, 1) => last & 0b11,
        _ => return Some("the padding is not correct"),
    };
    (unused_bits != 0).then_some("bits that encode nothing")
}

#[cfg(test)]
mod tests {
    use super::base64_error;

    // Verdicts of Ruby's strict_decode64.
    #[test]
    fn base64() {
        for text in ["", "????", "YQ==", "Y Q\n= =", "YWI=", "YWJj", "+/+/"] {
            assert_eq!(base64_error(text), None, "{text}");
        }
        for text in ["YQ", "YQ=", "YR==", "YWJ=", "YQ==YQ==", "=", "====", "YW_j", "Y", "é"] {
            assert!(base64_error(text).is_some(), "{text}");
        }
    }
}
