//! What the client can do.

use lsp_types::{ClientCapabilities, InitializeParams, MarkupKind};

use crate::position::Encoding;
use crate::settings::{Diagnostics, ServerSettings, Watcher};

/// What the client can do, of all that matters here, and what that makes of the session.
#[derive(Clone, Debug, Default)]
pub(crate) struct Client {
    /// What positions count.
    pub(crate) encoding: Encoding,
    /// It asks for diagnostics; else it is told.
    pub(crate) pulls: bool,
    /// It asks anew when it is told that they are different.
    pub(crate) refreshes_diagnostics: bool,
    pub(crate) refreshes_lenses: bool,
    pub(crate) refreshes_hints: bool,
    pub(crate) refreshes_tokens: bool,
    /// It watches files.
    pub(crate) watches: bool,
    /// It is asked for its settings.
    pub(crate) has_configuration: bool,
    /// It wants to be told which of its settings it is to tell of.
    pub(crate) registers_configuration: bool,
    pub(crate) shows_progress: bool,
    pub(crate) related_information: bool,
    pub(crate) code_description: bool,
    pub(crate) diagnostic_data: bool,
    /// It reads documents that only the server has.
    pub(crate) reads_content: bool,
    /// Code actions may be objects.
    pub(crate) action_literals: bool,
    /// It asks for the edit of an action when somebody wants it.
    pub(crate) resolves_edits: bool,
    pub(crate) preferred_actions: bool,
    /// Edits may name versions, and files to be moved.
    pub(crate) document_changes: bool,
    pub(crate) renames_files: bool,
    pub(crate) snippets: bool,
    pub(crate) hierarchical_symbols: bool,
    pub(crate) location_links: bool,
    pub(crate) markdown: bool,
    pub(crate) line_folding_only: bool,
    pub(crate) label_offsets: bool,
}

impl Client {
    /// What a client says of itself.
    pub(crate) fn new(params: &InitializeParams, settings: &ServerSettings) -> Client {
        let ClientCapabilities { workspace, text_document, window, general, .. } = &params.capabilities;
        let workspace = workspace.clone().unwrap_or_default();
        let document = text_document.clone().unwrap_or_default();
        let yes = |it: Option<bool>| it.unwrap_or_default();

        let encodings = general.as_ref().and_then(|it| it.position_encodings.clone()).unwrap_or_default();
        let watching = workspace.did_change_watched_files.unwrap_or_default();
        let can_watch = yes(watching.dynamic_registration);
        let can_pull = document.diagnostic.is_some();
        let publish = document.publish_diagnostics.clone().unwrap_or_default();
        let pulled = document.diagnostic.clone().unwrap_or_default();
        let pulls = match settings.diagnostics {
            Diagnostics::Auto => can_pull,
            Diagnostics::Pull => true,
            Diagnostics::Push => false,
        };
        let shown = if pulls {
            pulled.diagnostics_capabilities.clone()
        } else {
            publish.diagnostics_capabilities.clone()
        };
        let actions = document.code_action.clone().unwrap_or_default();
        let edits = workspace.workspace_edit.clone().unwrap_or_default();
        let resolved = actions.resolve_support.map(|it| it.properties).unwrap_or_default();
        let operations = edits.resource_operations.unwrap_or_default();
        let completion = document.completion.and_then(|it| it.completion_item).unwrap_or_default();
        let hover = document.hover.and_then(|it| it.content_format).unwrap_or_default();
        let signature = document.signature_help.and_then(|it| it.signature_information).unwrap_or_default();
        Client {
            encoding: Encoding::negotiated(&encodings),
            pulls,
            refreshes_diagnostics: yes(workspace.diagnostics.and_then(|it| it.refresh_support)),
            refreshes_lenses: yes(workspace.code_lens.and_then(|it| it.refresh_support)),
            refreshes_hints: yes(workspace.inlay_hint.and_then(|it| it.refresh_support)),
            refreshes_tokens: yes(workspace.semantic_tokens.and_then(|it| it.refresh_support)),
            watches: match settings.watcher {
                Watcher::Auto => can_watch,
                Watcher::Client => true,
                Watcher::Server => false,
            },
            has_configuration: yes(workspace.configuration),
            registers_configuration: yes(workspace
                .did_change_configuration
                .and_then(|it| it.dynamic_registration)),
            shows_progress: yes(window.as_ref().and_then(|it| it.work_done_progress)),
            related_information: yes(shown.related_information),
            code_description: yes(shown.code_description_support),
            diagnostic_data: yes(shown.data_support),
            reads_content: workspace.text_document_content.is_some(),
            action_literals: actions.code_action_literal_support.is_some(),
            resolves_edits: resolved.iter().any(|it| it == "edit"),
            preferred_actions: yes(actions.is_preferred_support),
            document_changes: yes(edits.document_changes),
            renames_files: operations.contains(&lsp_types::ResourceOperationKind::Rename),
            snippets: yes(completion.snippet_support),
            hierarchical_symbols: yes(document
                .document_symbol
                .and_then(|it| it.hierarchical_document_symbol_support)),
            location_links: yes(document.definition.and_then(|it| it.link_support)),
            markdown: hover.contains(&MarkupKind::Markdown),
            line_folding_only: yes(document.folding_range.and_then(|it| it.line_folding_only)),
            label_offsets: yes(signature.parameter_information.and_then(|it| it.label_offset_support)),
        }
    }
}
