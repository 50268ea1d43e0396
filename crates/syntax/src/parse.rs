//! The entry point: lexes, parses, builds and validates a text.

use marotte_text::{TextRange, TextSize};

use crate::ast::{Expr, ExprKind, Program, Template};
use crate::grammar::{self, Rule};
use crate::independent::independent;
use crate::lexer::{HeredocLines, Lexed, is_word};
use crate::token::{TokenKind, Tokens};
use crate::{SyntaxError, SyntaxErrorKind, build, conflict, lexer, nesting, recover, validate};

/// The options for reading a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mode {
    /// Whether the text is an EPP template rather than a manifest.
    pub template: bool,
    /// Whether `plan` and `apply` are keywords, and plans are validated as such.
    pub tasks: bool,
    /// The differences between the dialects of the language.
    pub choices: Choices,
}

/// The differences between the dialects of the language. By default, everything is read as in the reference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Choices {
    /// X13: integers may have any size.
    pub large_integers: bool,
    /// X141: letters directly after a regular expression are options, which no regular expression supports.
    pub refuses_regex_options: bool,
    /// X142: the parameters of a lambda must have different names.
    pub refuses_repeated_parameters: bool,
}

impl Choices {
    /// Everything as in the reference.
    pub const REFERENCE: Choices =
        Choices { large_integers: false, refuses_regex_options: false, refuses_repeated_parameters: false };
}

/// A comment, kept next to the tree for documentation and suppressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    /// The range from `#` to before the line end, or from `/*` to `*/`.
    pub range: TextRange,
}

/// The result of parsing a text.
#[derive(Debug)]
pub struct Parse {
    /// The tree; it contains [`crate::ast::ExprKind::Error`] where the text has errors.
    pub program: Program,
    /// All comments in order of position.
    pub comments: Box<[Comment]>,
    /// All errors and warnings in order of position.
    pub errors: Box<[SyntaxError]>,
}

/// The parts of a text that the tree omits: its tokens, comments and layout.
#[derive(Debug)]
pub struct Written {
    /// The tokens. Those of a heredoc's text follow its header.
    pub tokens: Tokens,
    /// All comments in order of position.
    pub comments: Box<[Comment]>,
    /// The heredocs of the code itself, in order of their headers.
    pub heredocs: Box<[HeredocLines]>,
    /// For a template: the parts outside of its tags, with their delimiters, in order; the tags' code lies between
    /// them.
    pub texts: Box<[TextRange]>,
    /// Whether the text contains invalid tokens, or tokens that the grammar rejects. Violations of static validation do
    /// not count.
    pub is_unreadable: bool,
}

/// Reads the tokens of `source` without building a tree: the first step of [`parse`], in a fraction of its time.
pub fn written(source: &str, mode: Mode) -> Written {
    let (written, errors) = lex(source, mode);
    Written { is_unreadable: errors.iter().any(|error| !error.kind.is_warning()), ..written }
}

