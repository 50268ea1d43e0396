//! The part of Ruby's syntax that declarations need: literals, calls with blocks, assignments, methods, modules.
//!
//! [`parse`] encapsulates the parser. Other constructs are [`ExprKind::Opaque`]: a range of the source, which can only
//! be checked for whether it [mentions](Source::mentions) a word.

mod append;
mod common;
mod heredoc;
mod lower;
mod text;
mod tree;

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, Parser, Tree};

pub(crate) use common::lone_names;
pub(crate) use tree::{Block, Call, Expr, ExprKind, Method, Parameter, ParameterKind, Part};

/// The maximal length of a text in bytes: the time of the parser's recovery is quadratic in the length. The longest of
/// real modules have a third of it.
pub const LENGTH_LIMIT: usize = 256 << 10;

/// The number of the parser's progress reports, for each byte and as a minimum, after which it is stopped: a text that
/// is not Ruby can keep it busy for long.
const PROGRESS_PER_BYTE: usize = 2;
const PROGRESS_AT_LEAST: usize = 10_000;

/// A text with its parsed statements.
pub(crate) struct Source<'t> {
    text: &'t str,
    /// The statements. Empty if the text could not be parsed at all.
    pub(crate) body: Vec<Expr>,
    /// Whether the parser understood all of it.
    pub(crate) sound: bool,
}

impl Source<'_> {
    /// The source of an expression.
    pub(crate) fn text_of(&self, expr: &Expr) -> &str {
        self.text.get(expr.range.clone()).unwrap_or_default()
    }

    /// Whether one of the words occurs in the source of an expression, comments and strings included.
    pub(crate) fn mentions(&self, expr: &Expr, words: &[&str]) -> bool {
        let text = self.text_of(expr);
        words.iter().any(|word| text.contains(word))
    }

    /// The comment in the lines directly above an expression, without comment signs and one blank after each.
    pub(crate) fn comment_above(&self, expr: &Expr) -> Option<String> {
        let before = self.text.get(..expr.range.start)?;
        let mut lines: Vec<&str> = before.lines().collect();
        // The text before the expression on its own line.
        if !before.ends_with('\n') && lines.pop().is_some_and(|line| !line.trim().is_empty()) {
            return None;
        }
        let start =
            lines.iter().rposition(|line| !line.trim_start().starts_with('#')).map_or(0, |index| index + 1);
        let comment: Vec<&str> = lines[start..]
            .iter()
            .map(|line| line.trim_start().trim_start_matches('#'))
            .map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end())
            .filter(|line| !is_pragma(line))
            .collect();
        let comment = comment.join("\n").trim().to_owned();
        (!comment.is_empty()).then_some(comment)
    }
}

/// Whether a comment is a directive for tools.
fn is_pragma(line: &str) -> bool {
    ["frozen_string_literal:", "rubocop:", "encoding:", "coding:", "-*-", "!/"]
        .iter()
        .any(|it| line.starts_with(it))
}

/// Whether a text is certainly Ruby. The parser rejects few texts that are valid Ruby.
pub fn is_sound(text: &str) -> bool {
    text.len() <= LENGTH_LIMIT
        && (common::parse(text).is_some() || tree(text).is_some_and(|it| !it.root_node().has_error()))
}

/// Parses the text of a Ruby file.
pub(crate) fn parse(text: &str) -> Source<'_> {
    let unread = Source { text, body: Vec::new(), sound: false };
    if text.len() > LENGTH_LIMIT {
        return unread;
    }
    if let Some(body) = common::parse(text) {
        return Source { text, body, sound: true };
    }
    complete(text).unwrap_or(unread)
}

/// Parses a text with the complete parser.
fn complete(text: &str) -> Option<Source<'_>> {
    let tree = tree(text)?;
    let root = tree.root_node();
    Some(Source { text, body: lower::lower(text, root), sound: !root.has_error() })
}

fn tree(text: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_ruby::LANGUAGE.into()).ok()?;
    let mut left = (text.len() * PROGRESS_PER_BYTE).max(PROGRESS_AT_LEAST);
    let mut progress = |_: &tree_sitter::ParseState| {
        left = left.saturating_sub(1);
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let text = append::marked(text);
    let bytes = text.as_bytes();
    parser.parse_with_options(&mut |offset, _| bytes.get(offset..).unwrap_or_default(), None, Some(options))
}
