//! Remedies: changes of other files that resolve a finding.

use lsp_types::CodeActionKind;
use marotte_db::File;
use marotte_diagnostics::Diagnostic;

use super::assist::edit_of;
use super::{Action, Edit};
use crate::diagnostics::convert::Converter;
use crate::snapshot::Snapshot;

/// The actions that resolve a finding by a change of metadata or data.
pub(super) fn actions(snapshot: &Snapshot, file: File, finding: &Diagnostic) -> Vec<Action> {
    let remedies = marotte_ide::remedies(&snapshot.db, finding.rule, file, finding.range);
    let action = |it: marotte_ide::Assist| Action {
        title: it.title,
        kind: CodeActionKind::QuickFix,
        diagnostic: Some(Converter::new(snapshot).diagnostic(finding)),
        is_preferred: false,
        edit: Edit::Now(edit_of(snapshot, it.edits)),
    };
    remedies.into_iter().map(action).collect()
}
