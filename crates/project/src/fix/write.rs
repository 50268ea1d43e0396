use std::fmt;
use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;

/// The reason why a file wasn't written.
#[derive(Debug)]
pub enum NotWritten {
    /// The file is outside of the named paths.
    Outside(Utf8PathBuf),
    /// The file cannot be written, or it was changed.
    Io(io::Error),
}

impl fmt::Display for NotWritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotWritten::Outside(real) => write!(f, "it is {real}, which is outside of the named paths"),
            NotWritten::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NotWritten {}

/// Replaces a file's text atomically, by its path without links, which must be at or below one of these absolute paths.
///
/// # Errors
/// If the file cannot be written, or if it does not have the text `before` any more. It is left unchanged in that case.
pub fn write(
    system: &dyn System,
    path: &Utf8Path,
    before: &str,
    after: &str,
    roots: &[Utf8PathBuf],
) -> Result<(), NotWritten> {
    let real = system.canonicalize(path).map_err(NotWritten::Io)?;
    let is_inside = |root: &Utf8PathBuf| system.canonicalize(root).is_ok_and(|it| real.starts_with(it));
    if !roots.iter().any(is_inside) {
        return Err(NotWritten::Outside(real));
    }
    system.write_direct(&real, Some(before.as_bytes()), after.as_bytes()).map_err(NotWritten::Io)
}

#[cfg(test)]
mod tests {
    use marotte_db::MemorySystem;

    use super::*;

    fn written(path: &str, before: &str) -> (bool, Vec<u8>) {
        let system = MemorySystem::with_files([("/tree/x.pp", "old"), ("/elsewhere/y.pp", "old")]);
        system.link("/tree/inside.pp", "x.pp");
        system.link("/tree/outside.pp", "/elsewhere/y.pp");
        let written = write(&system, path.into(), before, "new", &["/tree".into()]).is_ok();
        (written, system.read(path.into(), 9).unwrap())
    }

    #[test]
    fn only_what_is_inside_and_was_read_is_written() {
        assert_eq!(written("/tree/x.pp", "old"), (true, b"new".to_vec()));
        assert_eq!(written("/tree/inside.pp", "old"), (true, b"new".to_vec()));
        assert_eq!(written("/tree/outside.pp", "old"), (false, b"old".to_vec()));
        assert_eq!(written("/tree/x.pp", "older"), (false, b"old".to_vec()));
        assert_eq!(written("/tree/x.pp", "o"), (false, b"old".to_vec()));
    }
}
