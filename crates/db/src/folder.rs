use camino::{Utf8Path, Utf8PathBuf};

use crate::system::DirectoryEntry;
use crate::{Db, File};

/// What is in a folder, in order of the names; nothing if there is no such folder.
///
/// A name that comes or goes wakes those who asked for the folder's names ([`File::refresh`] of the folder).
#[salsa::tracked(returns(deref))]
pub fn listing(db: &dyn Db, folder: File) -> Box<[DirectoryEntry]> {
    folder.status(db);
    folder.revision(db);
    read(db, folder)
}

/// The same, as it is now.
pub(crate) fn read(db: &dyn Db, folder: File) -> Box<[DirectoryEntry]> {
    let mut entries = db.system().list(folder.path(db)).unwrap_or_default();
    entries.sort();
    entries.into()
}

/// Deeper folders are not looked into: nobody nests names so deeply.
const DEPTH: usize = 32;

/// The files below a folder that have an extension, in order of their paths. A name that comes to one of the folders, or
/// goes, wakes those who asked.
pub fn files_below(db: &dyn Db, folder: &Utf8Path, extension: &str) -> Vec<Utf8PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = open.pop() {
        for entry in listing(db, db.files().file(db, &folder)) {
            let path = folder.join(&entry.name);
            if entry.is_directory {
                open.extend((depth < DEPTH).then_some((path, depth + 1)));
            } else if path.extension() == Some(extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
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
}
