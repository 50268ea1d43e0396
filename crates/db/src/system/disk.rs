#![expect(clippy::disallowed_methods, reason = "the one place that touches the disk")]

mod process;
mod write;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{PoisonError, RwLock};
use std::time::SystemTime;

use camino::{Utf8Path, Utf8PathBuf};
use ignore::gitignore::gitconfig_excludes_path;

use super::{Entry, EntryKind, FileType, Metadata, Output, ReadError, System, UserExcludes};

/// The maximum size of the user's list of ignored files, longer than any written by hand.
const MAX_EXCLUDES: u64 = 1 << 20;

/// The machine's own file system.
#[derive(Debug)]
pub struct DiskSystem {
    current_dir: Utf8PathBuf,
}

impl DiskSystem {
    /// Creates a view of the disk from the process's current folder.
    ///
    /// Fails if there is none, or its path isn't UTF-8.
    pub fn new() -> io::Result<Self> {
        let current_dir = Utf8PathBuf::from_path_buf(std::env::current_dir()?).map_err(|path| {
            let message = format!("the current directory {} is not UTF-8", path.display());
            io::Error::new(io::ErrorKind::InvalidData, message)
        })?;
        Ok(DiskSystem { current_dir })
    }

    /// Creates a view of the disk from this folder.
    pub fn at(current_dir: impl Into<Utf8PathBuf>) -> Self {
        DiskSystem { current_dir: current_dir.into() }
    }
}

impl System for DiskSystem {
    fn read(&self, path: &Utf8Path, limit: u64) -> Result<Vec<u8>, ReadError> {
        let (file, size) = open(path, |options| options.open(path))?;
        contents(file, size, limit)
    }

    #[cfg(target_os = "linux")]
    fn read_direct(&self, path: &Utf8Path, limit: u64) -> Option<Result<Vec<u8>, ReadError>> {
        use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};

        // The system call that opens the file says whether there is a link on the way.
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        let no_links = |_: &fs::OpenOptions| {
            let file = openat2(CWD, path.as_std_path(), flags, Mode::empty(), ResolveFlags::NO_SYMLINKS)?;
            Ok(fs::File::from(file))
        };
        match open(path, no_links) {
            Ok((file, size)) => Some(contents(file, size, limit)),
            // Whoever asks finds out why: a link, a kernel that lacks the call, or something else than a file.
            Err(_) => None,
        }
    }

    fn metadata(&self, path: &Utf8Path) -> io::Result<Metadata> {
        let metadata = fs::metadata(path)?;
        let file_type = match metadata.file_type() {
            kind if kind.is_file() => FileType::File,
            kind if kind.is_dir() => FileType::Directory,
            _ => FileType::Other,
        };
        Ok(Metadata { file_type, len: if file_type == FileType::File { metadata.len() } else { 0 } })
    }

    fn canonicalize(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        path.canonicalize_utf8()
    }

    fn read_link(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        path.read_link_utf8().ok()
    }

    fn entries(&self, directory: &Utf8Path) -> io::Result<Vec<Entry>> {
        if is_of_kernel(directory.as_std_path(), &fs::metadata(directory)?) {
            return Err(io::Error::other("it is a part of what the kernel makes up"));
        }
        let mut entries = Vec::new();
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            let (name, is_text) = match entry.file_name().into_string() {
                Ok(name) => (name, true),
                Err(name) => (name.to_string_lossy().into_owned(), false),
            };
            let kind = match kind {
                _ if !is_text => EntryKind::NotUtf8,
                kind if kind.is_symlink() => EntryKind::Link,
                kind if kind.is_dir() => EntryKind::Directory,
                kind if kind.is_file() => EntryKind::File,
                _ => EntryKind::Other,
            };
            entries.push(Entry { name, kind });
        }
        Ok(entries)
    }

    fn user_excludes(&self) -> Option<UserExcludes> {
        let path = Utf8PathBuf::from_path_buf(gitconfig_excludes_path()?).ok()?;
        let path = self.absolute(&path);
        let patterns = self.read(&path, MAX_EXCLUDES).unwrap_or_default();
        Some(UserExcludes { path, patterns })
    }

    #[cfg(target_os = "linux")]
    fn is_direct(&self, path: &Utf8Path) -> bool {
        use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};

        // One system call, where following the path would take one for each component.
        let flags = OFlags::PATH | OFlags::CLOEXEC;
        openat2(CWD, path.as_std_path(), flags, Mode::empty(), ResolveFlags::NO_SYMLINKS).is_ok()
    }

    fn current_dir(&self) -> &Utf8Path {
        &self.current_dir
    }

    fn write_atomically(&self, path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
        write::write_atomically(path, bytes, true)
    }

    fn write_direct(&self, path: &Utf8Path, old: Option<&[u8]>, bytes: &[u8]) -> io::Result<()> {
        write::write_direct(path, old, bytes, true)
    }

    fn write_quickly(&self, path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
        write::write_atomically(path, bytes, false)
    }

    fn create_folder(&self, path: &Utf8Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn create_private_folder(&self, path: &Utf8Path) -> io::Result<()> {
        write::create_private_folder(path)
    }

    fn remove_file(&self, path: &Utf8Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn modified(&self, path: &Utf8Path) -> io::Result<SystemTime> {
        fs::symlink_metadata(path)?.modified()
    }

    fn touch(&self, path: &Utf8Path) -> io::Result<()> {
        let file = fs::OpenOptions::new().append(true).open(path)?;
        file.set_modified(SystemTime::now())
    }

    fn run(&self, command: &[&str]) -> io::Result<Output> {
        let Some((path, arguments)) = command.split_first() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "there is no command"));
        };
        let folder = Utf8Path::new(path).parent().filter(|it| !it.as_str().is_empty());
        let mut process = Command::new(path);
        process.args(arguments).stdin(Stdio::null()).current_dir(folder.unwrap_or(&self.current_dir));
        let output = process.output()?;
        let mut text = output.stdout;
        text.extend(output.stderr);
        Ok(Output { text, status: output.status.code() })
    }
}

