#[cfg(unix)]
mod descriptors;
#[cfg(not(unix))]
mod paths;

use std::fs;
use std::io;

use camino::{Utf8Path, Utf8PathBuf};

#[cfg(unix)]
pub(super) use descriptors::write_direct;
#[cfg(not(unix))]
pub(super) use paths::write_direct;

/// Replaces a file, or creates it. A symbolic link is kept, and its target is replaced. `waits` says whether to wait for the disk.
pub(super) fn write_atomically(path: &Utf8Path, bytes: &[u8], waits: bool) -> io::Result<()> {
    write_direct(&real(path)?, None, bytes, waits)
}

/// Returns the path without links of a file that may be missing.
fn real(path: &Utf8Path) -> io::Result<Utf8PathBuf> {
    match fs::symlink_metadata(path) {
        Ok(_) => path.canonicalize_utf8(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let name = path.file_name().ok_or(error)?;
            let folder = path.parent().filter(|it| !it.as_str().is_empty()).unwrap_or(Utf8Path::new("."));
            Ok(folder.canonicalize_utf8()?.join(name))
        }
        Err(error) => Err(error),
    }
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

    #[test]
    fn no_link_leads_a_direct_write_elsewhere() {
        let (_guard, root) = folder();
        fs::create_dir_all(root.join("tree/d")).unwrap();
        fs::create_dir(root.join("outside")).unwrap();
        for name in ["tree/d/x", "outside/x"] {
            fs::write(root.join(name), "old").unwrap();
        }
        symlink("../outside", root.join("tree/link")).unwrap();
        symlink("../../outside/x", root.join("tree/d/link")).unwrap();
        let write = |name: &str, old| write_direct(&root.join(name), old, b"new", true);
        for name in ["tree/link/x", "tree/link/new", "tree/d/link", "tree/d/../link/x"] {
            assert!(write(name, None).is_err(), "{name}");
        }
        assert_eq!(names(&root.join("outside")), ["x"]);
        assert_eq!(fs::read(root.join("outside/x")).unwrap(), b"old");
        write("tree/d/x", Some(b"old")).unwrap();
        assert_eq!(fs::read(root.join("tree/d/x")).unwrap(), b"new");
    }

    #[test]
    fn only_known_content_is_replaced() {
        let (_guard, root) = folder();
        let path = root.join("x");
        fs::write(&path, "other").unwrap();
        for old in ["oth", "otherwise", "OTHER", ""] {
            assert!(write_direct(&path, Some(old.as_bytes()), b"new", true).is_err(), "{old}");
        }
        assert!(write_direct(&root.join("none"), Some(b""), b"new", true).is_err());
        assert_eq!((fs::read(&path).unwrap(), names(&root)), (b"other".to_vec(), vec!["x".to_owned()]));
        write_direct(&path, Some(b"other"), b"new", true).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    /// Another process exchanges a folder for a link all the time.
    #[cfg(target_os = "linux")]
    #[test]
    fn an_exchanged_folder_leads_nothing_out() {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use std::sync::atomic::{AtomicBool, Ordering};

        let (_guard, root) = folder();
        for (folder, text) in [("d", "1"), ("outside", "precious")] {
            fs::create_dir(root.join(folder)).unwrap();
            fs::write(root.join(folder).join("x"), text).unwrap();
        }
        symlink("outside", root.join("link")).unwrap();
        let ends = AtomicBool::new(false);
        let (one, other) = (root.join("d"), root.join("link"));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !ends.load(Ordering::Relaxed) {
                    renameat_with(CWD, one.as_str(), CWD, other.as_str(), RenameFlags::EXCHANGE).unwrap();
                }
            });
            for _ in 0..2_000 {
                let _ = write_direct(&root.join("d/x"), None, b"2", false);
            }
            ends.store(true, Ordering::Relaxed);
        });
        assert_eq!(names(&root.join("outside")), ["x"]);
        assert_eq!(fs::read(root.join("outside/x")).unwrap(), b"precious");
    }
}
