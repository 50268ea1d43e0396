//! Suppression comments: for one line, or for the whole file.

use lsp_types::CodeActionKind;
use marotte_db::{File, mode};
use marotte_diagnostics::suppress::Suppressions;
use marotte_diagnostics::{Diagnostic, Rule};
use marotte_syntax::{Comment, parse};
use marotte_text::{LineIndex, TextRange, TextSize};

use super::{Action, Edit, TextChange, workspace_edit};
use crate::diagnostics::convert::Converter;
use crate::snapshot::Snapshot;

/// The actions that suppress the rule of a finding. Empty for rules that cannot be suppressed, and for files other than
/// manifests.
pub(super) fn actions(snapshot: &Snapshot, file: File, finding: &Diagnostic) -> Vec<Action> {
    let is_manifest = file.path(&snapshot.db).extension() == Some("pp");
    if !is_manifest || !finding.rule.may_be_suppressed() {
        return Vec::new();
    }
    let text = snapshot.text(file);
    let mode = mode(&snapshot.db, file);
    let comments = parse(text.as_str(), mode).comments;
    let line = on_line(text.as_str(), &comments, finding).map(|it| (vec![it], "on this line"));
    let whole = (in_file(text.as_str(), finding.rule), "in this file");
    let is_silent = |changes: &[TextChange]| {
        let (changed, shift) = applied(text.as_str(), changes, finding.range.start());
        let comments = parse(&changed, mode).comments;
        let index = LineIndex::new(&changed);
        let mut findings = vec![Diagnostic { range: finding.range + shift, ..finding.clone() }];
        // If a string or a heredoc continues after the line, the comment would become part of it.
        Suppressions::new(&comments, &changed, &index).apply(&mut findings, &index);
        findings.is_empty()
    };
    let action = |(changes, place): (Vec<TextChange>, &str)| Action {
        title: format!("Silence `{}` {place}", finding.rule),
        kind: CodeActionKind::QuickFix,
        diagnostic: Some(Converter::new(snapshot).diagnostic(finding)),
        is_preferred: false,
        edit: Edit::Now(workspace_edit(snapshot, [(file, changes)])),
    };
    line.into_iter().chain([whole]).filter(|(changes, _)| is_silent(changes)).map(action).collect()
}

/// Adds a comment after the code of a line, or a control word to the existing comment.
fn on_line(text: &str, comments: &[Comment], finding: &Diagnostic) -> Option<TextChange> {
    let index = LineIndex::new(text);
    let line = index.line_range(index.line(finding.range.start()))?;
    let word = format!("lint:ignore:{}", finding.rule);
    let content = text.get(usize::from(line.start())..usize::from(line.end()))?;
    let end = line.start() + TextSize::of(content.trim_end_matches(['\r', '\n']));
    let there = comments.iter().find(|it| line.contains_range(it.range) && text[it.range].starts_with('#'));
    Some(match there {
        Some(comment) => {
            let blanks = text[comment.range].len() - text[comment.range][1..].trim_start().len();
            let at = comment.range.start() + TextSize::try_from(blanks).ok()?;
            TextChange { range: TextRange::empty(at), text: format!("{word} ") }
        }
        None => TextChange { range: TextRange::empty(end), text: format!(" # {word}") },
    })
}

/// A block around the whole file.
fn in_file(text: &str, rule: &Rule) -> Vec<TextChange> {
    let break_ = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
    vec![
        TextChange { range: TextRange::empty(0.into()), text: format!("# lint:ignore:{rule}\n") },
        TextChange {
            range: TextRange::empty(TextSize::of(text)),
            text: format!("{break_}# lint:endignore\n"),
        },
    ]
}

/// Applies changes, which are in order and don't touch, and returns the shift of an offset.
fn applied(text: &str, changes: &[TextChange], offset: TextSize) -> (String, TextSize) {
    let (mut changed, mut copied, mut shift) =
        (String::with_capacity(text.len() + 100), 0, TextSize::default());
    for change in changes {
        changed.push_str(&text[copied..usize::from(change.range.start())]);
        changed.push_str(&change.text);
        copied = usize::from(change.range.end());
        if change.range.start() <= offset {
            shift += TextSize::of(&change.text);
        }
    }
    changed.push_str(&text[copied..]);
    (changed, shift)
}
