//! Assists: code changes that are available without a finding.

use lsp_types::{CodeActionKind, WorkspaceEdit};
use marotte_db::File;
use marotte_ide::{Assist, FileRange, TextEdit};
use marotte_text::TextRange;

use super::{Action, Edit, TextChange, workspace_edit};
use crate::snapshot::Snapshot;

/// The assists for a range.
pub(super) fn actions(snapshot: &Snapshot, file: File, range: TextRange) -> Vec<Action> {
    let action = |Assist { id, title, edits }: Assist| {
        Action {
            title,
            kind: match id {
                "extract-variable" => CodeActionKind::RefactorExtract,
                // It resolves an error.
                "add-parameters" | "include-class" | "add-key" => CodeActionKind::QuickFix,
                _ => CodeActionKind::RefactorRewrite,
            },
            diagnostic: None,
            is_preferred: false,
            edit: Edit::Now(edit_of(snapshot, edits)),
        }
    };
    marotte_ide::assists(&snapshot.db, FileRange { file, range }).into_iter().map(action).collect()
}

/// The workspace edit of an assist.
pub(super) fn edit_of(snapshot: &Snapshot, edits: Vec<TextEdit>) -> WorkspaceEdit {
    let change = |it: TextEdit| (it.place.file, vec![TextChange { range: it.place.range, text: it.text }]);
    workspace_edit(snapshot, edits.into_iter().map(change))
}
