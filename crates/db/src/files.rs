#![expect(missing_docs, reason = "the builders that salsa writes have no documentation")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io;
use std::ops::Bound;
use std::panic::RefUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use camino::{Utf8Path, Utf8PathBuf};
use marotte_diagnostics::FileId;
use salsa::{Durability, Setter as _};

use crate::asked::{Asked, Topic};
use crate::location::{AffectedFiles, Links, Resolver};
use crate::source::Source;
use crate::system::{FileType, System, resolve};
use crate::{Db, listing, source_text};

/// The kind of thing at a file's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileStatus {
    /// The path is that of a regular file.
    Exists,
    /// The path is that of a folder.
    Folder,
    /// A pipe, a device or a socket, which is never opened.
    Special,
    /// Nothing exists at the path.
    Missing,
    /// A folder in the path may not be searched, so that it is unknown whether anything exists at the path.
    Unsearchable,
}

impl FileStatus {
    fn of(system: &dyn System, path: &Utf8Path) -> FileStatus {
        match system.metadata(path) {
            Ok(metadata) => match metadata.file_type {
                FileType::File => FileStatus::Exists,
                FileType::Directory => FileStatus::Folder,
                FileType::Other => FileStatus::Special,
            },
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => FileStatus::Unsearchable,
            Err(_) => FileStatus::Missing,
        }
    }
}

/// A path that was requested, whether or not anything exists there.
///
/// Holds no text: [`source_text`] reads it. A missing path has a `File` too, so that a query that found nothing runs again once
/// the file exists.
///
/// # Identity
/// One per path and database, never freed. Lives as long as the process and may be a key of any query. Ordered by the time of
/// the first request.
#[salsa::input(debug)]
#[derive(PartialOrd, Ord)]
pub struct File {
    /// The file's number in diagnostics.
    #[returns(copy)]
    pub id: FileId,

    /// The absolute path, without `.` and `..`.
    #[returns(ref)]
    pub path: Utf8PathBuf,

    /// The kind of thing at the path.
    #[returns(copy)]
    pub status: FileStatus,

    /// The number of known changes to the file's bytes, to the names in it (if it is a folder), or to the target of symbolic
    /// links on its path.
    #[returns(copy)]
    pub revision: u64,
}

impl File {
    /// Reads the path again and updates the database if anything changed. Returns whether it did.
    ///
    /// Rewriting the same bytes isn't a change. Blocks until every other clone of the database is dropped, but only if there is
    /// a change.
    pub fn refresh(self, db: &mut dyn Db) -> bool {
        self.refresh_with(db, &mut Resolver::default())
    }

    /// Like [`refresh`](File::refresh), for many files: the links on the way to each folder are read once. No link may change
    /// while a resolver is used.
    pub fn refresh_with(self, db: &mut dyn Db, resolver: &mut Resolver) -> bool {
        let status = FileStatus::of(db.system(), self.path(db));
        let new_status = self.status(db) != status;
        // A path that was and stays a folder, or missing, has no text.
        let is_folder = !new_status && status == FileStatus::Folder;
        let is_missing = !new_status && status == FileStatus::Missing;
        let text = (!is_folder && !is_missing).then(|| Source::read(db, self.path(db)));
        let text = text.filter(|it| *it != **source_text(db, self));
        let new_text = text.is_some();
        // A folder that appears or disappears gets another status.
        let new_names = is_folder && *crate::folder::read(db, self) != *listing(db, self);
        let new_place = db.files().relocate(db, self, resolver);
        if new_status {
            self.set_status(db).to(status);
        }
        if new_text || new_names || new_place {
            // Later readers of the text get exactly the text that was found here.
            if let Some(text) = text {
                db.files().held().insert(self, Arc::new(text));
            }
            let revision = self.revision(db) + 1;
            self.set_revision(db).to(revision);
        }
        new_status || new_text || new_names || new_place
    }
}

/// Records that the document at a path was opened in the editor, or closed. Has no effect unless the table of files is
/// [one of an editor](Files::of_editor).
///
/// If the path is known, the queries about its text run again: what depends on it is less durable from now on, or more. Blocks
/// until every other clone of the database is dropped.
pub fn set_open(db: &mut dyn Db, path: &Utf8Path, is_open: bool) {
    let Texts::Open(open) = &db.files().texts else { return };
    let mut open = open.write().unwrap_or_else(PoisonError::into_inner);
    let is_new = if is_open { open.insert(path.to_owned()) } else { open.remove(path) };
    drop(open);
    if is_new && let Some(file) = db.files().known(path) {
        // The query runs again, and must find the text that it has found before: a change on disk that was not announced yet
        // would otherwise go unnoticed.
        let text = Arc::clone(source_text(db, file));
        db.files().held().insert(file, text);
        let durability = db.files().text_durability(path);
        let revision = file.revision(db);
        file.set_revision(db).with_durability(durability).to(revision);
    }
}

