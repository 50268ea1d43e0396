//! Suppression comments, as users of puppet-lint write them.
//!
//! ```puppet
//! $a = 08  # lint:ignore:invalid-octal-number why
//!
//! # lint:ignore:duplicate-key lint:ignore:no-effect why
//! …
//! # lint:endignore
//! ```
//!
//! A comment after something else on its line silences that line. One that starts its line opens a block, which the
//! next `lint:endignore` closes; blocks nest, and a block that is never closed silences nothing. All this, down to the
//! indented comment on the very first line (which puppet-lint takes for one that follows code), is puppet-lint 3's
//! `PuppetLint::Data.parse_control_comments`. Names of rules that marotte does not have belong to other tools.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use marotte_syntax::Comment;
use marotte_text::{LineIndex, TextSize};

use crate::Diagnostic;
use crate::rules::{self, Rule};

/// Which rules are silent on which lines of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suppressions {
    /// Lines (counted from 0) by name of rule.
    lines: HashMap<&'static str, Vec<RangeInclusive<u32>>>,
}

impl Suppressions {
    /// Reads the control comments among a file's comments, which are in order of position.
    pub fn new(comments: &[Comment], source: &str, index: &LineIndex) -> Self {
        let mut suppressions = Suppressions::default();
        let mut open: Vec<Block> = Vec::new();
        for comment in comments {
            let Some(text) = source.get(usize::from(comment.range.start())..usize::from(comment.range.end()))
            else {
                continue;
            };
            let Some(controls) = controls(text) else { continue };
            let line = index.line(comment.range.start());
            let own_line = starts_line(source, index, comment.range.start());
            let mut opened = Vec::new();
            for control in controls {
                match control {
                    Control::Ignore(rule) if own_line => opened.push(rule),
                    Control::Ignore(rule) => suppressions.add(rule, line..=line),
                    Control::End => {
                        if let Some(block) = open.pop() {
                            for rule in block.rules {
                                suppressions.add(rule, block.start..=line);
                            }
                        }
                    }
                }
            }
            if !opened.is_empty() {
                open.push(Block { start: line, rules: opened });
            }
        }
        suppressions
    }

    /// Whether the file has a suppression at all.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Whether a finding of this file is silenced: what counts is the line on which it starts.
    ///
    /// What says that the file was not looked at cannot be silenced from inside it, see [`Rule::always`].
    pub fn silences(&self, diagnostic: &Diagnostic, index: &LineIndex) -> bool {
        let Some(ranges) = self.lines.get(diagnostic.rule) else { return false };
        let line = index.line(diagnostic.range.start());
        ranges.iter().any(|range| range.contains(&line))
    }

    /// Adds lines, unless the rule is another tool's, or cannot be silenced.
    fn add(&mut self, rule: Option<&'static Rule>, lines: RangeInclusive<u32>) {
        if let Some(rule) = rule.filter(|rule| !rule.always()) {
            self.lines.entry(rule.name).or_default().push(lines);
        }
    }
}

/// Removes the findings of one file that its comments silence.
pub fn suppress(diagnostics: &mut Vec<Diagnostic>, comments: &[Comment], source: &str, index: &LineIndex) {
    let suppressions = Suppressions::new(comments, source, index);
    if !suppressions.is_empty() {
        diagnostics.retain(|diagnostic| !suppressions.silences(diagnostic, index));
    }
}

/// A block that is not closed yet. Other tools' rules count: their `endignore` closes their block.
struct Block {
    start: u32,
    rules: Vec<Option<&'static Rule>>,
}

/// One word of a control comment; an ignored rule is `None` if marotte does not have it.
enum Control {
    Ignore(Option<&'static Rule>),
    End,
}

/// The control words with which a comment starts, if it is a control comment.
fn controls(comment: &str) -> Option<Vec<Control>> {
    let body = body(comment);
    let body = body.trim();
    let first_is_control = body.starts_with("lint:endignore")
        || body
            .strip_prefix("lint:ignore:")
            .and_then(|rest| rest.chars().next())
            .is_some_and(|first| first.is_ascii_alphanumeric() || first == '_');
    if !first_is_control {
        return None;
    }
    let words = body.split_whitespace().take_while(|word| {
        // Whatever follows the control words is the reason.
        word.starts_with("lint:ignore") || word.starts_with("lint:endignore")
    });
    let control = |word: &str| {
        let mut parts = word.split(':').skip(1);
        match parts.next() {
            Some("ignore") => Control::Ignore(parts.next().and_then(rules::rule)),
            _ => Control::End,
        }
    };
    Some(words.map(control).collect())
}

/// A comment without its marks, as puppet-lint sees it: stars that start lines are decoration.
fn body(comment: &str) -> String {
    let Some(inner) = comment.strip_prefix("/*") else {
        return comment.strip_prefix('#').unwrap_or(comment).to_owned();
    };
    let inner = inner.strip_suffix("*/").unwrap_or(inner);
    let undecorated = |line: &str| line.trim_start_matches(' ').strip_prefix('*').unwrap_or(line).to_owned();
    inner.lines().map(undecorated).collect::<Vec<_>>().join("\n")
}

/// Whether only blanks stand before an offset on its line; on the first line, nothing at all.
fn starts_line(source: &str, index: &LineIndex, offset: TextSize) -> bool {
    let line = index.line(offset);
    let start = index.line_start(line).unwrap_or_default();
    let before = source.get(usize::from(start)..usize::from(offset)).unwrap_or_default();
    if line == 0 { before.is_empty() } else { before.chars().all(char::is_whitespace) }
}

#[cfg(test)]
mod tests;
