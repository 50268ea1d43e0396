#![expect(missing_docs, reason = "the builders that salsa writes have no documentation")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Bound;
use std::panic::RefUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use camino::{Utf8Path, Utf8PathBuf};
use marotte_diagnostics::FileId;
use salsa::{Durability, Setter as _};

use crate::location::{Links, Resolver, Touched};
use crate::source::Source;
use crate::system::{FileType, System, resolve};
use crate::{Db, listing, source_text};

/// What there is at a file's path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileStatus {
    /// A file.
    Exists,
    /// A folder, or something else that has no text.
    NotAFile,
    /// Nothing.
    Missing,
}

impl FileStatus {
    fn of(system: &dyn System, path: &Utf8Path) -> FileStatus {
        match system.metadata(path) {
            Ok(metadata) if metadata.file_type == FileType::File => FileStatus::Exists,
            Ok(_) => FileStatus::NotAFile,
            Err(_) => FileStatus::Missing,
        }
    }
}

/// A path that somebody asked for, whether or not there is something.
///
/// Holds no text: [`source_text`] reads it. A path that is missing has a `File` too, so that a query that found nothing
/// runs again once there is something.
///
/// # Identity
/// One per path and database, never freed. Lives as long as the process and may be a key of any query. Ordered by
/// when somebody asked first.
#[salsa::input(debug)]
#[derive(PartialOrd, Ord)]
pub struct File {
    /// Its number in diagnostics.
    #[returns(copy)]
    pub id: FileId,

    /// Its absolute path without dots.
    #[returns(ref)]
    pub path: Utf8PathBuf,

    /// What there is.
    #[returns(copy)]
    pub status: FileStatus,

    /// How often its bytes, the names in it if it is a folder, or the place that symbolic links lead to are known to have
    /// changed.
    #[returns(copy)]
    pub revision: u64,
}

impl File {
    /// Looks at the path again and tells the database what is different. Says whether anything was.
    ///
    /// The same bytes written again are no change. Waits until every other clone of the database is dropped, but only
    /// if there is something to tell.
    pub fn refresh(self, db: &mut dyn Db) -> bool {
        let status = FileStatus::of(db.system(), self.path(db));
        let new_status = self.status(db) != status;
        // A folder has no text, before and after.
        let is_folder = !new_status && status == FileStatus::NotAFile;
        let text = (!is_folder).then(|| Source::read(db, self.path(db)));
        let text = text.filter(|it| *it != **source_text(db, self));
        let new_text = text.is_some();
        // A folder that comes or goes has another status.
        let new_names = is_folder && *crate::folder::read(db, self) != *listing(db, self);
        let new_place = db.files().relocate(db, self);
        if new_status {
            self.set_status(db).to(status);
        }
        if new_text || new_names || new_place {
            // Whoever asks for the text reads no other one than what was found here.
            if let Some(text) = text {
                db.files().held().insert(self, Arc::new(text));
            }
            let revision = self.revision(db) + 1;
            self.set_revision(db).to(revision);
        }
        new_status || new_text || new_names || new_place
    }
}

/// The table of known files; clones share it.
#[derive(Clone, Default)]
pub struct Files {
    table: Arc<RwLock<Table>>,
    links: Arc<Mutex<Links>>,
    held: Arc<Mutex<BTreeMap<File, Arc<Source>>>>,
    frozen: bool,
}

#[derive(Default)]
struct Table {
    /// By the texts of the paths, which are compared much faster than their components are.
    by_path: BTreeMap<String, File>,
    by_id: Vec<File>,
}

impl Files {
    /// A table whose files never change, for a run that ends before anything can: queries then need no record of what
    /// they read. [`File::refresh`] must not be called.
    pub fn frozen() -> Self {
        Files { frozen: true, ..Files::default() }
    }

    /// Whether files never change.
    pub fn is_frozen(&self) -> bool {
        self.frozen
    }

    /// How lasting the texts are that people edit all day. What is in folders or written in Ruby, and whether there is a
    /// file, lasts longer: what depends on no more is not looked at after such an edit.
    const EDITED: Durability = Durability::MEDIUM;

    /// How lasting inputs are that change as often as texts do.
    pub fn durability(&self) -> Durability {
        if self.frozen { Durability::NEVER_CHANGE } else { Files::EDITED }
    }

    /// The file at an absolute path, made if nobody asked before.
    pub fn file(&self, db: &dyn Db, path: &Utf8Path) -> File {
        match self.known(path) {
            Some(file) => file,
            None => self.file_with_status(db, path, FileStatus::of(db.system(), path)),
        }
    }

