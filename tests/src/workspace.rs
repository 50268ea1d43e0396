//! The repository on disk, seen from its tests.

use std::io;
use std::path::{Path, PathBuf};

/// Returns the folder of the workspace.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Reads a whole file.
///
/// # Errors
/// If the file can't be read or isn't UTF-8.
#[expect(clippy::disallowed_methods, reason = "the tests stand outside the compiler and its `System`")]
pub fn read(path: &Path) -> io::Result<String> {
    std::fs::read_to_string(path)
}

/// Replaces the text of a file.
///
/// # Errors
/// If the file can't be written.
#[expect(clippy::disallowed_methods, reason = "the tests stand outside the compiler and its `System`")]
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    std::fs::write(path, text)
}

/// Returns all files below a folder whose names end in `.extension`, in order of their paths.
///
/// # Errors
/// If a folder can't be listed.
#[expect(clippy::disallowed_methods, reason = "the tests stand outside the compiler and its `System`")]
pub fn files_below(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Returns the chapters of the literate suites, in order of their paths.
///
/// # Errors
/// If the folder can't be listed.
pub fn chapters() -> io::Result<Vec<PathBuf>> {
    let mut chapters = files_below(&root().join("tests/language"), "md")?;
    chapters.retain(|path| !path.ends_with("language/README.md"));
    Ok(chapters)
}
