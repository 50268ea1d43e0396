#![expect(clippy::disallowed_methods, reason = "a part of the one place that touches the disk")]

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};

use camino::{Utf8Path, Utf8PathBuf};
use tempfile::NamedTempFile;

use crate::system::replace::{Volume, replace};

/// Replaces a file, or creates it. A symbolic link is kept, and its target is replaced. `waits` says whether to wait for the disk.
pub(super) fn write_atomically(path: &Utf8Path, bytes: &[u8], waits: bool) -> io::Result<()> {
    let real = match fs::symlink_metadata(path) {
        Ok(_) => path.canonicalize_utf8()?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(error),
    };
    replace(&Disk { waits }, &real, bytes)
}

/// Creates a folder and its missing parents, for their owner alone.
#[cfg(unix)]
pub(super) fn create_private_folder(path: &Utf8Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;

    fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

#[cfg(not(unix))]
pub(super) fn create_private_folder(path: &Utf8Path) -> io::Result<()> {
    fs::create_dir_all(path)
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
            Err(_) if self.waits => as_new_files_are(&mut draft),
            // Drafts are their owner's alone.
            Err(_) => {}
        }
        draft.tempfile_in(folder(path))
    }

    fn write(&self, draft: &mut NamedTempFile, bytes: &[u8]) -> io::Result<()> {
        draft.write_all(bytes)
    }

    fn take_after(&self, draft: &mut NamedTempFile, path: &Utf8Path) -> io::Result<()> {
        take_after(draft.as_file(), path)
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

#[cfg(unix)]
fn take_after(draft: &File, path: &Utf8Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};

    let Ok(old) = fs::metadata(path) else { return Ok(()) };
    let new = draft.metadata()?;
    let changed = |old: u32, new: u32| (old != new).then_some(old);
    let (owner, group) = (changed(old.uid(), new.uid()), changed(old.gid(), new.gid()));
    if owner.is_some() || group.is_some() {
        fchown(draft, owner, group).map_err(|error| {
            io::Error::new(error.kind(), format!("its owner and group cannot be kept: {error}"))
        })?;
    }
    // After the owner: changing the owner clears some mode bits.
    draft.set_permissions(old.permissions())
}

/// Gives the file the mode of any new file: the process's umask applies.
#[cfg(unix)]
fn as_new_files_are(draft: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt as _;

    draft.permissions(fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn as_new_files_are(_: &mut tempfile::Builder<'_, '_>) {}

#[cfg(not(unix))]
fn take_after(_: &File, _: &Utf8Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        (folder, path)
    }

    fn mode(path: &Utf8Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    fn names(folder: &Utf8Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_mode_is_kept_and_nothing_is_left_beside() {
        let (_guard, root) = folder();
        let path = root.join("x.pp");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o751)).unwrap();
        write_atomically(&path, b"new", true).unwrap();
        assert_eq!((fs::read(&path).unwrap(), mode(&path)), (b"new".to_vec(), 0o751));
        assert_eq!(names(&root), ["x.pp"]);
    }

    #[test]
    fn a_new_file_has_the_mode_of_new_files() {
        let (_guard, root) = folder();
        fs::write(root.join("usual"), "").unwrap();
        write_atomically(&root.join("new"), b"1", true).unwrap();
        assert_eq!(mode(&root.join("new")), mode(&root.join("usual")));
    }

    #[test]
    fn a_cache_is_its_owners_alone() {
        let (_guard, root) = folder();
        create_private_folder(&root.join("a/b")).unwrap();
        write_atomically(&root.join("a/b/new"), b"1", false).unwrap();
        assert_eq!((mode(&root.join("a")), mode(&root.join("a/b/new"))), (0o700, 0o600));
    }

    #[test]
    fn a_link_stays_and_its_target_is_replaced() {
        let (_guard, root) = folder();
        fs::create_dir(root.join("there")).unwrap();
        fs::write(root.join("there/x"), "old").unwrap();
        symlink("there/x", root.join("link")).unwrap();
        write_atomically(&root.join("link"), b"new", true).unwrap();
        assert!(fs::symlink_metadata(root.join("link")).unwrap().is_symlink());
        assert_eq!(fs::read(root.join("there/x")).unwrap(), b"new");
        assert_eq!(names(&root.join("there")), ["x"]);
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let (_guard, root) = folder();
        fs::create_dir(root.join("folder")).unwrap();
        symlink("/dev/null", root.join("device")).unwrap();
        for name in ["folder", "device"] {
            assert!(write_atomically(&root.join(name), b"1", true).is_err(), "{name}");
        }
        assert!(write_atomically(&root.join("none/x"), b"1", true).is_err());
        assert_eq!(names(&root), ["device", "folder"]);
    }
}
