use std::collections::HashMap;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::system::{Entry, FileType, MovedSystem, ReadError};
use marotte_db::{DiskSystem, System};
use marotte_git::{Repository, RevisionSystem};
use marotte_host::layout::PUPPETFILE;
use marotte_resolve::puppetfile::without_comment;

use super::beside::Beside;
use crate::args::{CompilationArgs, ImpactArgs};
use crate::compilation::{Compilation, distinct};
use crate::evaluation::{hiera_folder, named_roots};
use crate::failure::Failure;
use crate::sources::Sources;

/// The maximum size of files that are compared.
pub(super) const SIZE: u64 = 16 << 20;

/// The maximum size of a Puppetfile, longer than any real one.
const MAX_PUPPETFILE: u64 = 4 << 20;

/// Two code trees, each on a system that shows it at the same path: programs can evaluate paths, and the location of the trees
/// must not count as a difference.
pub(super) struct Trees {
    /// The tree with the code before the change.
    pub(super) before: Tree,
    /// The tree with the code after the change.
    pub(super) after: Tree,
    /// The arguments that name the code on both sides, and the nodes after the change.
    pub(super) compilation: CompilationArgs,
    /// The same, with the nodes before the change.
    pub(super) compilation_before: CompilationArgs,
    disk: Arc<dyn System>,
    /// The sources of nodes, for both sides.
    sources: Arc<Sources>,
    /// What is beside the trees, if they are two folders.
    beside: Option<Beside>,
    /// The system of the revision, if the code is one: it may show some files of the disk.
    revision: Option<Arc<RevisionSystem>>,
}

/// One of the two code trees.
pub(super) struct Tree {
    system: Arc<dyn System>,
    label: String,
}

impl Tree {
    /// The system that has the code.
    pub(super) fn code(&self) -> Arc<dyn System> {
        Arc::clone(&self.system)
    }

    /// Returns the user's name for the tree.
    pub(super) fn label(&self) -> &str {
        &self.label
    }

    /// Returns a failure with the name of this tree.
    pub(super) fn named(&self, failure: &Failure) -> Failure {
        Failure::Message(match failure {
            // The user may have named another folder than the one in which both trees are compiled.
            Failure::NoManifest(_) => format!("no main manifest was found in {}", self.label),
            failure => format!("in {}: {failure}", self.label),
        })
    }
}

impl Trees {
    /// The trees that arguments name.
    pub(super) fn of(args: &ImpactArgs) -> Result<Trees, Failure> {
        let disk: Arc<dyn System> = Arc::new(DiskSystem::new()?);
        let mut compilation = args.compilation.clone();
        let sources = Sources::new(&compilation, &*disk)?;
        if let (Some(from), Some(to)) = (&args.from, &args.to) {
            let (before, after) = (folder(&*disk, from)?, folder(&*disk, to)?);
            compilation.environment_dir = Some(after.clone());
            let beside = Beside { before: before.clone(), after: after.clone() };
            let moved = MovedSystem::new(Arc::clone(&disk), before, after);
            return Ok(Trees {
                before: Tree { system: Arc::new(moved), label: from.to_string() },
                after: Tree { system: Arc::clone(&disk), label: to.to_string() },
                compilation_before: before_of(args, &compilation),
                compilation,
                disk,
                sources,
                beside: Some(beside),
                revision: None,
            });
        }
        let named = args.compilation.environment_dir.as_deref().or(args.compilation.manifest.as_deref());
        let folder = folder(&*disk, named.unwrap_or(Utf8Path::new(".")))?;
        let message = |error: marotte_git::GitError| Failure::Message(error.to_string());
        let repository = Repository::around(&*disk, &folder).map_err(message)?;
        let range = repository.range(args.range.as_deref()).map_err(message)?;
        let system = |revision| repository.system(revision, Arc::clone(&disk)).map(Arc::new).map_err(message);
        let revision = system(&range.base)?;
        let after = match &range.head {
            Some(head) => Tree { system: system(head)?, label: head.to_string() },
            None => Tree { system: Arc::clone(&disk), label: "the working tree".to_owned() },
        };
        if compilation.manifest.is_none() {
            compilation.environment_dir = Some(folder);
        }
        let before = Tree { system: Arc::<RevisionSystem>::clone(&revision), label: range.base.to_string() };
        let compilation_before = before_of(args, &compilation);
        let (beside, revision) = (None, Some(revision));
        Ok(Trees { before, after, compilation, compilation_before, disk, sources, beside, revision })
    }

