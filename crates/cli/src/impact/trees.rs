use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::system::{Entry, FileType, MovedSystem, ReadError};
use marotte_db::{DiskSystem, System};
use marotte_git::{Repository, RevisionSystem};
use marotte_host::layout::PUPPETFILE;

use crate::args::{CompilationArgs, ImpactArgs};
use crate::compilation::Compilation;
use crate::failure::Failure;
use crate::sources::Sources;

/// The maximum size of files that are compared.
pub(super) const SIZE: u64 = 16 << 20;

/// Longer than any list of modules that people write.
const MAX_PUPPETFILE: u64 = 4 << 20;

/// Two trees of code, each on a system on which it is in the same folder: paths are in what programs evaluate, and where trees are
/// is no difference.
pub(super) struct Trees {
    /// The code before.
    pub(super) before: Tree,
    /// The code after.
    pub(super) after: Tree,
    /// The arguments that name the code on both sides, and the nodes after the change.
    pub(super) compilation: CompilationArgs,
    /// The same, with the nodes before the change.
    pub(super) compilation_before: CompilationArgs,
    disk: Arc<dyn System>,
    /// Where nodes come from, for both sides.
    sources: Arc<Sources>,
    /// The code before, if it is a revision: some of it may be on the disk.
    revision: Option<Arc<RevisionSystem>>,
}

/// One of two trees of code.
pub(super) struct Tree {
    system: Arc<dyn System>,
    label: String,
}

impl Tree {
    /// The system that has the code.
    pub(super) fn code(&self) -> Arc<dyn System> {
        Arc::clone(&self.system)
    }

    /// How the user calls it.
    pub(super) fn label(&self) -> &str {
        &self.label
    }

    /// A failure that is one of this tree.
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
            let moved = MovedSystem::new(Arc::clone(&disk), before, after);
            return Ok(Trees {
                before: Tree { system: Arc::new(moved), label: from.to_string() },
                after: Tree { system: Arc::clone(&disk), label: to.to_string() },
                compilation_before: before_of(args, &compilation),
                compilation,
                disk,
                sources,
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
        Ok(Trees { before, after, compilation, compilation_before, disk, sources, revision: Some(revision) })
    }

    /// Where the files are that arguments name.
    pub(super) fn disk(&self) -> Arc<dyn System> {
        Arc::clone(&self.disk)
    }

    /// Where nodes come from, for both sides.
    pub(super) fn sources(&self) -> Arc<Sources> {
        Arc::clone(&self.sources)
    }

    /// The edits because of which paths are different: files with other contents, and files and folders that only one tree has,
    /// without what is in them.
    pub(super) fn edits<'p>(
        &self,
        paths: &'p [Utf8PathBuf],
    ) -> impl Iterator<Item = Utf8PathBuf> + use<'p, '_> {
        paths.iter().flat_map(|path| {
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

    /// Whether there are edits for all changes of paths. There are none for links that lead elsewhere.
    pub(super) fn explain(&self, changed: &[Utf8PathBuf]) -> bool {
        changed.chunks(1).all(|it| self.edits(it).next().is_some())
    }

    fn systems(&self) -> [&dyn System; 2] {
        [&*self.before.system, &*self.after.system]
    }

    /// The outermost folder that only one tree has, and has a path that only that tree has.
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

    /// Whether a file is different. A file that is too large to be compared counts as different.
    fn differ_at(&self, path: &Utf8Path) -> bool {
        match [&self.before, &self.after].map(|it| it.system.read(path, SIZE)) {
            [Ok(before), Ok(after)] => before != after,
            [Err(ReadError::TooLarge { .. }), _] | [_, Err(ReadError::TooLarge { .. })] => true,
            [before, after] => before.is_ok() != after.is_ok(),
        }
    }

    /// Why catalogs may be different that are the same here: a list of modules that is different, while the modules themselves are
    /// not in git.
    pub(super) fn doubts(&self, after: &Compilation<'_>) -> Vec<String> {
        let (Some(revision), Some(root)) = (&self.revision, after.root()) else { return Vec::new() };
        let list = |it: &dyn System| it.read(&root.join(PUPPETFILE), MAX_PUPPETFILE).ok();
        if list(&*self.before.system) == list(&*self.after.system) {
            return Vec::new();
        }
        let fetched = after.modules().iter().filter(|(_, folder)| revision.is_on_disk(folder)).count();
        if fetched == 0 {
            return Vec::new();
        }
        vec![format!(
            "the {PUPPETFILE} is different, and git does not have the modules that it names: both sides are compiled with those that \
are in the working tree now ({fetched} of them)"
        )]
    }
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
