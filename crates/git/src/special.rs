//! Pipes and devices among the files of git, which would block whoever opens them.

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;
use marotte_db::system::{EntryKind, FileType};

/// The maximum number of files of git that are looked at.
const MOST: usize = 1_000_000;

/// The maximum size of the files in which git writes a path.
const LONGEST: u64 = 1 << 14;

/// Returns the first thing in the repository of a working tree that is neither a file nor a folder.
pub(crate) fn special_file(system: &dyn System, root: &Utf8Path) -> Option<Utf8PathBuf> {
    let git = root.join(".git");
    let folder = match system.metadata(&git).ok()?.file_type {
        FileType::Directory => git,
        // The repository of a linked working tree.
        FileType::File => root.join(path_in(system, &git)?.trim_start_matches("gitdir:").trim()),
        FileType::Other => return Some(git),
    };
    let shared = path_in(system, &folder.join("commondir")).map(|it| folder.join(it.trim()));
    let mut open: Vec<Utf8PathBuf> = shared.into_iter().chain([folder]).collect();
    let mut left = MOST;
    while let Some(folder) = open.pop() {
        for entry in system.entries(&folder).into_iter().flatten() {
            left = left.checked_sub(1)?;
            let path = folder.join(&entry.name);
            match entry.kind {
                EntryKind::Directory => open.push(path),
                EntryKind::Other => return Some(path),
                EntryKind::Link if is_special(system, &path) => return Some(path),
                EntryKind::Link | EntryKind::File | EntryKind::NotUtf8 => {}
            }
        }
    }
    None
}

fn is_special(system: &dyn System, path: &Utf8Path) -> bool {
    system.metadata(path).is_ok_and(|it| it.file_type == FileType::Other)
}

/// The path in a file of git.
fn path_in(system: &dyn System, file: &Utf8Path) -> Option<String> {
    String::from_utf8(system.read(file, LONGEST).ok()?).ok()
}
