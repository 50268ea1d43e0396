use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use indexmap::IndexSet;
use marotte_db::system::{WalkOptions, WalkProblem};
use marotte_db::{
    DEFAULT_MAX_FILE_SIZE, Db as _, File, FileStatus, Layout, Settings, System, Touched, environment_of,
};
use marotte_diagnostics::{Diagnostic, Level, Related};
use marotte_host::layout::set_layout;
use marotte_host::{ProjectDatabase, ProjectSources};
use marotte_pcore::dialect::Dialect;
use marotte_text::TextRange;
use salsa::Setter as _;

use crate::change::{Applied, ChangeBatch};
use crate::discovery::{self, Discovery, Target};
use crate::driver::Progress;
use crate::driver::{Workers, check_files};

/// How a project is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectOptions {
    /// Leave out hidden files and what `.gitignore` and `.ignore` name.
    pub ignore: bool,
    /// `plan` and `apply` are keywords everywhere.
    pub tasks: bool,
    /// Larger files, in bytes, are reported and not read.
    pub max_file_size: u64,
    /// The dialect that files are written in.
    pub dialect: &'static Dialect,
    /// Folders of modules; if there are none, each environment says where it has its own.
    pub module_path: Vec<Utf8PathBuf>,
    /// Threads that check; 0 for as many as the machine has processors.
    pub threads: usize,
}

impl Default for ProjectOptions {
    fn default() -> Self {
        ProjectOptions {
            ignore: true,
            tasks: false,
            max_file_size: DEFAULT_MAX_FILE_SIZE,
            dialect: Dialect::puppet8(),
            module_path: Vec::new(),
            threads: 0,
        }
    }
}

/// The findings at one point in time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// All findings, by path, then by position.
    pub findings: Vec<Arc<Diagnostic>>,
    /// How many files there are to check.
    pub files: usize,
    /// How many were checked for this report rather than remembered.
    pub checked: usize,
    /// How long it took.
    pub elapsed: Duration,
}

/// Paths that the user named, the files that they stand for, and the database that knows what is in them.
#[derive(Debug)]
pub struct Project {
    db: ProjectDatabase,
    paths: Vec<Utf8PathBuf>,
    module_path: Vec<Utf8PathBuf>,
    walk: WalkOptions,
    workers: Arc<Workers>,
    targets: Vec<Target>,
    files: Arc<IndexSet<File>>,
    problems: BTreeMap<Utf8PathBuf, WalkProblem>,
    being_edited: BeingEdited,
}

impl Project {
    /// Finds the files that these paths stand for. Relative paths start at the system's current folder.
    pub fn new(mut db: ProjectDatabase, paths: &[Utf8PathBuf], options: ProjectOptions) -> Self {
        let settings = Settings::get(&db);
        if settings.tasks(&db) != options.tasks {
            settings.set_tasks(&mut db).to(options.tasks);
        }
        if settings.max_file_size(&db) != options.max_file_size {
            settings.set_max_file_size(&mut db).to(options.max_file_size);
        }
        if settings.dialect(&db) != options.dialect {
            settings.set_dialect(&mut db).to(options.dialect);
        }
        let mut project = Project {
            paths: paths.iter().map(|path| db.system().absolute(path)).collect(),
            module_path: options.module_path.iter().map(|path| db.system().absolute(path)).collect(),
            db,
            walk: WalkOptions { ignore: options.ignore },
            workers: Arc::new(Workers::new(options.threads)),
            targets: Vec::new(),
            files: Arc::default(),
            problems: BTreeMap::new(),
            being_edited: BeingEdited::default(),
        };
        project.discover();
        project
    }

    /// The database. A clone of it keeps [`apply`](Project::apply) waiting.
    pub fn db(&self) -> &ProjectDatabase {
        &self.db
    }

    /// The outside world.
    pub fn system(&self) -> &dyn System {
        self.db.system()
    }

    /// What the named paths are.
    pub fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// The files to check, by path.
    pub fn files(&self) -> impl ExactSizeIterator<Item = File> {
        self.files.iter().copied()
    }

