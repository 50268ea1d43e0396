//! Suppression comments: for one line, or for the whole file.

use std::collections::{BTreeMap, BTreeSet};

use lsp_types::CodeActionKind;
use marotte_db::{File, mode};
use marotte_diagnostics::suppress::Suppressions;
use marotte_diagnostics::{Diagnostic, Rule};
use marotte_ide::yaml_comments;
use marotte_syntax::{Comment, Mode, Written, written};
use marotte_text::{LineIndex, TextRange, TextSize};

use super::{Action, Edit, TextChange, workspace_edit};
use crate::diagnostics::convert::Converter;
use crate::snapshot::Snapshot;

/// The actions that suppress the rules of findings: for each finding, on its line and in the file. None for rules that cannot be
/// suppressed, nor for files other than manifests and data in YAML.
pub(super) fn actions(snapshot: &Snapshot, file: File, findings: &[&Diagnostic]) -> Vec<Action> {
    let kind = match file.path(&snapshot.db).extension() {
        Some("pp") => Kind::Manifest(mode(&snapshot.db, file)),
        Some("yaml" | "yml" | "eyaml") => Kind::Yaml,
        _ => return Vec::new(),
    };
    let source = snapshot.text(file);
    let Some(text) = Text::new(source.as_str(), kind) else { return Vec::new() };
    // The changes are tried for all findings of a rule at once: each attempt reads the whole text.
    let mut by_rule: BTreeMap<&str, Vec<&Diagnostic>> = BTreeMap::new();
    for finding in findings.iter().filter(|it| it.rule.may_be_suppressed()) {
        by_rule.entry(finding.rule.name).or_default().push(finding);
    }
    by_rule.values_mut().for_each(|it| it.sort_by_key(|finding| finding.range.start()));
    let silenced: BTreeMap<&str, Silenced> =
        by_rule.iter().map(|(rule, findings)| (*rule, text.silenced(findings))).collect();
    let mut converter = Converter::new(snapshot);
    let mut actions = Vec::new();
    for finding in findings {
        let Some(silenced) = silenced.get(finding.rule.name) else { continue };
        let line = silenced.by_line.get(&text.index.line(finding.range.start())).cloned();
        let line = line.map(|it| (vec![it], "on this line"));
        let whole = silenced.in_file.contains(&finding.range.start());
        let whole = whole.then(|| (text.in_file(finding.rule), "in this file"));
        actions.extend(line.into_iter().chain(whole).map(|(changes, place)| Action {
            title: format!("Silence `{}` {place}", finding.rule),
            kind: CodeActionKind::QuickFix,
            diagnostic: Some(converter.diagnostic(finding)),
            is_preferred: false,
            edit: Edit::Now(workspace_edit(snapshot, [(file, changes)])),
        }));
    }
    actions
}

/// The comments that silence findings of one rule.
struct Silenced {
    /// The changes of lines, by line.
    by_line: BTreeMap<u32, TextChange>,
    /// The starts of the findings that a block around the file silences.
    in_file: BTreeSet<TextSize>,
}

/// The kind of a text with comments.
#[derive(Clone, Copy)]
enum Kind {
    Manifest(Mode),
    Yaml,
}

impl Kind {
    /// The comments of a text. None if it cannot be read.
    fn comments(self, text: &str) -> Option<Box<[Comment]>> {
        match self {
            Kind::Manifest(mode) => Some(written(text, mode).comments),
            Kind::Yaml => yaml_comments(text).map(Into::into),
        }
    }
}

/// A text, with what is needed to insert comments.
struct Text<'a> {
    source: &'a str,
    kind: Kind,
    index: LineIndex,
    comments: Box<[Comment]>,
    /// The tokens and the texts of heredocs, in order of position, of which none ends before an earlier one.
    solid: Vec<TextRange>,
}

