//! Files of the repository and of corpora. The compiler goes through `System`; these tools read the disk.

#![expect(clippy::disallowed_methods, reason = "tools of the repository read and write the disk directly")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use crate::Result;

/// Returns the top folder of the repository.
pub(crate) fn repository() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_owned()
}

/// Reads a text file.
pub(crate) fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()).into())
}

/// Writes a text file, and the folders above it.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        make_folder(folder)?;
    }
    fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()).into())
}

/// Creates an empty file for writing.
pub(crate) fn create(path: &Path) -> Result<fs::File> {
    fs::File::create(path).map_err(|error| format!("cannot write {}: {error}", path.display()).into())
}

/// Creates a folder and those above it, unless they exist.
pub(crate) fn make_folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).map_err(|error| format!("cannot make {}: {error}", path.display()).into())
}

/// Returns the size of a file in bytes.
pub(crate) fn size(path: &Path) -> Result<u64> {
    let metadata = fs::metadata(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    Ok(metadata.len())
}

/// Returns the regular files below a folder with one of the extensions, relative to it and sorted by bytes.
///
/// Symbolic links aren't followed, so a file with several names is listed once.
pub(crate) fn regular_files(folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>> {
    list(WalkBuilder::new(folder).standard_filters(false), folder, extensions)
}

/// Like [`regular_files`], for the repository: hidden folders, and the files that `.gitignore` names, are left out.
pub(crate) fn own_files(folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>> {
    list(&mut WalkBuilder::new(folder), folder, extensions)
}

fn list(walk: &mut WalkBuilder, folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in walk.follow_links(false).build() {
        let entry = entry?;
        let wanted = entry.path().extension().is_some_and(|it| extensions.iter().any(|wanted| it == *wanted));
        if wanted && entry.file_type().is_some_and(|kind| kind.is_file()) {
            found.push(entry.path().strip_prefix(folder)?.to_owned());
        }
    }
    found.sort_by(|a, b| a.as_os_str().cmp(b.as_os_str()));
    Ok(found)
}

/// Returns the names of the entries of a folder, sorted.
pub(crate) fn names(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(
            entry?.file_name().into_string().map_err(|name| format!("{} is not UTF-8", name.display()))?,
        );
    }
    names.sort();
    Ok(names)
}

/// Copies a file, and creates the folders above the copy.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        make_folder(folder)?;
    }
    fs::copy(from, to).map_err(|error| format!("cannot copy {}: {error}", from.display()))?;
    Ok(())
}

/// Removes a folder and everything in it, if it exists.
pub(crate) fn remove_folder(path: &Path) -> Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("cannot remove {}: {error}", path.display()).into())
        }
        _ => Ok(()),
    }
}

/// Removes a file or a link.
pub(crate) fn remove_file(path: &Path) -> Result<()> {
    fs::remove_file(path).map_err(|error| format!("cannot remove {}: {error}", path.display()).into())
}

/// Returns all regular files below a folder with their bytes, by paths relative to it: none if there is no folder.
pub(crate) fn contents(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut found = BTreeMap::new();
    if !folder.exists() {
        return Ok(found);
    }
    for entry in WalkBuilder::new(folder).standard_filters(false).follow_links(false).build() {
        let entry = entry?;
        if entry.file_type().is_some_and(|kind| kind.is_file()) {
            let bytes = fs::read(entry.path())
                .map_err(|error| format!("cannot read {}: {error}", entry.path().display()))?;
            found.insert(entry.path().strip_prefix(folder)?.to_owned(), bytes);
        }
    }
    Ok(found)
}

/// Writes a file, and the folders above it.
pub(crate) fn write_bytes(path: &Path, bytes: &[u8]) -> Result<()> {
    if let Some(folder) = path.parent() {
        make_folder(folder)?;
    }
    fs::write(path, bytes).map_err(|error| format!("cannot write {}: {error}", path.display()).into())
}
