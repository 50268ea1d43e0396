//! Editor features as plain functions over files, independent of any protocol.
//!
//! Each feature is a function of the database and a place, in a file of its own. Offsets are in bytes, files are [`File`]s; a
//! protocol implementation translates both. The features use the same queries as the checks, so that their results never
//! contradict the findings.

mod assists;
mod bolt;
mod completion;
mod data_entries;
mod data_paths;
mod definition;
mod docs;
mod document_symbols;
mod epp;
mod files;
#[cfg(test)]
mod fixture;
mod folding;
mod hierarchy;
mod highlights;
mod hover;
mod inlay_hints;
mod linked_editing;
mod links;
mod position;
mod puppetfile_options;
mod references;
mod rename;
mod selection;
mod semantic_tokens;
mod signature;
mod signature_help;
mod symbol;
mod symbol_kind;
mod template_values;
mod token;
mod words;
mod workspace_symbols;

pub use assists::{Assist, assists, remedies};
pub use completion::{CompletionItem, Completions, completions, prepare_completion};
pub use definition::{NavigationTarget, declaration, definition, implementations, type_definition};
pub use docs::{Documentation, DocumentedParameter, documentation};
pub use document_symbols::{DocumentSymbol, document_symbols};
pub use folding::{Folding, FoldingKind, foldings};
pub use hierarchy::{
    Call, CodeLens, call_hierarchy, code_lenses, incoming_calls, outgoing_calls, resolve_code_lens, subtypes,
    supertypes, type_hierarchy,
};
pub use highlights::{Highlight, highlights};
pub use hover::{Hover, fact_samples, hover};
pub use inlay_hints::{InlayHint, InlayHintKind, inlay_hints};
pub use linked_editing::linked_editing;
pub use links::{Link, links};
pub use marotte_check::yaml_comments;
pub use marotte_db::Db;
pub use marotte_db::File;
pub use marotte_ruby::core::read_records;
pub use position::{FilePosition, FileRange};
pub use references::{Reference, references};
pub use rename::{FileMove, RefusedRename, Rename, TextEdit, prepare_rename, rename, rename_file};
pub use selection::selection_ranges;
pub use semantic_tokens::{SemanticKind, SemanticToken, semantic_tokens};
pub use signature_help::{CallSignature, SignatureHelp, signature_help};
pub use symbol_kind::SymbolKind;
pub use token::Access;
pub use workspace_symbols::workspace_symbols;
