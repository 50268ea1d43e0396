//! Suppression comments, in the syntax of puppet-lint.
//!
//! ```puppet
//! $a = 08  # lint:ignore:invalid-octal-number why
//!
//! # lint:ignore:duplicate-key lint:ignore:no-effect why
//! …
//! # lint:endignore
//! ```
//!
//! A comment after something else on its line silences that line. One that starts its line opens a block, which the next
//! `lint:endignore` closes; blocks nest, and a block that is never closed silences nothing, which is reported. All this, down to
//! the indented comment on the very first line (which puppet-lint takes for one that follows code), is puppet-lint 3's
//! `PuppetLint::Data.parse_control_comments`. Names of its checks silence the rules of the same meaning; such a comment isn't
//! reported if it silences nothing, because puppet-lint may need it.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use marotte_syntax::Comment;
use marotte_text::{LineIndex, TextRange, TextSize};

use crate::puppet_lint;
use crate::rules::{self, Rule, Subject};
use crate::{Diagnostic, Edit, FileId, Fix, Level};

/// The rule that reports unused suppressions.
const UNUSED: &Rule = rules::UNUSED_SUPPRESSION;

/// The rule about suppressions of rules that there are not.
const UNKNOWN: &Rule = rules::UNKNOWN_SUPPRESSION;

/// The rules that are silenced in one file, with their lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suppressions {
    all: Vec<Suppression>,
    /// Names that are neither rules nor checks, with their ranges.
    unknown: Vec<(String, TextRange)>,
    /// Blocks that are never closed, each with the first name in it, and comments that close no block.
    unmatched: Vec<(Option<String>, TextRange)>,
    /// Names that are not directly after `lint:ignore:`, so that the comment is none of these, each with the range up to its end.
    apart: Vec<(String, TextRange)>,
}

/// A rule that is silenced on some lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppression {
    /// The rule that is suppressed.
    pub rule: &'static Rule,
    /// The lines, counted from 0.
    lines: RangeInclusive<u32>,
    /// The range of the control word.
    at: TextRange,
    /// Whether the comment names a check of puppet-lint, which may need it.
    is_foreign: bool,
    /// The range to remove together with the control word, after code. None for blocks: other rules may rely on their end.
    removal: Option<TextRange>,
}

impl Suppressions {
    /// Parses the control comments among a file's comments, which are in order of position.
    pub fn new(comments: &[Comment], source: &str, index: &LineIndex) -> Self {
        let mut suppressions = Suppressions::default();
        let mut open: Vec<Block> = Vec::new();
        for comment in comments {
            let Some(text) = source.get(usize::from(comment.range.start())..usize::from(comment.range.end()))
            else {
                continue;
            };
            let Some(controls) = controls(text) else {
                let apart = apart(text).map(|(name, at)| (name, at + comment.range.start()));
                suppressions.apart.extend(apart);
                continue;
            };
            let line = index.line(comment.range.start());
            let own_line = starts_line(source, index, comment.range.start());
            let is_only = controls.len() == 1;
            let mut opened = Vec::new();
            for Control { word, at } in controls {
                let at = at.map_or(comment.range, |at| at + comment.range.start());
                match word {
                    Word::Ignore(rule) if own_line => opened.push((rule, at)),
                    Word::Ignore(rule) => {
                        let removal = if is_only { with_blanks(source, comment.range) } else { at };
                        suppressions.add(rule, line..=line, at, Some(removal));
                    }
                    Word::End => match open.pop() {
                        Some(block) => {
                            for (rule, at) in block.rules {
                                suppressions.add(rule, block.start..=line, at, None);
                            }
                        }
                        None => suppressions.unmatched.push((None, at)),
                    },
                }
            }
            if !opened.is_empty() {
                open.push(Block { start: line, rules: opened });
            }
        }
        for block in open {
            let first = block.rules.first().map(|(named, at)| (Some(named.name().to_owned()), *at));
            suppressions.unmatched.extend(first);
            suppressions.add_unknown(block.rules);
        }
        suppressions
    }