    /// The absolute paths on which findings depend: those that were named, and the folders of modules. What is below a path
    /// is not named beside it.
    pub fn watched(&self) -> Vec<Utf8PathBuf> {
        let environments = Layout::get(&self.db).environments(&self.db).iter();
        let modules = environments.flat_map(|it| it.module_path(&self.db).iter().cloned());
        outermost(self.paths.iter().cloned().chain(modules))
    }

    /// The texts behind the findings.
    pub fn sources(&self) -> ProjectSources<'_> {
        ProjectSources::new(&self.db)
    }

    /// Checks all files, or remembers. Unwinds with [`salsa::Cancelled`] if it runs beside an
    /// [`apply`](Project::apply), which a plain `&self` rules out.
    pub fn check(&self, progress: &dyn Progress) -> Report {
        self.job().run(progress)
    }

    /// The same as a value that can be run on another thread, while this one waits for changes.
    pub(crate) fn job(&self) -> CheckJob {
        CheckJob {
            db: self.db.clone(),
            workers: Arc::clone(&self.workers),
            files: Arc::clone(&self.files),
            problems: self.problems.clone(),
        }
    }

    /// Cancels what runs on clones of the database, and waits until they are dropped.
    pub(crate) fn cancel(&mut self) {
        salsa::Database::trigger_cancellation(&mut self.db);
    }

    /// Looks at what may have changed, and tells the database what did.
    ///
    /// A computation that runs on a clone is cancelled, but only if there is something to tell.
    pub fn apply(&mut self, batch: &ChangeBatch) -> Applied {
        let mut layout = batch.is_rescan();
        let mut touched = BTreeSet::new();
        let mut folders = BTreeSet::new();
        if batch.is_rescan() {
            touched.extend(self.db.files().all());
        } else {
            for path in batch.paths() {
                let Touched { here, around } = self.db.files().touched(&self.db, path);
                let system = self.db.system();
                layout |= discovery::is_landmark(path)
                    || system.read_link(path).is_some()
                    || here.is_empty() && (discovery::is_candidate(path) || system.is_directory(path));
                touched.extend(here);
                // Somebody may have asked which names are in a folder around it.
                folders.extend(around.into_iter().filter(|it| it.status(&self.db) != FileStatus::Exists));
            }
        }
        let mut applied = Applied::default();
        for file in touched {
            let status = file.status(&self.db);
            if file.refresh(&mut self.db) {
                applied.files += 1;
                self.being_edited.last.insert(file);
            }
            layout |= file.status(&self.db) != status || !self.files.contains(&file);
        }
        for folder in folders {
            applied.layout |= folder.refresh(&mut self.db);
        }
        if layout {
            let discovered = self.discover();
            applied.files += discovered.files;
            applied.layout |= discovered.layout;
        }
        applied
    }

    /// Expects that the files that were edited last will be edited again, and says whether it did not before.
    ///
    /// The next check takes longer then, and finds what the last one did: it is for when nobody waits. The checks after further edits
    /// of these files are the faster for it.
    pub fn expect_edits(&mut self) -> bool {
        let db = &mut self.db;
        let new: Vec<File> = std::mem::take(&mut self.being_edited.last)
            .into_iter()
            .filter(|it| !self.being_edited.expected.contains(it) && has_few_users(db, *it))
            .collect();
        if new.len() > BeingEdited::AT_ONCE {
            return false;
        }
        for &file in &new {
            file.expect_edits(db);
        }
        let any = !new.is_empty();
        self.being_edited.expected.extend(new);
        any
    }

    /// Finds the files anew, and says what is different.
    fn discover(&mut self) -> Applied {
        let Discovery { targets, files, problems, environments } =
            discovery::discover(self.db.system(), &self.paths, &self.module_path, self.walk);
        self.targets = targets;
        let mut applied = Applied { files: 0, layout: set_layout(&mut self.db, environments) };

        let mut found = IndexSet::with_capacity(files.len());
        for path in files {
            let file = match self.db.files().known(&path) {
                // It came back: what is remembered of it may be from before it left.
                Some(file) if !self.files.contains(&file) => {
                    applied.files += usize::from(file.refresh(&mut self.db));
                    file
                }
                Some(file) => file,
                None => self.db.files().file_with_status(&self.db, &path, FileStatus::Exists),
            };
            found.insert(file);
        }
        if found != *self.files {
            self.files = Arc::new(found);
            applied.layout = true;
        }
        if problems != self.problems {
            self.problems = problems;
            applied.layout = true;
        }
        applied
    }
}

