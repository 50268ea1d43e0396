//! The fix of a finding.

use lsp_types::CodeActionKind;
use marotte_db::File;
use marotte_diagnostics::Diagnostic;

use super::{Action, Edit, TextChange, workspace_edit};
use crate::diagnostics::convert::Converter;
use crate::snapshot::Snapshot;

/// Creates the action for the fix of a finding, if it has one. The title of an unsafe fix mentions that it is unsafe, and it is
/// never the preferred action.
pub(super) fn action(snapshot: &Snapshot, file: File, finding: &Diagnostic) -> Option<Action> {
    let fix = finding.fix.as_ref()?;
    let doubt = if fix.safe { "" } else { " (may change what the code means)" };
    let changes: Vec<TextChange> = fix.edits.iter().map(TextChange::from).collect();
    Some(Action {
        title: capitalized(&fix.title) + doubt,
        kind: CodeActionKind::QuickFix,
        diagnostic: Some(Converter::new(snapshot).diagnostic(finding)),
        is_preferred: fix.safe,
        edit: Edit::Now(workspace_edit(snapshot, [(file, changes)])),
    })
}

fn capitalized(title: &str) -> String {
    let mut characters = title.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
