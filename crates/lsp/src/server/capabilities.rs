//! The capabilities that the server announces.

use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProvider, CodeLensOptions, CompletionOptions,
    DiagnosticOptions, DiagnosticProvider, DocumentLinkOptions, DocumentOnTypeFormattingOptions,
    DocumentRangeFormattingOptions, ExecuteCommandOptions, FileOperationFilter, FileOperationOptions,
    FileOperationPattern, FileOperationPatternKind, FileOperationRegistrationOptions, RenameOptions, Save,
    SaveOptions, SemanticTokensFullDelta, SemanticTokensOptions, ServerCapabilities, SignatureHelpOptions,
    TextDocumentContent, TextDocumentContentOptions, TextDocumentSync, TextDocumentSyncKind,
    TextDocumentSyncOptions, WorkDoneProgressOptions, WorkspaceFoldersServerCapabilities, WorkspaceOptions,
};

use crate::actions::FIX_ALL;
use crate::answers::tokens::legend;
use crate::client::Client;
use crate::commands::{APPLY, COMMANDS, page};
use crate::diagnostics::convert::SOURCE;

/// The server's capabilities for a client.
pub(super) fn of(client: &Client) -> ServerCapabilities {
    let plain = WorkDoneProgressOptions::default;
    ServerCapabilities {
        position_encoding: Some(client.encoding.kind()),
        text_document_sync: Some(TextDocumentSync::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::Incremental),
            will_save: None,
            will_save_wait_until: None,
            save: Some(Save::SaveOptions(SaveOptions { include_text: Some(false) })),
        })),
        diagnostic_provider: client.pulls.then(|| {
            DiagnosticProvider::DiagnosticOptions(DiagnosticOptions {
                identifier: Some(SOURCE.to_owned()),
                inter_file_dependencies: true,
                workspace_diagnostics: true,
                work_done_progress_options: plain(),
            })
        }),
        code_action_provider: Some(if client.action_literals {
            CodeActionProvider::CodeActionOptions(CodeActionOptions {
                code_action_kinds: Some(vec![
                    CodeActionKind::QuickFix,
                    CodeActionKind::Refactor,
                    CodeActionKind::SourceFixAll,
                    CodeActionKind::new(FIX_ALL),
                ]),
                documentation: None,
                resolve_provider: Some(client.resolves_edits),
                work_done_progress_options: plain(),
            })
        } else {
            CodeActionProvider::Bool(true)
        }),
        definition_provider: Some(true.into()),
        declaration_provider: Some(true.into()),
        type_definition_provider: Some(true.into()),
        implementation_provider: Some(true.into()),
        references_provider: Some(true.into()),
        document_highlight_provider: Some(true.into()),
        document_symbol_provider: Some(true.into()),
        hover_provider: Some(true.into()),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(
                ["$", ":", "'", "\"", "@", "[", "/", ".", "%", "{"].map(str::to_owned).to_vec(),
            ),
            ..CompletionOptions::default()
        }),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: Some(["(", ","].map(str::to_owned).to_vec()),
            retrigger_characters: Some(vec![")".to_owned()]),
            work_done_progress_options: plain(),
        }),
        folding_range_provider: Some(true.into()),
        selection_range_provider: Some(true.into()),
        linked_editing_range_provider: Some(true.into()),
        document_link_provider: Some(DocumentLinkOptions::default()),
        inlay_hint_provider: Some(true.into()),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend: legend(),
                range: Some(true.into()),
                full: Some(SemanticTokensFullDelta { delta: Some(true) }.into()),
                work_done_progress_options: plain(),
            }
            .into(),
        ),
        call_hierarchy_provider: Some(true.into()),
        type_hierarchy_provider: Some(true.into()),
        code_lens_provider: Some(CodeLensOptions {
            resolve_provider: Some(true),
            work_done_progress_options: plain(),
        }),
        document_formatting_provider: Some(true.into()),
        document_range_formatting_provider: Some(
            DocumentRangeFormattingOptions {
                ranges_support: Some(true),
                work_done_progress_options: plain(),
            }
            .into(),
        ),
        document_on_type_formatting_provider: Some(DocumentOnTypeFormattingOptions::new(
            "}".to_owned(),
            Some(vec!["\n".to_owned()]),
        )),
        workspace_symbol_provider: Some(true.into()),
        rename_provider: Some(
            RenameOptions { prepare_provider: Some(true), work_done_progress_options: plain() }.into(),
        ),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: COMMANDS.iter().map(|it| it.name).chain([APPLY]).map(str::to_owned).collect(),
            work_done_progress_options: plain(),
        }),
        workspace: Some(WorkspaceOptions {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(true.into()),
            }),
            file_operations: Some(FileOperationOptions {
                will_rename: Some(renamed_files()),
                did_create: Some(all_files()),
                did_rename: Some(all_files()),
                did_delete: Some(all_files()),
                ..FileOperationOptions::default()
            }),
            text_document_content: client.reads_content.then(|| {
                TextDocumentContent::Options(TextDocumentContentOptions::new(vec![page::SCHEME.to_owned()]))
            }),
        }),
        ..ServerCapabilities::default()
    }
}

/// All files and folders: clients that watch files by patterns may not tell which files a deleted folder had.
fn all_files() -> FileOperationRegistrationOptions {
    let pattern = FileOperationPattern { glob: "**/*".to_owned(), matches: None, options: None };
    FileOperationRegistrationOptions::new(vec![FileOperationFilter::new(Some("file".to_owned()), pattern)])
}

/// The files whose new paths change code: those of modules that have a name in code, or are named by it.
fn renamed_files() -> FileOperationRegistrationOptions {
    let glob = "**/{manifests,functions,types,templates,files}/**".to_owned();
    let pattern = FileOperationPattern { glob, matches: Some(FileOperationPatternKind::File), options: None };
    FileOperationRegistrationOptions::new(vec![FileOperationFilter::new(Some("file".to_owned()), pattern)])
}
