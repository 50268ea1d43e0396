//! `textDocument/prepareRename`, `textDocument/rename` and `workspace/willRenameFiles`.

use lsp_types::{
    DocumentChange, PrepareRenameParams, PrepareRenamePlaceholder, PrepareRenameResult, RenameFile,
    RenameFileOptions, RenameFilesParams, RenameParams, WorkspaceEdit,
};
use marotte_ide::{FileMove, RefusedRename, Rename};

use super::position;
use crate::actions::{TextChange, workspace_edit};
use crate::message::ResponseError;
use crate::snapshot::{Answer, Snapshot};
use crate::uri::{path_of, uri_of};

pub(super) fn prepare(
    snapshot: &Snapshot,
    params: PrepareRenameParams,
) -> Answer<Option<PrepareRenameResult>> {
    let at = position(snapshot, &params.text_document_position_params)?;
    let (range, placeholder) = marotte_ide::prepare_rename(&snapshot.db, at).map_err(refused)?;
    let range = snapshot.range(&snapshot.text(at.file), range);
    Ok(Some(PrepareRenamePlaceholder::new(range, placeholder).into()))
}

/// Returns all edits, followed by the file moves: the edits refer to the old paths. Fails if files have to be moved and the
/// client cannot do so. Possible uses that the edits leave as they are are shown to the user.
pub(super) fn rename(snapshot: &Snapshot, params: RenameParams) -> Answer<Option<WorkspaceEdit>> {
    let at = position(snapshot, &params.text_document_position_params)?;
    let Rename { edits, moves, notes } =
        marotte_ide::rename(&snapshot.db, at, &params.new_name).map_err(refused)?;
    let changes = edits
        .into_iter()
        .map(|it| (it.place.file, vec![TextChange { range: it.place.range, text: it.text }]));
    let mut edit = workspace_edit(snapshot, changes);
    if moves.is_empty() {
        show(snapshot, &params.new_name, &notes);
        return Ok(Some(edit));
    }
    let Some(changes) = edit.document_changes.as_mut().filter(|_| snapshot.client.renames_files) else {
        let FileMove { from, to } = &moves[0];
        let message = format!("{from} would have to be moved to {to}, which this editor cannot do");
        return Err(ResponseError::failed(message));
    };
    changes.extend(moves.iter().map(|it| moved(snapshot, it)));
    show(snapshot, &params.new_name, &notes);
    Ok(Some(edit))
}

/// Returns the edits that are due when files get other paths. A reason against an edit is shown to the user; the file is renamed
/// all the same.
pub(super) fn files(snapshot: &Snapshot, params: RenameFilesParams) -> Answer<Option<WorkspaceEdit>> {
    let mut changes = Vec::new();
    for it in params.files {
        let (Ok(file), Some(to)) = (snapshot.file(&it.old_uri), path_of(&it.new_uri)) else { continue };
        match marotte_ide::rename_file(&snapshot.db, file, &to) {
            Ok(Rename { edits, notes, .. }) => {
                changes.extend(
                    edits
                        .into_iter()
                        .map(|it| (it.place.file, vec![TextChange { range: it.place.range, text: it.text }])),
                );
                show(snapshot, to.file_name().unwrap_or_default(), &notes);
            }
            Err(RefusedRename(reason)) => {
                snapshot
                    .note(format!("The code was left as it is when its file got the path `{to}`: {reason}"));
            }
        }
    }
    Ok((!changes.is_empty()).then(|| workspace_edit(snapshot, changes)))
}

/// Shows the possible uses of the old name.
fn show(snapshot: &Snapshot, new_name: &str, notes: &[String]) {
    if !notes.is_empty() {
        snapshot.note(format!("The rename to `{new_name}` may not cover everything: {}", notes.join("; ")));
    }
}

fn moved(snapshot: &Snapshot, FileMove { from, to }: &FileMove) -> DocumentChange {
    let options = RenameFileOptions { overwrite: Some(false), ignore_if_exists: Some(false) };
    let rename =
        RenameFile { options: Some(options), ..RenameFile::new(snapshot.uri(from), uri_of(to), None, None) };
    DocumentChange::RenameFile(rename)
}

fn refused(RefusedRename(reason): RefusedRename) -> ResponseError {
    ResponseError::failed(reason)
}