/// The table of known files; clones share it.
#[derive(Clone, Default)]
pub struct Files {
    table: Arc<RwLock<Table>>,
    links: Arc<Mutex<Links>>,
    resolver: Arc<Mutex<Resolver>>,
    held: Arc<Mutex<BTreeMap<File, Arc<Source>>>>,
    texts: Texts,
    asked: Asked,
}

/// The texts that are expected to change.
#[derive(Clone, Default)]
enum Texts {
    /// The texts never change.
    Frozen,
    /// Any text may change.
    #[default]
    Any,
    /// The documents that are open in an editor, by path, change with every key; other texts change now and then.
    Open(Arc<RwLock<BTreeSet<Utf8PathBuf>>>),
}

#[derive(Default)]
struct Table {
    /// Keyed by the paths' text, which compares much faster than their components do.
    by_path: BTreeMap<String, File>,
    by_id: Vec<File>,
}

impl Files {
    /// A table whose files never change, for a run that ends before anything can: queries then need no record of their inputs.
    /// [`File::refresh`] must not be called.
    pub fn frozen() -> Self {
        Files { texts: Texts::Frozen, ..Files::default() }
    }

    /// A table for an editor with these open documents, whose texts change with every key. Queries that depend only on other
    /// texts aren't revalidated after an edit of a document.
    pub fn of_editor(open: impl IntoIterator<Item = Utf8PathBuf>) -> Self {
        Files { texts: Texts::Open(Arc::new(RwLock::new(open.into_iter().collect()))), ..Files::default() }
    }

    /// Whether files never change.
    pub fn is_frozen(&self) -> bool {
        matches!(self.texts, Texts::Frozen)
    }

    /// The names about which queries have asked.
    pub fn asked(&self) -> &Asked {
        &self.asked
    }

    /// Records that a query asks about a name, unless files never change.
    pub fn note_asked(&self, topic: Topic, name: &str) {
        if !self.is_frozen() {
            self.asked.note(topic, name);
        }
    }

    /// The durability of texts that users edit all day. Folder listings, Ruby files and the existence of files are more
    /// durable: queries that depend only on these aren't revalidated after such an edit.
    const EDITED: Durability = Durability::MEDIUM;

    /// The durability of inputs that change as often as texts do.
    pub fn durability(&self) -> Durability {
        if self.is_frozen() { Durability::NEVER_CHANGE } else { Files::EDITED }
    }

    /// The durability of the text at a path.
    fn text_durability(&self, path: &Utf8Path) -> Durability {
        let is_edited = match &self.texts {
            Texts::Frozen => return Durability::NEVER_CHANGE,
            Texts::Any => {
                matches!(path.extension(), Some("pp" | "epp" | "yaml" | "yml" | "eyaml" | "json"))
            }
            Texts::Open(open) => open.read().unwrap_or_else(PoisonError::into_inner).contains(path),
        };
        if is_edited { Files::EDITED } else { Durability::HIGH }
    }

    /// Returns the file at an absolute path, and creates it on the first request.
    pub fn file(&self, db: &dyn Db, path: &Utf8Path) -> File {
        match self.known(path) {
            Some(file) => file,
            None => self.file_with_status(db, path, FileStatus::of(db.system(), path)),
        }
    }

    /// Like [`file`](Files::file), for a caller that has just examined the path. A known file keeps its status.
    pub fn file_with_status(&self, db: &dyn Db, path: &Utf8Path, status: FileStatus) -> File {
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(&file) = table.by_path.get(path.as_str()) {
            return file;
        }
        #[expect(clippy::expect_used, reason = "memory ends long before 32 bits do")]
        let id = FileId(u32::try_from(table.by_id.len()).expect("fewer than 2^32 files"));
        let file = File::builder(id, path.to_owned(), status, 0);
        let file = if self.is_frozen() {
            file.durability(Durability::NEVER_CHANGE)
        } else {
            file.id_durability(Durability::NEVER_CHANGE)
                .path_durability(Durability::NEVER_CHANGE)
                .status_durability(Durability::HIGH)
                .revision_durability(self.text_durability(path))
        };
        let file = file.new(db);
        table.by_path.insert(path.to_string(), file);
        table.by_id.push(file);
        file
    }

    /// The file at a path, if it was ever requested.
    pub fn known(&self, path: &Utf8Path) -> Option<File> {
        self.table.read().unwrap_or_else(PoisonError::into_inner).by_path.get(path.as_str()).copied()
    }

    /// The requested files below a path.
    pub fn known_below(&self, path: &Utf8Path) -> Vec<File> {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        let from = (Bound::Excluded(path.as_str()), Bound::Unbounded);
        let near = table.by_path.range::<str, _>(from).take_while(|(it, _)| it.starts_with(path.as_str()));
        near.filter(|(it, _)| Utf8Path::new(it).starts_with(path)).map(|(_, file)| *file).collect()
    }

