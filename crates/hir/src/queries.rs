use std::sync::Arc;

use marotte_db::{Db, File, ParsedFile};
use marotte_text::Str;

use crate::altered::AlteredTypes;
use crate::item::items_of;
use crate::{Item, Lowered, Titles, lower};

/// What a file holds. It is made again after every edit, and its parts are compared one by one: whoever
/// reads only what is still the same need not run again.
///
/// # Identity
/// The file.
#[salsa::tracked]
struct Content<'db> {
    /// Where it is.
    #[returns(copy)]
    file: File,

    /// Whether all of it is understood.
    #[tracked]
    #[returns(copy)]
    is_readable: bool,

    /// What it evaluates by itself, then its definitions.
    #[tracked]
    #[returns(deref)]
    items: Box<[Item<'db>]>,

    /// The resource types whose resources get attributes in it, elsewhere than where they are declared.
    #[tracked]
    #[returns(ref)]
    altered: AlteredTypes,

    /// The variables that what it holds reads and does not set: each once for each definition that reads it.
    #[tracked]
    #[returns(deref)]
    open_reads: Box<[Str]>,

    /// The titles of resources that it writes out.
    #[tracked]
    #[returns(ref)]
    titles: Titles,

    /// Its tree, with what is wrong with it: different after every edit.
    #[tracked]
    #[no_eq]
    #[returns(ref)]
    parsed: ParsedFile,

    /// All of it, with places: different after every edit.
    #[tracked]
    #[no_eq]
    #[returns(ref)]
    lowered: Arc<Lowered>,
}

#[salsa::tracked(returns(copy))]
fn content(db: &dyn Db, file: File) -> Content<'_> {
    let parsed = ParsedFile::new(db, file);
    let tree = parsed.load();
    let is_readable = tree.errors.iter().all(|it| it.kind.keeps_meaning());
    let lowered = Arc::new(lower(&tree.program));
    let items = items_of(db, file, &parsed, &lowered);
    let altered = AlteredTypes::of(&lowered);
    let open_reads = lowered.open_reads();
    let titles = Titles::of(&lowered);
    Content::new(db, file, is_readable, items, altered, open_reads, titles, parsed, lowered)
}

/// The syntax tree of a file, and what is wrong with its text.
///
/// Holds positions, so it is never compared: whatever should survive a shift of lines reads a projection of it.
pub fn parse(db: &dyn Db, file: File) -> &ParsedFile {
    content(db, file).parsed(db)
}

/// A file's definitions and what it evaluates. After an edit it is made again, and its bodies are what they were unless
/// their own text has changed: whoever reads only those need not run again.
pub fn lowered(db: &dyn Db, file: File) -> &Arc<Lowered> {
    content(db, file).lowered(db)
}

/// Whether all of a file is understood: what an error has made of the rest says nothing for certain.
pub fn is_readable(db: &dyn Db, file: File) -> bool {
    content(db, file).is_readable(db)
}

/// The resource types whose resources get attributes in a file, elsewhere than where they are declared.
pub fn altered_types(db: &dyn Db, file: File) -> &AlteredTypes {
    content(db, file).altered(db)
}

/// The variables that a file's definitions, and what it evaluates by itself, read and do not set: each once for each that reads it.
/// What a class inherits may be any of them, and is none.
pub fn open_reads(db: &dyn Db, file: File) -> &[Str] {
    content(db, file).open_reads(db)
}

/// The titles of resources that a file writes out.
pub fn titles(db: &dyn Db, file: File) -> &Titles {
    content(db, file).titles(db)
}

/// What a file holds: first what it evaluates by itself, then its definitions in the order of the text.
pub fn items(db: &dyn Db, file: File) -> &[Item<'_>] {
    content(db, file).items(db)
}
