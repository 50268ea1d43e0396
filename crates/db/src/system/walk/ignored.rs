//! What a walk leaves out: hidden names, and what `.ignore`, `.gitignore` and git's own lists of exclusions name.

use std::collections::BTreeSet;
use std::sync::Arc;

use camino::Utf8Path;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::{WalkEntry, WalkProblem};
use crate::system::{Entry, EntryKind, FileType, ReadError, System};

/// The names that matter in a folder.
pub(super) const NAMES: [&str; 3] = [".ignore", ".gitignore", ".git"];

/// Longer than any list that people write.
const MAX_SIZE: u64 = 1 << 20;

/// What is left out in a folder and below it.
pub(super) struct Ignored {
    /// The same for the folder around it; none at the top.
    around: Option<Arc<Ignored>>,
    /// What `.ignore` names.
    own: Option<Gitignore>,
    /// What `.gitignore` names.
    git: Option<Gitignore>,
    /// What `.git/info/exclude` names.
    exclude: Option<Gitignore>,
    /// The folder is the top of a repository: nothing around it counts for git.
    is_repository: bool,
    /// What the user wants left out everywhere.
    everywhere: Arc<Gitignore>,
}

impl Ignored {
    /// What is left out around the root of a walk.
    pub(super) fn above<S: System + ?Sized>(
        system: &S,
        root: &Utf8Path,
        problems: &mut Vec<WalkEntry>,
    ) -> Arc<Ignored> {
        let (everywhere, _) = Gitignore::global();
        let everywhere = Arc::new(everywhere);
        let nothing =
            Ignored { around: None, own: None, git: None, exclude: None, is_repository: false, everywhere };
        let mut all = Arc::new(nothing);
        let top = |it: &&Utf8Path| system.metadata(&it.join(".git")).is_ok();
        // Whatever is above a repository's top is another's.
        let mut folders: Vec<&Utf8Path> = Vec::new();
        if !top(&root) {
            for folder in root.ancestors().skip(1) {
                folders.push(folder);
                if top(&folder) {
                    break;
                }
            }
        }
        for folder in folders.into_iter().rev() {
            let names: BTreeSet<&str> =
                NAMES.into_iter().filter(|it| system.metadata(&folder.join(it)).is_ok()).collect();
            all = all.with(system, folder, &names, problems);
        }
        all
    }

    /// With what the files of these names in a folder say.
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
        Arc::new(Ignored {
            around: Some(Arc::clone(self)),
            own: if has(".ignore") { read(".ignore") } else { None },
            git: if has(".gitignore") { read(".gitignore") } else { None },
            exclude: if has(".git") { read(".git/info/exclude") } else { None },
            is_repository: has(".git"),
            everywhere: Arc::clone(&self.everywhere),
        })
    }

    /// Whether something in the folder is left out.
    pub(super) fn has<S: System + ?Sized>(&self, path: &Utf8Path, entry: &Entry, system: &S) -> bool {
        let is_folder = match entry.kind {
            EntryKind::Directory => true,
            // To git, a link is a file; whoever follows it sees a folder.
            EntryKind::Link => system.metadata(path).is_ok_and(|it| it.file_type == FileType::Directory),
            _ => false,
        };
        match self.said(path, is_folder) {
            Match::Ignore(()) => true,
            Match::Whitelist(()) => false,
            Match::None => entry.name.starts_with('.'),
        }
    }

    /// What is said of a path: by `.ignore` files first, then by git's; by the nearest of each kind.
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

/// The patterns of a file. A line that is no pattern names nothing, as git has it.
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
        // There may be no such file in `.git`, and a folder names nothing.
        Err(ReadError::NotFound) => return None,
        Err(ReadError::NotAFile) if system.is_directory(&path) => return None,
        Err(error) => {
            problem(error);
            return None;
        }
    };
    let mut builder = GitignoreBuilder::new(folder);
    let text = String::from_utf8_lossy(&bytes);
    for line in text.trim_start_matches('\u{feff}').lines() {
        let _ = builder.add_line(None, line);
    }
    match builder.build() {
        Ok(patterns) => Some(patterns),
        Err(error) => {
            problem(ReadError::Other(error.to_string()));
            None
        }
    }
}
