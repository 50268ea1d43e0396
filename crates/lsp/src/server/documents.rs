//! Notifications about documents: opened, edited, saved and closed.

use camino::{Utf8Path, Utf8PathBuf};
use lsp_types::{
    CreateFilesParams, DeleteFilesParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams, RenameFilesParams, Uri,
};
use marotte_project::ChangeBatch;

use super::Server;
use crate::analysis::{Edit, Order};
use crate::snapshot::Opened;
use crate::uri::path_of;

impl Server {
    pub(super) fn opened(&mut self, params: DidOpenTextDocumentParams) -> Result<(), String> {
        let document = params.text_document;
        let path = path(&document.uri)?;
        let before = self.document_uri(&path);
        let known = self.documents.open(path.clone(), document.uri, document.version, document.text);
        let opened = Opened { uri: known.uri.clone(), version: known.version };
        let content = Some(known.content.clone());
        self.withdraw_former_uri(&path, before);
        self.home(&path);
        self.edit(Edit { path, opened: Some(opened), content });
        Ok(())
    }

    pub(super) fn changed(&mut self, params: DidChangeTextDocumentParams) -> Result<(), String> {
        let document = params.text_document;
        let uri = document.text_document_identifier.uri;
        let path = path(&uri)?;
        let encoding = self.client.encoding;
        let known = self
            .documents
            .change(&path, document.version, params.content_changes, encoding)
            .ok_or_else(|| format!("`{}` is not open", uri.0))?;
        let opened = Opened { uri: known.uri.clone(), version: known.version };
        let content = Some(known.content.clone());
        self.edit(Edit { path, opened: Some(opened), content });
        Ok(())
    }

    pub(super) fn closed(&mut self, params: DidCloseTextDocumentParams) -> Result<(), String> {
        let uri = params.text_document.uri;
        let path = path(&uri)?;
        let before = self.document_uri(&path);
        if !self.documents.close(&path) {
            return Err(format!("`{}` is not open", uri.0));
        }
        self.withdraw_former_uri(&path, before);
        self.edit(Edit { path, opened: None, content: None });
        Ok(())
    }

    /// The text of an open document is known from its edits, but a saved file needn't be open.
    pub(super) fn saved(&mut self, params: &DidSaveTextDocumentParams) {
        if let Some(path) = path_of(&params.text_document.uri) {
            self.touch([path].into_iter().collect());
        }
    }

    pub(super) fn files_changed(&mut self, params: DidChangeWatchedFilesParams) {
        self.touch(params.changes.iter().filter_map(|it| path_of(&it.uri)).collect());
    }

    pub(super) fn files_created(&mut self, params: CreateFilesParams) {
        self.touch(params.files.iter().filter_map(|it| path_of(&it.uri)).collect());
    }

    pub(super) fn files_renamed(&mut self, params: RenameFilesParams) {
        let uris = params.files.iter().flat_map(|it| [&it.old_uri, &it.new_uri]);
        self.touch(uris.filter_map(path_of).collect());
    }

    pub(super) fn files_deleted(&mut self, params: DeleteFilesParams) {
        self.touch(params.files.iter().filter_map(|it| path_of(&it.uri)).collect());
    }

    /// Sends an edit to every folder, because the code of one may be modules of another.
    fn edit(&mut self, edit: Edit) {
        self.is_stale |= self.documents.iter().any(|(path, _)| *path != edit.path);
        for (id, folder) in &self.folders {
            let is_loose = Some(*id) == self.loose;
            if !is_loose || self.is_in_no_folder(&edit.path) {
                folder.order(Order::Edit(edit.clone()));
            }
        }
    }

    fn touch(&mut self, batch: ChangeBatch) {
        self.is_stale = true;
        for folder in self.folders.values() {
            folder.order(Order::Touched(batch.clone()));
        }
    }

    /// The version of a document's text, if it is open.
    pub(super) fn version(&self, path: &Utf8Path) -> Option<i32> {
        self.documents.get(path).map(|it| it.version)
    }
}

fn path(uri: &Uri) -> Result<Utf8PathBuf, String> {
    path_of(uri).ok_or_else(|| format!("`{}` names no document", uri.0))
}
