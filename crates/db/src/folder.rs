use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use crate::system::{DirectoryEntry, ReadError};
use crate::{Db, File, FileStatus, by_parts, real_path};

/// The entries of a folder, sorted by name; empty if the folder doesn't exist.
///
/// A name that appears or disappears invalidates the query, once the folder is refreshed ([`File::refresh`]).
#[salsa::tracked(returns(deref))]
pub fn listing(db: &dyn Db, folder: File) -> Box<[DirectoryEntry]> {
    folder.revision(db);
    match folder.status(db) {
        FileStatus::Missing | FileStatus::Special | FileStatus::Unsearchable => Box::default(),
        FileStatus::Exists | FileStatus::Folder => read(db, folder),
    }
}

/// The entry of a path in the [listing] of the folder around it.
pub fn entry<'db>(db: &'db dyn Db, path: &Utf8Path) -> Option<&'db DirectoryEntry> {
    let (folder, name) = (path.parent()?, path.file_name()?);
    let entries = listing(db, db.files().file(db, folder));
    let place = entries.binary_search_by(|it| it.name.as_str().cmp(name)).ok()?;
    entries.get(place)
}

/// The reason why the [listing] of a folder that exists is empty, if it could not be read.
#[salsa::tracked]
pub fn listing_error(db: &dyn Db, folder: File) -> Option<ReadError> {
    folder.revision(db);
    let is_there = matches!(folder.status(db), FileStatus::Folder | FileStatus::Unsearchable);
    db.system().list(folder.path(db)).err().filter(|_| is_there).map(ReadError::from)
}

/// Reads the current entries of a folder.
pub(crate) fn read(db: &dyn Db, folder: File) -> Box<[DirectoryEntry]> {
    let mut entries = db.system().list(folder.path(db)).unwrap_or_default();
    entries.sort();
    entries.into()
}

/// Limits of a search: depth, number of folders, number of links followed. No real tree exceeds them.
const DEPTH: usize = 32;
const FOLDERS: usize = 20_000;
const LINKS: usize = 1_000;

/// The result of [`below`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Below {
    /// The wanted files, in order of their paths.
    pub files: Vec<Utf8PathBuf>,
    /// Whether all folders were searched: they were neither too many nor nested too deeply.
    pub is_complete: bool,
}

/// Finds the files below a folder for which `is_wanted` holds. A name that appears in one of the folders, or disappears,
/// invalidates the calling query.
///
/// Symbolic links are followed unless they lead back to a folder above: its contents were already found under a shorter path.
pub fn below(db: &dyn Db, folder: &Utf8Path, is_wanted: impl Fn(&Utf8Path) -> bool) -> Below {
    below_entered(db, folder, |_| true, is_wanted)
}

/// Like [`below`], only in folders whose names are accepted by `enters`.
pub fn below_entered(
    db: &dyn Db,
    folder: &Utf8Path,
    enters: impl Fn(&str) -> bool,
    is_wanted: impl Fn(&Utf8Path) -> bool,
) -> Below {
    let mut below = Below { files: Vec::new(), is_complete: true };
    let mut open = vec![Open { path: folder.to_owned(), depth: 0, links: [].into() }];
    let (mut looked_into, mut followed) = (0, 0);
    while let Some(folder) = open.pop() {
        if looked_into == FOLDERS {
            below.is_complete = false;
            break;
        }
        looked_into += 1;
        for entry in listing(db, db.files().file(db, &folder.path)) {
            let path = folder.path.join(&entry.name);
            if !entry.is_directory {
                below.files.extend(is_wanted(&path).then_some(path));
            } else if !enters(&entry.name) {
                // The caller knows that nothing in it matters.
            } else if folder.depth == DEPTH {
                below.is_complete = false;
            } else if !entry.is_link {
                open.push(Open { path, depth: folder.depth + 1, links: Arc::clone(&folder.links) });
            } else if followed == LINKS {
                below.is_complete = false;
            } else if let Some(links) = folder.followed(db, &path) {
                followed += 1;
                open.push(Open { path, depth: folder.depth + 1, links });
            }
        }
    }
    below.files.sort_unstable_by(|one, other| by_parts(one, other));
    below
}

