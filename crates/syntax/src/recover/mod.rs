//! Error recovery: continues after a token that is not allowed where it is.
//!
//! The grammar stops at its first error. Repairs of the tokens are tried there, the most likely first, and one is kept
//! if the grammar gets further with it: common mistakes, unbalanced brackets, one token too many or too few. If none
//! helps, the smallest enclosing piece of source is set aside: an element, a statement, a block.
//!
//! Repairs never invent meaning: what they add or set aside becomes [`crate::ast::ExprKind::Error`].

mod blank;
mod delimiter;
pub(crate) mod foreign;
mod keyword;
mod opener;
mod slip;
mod trial;

use marotte_text::{Str, TextRange, TextSize};

use crate::grammar::{Rule, arrange};
use crate::token::{TokenKind, Tokens};
use crate::{Slip, SyntaxError, SyntaxErrorKind};
use trial::{Edit, Proposal, Trial};

/// The maximal number of errors in one text; more would not help the user.
const ERROR_LIMIT: usize = 100;

/// Repairs the tokens until the grammar accepts them, and reports the errors.
///
/// Work is bounded: at most [`ERROR_LIMIT`] errors, and a fixed budget of tokens to try repairs on; after that the rest
/// of the text is set aside.
pub(crate) fn repair(
    source: &str,
    mut tokens: Tokens,
    rule: Rule,
    mut at: usize,
    lexical: &[SyntaxError],
    errors: &mut Vec<SyntaxError>,
) -> Tokens {
    let mut budget = 4_000_000_usize.max(60 * tokens.len()).min(40_000_000);
    let lines = Lines::new(source);
    let mut reported: Option<TextRange> = None;
    // Where the lexer could not read something, the grammar cannot either.
    let lexical: Vec<TextRange> =
        lexical.iter().filter(|error| !error.kind.is_warning()).map(|error| error.range).collect();
    for _ in 0..ERROR_LIMIT {
        let site = Site { source, lines: &lines, tokens: &tokens, at };
        let here = site.range(at);
        let mut trial = Trial::new(&tokens, rule, at, &mut budget);
        let found = slip::proposals(&site)
            .into_iter()
            .find_map(|proposal| trial.accept(proposal))
            .or_else(|| trial.best(delimiter::proposals(&site)))
            .or_else(|| trial.best(slip::generic(&site)))
            .or_else(|| trial.best(blank::proposals(&site)));
        let exhausted = budget < tokens.len();
        let (repaired, next, mut new_errors) = found.unwrap_or_else(|| {
            let proposal = blank::rest(&site);
            (proposal.apply(&tokens), None, proposal.errors)
        });
        if exhausted && next.is_none() {
            new_errors.push(site.given_up());
        }
        // A failure directly after a repair is caused by the repair.
        let misread =
            |range: &TextRange| range.start() <= here.start() && site.same_line(range.start(), here.start());
        let follows = reported.is_some_and(|last| site.same_line(last.end(), here.start()))
            || lexical.iter().any(misread);
        if !follows || exhausted {
            errors.extend(new_errors);
        }
        reported = Some(here);
        tokens = repaired;
        match next {
            Some(next) => at = next,
            None => return tokens,
        }
    }
    let site = Site { source, lines: &lines, tokens: &tokens, at };
    errors.push(site.given_up());
    let rest = blank::rest(&site).apply(&tokens);
    if arrange(&rest, rule).is_ok() { rest } else { blank::everything(&tokens, rule) }
}

/// The starts of the lines of a text, and their indentation.
struct Lines {
    /// Offset and indentation of each line; never empty.
    starts: Vec<(u32, u32)>,
    /// The end of the text without trailing blanks.
    end: TextSize,
}

impl Lines {
    fn new(source: &str) -> Lines {
        let mut start = 0;
        let starts = source
            .split('\n')
            .map(|line| {
                let indentation = line.len() - line.trim_start_matches([' ', '\t']).len();
                let entry = (start as u32, indentation as u32);
                start += line.len() + 1;
                entry
            })
            .collect();
        Lines { starts, end: TextSize::of(source.trim_end()) }
    }

    fn line(&self, offset: TextSize) -> usize {
        self.starts.partition_point(|&(start, _)| start <= u32::from(offset)).saturating_sub(1)
    }
}

/// The position at which the grammar failed.
struct Site<'t> {
    source: &'t str,
    lines: &'t Lines,
    tokens: &'t Tokens,
    /// The index of the token that is not allowed here; the number of tokens at the end of the text.
    at: usize,
}

impl<'t> Site<'t> {
    /// Returns the error that the text is not read from here on.
    fn given_up(&self) -> SyntaxError {
        SyntaxError { range: self.range(self.at), kind: SyntaxErrorKind::GivenUp }
    }

