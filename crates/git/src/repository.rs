use std::fmt;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use gix::ObjectId;
use gix::object::Kind;
use marotte_db::System;

use crate::snapshot::Snapshot;
use crate::special::special_file;
use crate::untracked::Untracked;
use crate::{GitError, RevisionSystem};

/// The names of main branches, the most reliable first.
const MAIN_BRANCHES: [&str; 5] = [
    "refs/remotes/origin/HEAD",
    "refs/remotes/origin/main",
    "refs/remotes/origin/master",
    "refs/heads/main",
    "refs/heads/master",
];

/// The number of digits of a commit ID that are shown.
const DIGITS: usize = 10;

/// The maximum size of a commit or a tag, in bytes.
pub(crate) const LARGEST: u64 = 16 << 20;

/// The most bytes that gix allocates at once for what a repository contains: a pack may claim any size of an object.
const LARGEST_ALLOCATION: u64 = 8 * LARGEST;

/// The maximum number of tags that lead from one to the next.
const TAGS: usize = 64;

/// A repository with a working tree.
#[derive(Clone, Debug)]
pub struct Repository {
    repository: gix::ThreadSafeRepository,
    root: Utf8PathBuf,
}

/// A commit, and the name that the user gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    name: String,
    commit: ObjectId,
}

/// The two sides of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// The revision before the change.
    pub base: Revision,
    /// The revision after the change. None for the working tree.
    pub head: Option<Revision>,
}

/// Formats the user's name of the revision, with the first digits of the commit ID.
impl fmt::Display for Revision {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.commit.to_hex_with_len(DIGITS).to_string();
        if self.name.starts_with(&number) {
            return out.write_str(&number);
        }
        write!(out, "{} ({number})", self.name)
    }
}

impl Repository {
    /// Returns the repository whose working tree contains an absolute path without links.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn around(system: &dyn System, path: &Utf8Path) -> Result<Repository, GitError> {
        let root = path.ancestors().find(|it| system.metadata(&it.join(".git")).is_ok());
        let root = root.ok_or_else(|| GitError::NoRepository(path.to_owned()))?.to_owned();
        if let Some(special) = special_file(system, &root) {
            return Err(GitError::Unreadable(root, format!("{special} is not a regular file")));
        }
        // Whoever owns it: nothing is run, and nothing but the repository's own configuration is read.
        let limit = format!("gitoxide.objects.allocLimit={LARGEST_ALLOCATION}");
        let options = gix::open::Options::isolated().config_overrides([limit]);
        let repository = gix::ThreadSafeRepository::open_opts(root.as_std_path(), options)
            .map_err(|error| GitError::Unreadable(root.clone(), error.to_string()))?;
        Ok(Repository { repository, root })
    }

    /// The folder of the working tree.
    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    /// Resolves a range: `BASE` (compared with the working tree), `BASE..HEAD`, or `BASE...HEAD` (from the merge base). Without a
    /// text, the range is from the merge base of the main branch and `HEAD` to the working tree.
    ///
    /// # Errors
    /// If a part of it is not a commit, or if there is no merge base.
    pub fn range(&self, text: Option<&str>) -> Result<Range, GitError> {
        let Some(text) = text else {
            return Ok(Range {
                base: self.merge_base(&self.main_branch()?, &self.revision("HEAD")?)?,
                head: None,
            });
        };
        let or_head = |it: &str| if it.is_empty() { "HEAD".to_owned() } else { it.to_owned() };
        if let Some((base, head)) = text.split_once("...") {
            let (base, head) = (self.revision(&or_head(base))?, self.revision(&or_head(head))?);
            return Ok(Range { base: self.merge_base(&base, &head)?, head: Some(head) });
        }
        if let Some((base, head)) = text.split_once("..") {
            let (base, head) = (self.revision(&or_head(base))?, self.revision(&or_head(head))?);
            return Ok(Range { base, head: Some(head) });
        }
        Ok(Range { base: self.revision(text)?, head: None })
    }

    /// Resolves the name of a commit.
    ///
    /// # Errors
    /// If it doesn't name a commit.
    pub fn revision(&self, name: &str) -> Result<Revision, GitError> {
        let repository = self.repository.to_thread_local();
        // gix would panic at a damaged list where a name goes back from a commit.
        let shallow = repository.shallow_commits();
        shallow.map_err(|error| GitError::Unreadable(self.root.clone(), error.to_string()))?;
        let id = repository.rev_parse_single(name).map_err(|error| match error.to_string() {
            why if why.contains("ambiguous") => GitError::NoCommit(name.to_owned(), why),
            _ => GitError::NoRevision(name.to_owned(), self.root.clone()),
        })?;
        let commit = commit_of(&repository, id.detach());
        let commit = commit.map_err(|why| GitError::NoCommit(name.to_owned(), why))?;
        Ok(Revision { name: name.to_owned(), commit })
    }

    /// Returns a system that shows the files of a revision in the working tree. All other files are those of `disk`.
    ///
    /// # Errors
    /// If its files cannot be read, are too many, or are in submodules.
    pub fn system(&self, revision: &Revision, disk: Arc<dyn System>) -> Result<RevisionSystem, GitError> {
        let snapshot = Snapshot::read(&self.repository.to_thread_local(), revision.commit)
            .map_err(|problem| problem.of(revision))?;
        let untracked = Untracked::new(&self.repository.to_thread_local(), &self.root, Arc::clone(&disk))
            .map_err(|why| GitError::Unreadable(self.root.clone(), why))?;
        Ok(RevisionSystem::new(self.repository.clone(), self.root.clone(), snapshot, untracked, disk))
    }

    fn main_branch(&self) -> Result<Revision, GitError> {
        let found = MAIN_BRANCHES.iter().find_map(|name| self.revision(name).ok());
        let mut found = found.ok_or(GitError::NoMainBranch)?;
        let short = ["refs/remotes/", "refs/heads/"].iter().find_map(|it| found.name.strip_prefix(it));
        found.name = short.unwrap_or(&found.name).to_owned();
        Ok(found)
    }

    fn merge_base(&self, one: &Revision, two: &Revision) -> Result<Revision, GitError> {
        let repository = self.repository.to_thread_local();
        let wrong = |error: gix::Error| GitError::Unreadable(self.root.clone(), error.to_string());
        let found = repository.merge_base(one.commit, two.commit).map_err(wrong)?;
        let none = || GitError::NoMergeBase(one.to_string(), two.to_string());
        let commit = found.ok_or_else(none)?.detach();
        let name = match commit == one.commit {
            true => one.name.clone(),
            false => format!("the merge base of {} and {}", one.name, two.name),
        };
        Ok(Revision { name, commit })
    }
}

/// Follows tags to a commit. gix would panic at a damaged tag, and read objects of any size.
fn commit_of(repository: &gix::Repository, mut id: ObjectId) -> Result<ObjectId, String> {
    let wrong = |error: gix::Error| error.to_string();
    for _ in 0..TAGS {
        let header = repository.find_header(id).map_err(wrong)?;
        match header.kind() {
            _ if header.size() > LARGEST => return Err(format!("the object {id} is too large")),
            Kind::Commit => return Ok(id),
            Kind::Tag => {
                let object = repository.find_object(id).map_err(wrong)?;
                let target = object.try_to_tag_ref_iter().and_then(|it| it.target_id().ok());
                id = target.ok_or_else(|| format!("the tag {id} is damaged"))?;
            }
            kind => return Err(format!("the object {id} is a {kind}")),
        }
    }
    Err("too many tags lead to each other".to_owned())
}
