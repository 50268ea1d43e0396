//! What stands where: the parts of a file that name something.

mod code;
mod data;
mod variables;

pub(crate) use variables::scope_has;

use marotte_db::File;
use marotte_hir::Item;
use marotte_hir::body::FrameId;
use marotte_resolve::data_files::hiera_file;
use marotte_text::{Str, TextRange, TextSize};

use crate::{Db, FilePosition};

/// A part of a file that names something.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token<'db> {
    /// Where the name stands, without quotes and `$`.
    pub(crate) range: TextRange,
    /// What is done with what is named.
    pub(crate) access: Access,
    /// What is named.
    pub(crate) named: Named<'db>,
    /// The item that it stands in. None in data.
    pub(crate) within: Option<Item<'db>>,
}

/// What is done with something that is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// It is defined here.
    Definition,
    /// A class or a resource is declared here: it is in the catalog because of this.
    Declaration,
    /// It is set here.
    Write,
    /// It is used here.
    Read,
}

/// What a token names, before anybody looks at what that means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Named<'db> {
    /// This definition.
    Item(Item<'db>),
    /// A class.
    Class(Str),
    /// A function.
    Function(Str),
    /// A resource type.
    ResourceType(Str),
    /// A type, or the resources of one.
    Type(Str),
    /// A variable of an item: of its scope, or of one of its frames.
    Variable(Item<'db>, Option<FrameId>, Str),
    /// A variable that an item's scope sets further on: what is around the scope has it so far.
    Outer(Item<'db>, Str),
    /// A variable of a class, `$class::name`; in the top scope if there is no class.
    Qualified(Str, Str),
    /// An attribute; of `class`, a parameter of this class.
    Attribute { type_name: Str, class: Option<Str>, name: Str },
    /// A parameter of a template.
    TemplateParameter(File, Str),
    /// A resource.
    Resource { type_name: Str, title: Str },
    /// A file in a folder of a module.
    ModuleFile { folder: &'static str, path: Str },
    /// A key of data.
    DataKey(Str),
    /// A fact or a part of one.
    Fact(Vec<Str>),
}

/// All tokens of a file, in order of their places. Of tokens in one place, what is named most exactly comes first.
pub(crate) fn tokens(db: &dyn Db, file: File) -> Vec<Token<'_>> {
    let mut found = match hiera_file(db, file) {
        Some(hiera) => data::tokens(db, file, hiera),
        None if is_code(db, file) => code::tokens(db, file),
        None => Vec::new(),
    };
    found.sort_by_key(|it| (it.range.start(), it.range.end(), it.access));
    found.dedup_by(|it, before| it.range == before.range && it.named == before.named);
    found
}

/// Whether a file is a manifest or a template.
pub(crate) fn is_code(db: &dyn Db, file: File) -> bool {
    matches!(file.path(db).extension(), Some("pp" | "epp"))
}

/// The tokens at a place, the smallest first: those around the next letter, or before it.
pub(crate) fn tokens_at(db: &dyn Db, at: FilePosition) -> Vec<Token<'_>> {
    let touches = |range: TextRange| range.contains_inclusive(at.offset);
    let mut found: Vec<Token<'_>> = tokens(db, at.file).into_iter().filter(|it| touches(it.range)).collect();
    // Where two names touch, the one that begins here is meant.
    found.sort_by_key(|it| (!it.range.contains(at.offset), it.range.len()));
    let meant = found.first().map(|it| it.range);
    found.retain(|it| Some(it.range) == meant);
    found
}

/// A part of a text, as a range in its file.
fn part(within: TextRange, from: usize, to: usize) -> TextRange {
    let size = |it: usize| TextSize::try_from(it).unwrap_or_default();
    let start = (within.start() + size(from)).min(within.end());
    TextRange::new(start, (within.start() + size(to)).clamp(start, within.end()))
}

/// What stands in a range. Places of repaired trees may be of nothing.
pub(crate) fn slice(text: &str, range: TextRange) -> &str {
    text.get(usize::from(range.start())..usize::from(range.end())).unwrap_or_default()
}

/// The inside of a text that has quotes around it, as far as they are there.
pub(crate) fn unquoted(text: &str, range: TextRange) -> TextRange {
    let written = slice(text, range);
    let Some(quote) = written.chars().next().filter(|it| matches!(it, '\'' | '"')) else { return range };
    let end = if written.len() > 1 && written.ends_with(quote) { written.len() - 1 } else { written.len() };
    part(range, 1, end)
}
