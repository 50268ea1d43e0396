use std::fmt;
use std::io;

use camino::Utf8PathBuf;
use marotte_db::System;
use marotte_db::system::{FileType, ReadError};

use super::Fixed;

/// The reason why a file wasn't written.
#[derive(Debug)]
pub enum NotWritten {
    /// The file is outside of the named paths.
    Outside(Utf8PathBuf),
    /// The path isn't a regular file any more.
    NotAFile,
    /// The file has changed since it was read.
    Changed,
    /// The file cannot be read again.
    Unreadable(ReadError),
    /// The file cannot be written.
    Io(io::Error),
}

impl fmt::Display for NotWritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotWritten::Outside(real) => {
                write!(f, "it is {real}, which is outside of the paths that are checked")
            }
            NotWritten::NotAFile => f.write_str("it is not a regular file"),
            NotWritten::Changed => f.write_str("it was changed meanwhile"),
            NotWritten::Unreadable(error) => error.fmt(f),
            NotWritten::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NotWritten {}

/// Writes a fixed file atomically, by its path without links, which must be at or below one of these absolute paths.
///
/// # Errors
/// If the file cannot be written, or if it changed since it was fixed. It is left unchanged in that case.
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