    /// Adds a suppression, unless the rule belongs to another tool, or cannot be suppressed.
    fn add(&mut self, named: Named, lines: RangeInclusive<u32>, at: TextRange, removal: Option<TextRange>) {
        let (rule, is_foreign) = match named {
            Named::Rule(rule) => (rule, false),
            Named::Check(_, Some(rule)) => (rule, true),
            Named::Check(_, None) | Named::Nothing => return,
            Named::Unknown(name) => return self.unknown.push((name, at)),
        };
        let narrower = if is_foreign { puppet_lint::narrower(rule) } else { None };
        for rule in narrower.into_iter().chain([rule]).filter(|it| it.may_be_suppressed()) {
            self.all.push(Suppression { rule, lines: lines.clone(), at, is_foreign, removal });
        }
    }

    /// Adds the unknown names of a block.
    fn add_unknown(&mut self, names: Vec<(Named, TextRange)>) {
        self.unknown.extend(names.into_iter().filter_map(|(named, at)| match named {
            Named::Unknown(name) => Some((name, at)),
            Named::Rule(_) | Named::Check(..) | Named::Nothing => None,
        }));
    }

    /// Returns only the suppressions of rules with certain subjects.
    #[must_use]
    pub fn about(mut self, subject: impl Fn(Subject) -> bool) -> Self {
        self.all.retain(|it| subject(it.rule.subject));
        self
    }

    /// Reports unknown names, blocks that are never closed, comments that close no block, and those that are no control comments
    /// because a name is apart.
    pub fn faults(&self, file: FileId) -> Vec<Diagnostic> {
        let finding = |(name, at): &(String, TextRange)| {
            let message = format!("there is no rule `{name}`");
            let mut finding = Diagnostic::new(UNKNOWN, Level::Warning, file, *at, message);
            finding.label = rules::nearest(name).map(|it| format!("did you mean `{it}`?"));
            finding
                .notes
                .push("puppet-lint and its known plugins have no check of this name, either".to_owned());
            finding
        };
        let unmatched = self.unmatched.iter().map(|(name, at)| {
            let (message, label) = match name {
                Some(name) => (
                    format!("`{name}` is not silenced: nothing closes the block that starts here"),
                    "no `# lint:endignore` follows",
                ),
                None => ("this closes no block".to_owned(), "no `# lint:ignore` is open here"),
            };
            let mut finding = Diagnostic::new(UNUSED, Level::Warning, file, *at, message);
            finding.label = Some(label.to_owned());
            finding
        });
        let apart = self.apart.iter().map(|(name, at)| {
            let written = format!("lint:ignore:{name}");
            let message = format!("`{name}` is not silenced: it has to be directly after `lint:ignore:`");
            let mut finding = Diagnostic::new(UNUSED, Level::Warning, file, *at, message);
            finding.label = Some("this is no control comment".to_owned());
            finding.fix = Some(Fix {
                title: format!("write `{written}`"),
                safe: false,
                edits: vec![Edit { range: *at, text: written }],
            });
            finding
        });
        self.unknown.iter().map(finding).chain(unmatched).chain(apart).collect()
    }