fn lex(source: &str, mode: Mode) -> (Written, Vec<SyntaxError>) {
    let Lexed { tokens, mut comments, errors, heredocs, texts } = lexer::lex(source, mode);
    // The code after a heredoc's header is read before the heredoc's text, and a template may continue in that text.
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

/// Parses `source`. Takes time and memory linear in its length; recursion is bounded.
///
/// Of a text with merge conflicts, the first version is parsed; each conflict is one error, and so is each marker that is left
/// over from one.
pub fn parse(source: &str, mode: Mode) -> Parse {
    let parse = parse_text(source, mode);
    if mode.template
        && let Some(errors) = crate::tags::unclosed(source, mode, &parse.errors)
    {
        return Parse { errors: errors.into(), ..parse };
    }
    if parse.errors.iter().all(|error| error.kind.is_warning()) {
        return parse;
    }
    let whole = conflict::without_conflicts(source);
    let is_whole = whole.is_some();
    let Some((text, conflicts)) = whole.or_else(|| conflict::without_markers(source)) else { return parse };
    let Parse { program, comments, errors } = parse_text(&text, mode);
    // What looks like a single marker may be a line of a heredoc.
    if !is_whole && errors.len() >= parse.errors.len() {
        return parse;
    }
    let conflicts =
        conflicts.into_iter().map(|range| SyntaxError { range, kind: SyntaxErrorKind::MergeConflict });
    let mut errors: Vec<SyntaxError> = conflicts.chain(errors).collect();
    errors.sort_by_key(|error| error.range.start());
    Parse { program, comments, errors: errors.into() }
}

pub(crate) fn parse_text(source: &str, mode: Mode) -> Parse {
    let (written, lexical) = lex(source, mode);
    arranged(source, mode, written, lexical).0
}

/// Parses `source` and returns its tokens too. If it has errors, the tokens may be incomplete.
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
                if !lexical.iter().any(|it| matches!(it.kind, SyntaxErrorKind::UnclosedQuote { .. })) {
                    lexical.extend(run_on(source, &tokens, at));
                }
                tokens = recover::repair(source, tokens, rule, at, &lexical, &mut grammatical);
                read(source, &tokens, rule, mode, &mut structural).ok()
            }
        }
    };
    let program = program.unwrap_or_else(|| unreadable(source, mode));
    unended(&mut lexical, &grammatical);
    let is_error = |error: &SyntaxError| !error.kind.is_warning();
    let is_unreadable = lexical.iter().any(is_error) || !grammatical.is_empty() || !structural.is_empty();
    validate::validate(&program, source, mode, &[&lexical, &grammatical], &mut structural);
    let errors = independent(source, lexical, grammatical, structural);
    let parse = Parse { program, comments: written.comments.clone(), errors: errors.into() };
    (parse, Written { tokens, is_unreadable, ..written })
}

/// The missing quote of the first string that spans lines and ends directly before a word, if the grammar rejects a token from there
/// on: quotes are out of step although their number is even.
fn run_on(source: &str, tokens: &Tokens, to: usize) -> Option<SyntaxError> {
    let mut open: Vec<usize> = Vec::new();
    for index in 0..=to {
        let (kind, place) = (tokens.kind(index)?, tokens.place(index)?);
        let start = match kind {
            TokenKind::String => place.start as usize,
            TokenKind::StringStart => {
                open.push(place.start as usize);
                continue;
            }
            TokenKind::StringEnd => open.pop()?,
            _ => continue,
        };
        let end = place.end as usize;
        let Some(written) = source.get(start..end) else { continue };
        let (Some(line), true) = (written.find('\n'), is_word(*source.as_bytes().get(end)?)) else {
            continue;
        };
        // Heredocs have none.
        let is_quoted = |quote: &char| matches!(quote, '"' | '\'') && written.ends_with(*quote);
        if let Some(quote) = written.chars().next().filter(is_quoted) {
            let range = |from: usize, to: usize| {
                TextRange::new(TextSize::of(&source[..from]), TextSize::of(&source[..to]))
            };
            let kind = SyntaxErrorKind::StringEndsLate { quote, end: range(end - quote.len_utf8(), end) };
            return Some(SyntaxError { range: range(start, start + line), kind });
        }
    }
    None
}

/// Turns the warnings about heredocs that swallow others into errors, if that is why the code after them cannot be parsed.
fn unended(lexical: &mut [SyntaxError], grammatical: &[SyntaxError]) {
    for error in lexical {
        if let SyntaxErrorKind::HeredocSwallows { tag, .. } = &error.kind
            && grammatical.iter().any(|it| it.range.start() > error.range.start())
        {
            error.kind = SyntaxErrorKind::HeredocWithoutEnd { tag: tag.clone() };
        }
    }
}

/// Builds the tree from tokens that the grammar accepts, or returns the first token that it rejects.
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

/// Returns the placeholder for a text of which nothing could be read.
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
    use crate::SyntaxErrorKind;

    #[test]
    fn a_line_of_a_heredoc_is_no_marker() {
        let parsed = parse("$a = @(X)\n<<<<<<< HEAD\n| X\n$b = = 1\n", Mode::default());
        assert!(
            parsed.errors.iter().all(|it| it.kind != SyntaxErrorKind::MergeConflict),
            "{:?}",
            parsed.errors
        );
    }

    #[test]
    fn comments_are_in_order_of_position() {
        let template = Mode { template: true, ..Mode::default() };
        let comments = parse("<%@(A)%>\nA\n#<%)#\n", template).comments;
        assert_eq!(comments.len(), 2);
        assert!(comments.is_sorted_by_key(|it| it.range.start()), "{comments:?}");
    }
}
