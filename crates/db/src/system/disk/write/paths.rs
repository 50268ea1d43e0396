//! Files are replaced by their paths, on systems without descriptors of folders.

#![expect(clippy::disallowed_methods, reason = "a part of the one place that touches the disk")]

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};

use camino::{Utf8Path, Utf8PathBuf};
use tempfile::NamedTempFile;

use crate::system::WriteRefusal;
use crate::system::replace::{Volume, replace};

/// Replaces a file, or creates it, at a path without links. If `old` is given, only this content is replaced.
pub(in crate::system::disk) fn write_direct(
    path: &Utf8Path,
    old: Option<&[u8]>,
    bytes: &[u8],
    waits: bool,
) -> io::Result<()> {
    if super::real(path)? != path {
        return Err(io::Error::other(WriteRefusal::Link));
    }
    if let Some(old) = old
        && fs::read(path)? != old
    {
        return Err(io::Error::other(WriteRefusal::Changed));
    }
    replace(&Disk { waits }, path, bytes)
}

/// The machine's own file system.
struct Disk {
    waits: bool,
}

impl Volume for Disk {
    type Draft = NamedTempFile;

    fn draft(&self, path: &Utf8Path) -> io::Result<NamedTempFile> {
        let prefix = format!(".{}.", path.file_name().unwrap_or_default());
        let mut draft = tempfile::Builder::new();
        draft.prefix(&prefix).suffix(".new");
        match fs::symlink_metadata(path) {
            Ok(metadata) if !metadata.is_file() => {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
            }
            // A user who may write into the folder, but not into the file, must not replace it.
            Ok(_) => drop(OpenOptions::new().append(true).open(path)?),
            Err(_) => {}
        }
        draft.tempfile_in(folder(path))
    }

    fn write(&self, draft: &mut NamedTempFile, bytes: &[u8]) -> io::Result<()> {
        draft.write_all(bytes)
    }

    fn take_after(&self, _: &mut NamedTempFile, _: &Utf8Path) -> io::Result<()> {
        Ok(())
    }

    fn sync(&self, draft: &mut NamedTempFile) -> io::Result<()> {
        if self.waits { draft.as_file().sync_all() } else { Ok(()) }
    }

    fn replace(&self, draft: NamedTempFile, path: &Utf8Path) -> io::Result<()> {
        draft.persist(path).map(drop).map_err(|error| error.error)
    }

    fn sync_folder(&self, path: &Utf8Path) -> io::Result<()> {
        if self.waits { File::open(folder(path))?.sync_all() } else { Ok(()) }
    }
}

fn folder(path: &Utf8Path) -> Utf8PathBuf {
    path.parent().filter(|it| !it.as_str().is_empty()).unwrap_or(Utf8Path::new(".")).to_owned()
}