/// The files below a folder that have the given extension, in order of their paths, as [`below`] finds them.
pub fn files_below(db: &dyn Db, folder: &Utf8Path, extension: &str) -> Vec<Utf8PathBuf> {
    below(db, folder, |path| path.extension() == Some(extension)).files
}

/// A folder that is still to be searched.
struct Open {
    path: Utf8PathBuf,
    depth: usize,
    /// The resolved folders that contain the links on the way.
    links: Arc<[Utf8PathBuf]>,
}

impl Open {
    /// The links on the way after also following one in this folder; None if it leads back.
    fn followed(&self, db: &dyn Db, link: &Utf8Path) -> Option<Arc<[Utf8PathBuf]>> {
        let real = |path: &Utf8Path| real_path(db, db.files().file(db, path));
        let target = real(link);
        let links: Arc<[Utf8PathBuf]> =
            self.links.iter().cloned().chain([real(&self.path).to_owned()]).collect();
        (!links.iter().any(|it| it.starts_with(target))).then_some(links)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestDb;

    fn names(db: &TestDb, path: &str) -> Vec<String> {
        listing(db, db.file(path)).iter().map(|it| it.name.clone()).collect()
    }

    #[test]
    fn names_come_and_go() {
        let mut db = TestDb::new([("/a/x.rb", ""), ("/a/b/y.rb", "")]);
        assert_eq!(names(&db, "/a"), ["b", "x.rb"]);
        assert_eq!(names(&db, "/none"), [] as [&str; 0]);
        db.memory().write_file("/a/c.rb", "");
        let folder = db.file("/a");
        assert!(folder.refresh(&mut db));
        assert_eq!(names(&db, "/a"), ["b", "c.rb", "x.rb"]);
        assert!(!folder.refresh(&mut db));
    }

    #[test]
    fn a_folder_that_may_not_be_searched_is_not_missing() {
        let db = TestDb::new([("/a/x.rb", "")]);
        db.memory().make_unreadable("/a/closed");
        assert_eq!(db.file("/a/closed/x.rb").status(&db), FileStatus::Unsearchable);
        assert_eq!(db.file("/a/open/x.rb").status(&db), FileStatus::Missing);
        assert_eq!(listing_error(&db, db.file("/a/closed/y")), &Some(ReadError::PermissionDenied));
        assert_eq!(listing_error(&db, db.file("/a")), &None);
    }

    #[test]
    fn links_are_followed_but_not_back() {
        let db = TestDb::new([("/a/x.pp", ""), ("/a/b/y.pp", ""), ("/c/z.pp", ""), ("/other/w.pp", "")]);
        for (link, target) in [
            ("/a/up", ".."),
            ("/a/b/root", "/"),
            ("/a/b/self", "."),
            ("/a/c", "../c"),
            ("/c/back", "/a/b/.."),
            ("/c/again", "/c"),
        ] {
            db.memory().link(link, target);
        }
        let found = below(&db, "/a".into(), |_| true);
        assert_eq!(found.files, ["/a/b/y.pp", "/a/c/z.pp", "/a/x.pp"]);
        assert!(found.is_complete);
        let found = files_below(&db, "/c".into(), "pp");
        assert_eq!(found, ["/c/back/b/y.pp", "/c/back/x.pp", "/c/z.pp"]);
    }

    #[test]
    fn folders_that_lead_to_one_another_without_end_are_looked_into_for_a_while() {
        let db = TestDb::new([]);
        for from in 0..12 {
            db.memory().write_file(format!("/f{from}/x.pp"), "");
            for to in 0..12 {
                db.memory().link(format!("/f{from}/l{to}"), format!("/f{to}"));
            }
        }
        assert!(!below(&db, "/f0".into(), |_| false).is_complete);
    }

    #[test]
    fn folders_that_are_nested_too_deeply_are_left_out() {
        let deep = format!("/a{}/x.pp", "/b".repeat(DEPTH + 1));
        let db = TestDb::new([("/a/y.pp", ""), (deep.as_str(), "")]);
        let found = below(&db, "/a".into(), |_| true);
        assert_eq!((found.files, found.is_complete), (vec!["/a/y.pp".into()], false));
    }
}
