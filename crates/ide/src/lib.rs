//! What an editor asks about code: plain answers about places in files, without a protocol.
//!
//! Each answer is a function of the database and a place, in a file of its own. Offsets are bytes, files are
//! [`File`]s; whoever speaks a protocol translates both. An answer knows no more than the checks do, and from the same
//! queries, so that what it says is never at odds with the findings.

mod completion;
mod data_entries;
mod definition;
mod docs;
mod document_symbols;
mod files;
#[cfg(test)]
mod fixture;
mod highlights;
mod hover;
mod position;
mod references;
mod rename;
mod signature;
mod symbol;
mod symbol_kind;
mod token;
mod words;

pub use completion::{CompletionItem, Completions, completions};
pub use definition::{NavigationTarget, declaration, definition, implementations, type_definition};
pub use docs::{Documentation, DocumentedParameter, documentation};
pub use document_symbols::{DocumentSymbol, document_symbols};
pub use highlights::{Highlight, highlights};
pub use hover::{Hover, hover};
pub use marotte_check::Db;
pub use marotte_db::File;
pub use position::{FilePosition, FileRange};
pub use references::{Reference, references};
pub use rename::{FileMove, RefusedRename, Rename, TextEdit, prepare_rename, rename};
pub use symbol_kind::SymbolKind;
pub use token::Access;