impl<'a> Text<'a> {
    /// None if comments cannot be told from other text.
    fn new(source: &'a str, kind: Kind) -> Option<Text<'a>> {
        let index = LineIndex::new(source);
        let mode = match kind {
            Kind::Manifest(mode) => mode,
            Kind::Yaml => {
                return Some(Text {
                    source,
                    kind,
                    index,
                    comments: kind.comments(source)?,
                    solid: Vec::new(),
                });
            }
        };
        let Written { tokens, comments, heredocs, .. } = written(source, mode);
        let tokens = (0..tokens.len()).filter_map(|it| tokens.place(it)).map(|it| it.range());
        let mut all: Vec<TextRange> = tokens.chain(heredocs.iter().map(|it| it.lines)).collect();
        all.sort_unstable_by_key(|it| (it.start(), it.end()));
        let mut solid: Vec<TextRange> = Vec::with_capacity(all.len());
        for range in all {
            if solid.last().is_none_or(|it| it.end() < range.end()) {
                solid.push(range);
            }
        }
        Some(Text { source, kind, index, comments, solid })
    }

    /// The comments that silence findings of one rule, which are in order of position.
    fn silenced(&self, findings: &[&Diagnostic]) -> Silenced {
        let Some(first) = findings.first() else {
            return Silenced { by_line: BTreeMap::new(), in_file: BTreeSet::new() };
        };
        let mut lines: BTreeMap<u32, (&Diagnostic, TextChange)> = BTreeMap::new();
        for finding in findings {
            let line = self.index.line(finding.range.start());
            if !lines.contains_key(&line)
                && let Some(change) = self.on_line(finding)
            {
                lines.insert(line, (finding, change));
            }
        }
        let lines: Vec<(u32, &Diagnostic, TextChange)> =
            lines.into_iter().map(|(line, (finding, change))| (line, finding, change)).collect();
        let mut by_line = BTreeMap::new();
        self.try_lines(&lines, &mut by_line);
        let rest = self.remaining(&self.in_file(first.rule), findings);
        let in_file = findings.iter().map(|it| it.range.start()).filter(|it| !rest.contains(it));
        Silenced { by_line, in_file: in_file.collect() }
    }

    /// Collects the changes that silence the findings on their lines. If some don't, a comment has become part of a string or
    /// a heredoc, which may also change the lines after it: then each half is tried.
    fn try_lines(&self, lines: &[(u32, &Diagnostic, TextChange)], silenced: &mut BTreeMap<u32, TextChange>) {
        let changes: Vec<TextChange> = lines.iter().map(|(_, _, change)| change.clone()).collect();
        let findings: Vec<&Diagnostic> = lines.iter().map(|(_, finding, _)| *finding).collect();
        if self.remaining(&changes, &findings).is_empty() {
            silenced.extend(lines.iter().map(|(line, _, change)| (*line, change.clone())));
        } else if lines.len() > 1 {
            let (before, after) = lines.split_at(lines.len() / 2);
            self.try_lines(before, silenced);
            self.try_lines(after, silenced);
        }
    }

    /// The starts of the findings that changes don't silence.
    fn remaining(&self, changes: &[TextChange], findings: &[&Diagnostic]) -> BTreeSet<TextSize> {
        let changed = applied(self.source, changes);
        let index = LineIndex::new(&changed);
        let mut shift = TextSize::default();
        let mut upcoming = changes.iter().peekable();
        let mut starts = BTreeMap::new();
        let mut moved: Vec<Diagnostic> = Vec::with_capacity(findings.len());
        for finding in findings {
            while let Some(change) = upcoming.next_if(|it| it.range.start() <= finding.range.start()) {
                shift += TextSize::of(&change.text);
            }
            let finding = Diagnostic { range: finding.range + shift, ..(*finding).clone() };
            starts.insert(finding.range.start(), finding.range.start() - shift);
            moved.push(finding);
        }
        // A comment that breaks the text silences nothing.
        let comments = self.kind.comments(&changed).unwrap_or_default();
        Suppressions::new(&comments, &changed, &index).apply(&mut moved, &index);
        moved.iter().filter_map(|it| starts.get(&it.range.start()).copied()).collect()
    }

    /// Adds a comment after the code of a line, or a control word to the existing comment. None if the line ends in a string.
    fn on_line(&self, finding: &Diagnostic) -> Option<TextChange> {
        let line = self.index.line_range(self.index.line(finding.range.start()))?;
        let word = format!("lint:ignore:{}", finding.rule);
        let content = self.source.get(usize::from(line.start())..usize::from(line.end()))?;
        let end = line.start() + TextSize::of(content.trim_end_matches(['\r', '\n']));
        let next = self.comments.partition_point(|it| it.range.start() < line.start());
        let mut there = self.comments[next..].iter().take_while(|it| line.contains_range(it.range));
        if let Some(comment) = there.find(|it| self.source[it.range].starts_with('#')) {
            let written = &self.source[comment.range];
            let blanks = written.len() - written[1..].trim_start().len();
            let at = comment.range.start() + TextSize::try_from(blanks).ok()?;
            return Some(TextChange { range: TextRange::empty(at), text: format!("{word} ") });
        }
        let around = self.solid.partition_point(|it| it.end() <= end);
        // Only a part of a string starts with a line break.
        let is_inside = self.solid.get(around).is_some_and(|it| it.start() <= end);
        (!is_inside).then(|| TextChange { range: TextRange::empty(end), text: format!(" # {word}") })
    }

    /// A block around the whole file.
    fn in_file(&self, rule: &Rule) -> Vec<TextChange> {
        let break_ = if self.source.ends_with('\n') || self.source.is_empty() { "" } else { "\n" };
        // A comment directly above a definition would be its documentation.
        let blank = match self.kind {
            Kind::Manifest(_) if !self.source.starts_with(['\n', '\r']) => "\n",
            _ => "",
        };
        vec![
            TextChange { range: TextRange::empty(0.into()), text: format!("# lint:ignore:{rule}\n{blank}") },
            TextChange {
                range: TextRange::empty(TextSize::of(self.source)),
                text: format!("{break_}# lint:endignore\n"),
            },
        ]
    }
}

/// Applies changes, which are in order and don't touch.
fn applied(text: &str, changes: &[TextChange]) -> String {
    let added: usize = changes.iter().map(|it| it.text.len()).sum();
    let (mut changed, mut copied) = (String::with_capacity(text.len() + added), 0);
    for change in changes {
        changed.push_str(&text[copied..usize::from(change.range.start())]);
        changed.push_str(&change.text);
        copied = usize::from(change.range.end());
    }
    changed.push_str(&text[copied..]);
    changed
}
