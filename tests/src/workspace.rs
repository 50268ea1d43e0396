//! The repository on disk, seen from its tests.

use std::io;
use std::path::{Path, PathBuf};

/// The folder that holds the workspace.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The whole text of a file.
///
/// # Errors
/// When the file cannot be read or is not UTF-8.
#[expect(clippy::disallowed_methods, reason = "the tests stand outside the compiler and its `System`")]
pub fn read(path: &Path) -> io::Result<String> {
    std::fs::read_to_string(path)
}

/// Replaces a file's text.
///
/// # Errors
/// When the file cannot be written.
#[expect(clippy::disallowed_methods, reason = "the tests stand outside the compiler and its `System`")]
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    std::fs::write(path, text)
}

/// All files below a folder whose names end in `.extension`, in order of their paths.
///
/// # Errors
/// When a folder cannot be listed.
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

/// The chapters of the literate suites, in order of their paths.
///
/// # Errors
/// When the folder cannot be listed.
pub fn chapters() -> io::Result<Vec<PathBuf>> {
    let mut chapters = files_below(&root().join("tests/language"), "md")?;
    chapters.retain(|path| !path.ends_with("language/README.md"));
    Ok(chapters)
}