/// The files that somebody is editing.
#[derive(Debug, Default)]
struct BeingEdited {
    /// Changed since the project was last told to expect further edits.
    last: BTreeSet<File>,
    /// Further edits are expected.
    expected: BTreeSet<File>,
}

impl BeingEdited {
    /// More files than these were changed by no editor, but by a tool.
    const AT_ONCE: usize = 8;
}

/// Whether few files depend on one. On data, on Ruby and on main manifests too many do for all of them to be looked at after
/// every edit.
fn has_few_users(db: &ProjectDatabase, file: File) -> bool {
    let path = file.path(db);
    let main = environment_of(db, file).main_manifest(db);
    matches!(path.extension(), Some("pp" | "epp")) && !main.is_some_and(|main| path.starts_with(main))
}

/// The paths that are below no other of them, in order.
pub fn outermost(paths: impl IntoIterator<Item = Utf8PathBuf>) -> Vec<Utf8PathBuf> {
    let mut paths: Vec<Utf8PathBuf> = paths.into_iter().collect();
    paths.sort();
    paths.dedup_by(|path, above| path.starts_with(above));
    paths
}

/// What is wrong with a module as a whole is told where it shows first, with some of the other places.
fn said_once(findings: Vec<Arc<Diagnostic>>) -> Vec<Arc<Diagnostic>> {
    const OF_MODULES: [&str; 1] = ["undeclared-module-dependency"];
    const OTHER_PLACES: usize = 3;
    let mut said: BTreeMap<(&'static str, String), usize> = BTreeMap::new();
    let mut kept: Vec<Arc<Diagnostic>> = Vec::with_capacity(findings.len());
    for finding in findings {
        if OF_MODULES.contains(&finding.rule) {
            let key = (finding.rule, finding.message.clone());
            if let Some(index) = said.get(&key) {
                let first = Arc::make_mut(&mut kept[*index]);
                if first.related.len() < OTHER_PLACES {
                    let message = "and here".to_owned();
                    first.related.push(Related { file: finding.file, range: finding.range, message });
                }
                continue;
            }
            said.insert(key, kept.len());
        }
        kept.push(finding);
    }
    kept
}

/// One check of all files, with its own clone of the database.
#[derive(Debug)]
pub(crate) struct CheckJob {
    db: ProjectDatabase,
    workers: Arc<Workers>,
    files: Arc<IndexSet<File>>,
    problems: BTreeMap<Utf8PathBuf, WalkProblem>,
}

impl CheckJob {
    pub(crate) fn run(self, progress: &dyn Progress) -> Report {
        let started = Instant::now();
        let before = self.db.checks();
        let files: Vec<File> = self.files.iter().copied().collect();
        let mut findings = Vec::new();
        let mut problems = self.problems.iter().peekable();
        let of_files = check_files(self.db.clone(), &self.workers, &files, progress);
        for (file, of_file) in files.iter().zip(of_files) {
            let path = file.path(&self.db);
            while let Some((before, problem)) = problems.next_if(|(before, _)| *before <= path) {
                findings.push(Arc::new(self.problem(before, problem)));
            }
            findings.extend(of_file);
        }
        findings.extend(problems.map(|(path, problem)| Arc::new(self.problem(path, problem))));
        Report {
            findings: said_once(findings),
            files: files.len(),
            checked: self.db.checks() - before,
            elapsed: started.elapsed(),
        }
    }

    fn problem(&self, path: &Utf8Path, problem: &WalkProblem) -> Diagnostic {
        let (rule, level, message) = match problem {
            WalkProblem::Loop(ancestor) => {
                let message = format!("the symbolic link leads back to {ancestor} and is not followed");
                ("symlink-loop", Level::Warning, message)
            }
            WalkProblem::NotUtf8 => {
                ("unreadable-file", Level::Error, "the file's name is not UTF-8".to_owned())
            }
            WalkProblem::Unreadable(error) => {
                ("unreadable-file", Level::Error, format!("this path cannot be read: {error}"))
            }
        };
        let file = self.db.files().file_with_status(&self.db, path, FileStatus::NotAFile);
        Diagnostic::new(rule, level, file.id(&self.db), TextRange::default(), message)
    }
}