    /// The known files that a change at an absolute path may affect.
    pub fn affected_by(&self, db: &dyn Db, path: &Utf8Path) -> AffectedFiles {
        // The path under which a link there is known (it may have been switched), and the link's current target.
        let own = match (path.parent(), path.file_name()) {
            (Some(folder), Some(name)) => resolve(db.system(), folder).real.join(name),
            _ => path.to_owned(),
        };
        let target = resolve(db.system(), path).real;
        let links = self.current_links(db);
        let mut affected = AffectedFiles::default();
        let names: BTreeSet<&Utf8Path> = [path, &own, &target].into();
        for name in names {
            affected.at_or_below.extend(self.known(name));
            affected.at_or_below.extend(self.known_below(name));
            affected.at_or_below.extend(links.below(name));
        }
        for folder in [path, &own].into_iter().flat_map(|it| it.ancestors().skip(1)) {
            affected.ancestors.extend(self.known(folder));
            affected.ancestors.extend(links.at(folder));
        }
        affected
    }

    /// The symbolic links on the way to known files, each by its own path without links.
    pub fn links(&self, db: &dyn Db) -> BTreeSet<Utf8PathBuf> {
        self.current_links(db).all().cloned().collect()
    }

    /// The link table, updated to include all files requested so far.
    fn current_links(&self, db: &dyn Db) -> MutexGuard<'_, Links> {
        let mut links = self.table_of_links();
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        let new = table.by_id.get(links.seen..).unwrap_or_default().to_vec();
        drop(table);
        let mut resolver = Resolver::default();
        for &file in &new {
            let path = file.path(db);
            links.set(file, path, resolver.resolve(db.system(), path));
        }
        links.seen += new.len();
        links
    }

    /// Records the current target of a file's path. Returns whether queries have seen another target.
    fn relocate(&self, db: &dyn Db, file: File, resolver: &mut Resolver) -> bool {
        let resolved = resolver.resolve(db.system(), file.path(db));
        let mut links = self.table_of_links();
        let moved = links.told.get(&file).is_some_and(|it| *it != resolved.real);
        let target = || db.system().written_link(file.path(db)).unwrap_or_default();
        let rewritten = links.told_targets.get(&file).is_some_and(|it| *it != target());
        links.set(file, file.path(db), resolved);
        moved || rewritten
    }

    /// The resolver of paths whose links never change. None if files may change.
    pub(crate) fn lasting_resolver(&self) -> Option<MutexGuard<'_, Resolver>> {
        self.is_frozen().then(|| self.resolver.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Records the target of a link that a query has seen.
    pub(crate) fn told_target(&self, file: File, target: &Utf8Path) {
        if !self.is_frozen() {
            self.table_of_links().told_targets.insert(file, target.to_owned());
        }
    }

    /// Records the resolved path of a file that a query has seen.
    pub(crate) fn told(&self, file: File, real: &Utf8Path) {
        if !self.is_frozen() {
            self.table_of_links().told.insert(file, real.to_owned());
        }
    }

    /// The texts of changed files, as they were read when the change was found.
    pub(crate) fn held(&self) -> MutexGuard<'_, BTreeMap<File, Arc<Source>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn table_of_links(&self) -> MutexGuard<'_, Links> {
        self.links.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file with this number in diagnostics.
    pub fn by_id(&self, id: FileId) -> Option<File> {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        table.by_id.get(usize::try_from(id.0).ok()?).copied()
    }

    /// The number of known files.
    pub fn count(&self) -> usize {
        self.table.read().unwrap_or_else(PoisonError::into_inner).by_id.len()
    }

    /// The files requested after the first `count`.
    pub fn known_after(&self, count: usize) -> Vec<File> {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        table.by_id.get(count..).unwrap_or_default().to_vec()
    }

    /// Returns all known files, in the order in which they were requested.
    pub fn all(&self) -> Vec<File> {
        self.table.read().unwrap_or_else(PoisonError::into_inner).by_id.clone()
    }
}

// A panic leaves the table consistent: entries are only ever added, path and number together.
impl RefUnwindSafe for Files {}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Files").field("len", &self.all().len()).field("frozen", &self.is_frozen()).finish()
    }
}

#[cfg(test)]
mod tests {
    use crate::Db as _;
    use crate::testing::TestDb;

    #[test]
    fn files_below_a_path_are_those_in_the_folder() {
        let db = TestDb::new([]);
        let [_, x, y, _, _] = ["/a/b", "/a/b/x", "/a/b/c/y", "/a/b-c", "/a/bc"].map(|it| db.file(it));
        let mut below = db.files().known_below("/a/b".into());
        below.sort();
        assert_eq!(below, [x, y]);
        assert_eq!(db.files().known_below("/".into()).len(), 5);
        assert!(db.files().known_below("/a/b/x".into()).is_empty());
    }
}
