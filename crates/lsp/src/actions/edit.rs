//! Workspace edits in the protocol's format.

use std::collections::{BTreeMap, HashMap};

use lsp_types::{
    DocumentChange, Edit, OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextDocumentIdentifier,
    TextEdit, WorkspaceEdit,
};
use marotte_db::File;
use marotte_text::TextRange;

use crate::snapshot::Snapshot;

/// The replacement of a range by a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextChange {
    pub(crate) range: TextRange,
    pub(crate) text: String,
}

impl From<&marotte_diagnostics::Edit> for TextChange {
    fn from(edit: &marotte_diagnostics::Edit) -> Self {
        TextChange { range: edit.range, text: edit.text.clone() }
    }
}

/// Creates a workspace edit. A client that supports versions rejects it if a document has changed by then.
pub(crate) fn workspace_edit(
    snapshot: &Snapshot,
    changes: impl IntoIterator<Item = (File, Vec<TextChange>)>,
) -> WorkspaceEdit {
    let mut by_file: BTreeMap<File, Vec<TextEdit>> = BTreeMap::new();
    for (file, changes) in changes {
        let text = snapshot.text(file);
        let edits = changes.into_iter().map(|it| TextEdit::new(snapshot.range(&text, it.range), it.text));
        by_file.entry(file).or_default().extend(edits);
    }
    let path = |file: File| file.path(&snapshot.db);
    if snapshot.client.document_changes {
        let change = |(file, edits): (File, Vec<TextEdit>)| {
            let document = OptionalVersionedTextDocumentIdentifier {
                version: snapshot.version(path(file)),
                text_document_identifier: TextDocumentIdentifier::new(snapshot.uri(path(file))),
            };
            let edits = edits.into_iter().map(Edit::TextEdit).collect();
            DocumentChange::TextDocumentEdit(TextDocumentEdit::new(document, edits))
        };
        let changes = by_file.into_iter().map(change).collect();
        WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() }
    } else {
        let change = |(file, edits)| (snapshot.uri(path(file)), edits);
        let changes: HashMap<_, _> = by_file.into_iter().map(change).collect();
        WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
    }
}
