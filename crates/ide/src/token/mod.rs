//! Tokens: the parts of a file that refer to something.

mod code;
mod data;
mod erb;
mod texts;
mod variables;

pub(crate) use data::OPTIONS;
pub(crate) use erb::{is_erb, renderers};
pub(crate) use variables::{Frames, scope_has};

use marotte_db::File;
use marotte_hir::Item;
use marotte_hir::body::FrameId;
use marotte_resolve::data_files::hiera_file;
use marotte_text::{Str, TextRange, TextSize};

use crate::{Db, FilePosition};

/// A part of a file that refers to something.
#[derive(Clone, Debug, PartialEq, salsa::SalsaValue)]
pub(crate) struct Token<'db> {
    /// The range of the name, without quotes and `$`.
    pub(crate) range: TextRange,
    /// The kind of access.
    pub(crate) access: Access,
    /// The name, before it is resolved.
    pub(crate) named: Named<'db>,
    /// The item that contains the token. None in data.
    pub(crate) within: Option<Item<'db>>,
}

/// The kind of access at a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, salsa::SalsaValue)]
pub enum Access {
    /// The symbol is defined here.
    Definition,
    /// A class or a resource is declared here, and thereby added to the catalog.
    Declaration,
    /// The symbol is set here.
    Write,
    /// The symbol is used here.
    Read,
}

/// The name in a token, before it is resolved.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) enum Named<'db> {
    /// A definition that was resolved.
    Item(Item<'db>),
    /// A class, by its name.
    Class(Str),
    /// A function, by its name.
    Function(Str),
    /// A resource type, by its name.
    ResourceType(Str),
    /// A type, or the resource references of one.
    Type(Str),
    /// A variable of an item: of its scope, or of one of its frames.
    Variable(Item<'db>, Option<FrameId>, Str),
    /// A variable that an item's scope sets later: so far, its value comes from an outer scope.
    Outer(Item<'db>, Str),
    /// A variable of a class, `$class::name`; an empty class name denotes the top scope.
    Qualified(Str, Str),
    /// An attribute of a resource type; for `class`, a parameter of this class.
    Attribute { type_name: Str, class: Option<Str>, name: Str },
    /// A parameter of a template.
    TemplateParameter(File, Str),
    /// A resource, by its type and its title.
    Resource { type_name: Str, title: Str },
    /// A file in a folder of a module.
    ModuleFile { folder: &'static str, path: Str },
    /// A plan that another one runs, by its name.
    Plan(Str),
    /// A task that a plan runs, by its name.
    Task(Str),
    /// A data key, by its name.
    DataKey(Str),
    /// A fact or a part of one.
    Fact(Vec<Str>),
    /// A variable of the classes and defined types that render the template in ERB.
    Rendered(Str),
}

/// Returns all tokens of a file, in order of position. Of several tokens at one place, the most specific comes first.
pub(crate) fn tokens(db: &dyn Db, file: File) -> Vec<Token<'_>> {
    kept(db, file).to_vec()
}

/// The tokens of the files that were asked about last: each request about a place in a file needs all of them.
#[salsa::tracked(returns(deref), lru = 32)]
fn kept(db: &dyn Db, file: File) -> Box<[Token<'_>]> {
    let mut found = match hiera_file(db, file) {
        Some(hiera) => data::tokens(db, file, hiera),
        None if is_code(db, file) => code::tokens(db, file),
        None if is_erb(db, file) => erb::tokens(db, file),
        None => Vec::new(),
    };
    found.sort_by_key(|it| (it.range.start(), it.range.end(), it.access));
    found.dedup_by(|it, before| it.range == before.range && it.named == before.named);
    found.into()
}

/// Whether a file is a manifest or a template.
pub(crate) fn is_code(db: &dyn Db, file: File) -> bool {
    matches!(file.path(db).extension(), Some("pp" | "epp"))
}

/// The tokens at a place, the smallest first: those around the next letter, or before it.
pub(crate) fn tokens_at(db: &dyn Db, at: FilePosition) -> Vec<Token<'_>> {
    let touches = |range: TextRange| range.contains_inclusive(at.offset);
    let mut found: Vec<Token<'_>> = tokens(db, at.file).into_iter().filter(|it| touches(it.range)).collect();
    // Where two names touch, the one that starts here is meant.
    found.sort_by_key(|it| (!it.range.contains(at.offset), it.range.len()));
    let meant = found.first().map(|it| it.range);
    found.retain(|it| Some(it.range) == meant);
    found
}

/// A part of a text, as a range in its file.
pub(crate) fn part(within: TextRange, from: usize, to: usize) -> TextRange {
    let size = |it: usize| TextSize::try_from(it).unwrap_or_default();
    let start = (within.start() + size(from)).min(within.end());
    TextRange::new(start, (within.start() + size(to)).clamp(start, within.end()))
}

/// The text of a range. Ranges of repaired trees may be outside of the text.
pub(crate) fn slice(text: &str, range: TextRange) -> &str {
    text.get(usize::from(range.start())..usize::from(range.end())).unwrap_or_default()
}

/// The range of a string without its quotes, as far as it has any.
pub(crate) fn unquoted(text: &str, range: TextRange) -> TextRange {
    let written = slice(text, range);
    let Some(quote) = written.chars().next().filter(|it| matches!(it, '\'' | '"')) else { return range };
    let end = if written.len() > 1 && written.ends_with(quote) { written.len() - 1 } else { written.len() };
    part(range, 1, end)
}
