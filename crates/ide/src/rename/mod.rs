//! Renaming of symbols.

mod attributes;
mod clash;
mod computed_names;
mod context;
mod elsewhere;
mod hashes;
mod idle;
mod installed;
mod new_name;
mod of_file;
mod plan;
mod templates;
#[cfg(test)]
mod tests;

pub use of_file::rename_file;

use std::fmt;

use camino::Utf8PathBuf;
use marotte_db::source_text;
use marotte_hir::ItemKind;
use marotte_text::{TextRange, normalized, split_namespace, unrooted};

use crate::symbol::Symbol;
use crate::token::{slice, tokens_at};
use crate::{Db, FilePosition, FileRange};

/// The changes of a rename.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rename {
    /// The replacements, by file and place. They don't overlap.
    pub edits: Vec<TextEdit>,
    /// The files whose paths follow from their definitions. Edits of a file refer to its old path.
    pub moves: Vec<FileMove>,
    /// Possible uses that cannot be decided, for the user to check.
    pub notes: Vec<String>,
}

/// The replacement of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// The range to replace.
    pub place: FileRange,
    /// The text that replaces the range.
    pub text: String,
}

/// A file that is moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileMove {
    /// The path before the move.
    pub from: Utf8PathBuf,
    /// The new path, at which nothing exists yet.
    pub to: Utf8PathBuf,
}

/// The reason why a symbol cannot be renamed: a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedRename(pub String);

impl fmt::Display for RefusedRename {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RefusedRename {}

/// The symbol that can be renamed at a place: the range of its name, and the initial name, which for `ser$0ver` in `include
/// ntp::server` is all of `ntp::server`.
///
/// # Errors
/// If the place has no symbol, or if the symbol cannot be renamed.
pub fn prepare_rename(db: &dyn Db, at: FilePosition) -> Result<(TextRange, String), RefusedRename> {
    let (range, symbol) = target(db, at)?;
    plan::check(db, at.file, &symbol)?;
    Ok((range, slice(source_text(db, at.file).text(), range).to_owned()))
}

/// Renames the symbol at a place everywhere: in manifests, templates and data, and moves the file to where the autoloader looks
/// for it. Renaming a class also renames the keys of its parameters in data.
///
/// A class, resource type, function or alias gets its full name: `ntp::client`, `Ntp::Port`. Parameters and variables get
/// theirs without `$`.
///
/// # Errors
/// If the name is invalid or taken; if the autoloader would not find it; if the old name may be used in a place that cannot be
/// changed: code in Ruby, a computed string, computed attributes.
pub fn rename(db: &dyn Db, at: FilePosition, new_name: &str) -> Result<Rename, RefusedRename> {
    let (range, symbol) = target(db, at)?;
    plan::check(db, at.file, &symbol)?;
    let written = slice(source_text(db, at.file).text(), range);
    let new_name = full_name(db, &symbol, written, new_name.trim_start_matches('$'));
    plan::rename(db, at.file, &symbol, &new_name)
}

/// The full new name of a symbol, however the old one is written at the place: `port` for the key `ntp::port`, the whole name
/// for `server` in the class `ntp`.
fn full_name(db: &dyn Db, symbol: &Symbol<'_>, written: &str, new_name: &str) -> String {
    let new_name = unrooted(new_name);
    let is_reference =
        |name: &str| name.split("::").all(|it| it.starts_with(|it: char| it.is_ascii_uppercase()));
    match symbol {
        // `A::D['x']` is a reference to `a::d`, and may be edited as it is written.
        Symbol::Item(item)
            if matches!(item.kind(db), ItemKind::Class | ItemKind::Define)
                && is_reference(unrooted(written))
                && is_reference(new_name) =>
        {
            new_name.to_ascii_lowercase()
        }
        Symbol::Variable(item, _, _) => {
            let prefix = format!("{}::", normalized(unrooted(item.name(db))));
            new_name.strip_prefix(&prefix).unwrap_or(new_name).to_owned()
        }
        Symbol::Item(item) => match split_namespace(unrooted(item.name(db))) {
            Some((outer, last)) if written == last && !new_name.contains("::") => {
                format!("{outer}::{new_name}")
            }
            _ => new_name.to_owned(),
        },
        _ => new_name.to_owned(),
    }
}

fn target(db: &dyn Db, at: FilePosition) -> Result<(TextRange, Symbol<'_>), RefusedRename> {
    let tokens = tokens_at(db, at);
    let found = tokens.iter().find_map(|it| Some((it.range, Symbol::of(db, at.file, it)?)));
    found.ok_or_else(|| match tokens.is_empty() {
        true => RefusedRename("there is no name here".to_owned()),
        false => RefusedRename("the meaning of this name is not known".to_owned()),
    })
}

fn refuse<T>(reason: impl Into<String>) -> Result<T, RefusedRename> {
    Err(RefusedRename(reason.into()))
}
