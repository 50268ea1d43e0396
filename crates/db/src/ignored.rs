//! Files kept out of git that may exist where the code runs: secrets, and generated files.

use camino::Utf8Path;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::{Db, File, FileStatus, source_text};

/// The name of the files that list git's exclusions.
const FILE_NAME: &str = ".gitignore";

/// Whether a missing path is ignored by git, while its folder isn't: the contents of an ignored folder were put there as a
/// whole.
pub fn is_left_out(db: &dyn Db, path: &Utf8Path) -> bool {
    left_out(db, db.files().file(db, path))
}

/// A separate query, because it looks for files in all enclosing folders.
#[salsa::tracked(returns(copy))]
fn left_out(db: &dyn Db, file: File) -> bool {
    if file.status(db) != FileStatus::Missing {
        return false;
    }
    let path = file.path(db);
    // The path might be a file or a folder.
    let is_left_alone = is_ignored(db, path, false) || is_ignored(db, path, true);
    let mut folders = path.ancestors().skip(1);
    is_left_alone
        && folders
            .find(|it| status(db, it) != FileStatus::Missing)
            .is_some_and(|it| !is_ignored(db, it, true))
}

fn status(db: &dyn Db, path: &Utf8Path) -> FileStatus {
    db.files().file(db, path).status(db)
}

/// Whether git ignores a path. The nearest `.gitignore` that mentions it wins, up to the repository's root.
fn is_ignored(db: &dyn Db, path: &Utf8Path, is_folder: bool) -> bool {
    for folder in path.ancestors().skip(1) {
        let file = db.files().file(db, &folder.join(FILE_NAME));
        if file.status(db) == FileStatus::Exists {
            let matched = patterns(db, file).0.matched_path_or_any_parents(path, is_folder);
            if !matched.is_none() {
                return matched.is_ignore();
            }
        }
        if status(db, &folder.join(".git")) != FileStatus::Missing {
            break;
        }
    }
    false
}

struct Patterns(Gitignore);

/// Parses a `.gitignore`. Invalid lines are skipped.
#[salsa::tracked(returns(ref), no_eq)]
fn patterns(db: &dyn Db, file: File) -> Patterns {
    let folder = file.path(db).parent().unwrap_or(Utf8Path::new("/"));
    let mut builder = GitignoreBuilder::new(folder);
    for line in source_text(db, file).text().lines() {
        // Reporting an invalid line is up to git.
        let _ = builder.add_line(None, line);
    }
    Patterns(builder.build().unwrap_or_else(|_| Gitignore::empty()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestDb;

    #[test]
    fn what_is_not_there_may_be_left_out() {
        let db = TestDb::new([
            ("/.gitignore", "*\n"),
            ("/r/.git/HEAD", ""),
            ("/r/.gitignore", "*.key\n/modules/a/files/private/\nsecret.pp\n/vendor\n"),
            ("/r/modules/.gitignore", "!public.key\n"),
            ("/r/modules/a/files/x.key", ""),
            ("/r/vendor/b/manifests/init.pp", ""),
        ]);
        let is_left_out = |path: &str| is_left_out(&db, path.into());
        assert!(is_left_out("/r/modules/a/files/y.key"));
        assert!(is_left_out("/r/modules/a/files/private/z"));
        assert!(is_left_out("/r/modules/a/manifests/secret.pp"));
        assert!(!is_left_out("/r/modules/a/files/x.key"), "it is there");
        assert!(!is_left_out("/r/modules/a/files/public.key"), "a folder takes it back");
        assert!(!is_left_out("/r/modules/a/files/y.crt"));
        assert!(!is_left_out("/r/vendor/b/manifests/secret.pp"), "the folder was put there as a whole");
    }
}
