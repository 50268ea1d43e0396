//! Remedies: changes of other files that resolve a finding.

use lsp_types::{CodeActionKind, Diagnostic as Shown};
use marotte_db::File;
use marotte_diagnostics::{Diagnostic, rules};
use marotte_ide::Assist;

use super::assist::edit_of;
use super::{Action, Edit};
use crate::diagnostics::convert::Converter;
use crate::snapshot::Snapshot;

/// The actions that resolve a finding by a change of metadata or data.
pub(super) fn actions(snapshot: &Snapshot, file: File, finding: &Diagnostic) -> Vec<Action> {
    let remedies = marotte_ide::remedies(&snapshot.db, finding.rule, file, finding.range).into_iter();
    let shown = || Converter::new(snapshot).diagnostic(finding);
    remedies.map(|it| action(snapshot, it, shown())).collect()
}

/// The actions that resolve findings of a template in ERB, which belong to the code that renders it: only the client knows them.
pub(super) fn of_template(snapshot: &Snapshot, file: File, shown: Vec<Shown>) -> Vec<Action> {
    let rule = rules::LEGACY_FACT;
    let mut actions = Vec::new();
    for it in shown.into_iter().filter(|it| it.code == Some(rule.name.to_owned().into())) {
        let Ok(range) = snapshot.text_range(file, it.range) else { continue };
        let remedies = marotte_ide::remedies(&snapshot.db, rule, file, range).into_iter();
        actions.extend(remedies.map(|remedy| action(snapshot, remedy, it.clone())));
    }
    actions
}

fn action(snapshot: &Snapshot, remedy: Assist, diagnostic: Shown) -> Action {
    Action {
        title: remedy.title,
        kind: CodeActionKind::QuickFix,
        diagnostic: Some(diagnostic),
        is_preferred: false,
        edit: Edit::Now(edit_of(snapshot, remedy.edits)),
    }
}