    fn kind(&self, index: usize) -> Option<TokenKind> {
        self.tokens.kind(index)
    }

    /// The kind of the token `back` tokens before the failing one.
    fn before(&self, back: usize) -> Option<TokenKind> {
        self.tokens.kind(self.at.checked_sub(back)?)
    }

    fn range(&self, index: usize) -> TextRange {
        self.tokens.range(index, self.lines.end)
    }

    fn written(&self, index: usize) -> &'t str {
        let range = self.tokens.range(index, TextSize::of(self.source));
        self.source.get(usize::from(range.start())..usize::from(range.end())).unwrap_or_default()
    }

    /// The text of a token, shortened to a few characters.
    fn found(&self, index: usize) -> Option<Str> {
        self.kind(index)?;
        let written = self.written(index);
        let line = written.lines().next().unwrap_or_default();
        let short: Str = line.chars().take(40).collect::<String>().into();
        Some(if short.len() < written.len() { Str::from(format!("{short}…")) } else { short })
    }

    fn unexpected(&self, slip: Slip) -> SyntaxError {
        self.unexpected_at(self.at, self.range(self.at), slip)
    }

    fn unexpected_at(&self, index: usize, range: TextRange, slip: Slip) -> SyntaxError {
        SyntaxError { range, kind: SyntaxErrorKind::Unexpected { found: self.found(index), slip } }
    }

    fn same_line(&self, a: TextSize, b: TextSize) -> bool {
        self.lines.line(a) == self.lines.line(b)
    }

    /// The indentation of the line that a token starts on, and whether the token is the first on it.
    fn indentation(&self, index: usize) -> (usize, bool) {
        let start = self.range(index).start();
        let (line, indentation) = self.lines.starts[self.lines.line(start)];
        (indentation as usize, u32::from(start) <= line + indentation)
    }

    /// The brackets that are open before the failing token, outermost first.
    fn open_brackets(&self) -> Vec<usize> {
        let mut open: Vec<usize> = Vec::new();
        for index in 0..self.at {
            let Some(kind) = self.kind(index) else { break };
            if kind.is_closer() {
                open.pop();
            } else if kind.closer().is_some() {
                open.push(index);
            }
        }
        open
    }
}

#[cfg(test)]
mod tests {
    use crate::{Mode, SyntaxError, SyntaxErrorKind, parse};

    /// The number of errors, and the definitions and statements that are left.
    fn recovered(source: &str) -> (usize, usize) {
        let parse = parse(source, Mode::default());
        (parse.errors.len(), parse.program.body.len())
    }

    #[test]
    fn one_slip_is_one_error_and_the_rest_stays() {
        assert_eq!(recovered("$a = 1\nfile { '/x': mode = '1' }\n$b = 2\n"), (1, 3));
        assert_eq!(recovered("$a = 1\n$b = [1 2]\n$c = 3\n"), (1, 3));
        assert_eq!(recovered("if $x { f() } else if $y { g() }\n$c = 3\n"), (1, 2));
    }

    /// The quotes are out of step up to the end, where their number is even again.
    #[test]
    fn a_missing_quote_before_an_even_number_is_one_error() {
        let text =
            "$a = md5(\"${b}${c})\n$d = \"md5${a}\"\nnotify { \"x \\\"${d}\\\"\": message => \"it's\" }\n";
        let parse = parse(text, Mode::default());
        let late = |it: &SyntaxError| matches!(it.kind, SyntaxErrorKind::StringEndsLate { .. });
        assert!(matches!(&parse.errors[..], [only] if late(only)), "{:?}", parse.errors);
    }

    /// The text of a heredoc may begin with a quote and end directly before a word.
    #[test]
    fn heredocs_do_not_end_late() {
        for (text, expected) in [
            ("$a = @(EOT)\n\"x\",\"y\"\n\"z\"\nEOT\n$b = 1\n$c = )\n$d = (\n", 2),
            ("$a = @(\"EOT\")\n\"${b}\nworld\nEOT\n$b = 1\n$c = )\n", 1),
            ("$a = @(\"EOT\")\nhello ${b}\nworld\nEOT\n$b = 1\n$c = 'x\n", 1),
        ] {
            let errors = parse(text, Mode::default()).errors;
            let is_right = |it: &SyntaxError| match it.kind {
                SyntaxErrorKind::StringEndsLate { .. } => false,
                SyntaxErrorKind::UnclosedQuote { culprit, .. } => culprit.is_none(),
                _ => true,
            };
            assert!(errors.len() == expected && errors.iter().all(is_right), "{text}: {errors:?}");
        }
    }

    #[test]
    fn independent_errors_are_all_found() {
        assert_eq!(recovered("$a = )\n$b = 1\n$c = [1 2]\nfile { '/x': mode = '1' }\n").0, 3);
    }
}
