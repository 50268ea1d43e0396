//! Requests in both directions, from arrival to response.

use std::collections::BTreeSet;
use std::sync::Arc;

use camino::Utf8PathBuf;
use lsp_types::{
    ApplyWorkspaceEditParams, ApplyWorkspaceEditRequest, CancelParams, ErrorCodes, LspErrorCodes, Uri,
    WorkspaceDiagnosticParams,
};
use serde_json::Value;

use super::{Phase, Server};
use crate::analysis::{Cancellation, Job, Order, Question};
use crate::answers::{self, Handler, Scope};
use crate::commands;
use crate::event::FolderId;
use crate::message::{Id, Message, Response, ResponseError};
use crate::uri::path_of;

/// An unanswered request of the client.
pub(super) struct Pending {
    pub(super) cancellation: Arc<Cancellation>,
    /// The document in the request, and the version of its text at that time.
    document: Option<(Utf8PathBuf, Option<i32>)>,
    /// The number of folders that haven't answered yet.
    folders: usize,
    /// The results so far, if all folders contribute.
    gathered: Option<Vec<Value>>,
    /// The request waits for new diagnostics.
    pub(super) news: Option<News>,
}

/// The parameters of a parked request for workspace diagnostics, and its state.
pub(super) struct News {
    pub(super) params: WorkspaceDiagnosticParams,
    /// The folders that may not have checked all edits before the request.
    pub(super) unsettled: BTreeSet<FolderId>,
}

/// An unanswered request of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClientRequest {
    /// A request whose result doesn't matter.
    Nothing,
    /// A request for the client's settings.
    Configuration,
    /// A request for a progress bar for a folder.
    Bar(FolderId),
}

impl Server {
    /// Dispatches a request of the client.
    pub(super) fn ask(&mut self, id: Id, method: &str, params: Value) {
        if self.pending.contains_key(&id) {
            let error =
                ResponseError::new(ErrorCodes::InvalidRequest, "a request of this `id` waits already");
            return self.respond(id, Err(error));
        }
        match method {
            "workspace/diagnostic" => match serde_json::from_value(params) {
                Ok(params) => self.park(id, params),
                Err(error) => self.respond(id, Err(ResponseError::invalid_params(error.to_string()))),
            },
            "workspace/textDocumentContent" => {
                let uri = params.get("uri").and_then(Value::as_str).unwrap_or_default();
                let answer = commands::page::content(uri);
                self.respond(id, answer);
            }
            "workspace/executeCommand" if params.get("command") == Some(&commands::APPLY.into()) => {
                self.apply(id, &params);
            }
            _ => match answers::handler(method) {
                Some((Scope::Document, handler)) => self.ask_home(id, handler, params),
                Some((Scope::Everywhere, handler)) => self.ask_all(id, handler, params),
                None => {
                    let message = format!("there is no method `{method}`");
                    self.respond(id, Err(ResponseError::new(ErrorCodes::MethodNotFound, message)));
                }
            },
        }
    }

    /// Asks the client to apply the edit of an action that had to be sent as a command.
    fn apply(&mut self, id: Id, params: &Value) {
        let edit = params.pointer("/arguments/0").cloned().unwrap_or_default();
        match serde_json::from_value(edit) {
            Ok(edit) => {
                let params = ApplyWorkspaceEditParams { edit, ..ApplyWorkspaceEditParams::default() };
                self.ask_client::<ApplyWorkspaceEditRequest>(&params, ClientRequest::Nothing);
                self.respond(id, Ok(Value::Null));
            }
            Err(error) => self.respond(id, Err(ResponseError::invalid_params(error.to_string()))),
        }
    }

    /// Dispatches a request to the folder of its document.
    fn ask_home(&mut self, id: Id, handler: Handler, params: Value) {
        let Some(path) = document_of(&params).and_then(|uri| path_of(&uri)) else {
            let error = ResponseError::invalid_params("the request names no document");
            return self.respond(id, Err(error));
        };
        let home = self.home(&path);
        let version = self.version(&path);
        let document = Some((path, version));
        self.put(id, handler, params, vec![home], document, None);
    }

    /// Dispatches a request to all folders, whose results are collected.
    fn ask_all(&mut self, id: Id, handler: Handler, params: Value) {
        let folders: Vec<FolderId> = self.folders.keys().copied().collect();
        if folders.is_empty() {
            return self.respond(id, Ok(Value::Array(Vec::new())));
        }
        self.put(id, handler, params, folders, None, Some(Vec::new()));
    }

