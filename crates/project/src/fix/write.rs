use std::fmt;
use std::io;

use camino::Utf8PathBuf;
use marotte_db::System;
use marotte_db::system::{FileType, ReadError};

use super::Fixed;

/// Why a file was left as it is.
#[derive(Debug)]
pub enum NotWritten {
    /// It is outside of the paths that were named.
    Outside(Utf8PathBuf),
    /// It is no file any more.
    NotAFile,
    /// Somebody else has changed it since it was read.
    Changed,
    /// It cannot be read again.
    Unreadable(ReadError),
    /// It cannot be written.
    Io(io::Error),
}

impl fmt::Display for NotWritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotWritten::Outside(real) => {
                write!(f, "it is {real}, which is outside of the paths that are checked")
            }
            NotWritten::NotAFile => f.write_str("it is no regular file"),
            NotWritten::Changed => f.write_str("it was changed meanwhile"),
            NotWritten::Unreadable(error) => error.fmt(f),
            NotWritten::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NotWritten {}

/// Writes a file that was mended: as a whole or not at all, and by its path without links, which must be at or below one of
/// these absolute paths.
///
/// # Errors
/// If that cannot be done, or if the file is not what it was when it was mended. It stays as it is then.
pub fn write(system: &dyn System, file: &Fixed, roots: &[Utf8PathBuf]) -> Result<(), NotWritten> {
    let real = system.canonicalize(&file.path).map_err(NotWritten::Io)?;
    let is_inside = |root: &Utf8PathBuf| system.canonicalize(root).is_ok_and(|it| real.starts_with(it));
    if !roots.iter().any(is_inside) {
        return Err(NotWritten::Outside(real));
    }
    if system.metadata(&real).map_err(NotWritten::Io)?.file_type != FileType::File {
        return Err(NotWritten::NotAFile);
    }
    let limit = file.before.len() as u64;
    match system.read(&real, limit) {
        Ok(bytes) if bytes == file.before.as_bytes() => {}
        Ok(_) | Err(ReadError::TooLarge { .. }) => return Err(NotWritten::Changed),
        Err(error) => return Err(NotWritten::Unreadable(error)),
    }
    system.write_atomically(&real, file.after.as_bytes()).map_err(NotWritten::Io)
}

#[cfg(test)]
mod tests {
    use marotte_db::MemorySystem;

    use super::*;

    fn written(path: &str, before: &str) -> (bool, Vec<u8>) {
        let system = MemorySystem::with_files([("/tree/x.pp", "old"), ("/elsewhere/y.pp", "old")]);
        system.link("/tree/inside.pp", "x.pp");
        system.link("/tree/outside.pp", "/elsewhere/y.pp");
        let file = Fixed { path: path.into(), before: before.to_owned(), after: "new".to_owned(), fixes: 1 };
        let written = write(&system, &file, &["/tree".into()]).is_ok();
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