/// Reads a file of this size to its end.
fn contents(mut file: fs::File, size: u64, limit: u64) -> Result<Vec<u8>, ReadError> {
    if size > limit {
        return Err(ReadError::TooLarge { size, limit });
    }
    let expected = usize::try_from(size).unwrap_or(usize::MAX);
    let mut bytes = vec![0; expected.saturating_add(1)];
    let mut filled = 0;
    // The file may have changed since it was measured. If it has not, the first answer is all of it, and is not followed by another
    // question.
    while filled < bytes.len() {
        match file.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(count) if filled == 0 && count == expected => {
                filled = count;
                break;
            }
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    let is_longer = filled > expected;
    bytes.truncate(filled);
    if is_longer {
        file.take(limit.saturating_sub(size)).read_to_end(&mut bytes)?;
    }
    match bytes.len() as u64 {
        size if size > limit => Err(ReadError::TooLarge { size, limit }),
        _ => Ok(bytes),
    }
}

/// Opens a regular file for reading. Other files are never opened, because that might block on a writer, or trigger a device.
fn open(
    path: &Utf8Path,
    open: impl FnOnce(&fs::OpenOptions) -> io::Result<fs::File>,
) -> Result<(fs::File, u64), ReadError> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() || is_of_kernel(path.as_std_path(), &metadata) {
        return Err(ReadError::NotAFile);
    }
    let mut options = fs::OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt as _;

        // The path may be something else by now.
        let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
        options.custom_flags(flags.bits().cast_signed());
    }
    let file = open(&options)?;
    let metadata = file.metadata()?;
    if metadata.is_file() { Ok((file, metadata.len())) } else { Err(ReadError::NotAFile) }
}

/// Whether a file isn't stored on a disk, but generated by the kernel when it is read: processes, devices, settings.
#[cfg(target_os = "linux")]
fn is_of_kernel(path: &Path, metadata: &fs::Metadata) -> bool {
    use std::os::linux::fs::MetadataExt as _;

    /// The numbers of `linux/magic.h`.
    const OF_KERNEL: [u32; 24] = [
        0x9fa0,      // proc
        0x6265_6572, // sysfs
        0x0027_e0eb, // cgroup
        0x6367_7270, // cgroup2
        0x6462_6720, // debugfs
        0x7472_6163, // tracefs
        0x7363_6673, // securityfs
        0x1cd1,      // devpts
        0x6265_6570, // configfs
        0x6573_5543, // fusectl
        0xcafe_4a11, // bpf
        0x6165_676c, // pstore
        0xde5e_81e4, // efivarfs
        0x1980_0202, // mqueue
        0x9584_58f6, // hugetlbfs
        0x4249_4e4d, // binfmt_misc
        0xf97c_ff8c, // selinuxfs
        0x4341_5d53, // smackfs
        0x6759_6969, // rpc_pipefs
        0x6e73_6673, // nsfs
        0x5049_5045, // pipefs
        0x534f_434b, // sockfs
        0x0904_1934, // anon_inodefs
        0x0187,      // autofs
    ];
    static KNOWN: RwLock<BTreeMap<u64, bool>> = RwLock::new(BTreeMap::new());
    let device = metadata.st_dev();
    if let Some(&known) = KNOWN.read().unwrap_or_else(PoisonError::into_inner).get(&device) {
        return known;
    }
    let Ok(system) = rustix::fs::statfs(path) else { return false };
    let is_of_kernel = OF_KERNEL.iter().any(|it| i128::from(*it) == i128::from(system.f_type));
    KNOWN.write().unwrap_or_else(PoisonError::into_inner).insert(device, is_of_kernel);
    is_of_kernel
}

