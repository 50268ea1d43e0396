//! One file for each family of requests: the parameters of the protocol into places, an answer, and that back into the protocol.

mod hover;
mod navigation;
mod rename;
mod symbols;

use lsp_types::{
    CodeActionRequest, CodeActionResolveRequest, DeclarationRequest, DefinitionRequest,
    DocumentDiagnosticRequest, DocumentHighlightRequest, DocumentSymbolRequest, ExecuteCommandRequest,
    HoverRequest, ImplementationRequest, PrepareRenameRequest, ReferencesRequest, RenameRequest, Request,
    TextDocumentPositionParams, TypeDefinitionRequest,
};
use marotte_ide::FilePosition;
use serde::Serialize;
use serde_json::Value;

use crate::message::{ResponseError, value_of};
use crate::snapshot::{Answer, Snapshot};
use crate::{actions, commands, diagnostics};

/// Whom a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The folder of the document that it names.
    Document,
    /// All folders, whose answers are put one behind the other.
    Everywhere,
}

/// Answers a request in the state of a folder.
pub(crate) type Handler = fn(&Snapshot, Value) -> Answer<Value>;

/// Declares which function answers which request.
macro_rules! handlers {
    ($($scope:ident $request:ty => $handler:path;)*) => {
        /// Who answers a method, if anybody does.
        pub(crate) fn handler(method: &str) -> Option<(Scope, Handler)> {
            $(
                if method == <$request as Request>::METHOD.as_str() {
                    return Some((Scope::$scope, |snapshot, params| answer::<$request, _>(snapshot, params, $handler)));
                }
            )*
            None
        }
    };
}

handlers! {
    Document DocumentDiagnosticRequest => diagnostics::pull::document;
    Document DefinitionRequest => navigation::definition;
    Document DeclarationRequest => navigation::declaration;
    Document TypeDefinitionRequest => navigation::type_definition;
    Document ImplementationRequest => navigation::implementation;
    Document ReferencesRequest => navigation::references;
    Document DocumentHighlightRequest => navigation::highlights;
    Document DocumentSymbolRequest => symbols::of_document;
    Document HoverRequest => hover::hover;
    Document PrepareRenameRequest => rename::prepare;
    Document RenameRequest => rename::rename;
    Document CodeActionRequest => actions::actions;
    Document CodeActionResolveRequest => actions::resolve;
    Document ExecuteCommandRequest => commands::execute;
}

fn answer<R: Request, T: Serialize>(
    snapshot: &Snapshot,
    params: Value,
    handler: impl Fn(&Snapshot, R::Params) -> Answer<T>,
) -> Answer<Value> {
    let params = serde_json::from_value(params)
        .map_err(|error| ResponseError::invalid_params(format!("`{}`: {error}", R::METHOD)))?;
    Ok(value_of(&handler(snapshot, params)?))
}

/// The place that a request is about.
fn position(snapshot: &Snapshot, params: &TextDocumentPositionParams) -> Answer<FilePosition> {
    let file = snapshot.file(&params.text_document.uri)?;
    Ok(FilePosition { file, offset: snapshot.offset(file, params.position)? })
}
