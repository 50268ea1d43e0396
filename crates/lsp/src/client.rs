//! The client's capabilities.

use lsp_types::{ClientCapabilities, DiagnosticsCapabilities, InitializeParams, MarkupKind};

use crate::position::Encoding;
use crate::settings::{Diagnostics, ServerSettings, Watcher};

/// The client's capabilities that matter to the server, combined with the settings.
#[derive(Clone, Debug, Default)]
pub(crate) struct Client {
    /// The unit of positions.
    pub(crate) encoding: Encoding,
    /// The client pulls diagnostics; otherwise, they are pushed.
    pub(crate) pulls: bool,
    /// The client pulls again when the server reports that diagnostics changed.
    pub(crate) refreshes_diagnostics: bool,
    pub(crate) refreshes_lenses: bool,
    pub(crate) refreshes_hints: bool,
    pub(crate) refreshes_tokens: bool,
    /// The client watches files.
    pub(crate) watches: bool,
    /// Whether the server can request the client's settings.
    pub(crate) has_configuration: bool,
    /// The client wants a registration for changes of its settings.
    pub(crate) registers_configuration: bool,
    pub(crate) shows_progress: bool,
    pub(crate) related_information: bool,
    pub(crate) code_description: bool,
    pub(crate) diagnostic_data: bool,
    /// The client can show documents that only the server has.
    pub(crate) reads_content: bool,
    /// Code actions may be objects, as opposed to commands.
    pub(crate) action_literals: bool,
    /// The client requests the edit of an action when the user chooses it.
    pub(crate) resolves_edits: bool,
    pub(crate) preferred_actions: bool,
    /// Edits may contain versions and file operations.
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
    /// Extracts the capabilities from a client's initialization.
    pub(crate) fn new(params: &InitializeParams, settings: &ServerSettings) -> Client {
        let ClientCapabilities { workspace, text_document, window, general, .. } = &params.capabilities;
        let workspace = workspace.clone().unwrap_or_default();
        let document = text_document.clone().unwrap_or_default();
        let yes = |it: Option<bool>| it.unwrap_or_default();

        let encodings = general.as_ref().and_then(|it| it.position_encodings.clone()).unwrap_or_default();
        let watching = workspace.did_change_watched_files.unwrap_or_default();
        let can_watch = yes(watching.dynamic_registration);
        let can_pull = document.diagnostic.is_some();
        // Some clients that pull announce only for pushed diagnostics what they show of any.
        let pushed = document.publish_diagnostics.clone().unwrap_or_default().diagnostics_capabilities;
        let pulled = document.diagnostic.clone().unwrap_or_default().diagnostics_capabilities;
        let pulls = match settings.diagnostics {
            Diagnostics::Auto => can_pull,
            Diagnostics::Pull => true,
            Diagnostics::Push => false,
        };
        let shows =
            |of: fn(&DiagnosticsCapabilities) -> Option<bool>| yes(of(&pushed)) || pulls && yes(of(&pulled));
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
            related_information: shows(|it| it.related_information),
            code_description: shows(|it| it.code_description_support),
            diagnostic_data: shows(|it| it.data_support),
            reads_content: workspace.text_document_content.is_some(),
            action_literals: actions.code_action_literal_support.is_some(),
            resolves_edits: resolved.iter().any(|it| it == "edit"),
            preferred_actions: yes(actions.is_preferred_support),
            // The operations are part of these changes; a client may announce them alone, as Neovim 0.7 does.
            document_changes: yes(edits.document_changes) || !operations.is_empty(),
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
