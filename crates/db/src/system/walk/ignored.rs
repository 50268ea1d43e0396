//! The paths that a walk skips: hidden names, and those listed in `.ignore`, `.gitignore` and git's own exclusion lists.

use std::collections::BTreeSet;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::{WalkEntry, WalkProblem};
use crate::system::{Entry, EntryKind, FileType, ReadError, System};

/// The names that matter in a folder.
pub(super) const NAMES: [&str; 3] = [".ignore", ".gitignore", ".git"];

/// Whether a path is that of a list of ignored paths: `.ignore`, `.gitignore`, or git's own list of exclusions.
pub fn is_ignore_file(path: &Utf8Path) -> bool {
    matches!(path.file_name(), Some(".ignore" | ".gitignore")) || path.ends_with(".git/info/exclude")
}

/// A size limit beyond any list written by hand.
const MAX_SIZE: u64 = 1 << 20;

/// The ignore rules of a folder and everything below it.
pub(super) struct Ignored {
    /// The rules of the enclosing folder; None at the top.
    around: Option<Arc<Ignored>>,
    /// The patterns of `.ignore`.
    own: Option<Gitignore>,
    /// The patterns of `.gitignore`.
    git: Option<Gitignore>,
    /// The patterns of `.git/info/exclude`.
    exclude: Option<Gitignore>,
    /// The folder is the top of a repository: git ignores the rules of the folders around it.
    is_repository: bool,
    /// The patterns of what the user ignores in all repositories, at the top of this one.
    everywhere: Arc<Gitignore>,
    /// The text of these patterns.
    of_user: Arc<[u8]>,
}

impl Ignored {
    /// The rules of the folders around the root of a walk.
    pub(super) fn above<S: System + ?Sized>(
        system: &S,
        root: &Utf8Path,
        problems: &mut Vec<WalkEntry>,
    ) -> Arc<Ignored> {
        let of_user: Arc<[u8]> = system.user_excludes().map(|it| it.patterns).unwrap_or_default().into();
        let mut all = Arc::new(Ignored {
            around: None,
            own: None,
            git: None,
            exclude: None,
            is_repository: false,
            everywhere: Arc::new(ignore_patterns(root, &of_user).unwrap_or_else(|_| Gitignore::empty())),
            of_user,
        });
        for folder in folders_above(system, root).into_iter().rev() {
            let names: BTreeSet<&str> =
                NAMES.into_iter().filter(|it| system.metadata(&folder.join(it)).is_ok()).collect();
            all = all.with(system, folder, &names, problems);
        }
        all
    }

    /// Adds the rules of a folder's ignore files.
    pub(super) fn with<S: System + ?Sized>(
        self: &Arc<Ignored>,
        system: &S,
        folder: &Utf8Path,
        names: &BTreeSet<&str>,
        problems: &mut Vec<WalkEntry>,
    ) -> Arc<Ignored> {
        if names.is_empty() {
            return Arc::clone(self);
        }
        let mut read = |name: &str| patterns(system, folder, name, problems);
        let has = |name: &str| names.contains(name);
        // As in git, their slashes are about the top of each repository.
        let everywhere = match has(".git") && !self.of_user.is_empty() {
            true => ignore_patterns(folder, &self.of_user).map(Arc::new).ok(),
            false => None,
        };
        Arc::new(Ignored {
            around: Some(Arc::clone(self)),
            own: if has(".ignore") { read(".ignore") } else { None },
            git: if has(".gitignore") { read(".gitignore") } else { None },
            exclude: if has(".git") { read(".git/info/exclude") } else { None },
            is_repository: has(".git"),
            everywhere: everywhere.unwrap_or_else(|| Arc::clone(&self.everywhere)),
            of_user: Arc::clone(&self.of_user),
        })
    }

    /// Whether something in the folder is ignored.
    pub(super) fn has<S: System + ?Sized>(&self, path: &Utf8Path, entry: &Entry, system: &S) -> bool {
        let is_folder = match entry.kind {
            EntryKind::Directory => true,
            // To git, a link is a file; a walk that follows it sees a folder.
            EntryKind::Link => system.metadata(path).is_ok_and(|it| it.file_type == FileType::Directory),
            _ => false,
        };
        match self.said(path, is_folder) {
            Match::Ignore(()) => true,
            Match::Whitelist(()) => false,
            Match::None => entry.name.starts_with('.'),
        }
    }

