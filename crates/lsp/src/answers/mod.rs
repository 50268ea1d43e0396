//! The request handlers, one file per family: convert the protocol's parameters to places, call the feature, and convert its
//! result back.

mod completion;
mod formatting;
pub(crate) mod hierarchy;
mod hints;
mod hover;
mod navigation;
mod rename;
mod signature;
mod structure;
mod symbols;
pub(crate) mod tokens;

use lsp_types::{
    CallHierarchyIncomingCallsRequest, CallHierarchyOutgoingCallsRequest, CallHierarchyPrepareRequest,
    CodeActionRequest, CodeActionResolveRequest, CodeLensRequest, CodeLensResolveRequest, CompletionRequest,
    DeclarationRequest, DefinitionRequest, DocumentDiagnosticRequest, DocumentFormattingRequest,
    DocumentHighlightRequest, DocumentLinkRequest, DocumentOnTypeFormattingRequest,
    DocumentRangeFormattingRequest, DocumentRangesFormattingRequest, DocumentSymbolRequest,
    ExecuteCommandRequest, FoldingRangeRequest, HoverRequest, ImplementationRequest, InlayHintRequest,
    LinkedEditingRangeRequest, PrepareRenameRequest, ReferencesRequest, RenameRequest, Request,
    SelectionRangeRequest, SemanticTokensDeltaRequest, SemanticTokensRangeRequest, SemanticTokensRequest,
    SignatureHelpRequest, TextDocumentPositionParams, TypeDefinitionRequest, TypeHierarchyPrepareRequest,
    TypeHierarchySubtypesRequest, TypeHierarchySupertypesRequest, WillRenameFilesRequest,
    WorkspaceSymbolRequest,
};
use marotte_ide::FilePosition;
use serde::Serialize;
use serde_json::Value;

use crate::message::{ResponseError, value_of};
use crate::snapshot::{Answer, Snapshot};
use crate::{actions, commands, diagnostics};

/// The folders that handle a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The folder of the document in the parameters.
    Document,
    /// The question is for all folders, whose results are concatenated.
    Everywhere,
}

/// Answers a request from the snapshot of a folder.
pub(crate) type Handler = fn(&Snapshot, Value) -> Answer<Value>;

/// Declares the handler of each request.
macro_rules! handlers {
    ($($scope:ident $request:ty => $handler:path;)*) => {
        /// The handler of a method, if there is one.
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
    Document CompletionRequest => completion::completion;
    Document SignatureHelpRequest => signature::help;
    Document FoldingRangeRequest => structure::foldings;
    Document SelectionRangeRequest => structure::selections;
    Document LinkedEditingRangeRequest => structure::linked;
    Document DocumentLinkRequest => structure::links;
    Document InlayHintRequest => hints::hints;
    Document SemanticTokensRequest => tokens::full;
    Document SemanticTokensRangeRequest => tokens::range;
    Document SemanticTokensDeltaRequest => tokens::delta;
    Document CallHierarchyPrepareRequest => hierarchy::calls;
    Document CallHierarchyIncomingCallsRequest => hierarchy::incoming;
    Document CallHierarchyOutgoingCallsRequest => hierarchy::outgoing;
    Document TypeHierarchyPrepareRequest => hierarchy::types;
    Document TypeHierarchySupertypesRequest => hierarchy::supertypes;
    Document TypeHierarchySubtypesRequest => hierarchy::subtypes;
    Document CodeLensRequest => hierarchy::lenses;
    Document CodeLensResolveRequest => hierarchy::lens;
    Everywhere WorkspaceSymbolRequest => symbols::everywhere;
    Document PrepareRenameRequest => rename::prepare;
    Document RenameRequest => rename::rename;
    Document WillRenameFilesRequest => rename::files;
    Document DocumentFormattingRequest => formatting::document;
    Document DocumentRangeFormattingRequest => formatting::range;
    Document DocumentRangesFormattingRequest => formatting::ranges;
    Document DocumentOnTypeFormattingRequest => formatting::on_type;
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

/// The place in a request's parameters.
fn position(snapshot: &Snapshot, params: &TextDocumentPositionParams) -> Answer<FilePosition> {
    let file = snapshot.file(&params.text_document.uri)?;
    Ok(FilePosition { file, offset: snapshot.offset(file, params.position)? })
}
