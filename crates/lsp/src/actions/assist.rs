//! Assists: code changes that are available without a finding.

use lsp_types::CodeActionKind;
use marotte_db::File;
use marotte_ide::{Assist, FileRange};
use marotte_text::TextRange;

use super::{Action, Edit, TextChange, workspace_edit};
use crate::snapshot::Snapshot;

/// The assists for a range.
pub(super) fn actions(snapshot: &Snapshot, file: File, range: TextRange) -> Vec<Action> {
    let action = |Assist { id, title, edits }: Assist| {
        let changes = edits
            .into_iter()
            .map(|it| (it.place.file, vec![TextChange { range: it.place.range, text: it.text }]));
        Action {
            title,
            kind: match id {
                "extract-variable" => CodeActionKind::RefactorExtract,
                // It resolves an error.
                "add-parameters" => CodeActionKind::QuickFix,
                _ => CodeActionKind::RefactorRewrite,
            },
            diagnostic: None,
            is_preferred: false,
            edit: Edit::Now(workspace_edit(snapshot, changes)),
        }
    };
    marotte_ide::assists(&snapshot.db, FileRange { file, range }).into_iter().map(action).collect()
}
