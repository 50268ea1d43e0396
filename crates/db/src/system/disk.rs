#![expect(clippy::disallowed_methods, reason = "the one place that touches the disk")]

mod write;

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

use camino::{Utf8Path, Utf8PathBuf};
use foldhash::HashSet;
use ignore::{DirEntry, WalkBuilder, WalkState};

use super::{
    DirectoryEntry, FileType, Metadata, Output, ReadError, System, WalkEntry, WalkOptions, WalkProblem,
};

/// The machine's own files.
#[derive(Debug)]
pub struct DiskSystem {
    current_dir: Utf8PathBuf,
}

impl DiskSystem {
    /// The disk, seen from the process's current folder.
    ///
    /// Fails if there is none, or its path is not UTF-8.
    pub fn new() -> io::Result<Self> {
        let current_dir = Utf8PathBuf::from_path_buf(std::env::current_dir()?).map_err(|path| {
            let message = format!("the current directory {} is not UTF-8", path.display());
            io::Error::new(io::ErrorKind::InvalidData, message)
        })?;
        Ok(DiskSystem { current_dir })
    }

    /// The disk, seen from this folder.
    pub fn at(current_dir: impl Into<Utf8PathBuf>) -> Self {
        DiskSystem { current_dir: current_dir.into() }
    }
}

impl System for DiskSystem {
    fn read(&self, path: &Utf8Path, limit: u64) -> Result<Vec<u8>, ReadError> {
        let file = fs::File::open(path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(ReadError::NotAFile);
        }
        let size = metadata.len();
        if size > limit {
            return Err(ReadError::TooLarge { size, limit });
        }
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
        // The file may grow after it was measured.
        file.take(limit + 1).read_to_end(&mut bytes)?;
        match bytes.len() as u64 {
            size if size > limit => Err(ReadError::TooLarge { size, limit }),
            _ => Ok(bytes),
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

    fn list(&self, directory: &Utf8Path) -> io::Result<Vec<DirectoryEntry>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(directory)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let kind = entry.file_type()?;
            let is_link = kind.is_symlink();
            let is_directory = match is_link {
                true => fs::metadata(entry.path()).is_ok_and(|target| target.is_dir()),
                false => kind.is_dir(),
            };
            entries.push(DirectoryEntry { name, is_directory, is_link });
        }
        entries.sort();
        Ok(entries)
    }

    fn walk(&self, root: &Utf8Path, options: WalkOptions, visit: &mut dyn FnMut(WalkEntry)) {
        let walk = WalkBuilder::new(root)
            .standard_filters(options.ignore)
            .require_git(false)
            .follow_links(true)
            .build_parallel();
        let met = Mutex::new(Vec::new());
        walk.run(|| {
            Box::new(|entry| {
                met.lock().unwrap_or_else(PoisonError::into_inner).push(Met::new(root, entry));
                WalkState::Continue
            })
        });
        let mut met = met.into_inner().unwrap_or_else(PoisonError::into_inner);
        // By bytes, which is many times cheaper than by names, and has folders before what they hold as well.
        met.sort_unstable_by(|one, other| {
            one.path.as_os_str().as_encoded_bytes().cmp(other.path.as_os_str().as_encoded_bytes())
        });

        let mut links: HashSet<PathBuf> = HashSet::default();
        for Met { path, is_link, what } in met {
            let below_link =
                !links.is_empty() && path.ancestors().skip(1).any(|folder| links.contains(folder));
            let through_link = is_link || below_link;
            match (what, Utf8PathBuf::from_path_buf(path)) {
                (What::Problem(problem), path) => {
                    let path = path.unwrap_or_else(|path| lossy(&path));
                    visit(WalkEntry::Problem { path, problem });
                }
                (What::Other, _) => {}
                (_, Err(path)) => {
                    visit(WalkEntry::Problem { path: lossy(&path), problem: WalkProblem::NotUtf8 });
                }
                (What::Directory, Ok(path)) => {
                    if is_link {
                        links.insert(path.clone().into());
                    }
                    visit(WalkEntry::Directory(path));
                }
                (What::File, Ok(path)) => visit(WalkEntry::File { path, through_link }),
            }
        }
    }

    fn current_dir(&self) -> &Utf8Path {
        &self.current_dir
    }

    fn write_atomically(&self, path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
        write::write_atomically(path, bytes)
    }

    fn create_folder(&self, path: &Utf8Path) -> io::Result<()> {
        fs::create_dir_all(path)
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

fn lossy(path: &Path) -> Utf8PathBuf {
    Utf8PathBuf::from(path.to_string_lossy().into_owned())
}

/// What one of the walk's threads came across.
struct Met {
    path: PathBuf,
    /// The path itself is a symbolic link; the root may be one without being followed from anywhere.
    is_link: bool,
    what: What,
}

enum What {
    Directory,
    File,
    Other,
    Problem(WalkProblem),
}

impl Met {
    fn new(root: &Utf8Path, entry: Result<DirEntry, ignore::Error>) -> Self {
        match entry {
            Ok(entry) => {
                let what = match entry.file_type() {
                    Some(kind) if kind.is_dir() => What::Directory,
                    Some(kind) if kind.is_file() => What::File,
                    _ => What::Other,
                };
                let is_link = entry.depth() > 0 && entry.path_is_symlink();
                Met { is_link, what, path: entry.into_path() }
            }
            Err(error) => {
                let (path, problem) = problem(root, &error);
                Met { path, is_link: false, what: What::Problem(problem) }
            }
        }
    }
}

/// Puts an error of the walk into our words, with the path that it is about.
fn problem(root: &Utf8Path, error: &ignore::Error) -> (PathBuf, WalkProblem) {
    let mut path = root.as_std_path();
    let mut cause = error;
    loop {
        match cause {
            ignore::Error::WithPath { path: at, err } => {
                path = at;
                cause = err;
            }
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => cause = err,
            ignore::Error::Loop { ancestor, child } => {
                return (child.clone(), WalkProblem::Loop(lossy(ancestor)));
            }
            ignore::Error::Io(error) => {
                return (path.to_owned(), WalkProblem::Unreadable(ReadError::from_io(error)));
            }
            other => {
                let problem = WalkProblem::Unreadable(ReadError::Other(other.to_string()));
                return (path.to_owned(), problem);
            }
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::symlink;

    use super::*;

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