    /// Matches a path: against `.ignore` files first, then git's; the nearest of each kind takes precedence.
    fn said(&self, path: &Utf8Path, is_folder: bool) -> Match<()> {
        let (mut own, mut git, mut exclude) = (Match::None, Match::None, Match::None);
        let ask = |patterns: &Option<Gitignore>| {
            let said = patterns.as_ref().map_or(Match::None, |it| it.matched(path, is_folder).map(drop));
            said.map(|()| ())
        };
        let mut in_repository = true;
        let mut next = Some(self);
        while let Some(it) = next {
            own = own.or(ask(&it.own));
            if in_repository {
                git = git.or(ask(&it.git));
                exclude = exclude.or(ask(&it.exclude));
            }
            in_repository &= !it.is_repository;
            next = it.around.as_deref();
        }
        let everywhere = self.everywhere.matched(path, is_folder).map(drop);
        own.or(git).or(exclude).or(everywhere)
    }
}

/// The folders above the root of a walk whose rules apply, from the inside out. Folders above a repository's top belong to
/// something else.
fn folders_above<'a, S: System + ?Sized>(system: &S, root: &'a Utf8Path) -> Vec<&'a Utf8Path> {
    let is_top = |it: &Utf8Path| system.metadata(&it.join(".git")).is_ok();
    let mut folders = Vec::new();
    if !is_top(root) {
        for folder in root.ancestors().skip(1) {
            folders.push(folder);
            if is_top(folder) {
                break;
            }
        }
    }
    folders
}

/// The paths above the root of a walk that decide what the walk skips, whether or not they exist: the lists of ignored files, that
/// of the user included, and the folders that mark the top of a repository.
pub fn lists_above(system: &dyn System, root: &Utf8Path) -> Vec<Utf8PathBuf> {
    let folders = folders_above(system, root);
    let exclude = folders.last().map(|it| it.join(".git/info/exclude"));
    let lists = folders.iter().flat_map(|folder| NAMES.map(|it| folder.join(it)));
    // An edit of a file is no change of what marks it.
    let own = (!system.is_file(root)).then(|| root.join(".git"));
    lists.chain(own).chain(exclude).chain(system.user_excludes().map(|it| it.path)).collect()
}

/// The lists of ignored files of a folder that are symbolic links, or that are reached through one.
pub(super) fn linked_lists<S: System + ?Sized>(
    system: &S,
    folder: &Utf8Path,
    entries: &[Entry],
) -> Vec<WalkEntry> {
    let named = entries.iter().filter(|it| NAMES.contains(&it.name.as_str()));
    let lists = named.filter_map(|it| match (it.name.as_str(), it.kind) {
        (".git", kind) => {
            let exclude = folder.join(".git/info/exclude");
            (kind == EntryKind::Link || system.read_link(&exclude).is_some()).then_some(exclude)
        }
        (name, EntryKind::Link) => Some(folder.join(name)),
        _ => None,
    });
    lists.map(WalkEntry::LinkedList).collect()
}

/// The patterns of a file.
fn patterns<S: System + ?Sized>(
    system: &S,
    folder: &Utf8Path,
    name: &str,
    problems: &mut Vec<WalkEntry>,
) -> Option<Gitignore> {
    let path = folder.join(name);
    let mut problem = |error: ReadError| {
        let problem = WalkProblem::Unreadable(error);
        problems.push(WalkEntry::Problem { path: path.clone(), problem });
    };
    let bytes = match system.read(&path, MAX_SIZE) {
        Ok(bytes) => bytes,
        // `.git` may lack this file, and a folder has no patterns.
        Err(ReadError::NotFound) => return None,
        Err(ReadError::NotAFile) if system.is_directory(&path) => return None,
        Err(error) => {
            problem(error);
            return None;
        }
    };
    ignore_patterns(folder, &bytes).map_err(problem).ok()
}

/// Compiles a list of patterns about a folder and everything below it. Invalid lines are skipped, as in git.
///
/// # Errors
/// If there are more patterns than can be compiled.
pub fn ignore_patterns(folder: &Utf8Path, list: &[u8]) -> Result<Gitignore, ReadError> {
    let mut builder = GitignoreBuilder::new(folder);
    for line in String::from_utf8_lossy(list).trim_start_matches('\u{feff}').lines() {
        let _ = builder.add_line(None, line);
    }
    builder.build().map_err(|error| ReadError::Other(error.to_string()))
}