    /// Returns the folder with the code before, if it is a folder of its own.
    pub(super) fn folder_before(&self) -> Option<&Utf8Path> {
        self.beside.as_ref().map(|it| &*it.before)
    }

    /// Returns the system for reading files that arguments name.
    pub(super) fn disk(&self) -> Arc<dyn System> {
        Arc::clone(&self.disk)
    }

    /// Returns the sources of nodes, for both sides.
    pub(super) fn sources(&self) -> Arc<Sources> {
        Arc::clone(&self.sources)
    }

    /// Returns the edits that make paths differ: links with different targets, files with different contents, and files and folders
    /// that only one tree has, without their contents.
    pub(super) fn edits<'p>(
        &self,
        paths: &'p [Utf8PathBuf],
    ) -> impl Iterator<Item = Utf8PathBuf> + use<'p, '_> {
        let mut links = HashMap::new();
        paths.iter().flat_map(move |path| {
            if let Some(link) = self.relinked(path, &mut links) {
                return vec![link];
            }
            let [before, after] = self.systems().map(|it| it.metadata(path).ok().map(|it| it.file_type));
            match (before, after) {
                (None, None) => Vec::new(),
                (None, Some(_)) | (Some(_), None) => vec![self.outermost(path)],
                (Some(FileType::Directory), Some(FileType::Directory)) => self.entries(path),
                _ if self.differ_at(path) => vec![path.clone()],
                _ => Vec::new(),
            }
        })
    }

    /// Whether there are edits for all changed paths.
    pub(super) fn explain(&self, changed: &[Utf8PathBuf]) -> bool {
        changed.chunks(1).all(|it| self.edits(it).next().is_some())
    }

    /// Returns the outermost symbolic link on the way to a path, or at it, that has another target in the other tree, or is none
    /// there. `known` has the results for paths that were asked for before.
    fn relinked(
        &self,
        path: &Utf8Path,
        known: &mut HashMap<Utf8PathBuf, Option<Utf8PathBuf>>,
    ) -> Option<Utf8PathBuf> {
        if let Some(found) = known.get(path) {
            return found.clone();
        }
        let around = path.parent().and_then(|it| self.relinked(it, known));
        let found = around.or_else(|| is_relinked(path, self.systems()).then(|| path.to_owned()));
        known.insert(path.to_owned(), found.clone());
        found
    }

    fn systems(&self) -> [&dyn System; 2] {
        [&*self.before.system, &*self.after.system]
    }

    /// Returns the outermost folder that only one tree has, and that contains a path.
    fn outermost(&self, path: &Utf8Path) -> Utf8PathBuf {
        let has_one = |it: &&Utf8Path| {
            let [before, after] = self.systems().map(|system| system.metadata(it).is_ok());
            before != after
        };
        path.ancestors().take_while(has_one).last().unwrap_or(path).to_owned()
    }

    /// The paths in a folder that only one tree has.
    fn entries(&self, folder: &Utf8Path) -> Vec<Utf8PathBuf> {
        let [before, after] = self.systems().map(|it| it.entries(folder).unwrap_or_default());
        let only = |these: &[Entry], others: &[Entry]| -> Vec<Utf8PathBuf> {
            let new = these.iter().filter(|it| others.iter().all(|other| other.name != it.name));
            new.map(|it| folder.join(&it.name)).collect()
        };
        [only(&before, &after), only(&after, &before)].concat()
    }

    /// Whether a file differs. A file that is too large to be compared counts as different.
    fn differ_at(&self, path: &Utf8Path) -> bool {
        match [&self.before, &self.after].map(|it| it.system.read(path, SIZE)) {
            [Ok(before), Ok(after)] => before != after,
            [Err(ReadError::TooLarge { .. }), _] | [_, Err(ReadError::TooLarge { .. })] => true,
            [before, after] => before.is_ok() != after.is_ok(),
        }
    }

    /// Returns the reasons why catalogs that are equal here may differ: data and modules that are not read, and a changed list of
    /// modules, while the modules themselves are not in git.
    pub(super) fn doubts(&self, [before, after]: [&Compilation<'_>; 2]) -> Vec<String> {
        let mut doubts: Vec<String> = after.unread_data().collect();
        doubts.extend(before.unread_modules().chain(after.unread_modules()));
        doubts.extend(self.other_modules(after));
        distinct(&doubts)
    }

    /// Returns the reasons why catalogs may differ that only evaluations show, given the paths that they have read or looked for:
    /// what is beside the code before is not what is beside the code after. Only for two folders.
    pub(super) fn doubts_after(&self, known: impl IntoIterator<Item = Utf8PathBuf>) -> Vec<String> {
        let Some(beside) = &self.beside else { return Vec::new() };
        let arguments = &self.compilation.evaluation;
        let mut named = named_roots(arguments, &*self.disk, Vec::new());
        named.extend(hiera_folder(arguments, &*self.disk));
        named.extend(self.compilation.manifest.as_ref().map(|it| self.disk.absolute(it)));
        let known = known.into_iter().filter(|it| !named.iter().any(|named| it.starts_with(named)));
        beside.doubts(&*self.disk, known)
    }

    /// The doubt about a changed list of modules, if the modules themselves are not in git.
    fn other_modules(&self, after: &Compilation<'_>) -> Option<String> {
        let (revision, root) = (self.revision.as_ref()?, after.root()?);
        // Comments and blank lines install nothing.
        let list = |it: &dyn System| -> Vec<String> {
            let text = it.read(&root.join(PUPPETFILE), MAX_PUPPETFILE).unwrap_or_default();
            let text = String::from_utf8_lossy(&text).into_owned();
            let lines = text.lines().map(|it| without_comment(it).trim().to_owned());
            lines.filter(|it| !it.is_empty()).collect()
        };
        if list(&*self.before.system) == list(&*self.after.system) {
            return None;
        }
        let fetched = after.modules().iter().filter(|(_, folder)| revision.is_on_disk(folder)).count();
        (fetched > 0).then(|| format!(
            "the {PUPPETFILE} is different, and git does not have the modules that it names: both sides are compiled with those that \
are in the working tree now ({fetched} of them)"
        ))
    }
}

/// Whether a path is a symbolic link in one of two trees, and another link or none in the other one, where it exists, too.
pub(super) fn is_relinked(path: &Utf8Path, trees: [&dyn System; 2]) -> bool {
    let [before, after] = trees.map(|it| it.written_link(path));
    before != after && trees.into_iter().all(|it| exists(path, it))
}

/// Whether there is something at a path, even a link that leads nowhere.
pub(super) fn exists(path: &Utf8Path, tree: &dyn System) -> bool {
    tree.metadata(path).is_ok() || tree.read_link(path).is_some()
}

/// Returns the arguments for the code before: the same, except for nodes that may have had other facts.
fn before_of(args: &ImpactArgs, compilation: &CompilationArgs) -> CompilationArgs {
    let facts_dir = args.from_facts_dir.clone().or_else(|| compilation.facts_dir.clone());
    CompilationArgs { facts_dir, ..compilation.clone() }
}

/// The absolute path of a folder or file that an argument names, without links.
fn folder(disk: &dyn System, path: &Utf8Path) -> Result<Utf8PathBuf, Failure> {
    let found = disk.canonicalize(&disk.absolute(path));
    found.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Failure::no_path(path),
        _ => Failure::Message(format!("cannot read {path}: {error}")),
    })
}
