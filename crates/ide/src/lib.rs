//! What an editor asks about code: plain answers about places in files, without a protocol.
//!
//! Each answer is a function of the database and a place, in a file of its own. Offsets are bytes, files are
//! [`File`]s; whoever speaks a protocol translates both. An answer knows no more than the checks do, and from the same
//! queries, so that what it says is never at odds with the findings.

mod document_symbols;
#[cfg(test)]
mod fixture;
mod position;
mod symbol_kind;

pub use document_symbols::{DocumentSymbol, document_symbols};
pub use marotte_check::Db;
pub use marotte_db::File;
pub use position::{FilePosition, FileRange};
pub use symbol_kind::SymbolKind;