    /// Removes the silenced findings, and returns the unused suppressions, except those that are silenced themselves.
    pub fn apply(self, diagnostics: &mut Vec<Diagnostic>, index: &LineIndex) -> Vec<Suppression> {
        if self.all.is_empty() {
            return Vec::new();
        }
        let silenced = Silenced::of(&self.all);
        // The lines with findings of each rule, in order.
        let mut found: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        diagnostics.retain(|diagnostic| {
            let (rule, line) = (diagnostic.rule.name, index.line(diagnostic.range.start()));
            let is_silent = silenced.covers(rule, line);
            if is_silent {
                found.entry(rule).or_default().push(line);
            }
            !is_silent
        });
        found.values_mut().for_each(|lines| lines.sort_unstable());
        let is_used = |it: &Suppression| {
            found.get(it.rule.name).is_some_and(|lines| {
                let at = lines.partition_point(|line| line < it.lines.start());
                lines.get(at).is_some_and(|line| it.lines.contains(line))
            })
        };
        let is_wanted =
            |it: &Suppression| it.rule != UNUSED && !silenced.covers(UNUSED.name, index.line(it.at.start()));
        let unused = self.all.iter().filter(|it| !it.is_foreign && !is_used(it) && is_wanted(it));
        unused.cloned().collect()
    }
}

/// The lines on which rules are silenced.
struct Silenced<'s>(BTreeMap<&'s str, Vec<(u32, u32)>>);

impl<'s> Silenced<'s> {
    /// Merges the lines of each rule's suppressions: ranges in order, which neither overlap nor touch.
    fn of(all: &'s [Suppression]) -> Self {
        let mut by_rule: BTreeMap<&str, Vec<(u32, u32)>> = BTreeMap::new();
        for it in all {
            by_rule.entry(it.rule.name).or_default().push((*it.lines.start(), *it.lines.end()));
        }
        for ranges in by_rule.values_mut() {
            ranges.sort_unstable();
            let mut merged: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
            for (start, end) in ranges.drain(..) {
                match merged.last_mut() {
                    Some(last) if start <= last.1.saturating_add(1) => last.1 = last.1.max(end),
                    _ => merged.push((start, end)),
                }
            }
            *ranges = merged;
        }
        Silenced(by_rule)
    }

    /// Whether a rule is silenced on a line. Findings that report an unchecked file cannot be silenced from inside it, see
    /// [`Rule::always`].
    fn covers(&self, rule: &str, line: u32) -> bool {
        self.0.get(rule).is_some_and(|ranges| {
            let after = ranges.partition_point(|it| it.0 <= line);
            after.checked_sub(1).and_then(|at| ranges.get(at)).is_some_and(|it| line <= it.1)
        })
    }
}

impl Suppression {
    /// The finding that reports this suppression as unused.
    pub fn unused(&self, file: FileId) -> Diagnostic {
        let rule = self.rule.name;
        let is_one_line = self.lines.start() == self.lines.end();
        let place = if is_one_line { "on this line" } else { "in this block" };
        let message = format!("`{rule}` finds nothing {place}");
        let mut finding = Diagnostic::new(UNUSED, Level::Warning, file, self.at, message);
        finding.label = Some("silences nothing".to_owned());
        finding.fix = self.removal.map(|range| Fix {
            title: format!("remove `lint:ignore:{rule}`"),
            safe: true,
            edits: vec![Edit { range, text: String::new() }],
        });
        finding
    }
}

/// An open block. Other tools' rules count too: their `endignore` closes their block.
struct Block {
    start: u32,
    rules: Vec<(Named, TextRange)>,
}

/// A word of a control comment.
struct Control {
    word: Word,
    /// The word's range; only known in single-line comments.
    at: Option<TextRange>,
}

/// A control word of a comment, such as `lint:ignore:NAME`.
enum Word {
    Ignore(Named),
    End,
}

