//! The one entry: lex, arrange, build, validate.

use marotte_text::{TextRange, TextSize};

use crate::ast::{Expr, ExprKind, Program, Template};
use crate::grammar::{self, Rule};
use crate::independent::independent;
use crate::lexer::{HeredocLines, Lexed};
use crate::token::Tokens;
use crate::{SyntaxError, SyntaxErrorKind, build, conflict, lexer, nesting, recover, validate};

/// How a text is to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mode {
    /// An EPP template rather than a manifest.
    pub template: bool,
    /// `plan` and `apply` are keywords, and plans are validated as such.
    pub tasks: bool,
    /// What the dialects of the language read differently.
    pub choices: Choices,
}

/// What the dialects of the language read differently. By default, all is read as the reference does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Choices {
    /// X13: integers may have any size.
    pub large_integers: bool,
    /// X141: letters right behind a regular expression are options, which no regular expression has.
    pub refuses_regex_options: bool,
    /// X142: the parameters of a lambda must have different names.
    pub refuses_repeated_parameters: bool,
}

impl Choices {
    /// All as the reference reads it.
    pub const REFERENCE: Choices =
        Choices { large_integers: false, refuses_regex_options: false, refuses_repeated_parameters: false };
}

/// A comment, kept beside the tree for documentation and suppressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    /// From `#` to before the line end, or from `/*` to `*/`.
    pub range: TextRange,
}

/// What came of a text.
#[derive(Debug)]
pub struct Parse {
    /// The tree; where the text is wrong, with [`crate::ast::ExprKind::Error`] in it.
    pub program: Program,
    /// All comments in order of position.
    pub comments: Box<[Comment]>,
    /// All errors and warnings in order of position.
    pub errors: Box<[SyntaxError]>,
}

/// All of a text that the tree leaves out: how it is written.
#[derive(Debug)]
pub struct Written {
    /// The tokens. Those of a heredoc's text follow its header.
    pub tokens: Tokens,
    /// All comments in order of position.
    pub comments: Box<[Comment]>,
    /// The heredocs of the code itself, in order of their headers.
    pub heredocs: Box<[HeredocLines]>,
    /// For a template: what stands outside of its tags, with their delimiters, in order; the tags' code is what lies between them.
    pub texts: Box<[TextRange]>,
    /// The tokens are not those of the language, or the grammar has no place for them. What stands where it may not is another matter.
    pub is_unreadable: bool,
}

/// Reads how `source` is written, without arranging it: what [`parse`] does first, in a fraction of its time.
pub fn written(source: &str, mode: Mode) -> Written {
    let (written, errors) = lex(source, mode);
    Written { is_unreadable: errors.iter().any(|error| !error.kind.is_warning()), ..written }
}

fn lex(source: &str, mode: Mode) -> (Written, Vec<SyntaxError>) {
    let Lexed { tokens, mut comments, errors, heredocs, texts } = lexer::lex(source, mode);
    // What stands behind a heredoc's header is read before its text, and a template may go on in that text.
    comments.sort_by_key(|comment| comment.range.start());
    let written = Written {
        tokens,
        comments: comments.into(),
        heredocs: heredocs.into(),
        texts: texts.into(),
        is_unreadable: false,
    };
    (written, errors)
}

/// Reads `source`. Takes time and memory linear in its length; recursion is bounded.
///
/// A text that a merge left in conflict is read as its first version is; each conflict is one error.
pub fn parse(source: &str, mode: Mode) -> Parse {
    let parse = parse_text(source, mode);
    if parse.errors.iter().all(|error| error.kind.is_warning()) {
        return parse;
    }
    let Some((text, conflicts)) = conflict::without_conflicts(source) else { return parse };
    let Parse { program, comments, errors } = parse_text(&text, mode);
    let conflicts =
        conflicts.into_iter().map(|range| SyntaxError { range, kind: SyntaxErrorKind::MergeConflict });
    let mut errors: Vec<SyntaxError> = conflicts.chain(errors).collect();
    errors.sort_by_key(|error| error.range.start());
    Parse { program, comments, errors: errors.into() }
}

fn parse_text(source: &str, mode: Mode) -> Parse {
    let (written, lexical) = lex(source, mode);
    arranged(source, mode, written, lexical).0
}

/// Reads `source`, and how it is written. Where it has errors, what is written may be incomplete.
pub fn parse_written(source: &str, mode: Mode) -> (Parse, Written) {
    let (written, lexical) = lex(source, mode);
    arranged(source, mode, written, lexical)
}

fn arranged(
    source: &str,
    mode: Mode,
    mut written: Written,
    mut lexical: Vec<SyntaxError>,
) -> (Parse, Written) {
    let mut tokens = std::mem::take(&mut written.tokens);
    let (mut grammatical, mut structural) = (Vec::new(), Vec::new());
    let rule = if mode.template { Rule::template } else { Rule::program };
    let program = if let Some(at) = nesting::too_deep(&tokens) {
        let range = tokens.range(at, TextSize::of(source));
        lexical.push(SyntaxError { range, kind: SyntaxErrorKind::NestingLimit(nesting::NESTING_LIMIT) });
        None
    } else {
        match read(source, &tokens, rule, mode, &mut structural) {
            Ok(program) => Some(program),
            Err(at) => {
                tokens = recover::repair(source, tokens, rule, at, &lexical, &mut grammatical);
                read(source, &tokens, rule, mode, &mut structural).ok()
            }
        }
    };
    let program = program.unwrap_or_else(|| unreadable(source, mode));
    let is_error = |error: &SyntaxError| !error.kind.is_warning();
    let is_unreadable = lexical.iter().any(is_error) || !grammatical.is_empty() || !structural.is_empty();
    validate::validate(&program, source, mode, &[&lexical, &grammatical], &mut structural);
    let errors = independent(source, lexical, grammatical, structural);
    let parse = Parse { program, comments: written.comments.clone(), errors: errors.into() };
    (parse, Written { tokens, is_unreadable, ..written })
}

/// The tree of tokens that the grammar accepts, or the first token that it does not.
fn read(
    source: &str,
    tokens: &Tokens,
    rule: Rule,
    mode: Mode,
    errors: &mut Vec<SyntaxError>,
) -> Result<Program, usize> {
    let mut pairs = grammar::arrange(tokens, rule)?;
    let root = pairs.next().ok_or(0_usize)?;
    Ok(build::build(source, tokens, root, mode.choices, errors))
}

/// Stands for a text of which nothing could be read.
fn unreadable(source: &str, mode: Mode) -> Program {
    let range = TextRange::up_to(TextSize::of(source));
    Program {
        body: Box::new([Expr { range, kind: ExprKind::Error }]),
        template: mode.template.then_some(Template { parameters: None }),
        range,
    }
}

#[cfg(test)]
mod tests {
    use super::{Mode, parse};

    #[test]
    fn comments_are_in_order_of_position() {
        let template = Mode { template: true, ..Mode::default() };
        let comments = parse("<%@(A)%>\nA\n#<%)#\n", template).comments;
        assert_eq!(comments.len(), 2);
        assert!(comments.is_sorted_by_key(|it| it.range.start()), "{comments:?}");
    }
}
