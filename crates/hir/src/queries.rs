use std::sync::Arc;

use marotte_db::{Db, File, ParsedFile};
use marotte_text::Str;

use crate::altered::AlteredTypes;
use crate::item::items_of;
use crate::{Item, Lowered, Titles, lower};

/// The lowered content of a file. It is computed again after every edit, and its fields are compared one by one:
/// queries that read only unchanged fields don't run again.
///
/// # Identity
/// The file.
#[salsa::tracked]
struct Content<'db> {
    /// The file that has the content.
    #[returns(copy)]
    file: File,

    /// Whether the whole file was parsed without errors.
    #[tracked]
    #[returns(copy)]
    is_readable: bool,

    /// The top-level code of the file, then its definitions.
    #[tracked]
    #[returns(deref)]
    items: Box<[Item<'db>]>,

    /// The resource types whose resources get attributes in this file, outside of their declarations.
    #[tracked]
    #[returns(ref)]
    altered: AlteredTypes,

    /// The variables that the bodies of this file read and don't set: each once for each definition that reads it.
    #[tracked]
    #[returns(deref)]
    open_reads: Box<[Str]>,

    /// The titles of resources that the file writes out literally.
    #[tracked]
    #[returns(ref)]
    titles: Titles,

    /// The syntax tree and its errors: different after every edit.
    #[tracked]
    #[no_eq]
    #[returns(ref)]
    parsed: ParsedFile,

    /// All definitions and bodies, with their positions: different after every edit.
    #[tracked]
    #[no_eq]
    #[returns(ref)]
    lowered: Arc<Lowered>,
}

#[salsa::tracked(returns(copy))]
fn content(db: &dyn Db, file: File) -> Content<'_> {
    let parsed = ParsedFile::new(db, file);
    let is_readable = parsed.errors().iter().all(|it| it.kind.keeps_meaning());
    let lowered = Arc::new(lower(&parsed.program()));
    let items = items_of(db, file, &parsed, &lowered);
    let altered = AlteredTypes::of(&lowered);
    let open_reads = lowered.open_reads();
    let titles = Titles::of(&lowered);
    Content::new(db, file, is_readable, items, altered, open_reads, titles, parsed, lowered)
}

/// The syntax tree of a file, and the errors in its text.
///
/// Holds positions, so it is never compared: a query whose result should survive a shift of lines reads a projection of it.
pub fn parse(db: &dyn Db, file: File) -> &ParsedFile {
    content(db, file).parsed(db)
}

/// A file's definitions and top-level code. They are computed again after an edit, and the bodies equal their former
/// values unless their own text has changed: queries that read only bodies don't run again.
pub fn lowered(db: &dyn Db, file: File) -> &Arc<Lowered> {
    content(db, file).lowered(db)
}

/// Whether a whole file was parsed without errors. If not, nothing certain follows from the rest of it.
pub fn is_readable(db: &dyn Db, file: File) -> bool {
    content(db, file).is_readable(db)
}

/// The resource types whose resources get attributes in a file, outside of their declarations.
pub fn altered_types(db: &dyn Db, file: File) -> &AlteredTypes {
    content(db, file).altered(db)
}

/// The variables that a file's definitions and its top-level code read and don't set: each once for each definition
/// that reads it. The definitions of classes that inherit are left out, because a read variable may be one of the
/// parent class.
pub fn open_reads(db: &dyn Db, file: File) -> &[Str] {
    content(db, file).open_reads(db)
}

/// The titles of resources that a file writes out literally.
pub fn titles(db: &dyn Db, file: File) -> &Titles {
    content(db, file).titles(db)
}

/// The items of a file: first its top-level code, then its definitions in the order of the text.
pub fn items(db: &dyn Db, file: File) -> &[Item<'_>] {
    content(db, file).items(db)
}