/// The result of resolving the name in a control word.
enum Named {
    /// A rule of marotte.
    Rule(&'static Rule),
    /// A check of puppet-lint, with the rule of the same meaning.
    Check(String, Option<&'static Rule>),
    /// The name is neither a rule nor a check.
    Unknown(String),
    /// The control word contains no name.
    Nothing,
}

impl Named {
    fn of(name: &str) -> Named {
        match rules::rule(name) {
            Some(rule) => Named::Rule(rule),
            None if name.is_empty() => Named::Nothing,
            None if puppet_lint::is_check(name) => Named::Check(name.to_owned(), puppet_lint::rule_of(name)),
            None => Named::Unknown(name.to_owned()),
        }
    }

    /// Returns the name as written.
    fn name(&self) -> &str {
        match self {
            Named::Rule(rule) => rule.name,
            Named::Check(name, _) | Named::Unknown(name) => name,
            Named::Nothing => "",
        }
    }
}

/// The range of a comment including the blanks before it.
fn with_blanks(source: &str, comment: TextRange) -> TextRange {
    let before = source.get(..usize::from(comment.start())).unwrap_or_default();
    let blanks = before.len() - before.trim_end_matches([' ', '\t']).len();
    TextRange::new(comment.start() - TextSize::try_from(blanks).unwrap_or_default(), comment.end())
}

/// The control words at the start of a comment, if it is a control comment.
fn controls(comment: &str) -> Option<Vec<Control>> {
    // Comments are frequent, and control comments are rare.
    let marks = |it: char| matches!(it, '#' | '/' | '*') || it.is_whitespace();
    if !comment.trim_start_matches(marks).starts_with("lint:") {
        return None;
    }
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
        // The text after the control words is the reason.
        word.starts_with("lint:ignore") || word.starts_with("lint:endignore")
    });
    let mut seen = 0;
    let control = |text: &str| {
        let mut parts = text.split(':').skip(1);
        let word = match parts.next() {
            Some("ignore") => Word::Ignore(Named::of(parts.next().unwrap_or_default())),
            _ => Word::End,
        };
        let found = comment.starts_with('#').then(|| comment.get(seen..)?.find(text)).flatten();
        let start = found.and_then(|it| TextSize::try_from(seen + it).ok());
        seen += found.map_or(0, |it| it + text.len());
        Control { word, at: start.map(|start| TextRange::at(start, TextSize::of(text))) }
    };
    Some(words.map(control).collect())
}

/// The name of a rule or a check that blanks separate from `lint:ignore`, as in `# lint:ignore: NAME`, with the range from `lint` to
/// its end. Texts after other words, and in comments of several lines, are prose.
fn apart(comment: &str) -> Option<(String, TextRange)> {
    const WORD: &str = "lint:ignore";
    let marked = comment.strip_prefix('#')?.trim_start();
    let after = marked.strip_prefix(WORD)?;
    let named = after.trim_start_matches(|it: char| it == ':' || it.is_whitespace());
    if named.len() == after.len() {
        return None;
    }
    let is_of_name = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-');
    let name = &named[..named.find(|it| !is_of_name(it)).unwrap_or(named.len())];
    if rules::rule(name).is_none() && !puppet_lint::is_check(name) {
        return None;
    }
    let start = comment.len() - marked.len();
    let end = comment.len() - named.len() + name.len();
    let range = TextRange::new(TextSize::try_from(start).ok()?, TextSize::try_from(end).ok()?);
    Some((name.to_owned(), range))
}

/// A comment without its markers, as puppet-lint sees it: stars that start lines are decoration.
fn body(comment: &str) -> String {
    let Some(inner) = comment.strip_prefix("/*") else {
        return comment.strip_prefix('#').unwrap_or(comment).to_owned();
    };
    let inner = inner.strip_suffix("*/").unwrap_or(inner);
    let undecorated = |line: &str| line.trim_start_matches(' ').strip_prefix('*').unwrap_or(line).to_owned();
    inner.lines().map(undecorated).collect::<Vec<_>>().join("\n")
}

/// Whether only blanks precede an offset on its line; on the first line, nothing at all.
fn starts_line(source: &str, index: &LineIndex, offset: TextSize) -> bool {
    let line = index.line(offset);
    let start = index.line_start(line).unwrap_or_default();
    let before = source.get(usize::from(start)..usize::from(offset)).unwrap_or_default();
    if line == 0 { before.is_empty() } else { before.chars().all(char::is_whitespace) }
}

#[cfg(test)]
mod tests;