    /// As [`file`](Files::file), by one who has just seen what is there. A file that is known keeps its status.
    pub fn file_with_status(&self, db: &dyn Db, path: &Utf8Path, status: FileStatus) -> File {
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(&file) = table.by_path.get(path.as_str()) {
            return file;
        }
        #[expect(clippy::expect_used, reason = "memory ends long before 32 bits do")]
        let id = FileId(u32::try_from(table.by_id.len()).expect("fewer than 2^32 files"));
        let file = File::builder(id, path.to_owned(), status, 0);
        let file = if self.frozen {
            file.durability(Durability::NEVER_CHANGE)
        } else {
            let is_edited =
                matches!(path.extension(), Some("pp" | "epp" | "yaml" | "yml" | "eyaml" | "json"));
            file.id_durability(Durability::NEVER_CHANGE)
                .path_durability(Durability::NEVER_CHANGE)
                .status_durability(Durability::HIGH)
                .revision_durability(if is_edited { Files::EDITED } else { Durability::HIGH })
        };
        let file = file.new(db);
        table.by_path.insert(path.to_string(), file);
        table.by_id.push(file);
        file
    }

    /// The file at a path, if anybody asked for it.
    pub fn known(&self, path: &Utf8Path) -> Option<File> {
        self.table.read().unwrap_or_else(PoisonError::into_inner).by_path.get(path.as_str()).copied()
    }

    /// The files below a path that anybody asked for.
    pub fn known_below(&self, path: &Utf8Path) -> Vec<File> {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        let from = (Bound::Excluded(path.as_str()), Bound::Unbounded);
        let near = table.by_path.range::<str, _>(from).take_while(|(it, _)| it.starts_with(path.as_str()));
        near.filter(|(it, _)| Utf8Path::new(it).starts_with(path)).map(|(_, file)| *file).collect()
    }

    /// The known files that a change at an absolute path may concern.
    pub fn touched(&self, db: &dyn Db, path: &Utf8Path) -> Touched {
        // The path by which a link there is known that may have been switched, and where it leads now.
        let own = match (path.parent(), path.file_name()) {
            (Some(folder), Some(name)) => resolve(db.system(), folder).real.join(name),
            _ => path.to_owned(),
        };
        let target = resolve(db.system(), path).real;
        let links = self.current_links(db);
        let mut touched = Touched::default();
        let names: BTreeSet<&Utf8Path> = [path, &own, &target].into();
        for name in names {
            touched.here.extend(self.known(name));
            touched.here.extend(self.known_below(name));
            touched.here.extend(links.below(name));
        }
        for folder in [path, &own].into_iter().flat_map(|it| it.ancestors().skip(1)) {
            touched.around.extend(self.known(folder));
            touched.around.extend(links.at(folder));
        }
        touched
    }

    /// Where the symbolic links lead that are on the way to known files, without links.
    pub fn link_targets(&self, db: &dyn Db) -> BTreeSet<Utf8PathBuf> {
        let links: Vec<Utf8PathBuf> = self.current_links(db).all().cloned().collect();
        links.iter().map(|it| resolve(db.system(), it).real).collect()
    }

    /// What is known of links, with all files that somebody has asked for by now.
    fn current_links(&self, db: &dyn Db) -> MutexGuard<'_, Links> {
        let mut links = self.links();
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

    /// Notes where the path of a file leads now. Says whether queries know of another place.
    fn relocate(&self, db: &dyn Db, file: File) -> bool {
        let resolved = resolve(db.system(), file.path(db));
        let mut links = self.links();
        let moved = links.told.get(&file).is_some_and(|it| *it != resolved.real);
        links.set(file, file.path(db), resolved);
        moved
    }

    /// Notes what a query says of the place of a file.
    pub(crate) fn told(&self, file: File, real: &Utf8Path) {
        if !self.frozen {
            self.links().told.insert(file, real.to_owned());
        }
    }

    /// The texts of files that have changed, as they were found to be.
    pub(crate) fn held(&self) -> MutexGuard<'_, BTreeMap<File, Arc<Source>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn links(&self) -> MutexGuard<'_, Links> {
        self.links.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file of a diagnostic.
    pub fn by_id(&self, id: FileId) -> Option<File> {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        table.by_id.get(usize::try_from(id.0).ok()?).copied()
    }

    /// How many files are known.
    pub fn count(&self) -> usize {
        self.table.read().unwrap_or_else(PoisonError::into_inner).by_id.len()
    }

    /// The files that somebody asked for after so many others.
    pub fn known_after(&self, count: usize) -> Vec<File> {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        table.by_id.get(count..).unwrap_or_default().to_vec()
    }

    /// All known files, in the order in which they were asked for.
    pub fn all(&self) -> Vec<File> {
        self.table.read().unwrap_or_else(PoisonError::into_inner).by_id.clone()
    }
}

// A panic leaves the table as it was: entries are only ever added, path and number together.
impl RefUnwindSafe for Files {}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Files").field("len", &self.all().len()).field("frozen", &self.frozen).finish()
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