    fn put(
        &mut self,
        id: Id,
        handler: Handler,
        params: Value,
        folders: Vec<FolderId>,
        document: Option<(Utf8PathBuf, Option<i32>)>,
        gathered: Option<Vec<Value>>,
    ) {
        let cancellation = Arc::<Cancellation>::default();
        let job: Job = Arc::new(move |snapshot| handler(snapshot, params.clone()));
        let question = Question { id: id.clone(), job, cancellation: Arc::clone(&cancellation) };
        let pending = Pending { cancellation, document, folders: folders.len(), gathered, news: None };
        self.pending.insert(id, pending);
        for folder in folders.iter().filter_map(|it| self.folders.get(it)) {
            folder.order(Order::Ask(question.clone()));
        }
    }

    /// Keeps a request until all folders have checked the edits before it, and there are new diagnostics.
    pub(super) fn park(&mut self, id: Id, params: WorkspaceDiagnosticParams) {
        let unsettled = self.folders.keys().copied().collect();
        let pending = Pending {
            cancellation: Arc::default(),
            document: None,
            folders: 0,
            gathered: None,
            news: Some(News { params, unsettled }),
        };
        self.pending.insert(id.clone(), pending);
        for folder in self.folders.values() {
            folder.order(Order::Settle(id.clone()));
        }
        // There may be no folders.
        self.answer_parked();
    }

    /// Handles the end of a folder's check of all edits before a request.
    pub(super) fn settled(&mut self, folder: FolderId, id: &Id) {
        if let Some(Pending { news: Some(news), .. }) = self.pending.get_mut(id) {
            news.unsettled.remove(&folder);
        }
        self.answer_parked();
    }

    /// Handles the result of a request, or the part of a single folder.
    pub(super) fn answered(&mut self, id: &Id, result: Result<Value, ResponseError>) {
        // The request may have been cancelled.
        let Some(pending) = self.pending.get_mut(id) else { return };
        pending.folders = pending.folders.saturating_sub(1);
        let result = match (&mut pending.gathered, result) {
            (Some(gathered), Ok(Value::Array(more))) => {
                gathered.extend(more);
                if pending.folders > 0 {
                    return;
                }
                Ok(Value::Array(std::mem::take(gathered)))
            }
            (_, result) => result,
        };
        self.pending.remove(id);
        self.respond(id.clone(), result);
    }

    /// Repeats a request because the code changed before it was answered, unless the request refers to a text that no longer
    /// exists.
    pub(super) fn overtaken(&mut self, folder: FolderId, question: Question) {
        let Some(pending) = self.pending.get(&question.id) else { return };
        let is_of_another_text =
            pending.document.as_ref().is_some_and(|(path, version)| self.version(path) != *version);
        match self.folders.get(&folder) {
            Some(folder) if !is_of_another_text => folder.order(Order::Ask(question)),
            _ => {
                let error =
                    ResponseError::new(LspErrorCodes::ContentModified, "the text has changed meanwhile");
                self.pending.remove(&question.id);
                self.respond(question.id, Err(error));
            }
        }
    }

    pub(super) fn cancel_request(&mut self, params: CancelParams) {
        let id = Id::from(params.id);
        if self.pending.contains_key(&id) {
            self.cancel(id);
        }
    }

    fn cancel(&mut self, id: Id) {
        if let Some(pending) = self.pending.remove(&id) {
            pending.cancellation.cancel();
            let error = ResponseError::new(LspErrorCodes::RequestCancelled, "the request was cancelled");
            self.respond(id, Err(error));
        }
    }

    pub(super) fn cancel_all(&mut self) {
        let mut ids: Vec<Id> = self.pending.keys().cloned().collect();
        // A deterministic order.
        ids.sort_by_key(|it| serde_json::to_string(it).unwrap_or_default());
        ids.into_iter().for_each(|it| self.cancel(it));
    }

    /// Sends a request to the client.
    pub(super) fn ask_client<R: lsp_types::Request>(&mut self, params: &R::Params, request: ClientRequest) {
        self.next_request += 1;
        self.awaited.insert(self.next_request, request);
        self.send(Message::request::<R>(Id::Number(self.next_request), params));
    }

    pub(super) fn response(&mut self, response: Response) {
        let Response { id: Id::Number(id), result } = response else { return };
        match (self.awaited.remove(&id), result) {
            _ if self.phase != Phase::Running => {}
            (Some(ClientRequest::Configuration), Ok(Value::Array(mut values))) if !values.is_empty() => {
                self.set(&values.swap_remove(0));
            }
            (Some(ClientRequest::Bar(folder)), result) => self.bar_is_made(folder, result.is_ok()),
            _ => {}
        }
    }
}

/// The document in a request's parameters.
fn document_of(params: &Value) -> Option<Uri> {
    const PLACES: [&str; 6] = [
        "/textDocument/uri",
        "/item/uri",
        "/data/uri",
        "/arguments/0/uri",
        "/arguments/0",
        "/files/0/oldUri",
    ];
    let found = PLACES.iter().find_map(|it| params.pointer(it)?.as_str());
    found.map(|it| Uri(it.to_owned()))
}
