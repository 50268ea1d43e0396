//! Files are replaced by the descriptor of their folder. It is opened without following links, so that nobody who exchanges a folder
//! for a link leads a write elsewhere.

use std::fs::File;
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::fs::{MetadataExt as _, fchown};

use camino::{Utf8Component, Utf8Path};
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, Stat, fchmod, openat, renameat, statat, unlinkat};
use rustix::io::Errno;

use crate::system::WriteRefusal;
use crate::system::replace::{Volume, replace};

/// The number of names that are tried for a temporary file.
const ATTEMPTS: usize = 100;

/// Replaces a file, or creates it, at an absolute path without links. If `old` is given, only this content is replaced.
pub(in crate::system::disk) fn write_direct(
    path: &Utf8Path,
    old: Option<&[u8]>,
    bytes: &[u8],
    waits: bool,
) -> io::Result<()> {
    let folder = Folder { descriptor: folder(path)?, waits };
    if let Some(old) = old {
        folder.compare(path, old)?;
    }
    replace(&&folder, path, bytes)
}

/// Opens the folder of a path, one component after the other.
fn folder(path: &Utf8Path) -> io::Result<OwnedFd> {
    // Passing through a folder takes no permission to list it.
    #[cfg(target_os = "linux")]
    let access = OFlags::PATH;
    #[cfg(not(target_os = "linux"))]
    let access = OFlags::RDONLY;
    let flags = access | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let open = |folder: BorrowedFd<'_>, name: &str| openat(folder, name, flags, Mode::empty());
    let mut components = path.parent().unwrap_or(path).components();
    let Some(Utf8Component::RootDir) = components.next() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path is not absolute"));
    };
    let mut folder = open(CWD, "/")?;
    for component in components {
        let Utf8Component::Normal(name) = component else { return Err(io::Error::other(WriteRefusal::Link)) };
        folder = open(folder.as_fd(), name).map_err(|error| match error {
            // What is no folder is a link, or has become something else.
            Errno::LOOP | Errno::NOTDIR => io::Error::other(WriteRefusal::Link),
            error => error.into(),
        })?;
    }
    Ok(folder)
}

/// A folder in which files are replaced.
struct Folder {
    descriptor: OwnedFd,
    /// Whether to wait for the disk.
    waits: bool,
}

impl Folder {
    /// Fails if the file does not have this content.
    fn compare(&self, path: &Utf8Path, expected: &[u8]) -> io::Result<()> {
        let file = self.open(path, OFlags::RDONLY)?;
        let mut found = Vec::with_capacity(expected.len().saturating_add(1));
        file.take(expected.len() as u64 + 1).read_to_end(&mut found)?;
        if found == expected { Ok(()) } else { Err(io::Error::other(WriteRefusal::Changed)) }
    }

    /// Opens the regular file with the name of a path.
    fn open(&self, path: &Utf8Path, access: OFlags) -> io::Result<File> {
        if self.regular(path)?.is_none() {
            return Err(Errno::NOENT.into());
        }
        let flags = access | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = File::from(openat(&self.descriptor, name(path), flags, Mode::empty())?);
        // The name may be that of something else by now.
        if file.metadata()?.is_file() { Ok(file) } else { Err(not_regular()) }
    }

    /// The metadata of the regular file with the name of a path. None if nothing has this name.
    ///
    /// # Errors
    /// If it is not a regular file.
    fn regular(&self, path: &Utf8Path) -> io::Result<Option<Stat>> {
        match statat(&self.descriptor, name(path), AtFlags::SYMLINK_NOFOLLOW) {
            Ok(it) => match FileType::from_raw_mode(it.st_mode) {
                FileType::RegularFile => Ok(Some(it)),
                FileType::Symlink => Err(io::Error::other(WriteRefusal::Link)),
                _ => Err(not_regular()),
            },
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

fn name(path: &Utf8Path) -> &str {
    path.file_name().unwrap_or_default()
}

fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")
}

/// A temporary file. It is removed when dropped, unless it was renamed.
struct Draft<'f> {
    folder: &'f Folder,
    name: String,
    file: File,
    is_renamed: bool,
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        if !self.is_renamed {
            let _ = unlinkat(&self.folder.descriptor, &self.name, AtFlags::empty());
        }
    }
}

impl<'f> Volume for &'f Folder {
    type Draft = Draft<'f>;

    fn draft(&self, path: &Utf8Path) -> io::Result<Draft<'f>> {
        let is_new = self.regular(path)?.is_none();
        if !is_new {
            // A user who may write into the folder, but not into the file, must not replace it.
            drop(self.open(path, OFlags::WRONLY | OFlags::APPEND)?);
        }
        // A new file has the mode of any new file: the process's umask applies. All others are their owner's alone.
        let mode = if is_new && self.waits { 0o666 } else { 0o600 };
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        for _ in 0..ATTEMPTS {
            let name = format!(".{}.{:08x}.new", name(path), RandomState::new().hash_one(0) >> 32);
            match openat(&self.descriptor, &name, flags, Mode::from_raw_mode(mode)) {
                Ok(file) => return Ok(Draft { folder: self, name, file: file.into(), is_renamed: false }),
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(Errno::EXIST.into())
    }

    fn write(&self, draft: &mut Draft<'f>, bytes: &[u8]) -> io::Result<()> {
        draft.file.write_all(bytes)
    }

    fn take_after(&self, draft: &mut Draft<'f>, path: &Utf8Path) -> io::Result<()> {
        let Some(old) = self.regular(path)? else { return Ok(()) };
        let new = draft.file.metadata()?;
        let changed = |old: u32, new: u32| (old != new).then_some(old);
        let (owner, group) = (changed(old.st_uid, new.uid()), changed(old.st_gid, new.gid()));
        if owner.is_some() || group.is_some() {
            fchown(&draft.file, owner, group).map_err(|error| {
                io::Error::new(error.kind(), format!("its owner and group cannot be kept: {error}"))
            })?;
        }
        // After the owner: changing the owner clears some mode bits.
        Ok(fchmod(&draft.file, Mode::from_raw_mode(old.st_mode))?)
    }

    fn sync(&self, draft: &mut Draft<'f>) -> io::Result<()> {
        if self.waits { draft.file.sync_all() } else { Ok(()) }
    }

    fn replace(&self, mut draft: Draft<'f>, path: &Utf8Path) -> io::Result<()> {
        renameat(&self.descriptor, &draft.name, &self.descriptor, name(path))?;
        draft.is_renamed = true;
        Ok(())
    }

    fn sync_folder(&self, _: &Utf8Path) -> io::Result<()> {
        if !self.waits {
            return Ok(());
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        File::from(openat(&self.descriptor, ".", flags, Mode::empty())?).sync_all()
    }
}