#[cfg(not(target_os = "linux"))]
fn is_of_kernel(_: &Path, _: &fs::Metadata) -> bool {
    false
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::symlink;

    use super::*;
    use crate::system::{WalkEntry, WalkOptions, WalkProblem};

    fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        (folder, path)
    }

    fn walk(root: &Utf8Path, ignore: bool) -> Vec<String> {
        let mut met = Vec::new();
        DiskSystem::at(root).walk(root, WalkOptions { ignore }, &mut |entry| {
            let short = |path: &Utf8Path| path.strip_prefix(root).unwrap_or(path).to_string();
            met.push(match entry {
                WalkEntry::Directory(path) => format!("{}/", short(&path)),
                WalkEntry::LinkedList(path) => format!("{} (linked list)", short(&path)),
                WalkEntry::File { path, through_link: true } => format!("{} (link)", short(&path)),
                WalkEntry::File { path, .. } => short(&path),
                WalkEntry::Problem { path, problem: WalkProblem::Loop(to) } => {
                    format!("{} loops to '{}'", short(&path), short(&to))
                }
                WalkEntry::Problem { path, problem } => format!("{} {problem:?}", short(&path)),
            });
        });
        met
    }

    #[test]
    fn a_symlink_loop_is_reported_and_not_followed() {
        let (_guard, root) = folder();
        fs::create_dir(root.join("a")).unwrap();
        fs::write(root.join("a/x.pp"), "").unwrap();
        symlink("..", root.join("a/up")).unwrap();
        assert_eq!(walk(&root, true), ["/", "a/", "a/up loops to ''", "a/x.pp"]);
    }

    #[test]
    fn files_behind_links_are_marked() {
        let (_guard, root) = folder();
        fs::create_dir_all(root.join("real/deep")).unwrap();
        fs::write(root.join("real/deep/x.pp"), "").unwrap();
        symlink("real", root.join("link")).unwrap();
        symlink("real/deep/x.pp", root.join("z.pp")).unwrap();
        symlink("nowhere", root.join("zz.pp")).unwrap();
        assert_eq!(
            walk(&root, true),
            [
                "/",
                "link/",
                "link/deep/",
                "link/deep/x.pp (link)",
                "real/",
                "real/deep/",
                "real/deep/x.pp",
                "z.pp (link)",
                "zz.pp Unreadable(NotFound)",
            ]
        );
    }

    #[test]
    fn gitignore_is_honoured_unless_told_otherwise() {
        let (_guard, root) = folder();
        fs::write(root.join(".gitignore"), "skipped.pp\n").unwrap();
        fs::write(root.join("kept.pp"), "").unwrap();
        fs::write(root.join("skipped.pp"), "").unwrap();
        assert_eq!(walk(&root, true), ["/", "kept.pp"]);
        assert_eq!(walk(&root, false), ["/", ".gitignore", "kept.pp", "skipped.pp"]);
    }

    #[test]
    fn a_name_that_is_not_utf8_is_reported() {
        let (_guard, root) = folder();
        fs::write(root.as_std_path().join(std::ffi::OsStr::from_bytes(b"\xff.pp")), "").unwrap();
        assert_eq!(walk(&root, true), ["/", "\u{fffd}.pp NotUtf8"]);
    }

    #[test]
    fn a_folder_that_is_linked_many_times_is_looked_into_once() {
        let (_guard, root) = folder();
        for from in 0..12 {
            fs::create_dir(root.join(format!("f{from}"))).unwrap();
            fs::write(root.join(format!("f{from}/x.pp")), "").unwrap();
            for to in 0..12 {
                symlink(format!("../f{to}"), root.join(format!("f{from}/l{to}"))).unwrap();
            }
        }
        let met = walk(&root, true);
        assert_eq!(met.iter().filter(|it| it.ends_with("/x.pp")).count(), 12, "{met:?}");
        assert_eq!(met.iter().filter(|it| it.contains("loops")).count(), 12, "each to itself");
        assert_eq!(met.iter().filter(|it| it.ends_with("x.pp (link)")).count(), 11 * 12, "by another name");
    }

    #[test]
    fn a_folder_may_be_left_out_under_one_name_and_met_under_another() {
        let (_guard, root) = folder();
        fs::create_dir_all(root.join("vendor/m")).unwrap();
        fs::write(root.join("vendor/m/x.pp"), "").unwrap();
        fs::write(root.join(".gitignore"), "/vendor\n").unwrap();
        symlink("vendor/m", root.join("m")).unwrap();
        assert_eq!(walk(&root, true), ["/", "m/", "m/x.pp (link)"]);
    }

    #[test]
    fn the_nearest_list_counts_and_repositories_end_what_git_leaves_out() {
        let (_guard, root) = folder();
        for (path, text) in [
            (".gitignore", "*.pp\n!keep.pp\n"),
            (".ignore", "never.pp\n"),
            ("keep.pp", ""),
            ("never.pp", ""),
            ("a/.gitignore", "!x.pp\n"),
            ("a/x.pp", ""),
            ("a/y.pp", ""),
            ("a/never.pp", ""),
            ("b/.git/info/exclude", "z.pp\n"),
            ("b/y.pp", ""),
            ("b/z.pp", ""),
            ("b/never.pp", ""),
        ] {
            fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            fs::write(root.join(path), text).unwrap();
        }
        assert_eq!(walk(&root, true), ["/", "a/", "a/x.pp", "b/", "b/y.pp", "keep.pp"]);
    }

    /// The machine, whose user ignores these patterns everywhere.
    #[derive(Debug)]
    struct Ignoring(DiskSystem, &'static str);

    impl crate::system::Layer for Ignoring {
        fn base(&self) -> &dyn System {
            &self.0
        }

        fn user_excludes(&self) -> Option<UserExcludes> {
            Some(UserExcludes { path: "/home/u/ignore".into(), patterns: self.1.into() })
        }
    }

    #[test]
    fn what_the_user_ignores_everywhere_is_about_the_top_of_each_repository() {
        let (_guard, root) = folder();
        for path in ["a/.git/HEAD", "a/x.pp", "a/in/x.pp", "a/in/y.pp", "a/b/.git/HEAD", "a/b/x.pp"] {
            fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            fs::write(root.join(path), "").unwrap();
        }
        fs::write(root.join("a/.gitignore"), "!/in/y.pp\n").unwrap();
        let system = Ignoring(DiskSystem::at(&root), "/x.pp\ny.pp\n");
        let files = |from: &str| {
            let mut files = Vec::new();
            System::walk(&system, &root.join(from), WalkOptions { ignore: true }, &mut |entry| {
                if let WalkEntry::File { path, .. } = entry {
                    files.push(path.strip_prefix(&root).unwrap().to_string());
                }
            });
            files
        };
        assert_eq!(files("a"), ["a/in/x.pp", "a/in/y.pp"]);
        assert_eq!(files("a/in"), ["a/in/x.pp", "a/in/y.pp"]);
        assert_eq!(files("a/b"), [""; 0]);
    }

    #[test]
    fn what_is_no_regular_file_is_never_opened() {
        let (_guard, root) = folder();
        let pipe = root.join("x.pp");
        rustix::fs::mknodat(rustix::fs::CWD, pipe.as_str(), rustix::fs::FileType::Fifo, 0o600.into(), 0)
            .unwrap();
        fs::rename(&pipe, root.join(".gitignore")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(root.join("s.pp")).unwrap();
        symlink("/dev/zero", root.join("z.pp")).unwrap();
        symlink("/proc/self/environ", root.join("e.pp")).unwrap();
        symlink("/proc", root.join("proc")).unwrap();
        let system = DiskSystem::at(&root);
        for name in [".gitignore", "s.pp", "z.pp", "e.pp"] {
            assert_eq!(system.read(&root.join(name), 99), Err(ReadError::NotAFile), "{name}");
        }
        assert!(system.entries(&root.join("proc")).is_err());
        let met = walk(&root, true);
        assert!(met.iter().all(|it| !it.starts_with("proc/") || it == "proc/"), "{met:?}");
        assert!(met.contains(&".gitignore Unreadable(NotAFile)".to_owned()), "{met:?}");
    }

    #[test]
    fn reading_stops_at_the_limit() {
        let (_guard, root) = folder();
        fs::write(root.join("x.pp"), "12345").unwrap();
        let system = DiskSystem::at(&root);
        assert_eq!(system.read(&root.join("x.pp"), 5), Ok(b"12345".to_vec()));
        assert_eq!(system.read(&root.join("x.pp"), 4), Err(ReadError::TooLarge { size: 5, limit: 4 }));
        assert_eq!(system.read(&root.join("y.pp"), 4), Err(ReadError::NotFound));
        assert_eq!(system.read(&root, 4), Err(ReadError::NotAFile));
    }
}
