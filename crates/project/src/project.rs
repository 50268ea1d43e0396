mod apply;
mod output;
mod ruby;
mod stale;
mod unjudged;

use marotte_diagnostics::{Diagnostic, FileId, Level, Paths, Rule, RuleSet, rules};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use indexmap::IndexSet;
use marotte_check::incremental::dependencies::{Dependencies, dependencies};
use marotte_check::incremental::interface::{Outlines, outlines};
use marotte_check::incremental::overview::{Contents, Overview};
use marotte_check::unresolved::{Unresolved, unresolved};
use marotte_check::{Needs, files_with_findings, looks_at_trees, needs};
use marotte_db::system::{WalkOptions, WalkProblem};
use marotte_db::{
    DEFAULT_MAX_FILE_SIZE, Db as _, Environment, EnvironmentSet, File, FileStatus, Settings, System, freeze,
};
use marotte_host::layout::set_layout;
use marotte_host::{ProjectDatabase, ProjectSources};
use marotte_pcore::dialect::Dialect;
use marotte_text::{Str, TextRange};
use salsa::Setter as _;

use crate::change::{Applied, ChangeBatch};
use crate::discovery::{self, Discovery, Target};
use crate::driver::{
    Panicked, Progress, Workers, caught, check_files, check_or_catch, in_parallel, prepare_files,
};
use crate::fetched::{fetched_modules, uninstalled_modules};
use crate::findings::{Delta, Findings};
use crate::format::{self, Formatted, format_files};
use crate::index::Index;
use crate::report::Report;
use crate::support::support_findings;
use crate::watch::Watched;
use crate::withheld::{may_quote_outside, withhold};
use stale::Stale;

/// The options of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectOptions {
    /// Skip hidden files and the paths listed in `.gitignore` and `.ignore` files.
    pub ignore: bool,
    /// Check the modules that Puppetfiles fetch even in folders that `.gitignore` and `.ignore` files list.
    pub third_party: bool,
    /// `plan` and `apply` are keywords everywhere.
    pub tasks: bool,
    /// The size limit in bytes: larger files are reported and not read.
    pub max_file_size: u64,
    /// The dialect that files are written in.
    pub dialect: &'static Dialect,
    /// The module folders; if empty, each environment uses its own configuration.
    pub module_path: Vec<Utf8PathBuf>,
    /// Files that are not checked, unless the user names them. Their definitions are available to other files nevertheless.
    pub exclude: Paths,
    /// The rules whose findings are requested. The others don't run.
    pub rules: RuleSet,
    /// The number of checking threads; 0 for as many as the machine has processors.
    pub threads: usize,
}

impl Default for ProjectOptions {
    fn default() -> Self {
        ProjectOptions {
            ignore: true,
            third_party: false,
            tasks: false,
            max_file_size: DEFAULT_MAX_FILE_SIZE,
            dialect: Dialect::puppet8(),
            module_path: Vec::new(),
            exclude: Paths::default(),
            rules: RuleSet::usual(),
            threads: 0,
        }
    }
}

/// The paths that the user named, the files found there, and the database with their contents.
#[derive(Debug)]
pub struct Project {
    db: ProjectDatabase,
    paths: Vec<Utf8PathBuf>,
    module_path: Vec<Utf8PathBuf>,
    walk: WalkOptions,
    exclude: Paths,
    third_party: bool,
    workers: Arc<Workers>,
    targets: Vec<Target>,
    files: Arc<IndexSet<File>>,
    support: Arc<[File]>,
    problems: BTreeMap<Utf8PathBuf, WalkProblem>,
    /// The links whose targets matter, although the database doesn't know them.
    links: BTreeSet<Utf8PathBuf>,
    /// Whether some code is a symbolic link, or is reached through one.
    has_linked_code: bool,
    /// Whether some Ruby file is one, or is reached through one.
    has_linked_ruby: bool,
    /// The manifests whose text decides on the name of their module, as the discovery read it.
    deciding: BTreeSet<Utf8PathBuf>,
    /// The number of files that had been requested from the database when the last discovery began.
    discovered: usize,
    findings: Findings,
    index: Index,
    indexed: usize,
    stale: Stale,
    /// Whether the contents of environments that the database keeps are current.
    has_contents: bool,
}

impl Project {
    /// Finds the files at these paths. Relative paths start at the system's current folder.
    pub fn new(mut db: ProjectDatabase, paths: &[Utf8PathBuf], options: ProjectOptions) -> Self {
        let settings = Settings::get(&db);
        if settings.tasks(&db) != options.tasks {
            settings.set_tasks(&mut db).to(options.tasks);
        }
        if settings.max_file_size(&db) != options.max_file_size {
            settings.set_max_file_size(&mut db).to(options.max_file_size);
        }
        if settings.rules(&db) != options.rules {
            settings.set_rules(&mut db).to(options.rules);
        }
        if settings.dialect(&db) != options.dialect {
            settings.set_dialect(&mut db).to(options.dialect);
        }
        let mut project = Project {
            paths: paths.iter().map(|path| db.system().absolute(path)).collect(),
            module_path: options.module_path.iter().map(|path| db.system().absolute(path)).collect(),
            db,
            walk: WalkOptions { ignore: options.ignore },
            exclude: options.exclude,
            third_party: options.third_party,
            workers: Arc::new(Workers::new(options.threads)),
            targets: Vec::new(),
            files: Arc::default(),
            support: Arc::default(),
            problems: BTreeMap::new(),
            links: BTreeSet::new(),
            has_linked_code: false,
            has_linked_ruby: false,
            deciding: BTreeSet::new(),
            discovered: 0,
            findings: Findings::default(),
            index: Index::default(),
            indexed: 0,
            stale: Stale::All,
            has_contents: false,
        };
        project.discover();
        if project.db.files().is_frozen() {
            freeze(&mut project.db);
        } else if Overview::try_get(&project.db).is_none() {
            let _ = Overview::new(&project.db, BTreeMap::new());
        }
        project
    }

    /// The database. [`apply`](Project::apply) blocks while a clone of it exists.
    pub fn db(&self) -> &ProjectDatabase {
        &self.db
    }

    /// Returns the interface to the outside world.
    pub fn system(&self) -> &dyn System {
        self.db.system()
    }

    /// The named paths and their kinds.
    pub fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// The absolute path of a file.
    pub fn path(&self, file: FileId) -> Option<&str> {
        self.db.files().by_id(file).map(|it| it.path(&self.db).as_str())
    }

    /// The files to check, by path.
    pub fn files(&self) -> impl ExactSizeIterator<Item = File> {
        self.files.iter().copied()
    }

    /// The paths that could not be visited.
    pub fn problems(&self) -> &BTreeMap<Utf8PathBuf, WalkProblem> {
        &self.problems
    }

    /// The paths on which findings depend: the named paths, the module folders, the targets of symbolic links and the links on
    /// the way, and the lists of ignored files above the named paths or behind links.
    pub fn watched(&self) -> Watched {
        let environments = EnvironmentSet::get(&self.db).environments(&self.db).iter();
        let modules = environments.flat_map(|it| it.module_path(&self.db).iter().cloned());
        let watched = Watched::following(&self.db, self.paths.iter().cloned().chain(modules));
        let system = self.db.system();
        let watched = watched.with(self.links.iter().filter(|it| !system.leaves(it)).cloned());
        if !self.walk.ignore {
            return watched;
        }
        watched.with(Watched::new(self.paths.iter().cloned()).with_lists(system).files)
    }

    /// Returns the folders of the modules that Puppetfiles fetch from elsewhere, except modules that the user named, or in
    /// which the user named a path.
    pub fn fetched_modules(&self) -> Vec<Utf8PathBuf> {
        let fetched = fetched_modules(&self.db).into_iter();
        fetched.filter(|folder| !self.paths.iter().any(|it| it.starts_with(folder))).collect()
    }

    /// Returns the names of the modules that Puppetfiles list and that are not installed, in order: uses of their classes, types
    /// and functions were not checked. Empty if no requested rule examines such uses, or if a rule reports these modules.
    pub fn uninstalled_modules(&self) -> BTreeSet<Str> {
        let rules = Settings::get(&self.db).rules(&self.db);
        match needs(rules) == Needs::Tree && !rules.contains(rules::UNINSTALLED_MODULE) {
            true => uninstalled_modules(&self.db),
            false => BTreeSet::new(),
        }
    }

    /// Returns the names in the checked code that nothing here defines, and that modules which are not here may define: no finding is
    /// about them. Those of modules in Puppetfiles are not among them. Empty if no requested rule resolves names.
    pub fn unresolved(&self) -> Unresolved {
        const RESOLVING: [&Rule; 4] = [
            rules::UNRESOLVED_CLASS,
            rules::UNRESOLVED_FUNCTION,
            rules::UNRESOLVED_RESOURCE_TYPE,
            rules::UNRESOLVED_TYPE,
        ];
        let mut all = Unresolved::default();
        let requested = Settings::get(&self.db).rules(&self.db);
        if !RESOLVING.iter().any(|it| requested.contains(it)) {
            return all;
        }
        let is_code = |it: &File| discovery::is_puppet(it.path(&self.db));
        let code: Vec<File> = self.files().filter(is_code).collect();
        let of = |db: &ProjectDatabase, file: &File| caught(db, || unresolved(db, *file)).ok();
        let found = in_parallel(self.db.clone(), &self.workers, &code, of);
        found.into_iter().flatten().for_each(|it| all.extend(it));
        let uninstalled = uninstalled_modules(&self.db);
        all.modules.retain(|it| !uninstalled.contains(it));
        all
    }

    /// Returns the number of [modules that Puppetfiles fetch](Project::fetched_modules) of which nothing was checked, although the
    /// user named a folder that contains them and did not exclude them: `.gitignore` and `.ignore` files list them.
    pub fn ignored_modules(&self) -> usize {
        let (db, system) = (&self.db, self.db.system());
        let checked: BTreeSet<&Utf8Path> = self.files.iter().map(|it| it.path(db).as_path()).collect();
        let is_checked =
            |folder: &Utf8Path| checked.range(folder..).next().is_some_and(|it| it.starts_with(folder));
        let is_ignored = |folder: &&Utf8PathBuf| {
            let manifests = folder.join("manifests");
            self.paths.iter().any(|it| folder.starts_with(it))
                && system.is_directory(&manifests)
                && !self.exclude.contains(manifests.as_str())
                && !self.exclude.contains(manifests.join("init.pp").as_str())
                && !is_checked(folder)
        };
        self.fetched_modules().iter().filter(is_ignored).count()
    }

    /// The texts that findings point into.
    pub fn sources(&self) -> ProjectSources<'_> {
        ProjectSources::new(&self.db)
    }

    /// Formats the manifests and templates among the files, and named files whose extension is neither that of code nor of
    /// data, in memory. `options` returns the options for a path; if `lines` is given, only these lines are formatted.
    pub fn format(
        &self,
        options: &(dyn Fn(&Utf8Path) -> marotte_format::Options + Sync),
        lines: Option<&RangeInclusive<usize>>,
    ) -> Vec<Formatted> {
        let is_code = |file: &File| {
            let path = file.path(&self.db);
            format::is_code(path) || path.extension().is_none() && self.paths.iter().any(|it| it == path)
        };
        let files: Vec<File> = self.files().filter(is_code).collect();
        format_files(self.db.clone(), &self.workers, &files, options, lines)
    }

    /// Checks all files, or uses cached results, without using the findings kept from earlier checks. Unwinds with
    /// [`salsa::Cancelled`] if it runs concurrently with an [`apply`](Project::apply), which a plain `&self` rules out.
    pub fn check(&self, progress: &dyn Progress) -> Report {
        self.job().report(progress)
    }

    /// Reads the paths that may have changed, checks the affected files, and returns the files whose findings changed. The
    /// first time, these are all files.
    ///
    /// An edit that leaves a file's interface unchanged affects that file only, whatever the size of the project.
    pub fn update(&mut self, batch: &ChangeBatch) -> Delta {
        let started = Instant::now();
        self.apply(batch);
        let checked = self.job().run(&());
        let delta = self.settle(checked);
        Delta { elapsed: started.elapsed(), ..delta }
    }

    /// Records that a document was opened in the editor, or closed: how often its text is expected to change. Its current text
    /// must have been [applied](Project::apply). Computations on clones are cancelled.
    pub fn set_open(&mut self, path: &Utf8Path, is_open: bool) {
        marotte_db::set_open(&mut self.db, path, is_open);
    }

    /// The findings after the last check that was kept.
    pub fn findings(&self) -> &Findings {
        &self.findings
    }

    /// Whether the pending check takes less time than starting a thread.
    pub(crate) fn has_little_to_check(&self) -> bool {
        const LITTLE: usize = 16;
        matches!(&self.stale, Stale::Files(files) if files.len() <= LITTLE)
    }

    /// The pending check, as a value that can run on another thread, while this one waits for changes.
    pub fn job(&self) -> CheckJob {
        CheckJob {
            db: self.db.clone(),
            workers: Arc::clone(&self.workers),
            files: Arc::clone(&self.files),
            support: Arc::clone(&self.support),
            paths: self.paths.clone(),
            exclude: self.exclude.clone(),
            problems: self.problems.clone(),
            stale: self.stale.clone(),
            indexed: if matches!(self.stale, Stale::All) { 0 } else { self.indexed },
            has_contents: self.has_contents,
        }
    }

    /// Keeps the result of a completed check, and returns the files whose findings differ. Only for checks that were started
    /// after the last [`apply`](Project::apply).
    pub fn settle(&mut self, checked: Checked) -> Delta {
        let Checked { findings, gone, asked, outlines, contents, is_all, known: indexed, checked, elapsed } =
            checked;
        self.indexed = indexed;
        let asked_for = if is_all { self.files.len() } else { findings.len() };
        // Failed checks aren't kept.
        let has_failed =
            |(_, it): &&(File, Vec<Arc<Diagnostic>>)| it.iter().any(|it| it.rule == rules::INTERNAL_ERROR);
        let mut failed: BTreeSet<File> = findings.iter().filter(has_failed).map(|(file, _)| *file).collect();
        let mut known = Vec::with_capacity(asked.len());
        for (file, dependencies) in asked {
            match dependencies {
                Ok(dependencies) => known.push((file, dependencies)),
                Err(_) => drop(failed.insert(file)),
            }
        }
        match is_all {
            true => self.index = Index::new(&self.db, known),
            false => self.index.update(&self.db, known),
        }
        gone.iter().for_each(|it| self.index.remove(*it));
        self.index.remember(outlines);
        let changed = match is_all {
            true => self.findings.replace_all(&self.db, findings),
            false => self.findings.replace(&self.db, findings),
        };
        self.stale = Stale::Files(failed);
        if let Some(contents) = contents {
            self.keep(contents);
            self.has_contents = true;
        }
        let (count, files) = (self.findings.count(), self.files.len());
        Delta { changed, findings: count, files, asked: asked_for, checked, elapsed }
    }

    /// Forgets the contents of environments: files may contain something else.
    fn forget_contents(&mut self) {
        self.keep(BTreeMap::new());
        self.has_contents = false;
    }

    /// Forgets the keys of data that are read.
    fn forget_reads(&mut self) {
        if let Some(overview) = Overview::try_get(&self.db) {
            let kept = overview.kept(&self.db).iter().map(|(it, contents)| (*it, contents.without_reads()));
            self.keep(kept.collect());
        }
        self.has_contents = false;
    }

    /// Keeps the contents of environments in the database.
    fn keep(&mut self, contents: BTreeMap<Environment, Contents>) {
        if let Some(overview) = Overview::try_get(&self.db)
            && *overview.kept(&self.db) != contents
        {
            overview.set_kept(&mut self.db).to(contents);
        }
    }

    /// Cancels computations on clones of the database, and waits until the clones are dropped.
    pub fn cancel(&mut self) {
        salsa::Database::trigger_cancellation(&mut self.db);
    }

    /// Repeats the discovery, and returns what changed.
    fn discover(&mut self) -> Applied {
        let find = |it: &Self, paths: &[Utf8PathBuf]| {
            let (system, module_path, walk) = (it.db.system(), &it.module_path, it.walk);
            it.workers.run(|| discovery::discover(system, paths, module_path, walk))
        };
        self.discovered = self.db.files().count();
        let discovery = find(self, &self.paths);
        let Discovery { targets, mut files, mut support, mut problems, mut links, .. } = discovery;
        let Discovery { has_linked_code, has_linked_ruby, deciding, environments, .. } = discovery;
        (self.has_linked_code, self.has_linked_ruby) = (has_linked_code, has_linked_ruby);
        (self.targets, self.deciding) = (targets, deciding);
        let mut applied = Applied { files: 0, layout: set_layout(&mut self.db, environments) };
        if self.third_party {
            // Files that list what git ignores don't apply to folders that are named.
            let fetched = self.fetched_modules();
            let fetched = fetched.into_iter().filter(|it| self.paths.iter().any(|path| it.starts_with(path)));
            let all: Vec<Utf8PathBuf> = self.paths.iter().cloned().chain(fetched).collect();
            if all.len() > self.paths.len() {
                let found = find(self, &all);
                applied.layout |= set_layout(&mut self.db, found.environments);
                (files, support, problems) = (found.files, found.support, found.problems);
                links = found.links;
            }
        }

        self.links = links;
        let mut found = IndexSet::with_capacity(files.len());
        let is_checked = |it: &Utf8PathBuf| !self.exclude.contains(it.as_str()) || self.paths.contains(it);
        for path in files.into_iter().filter(is_checked) {
            let file = match self.db.files().known(&path) {
                // The file reappeared: its cached content may be from before it disappeared.
                Some(file) if !self.files.contains(&file) => {
                    applied.files += usize::from(file.refresh(&mut self.db));
                    file
                }
                Some(file) => file,
                None => self.db.files().file_with_status(&self.db, &path, FileStatus::Exists),
            };
            found.insert(file);
        }
        let db = &self.db;
        let support: Arc<[File]> =
            support.iter().map(|it| db.files().file_with_status(db, it, FileStatus::Exists)).collect();
        // A file may exist again, with the same text, before the watcher reports that it was deleted.
        let left: HashSet<File> = found.iter().chain(&*support).copied().collect();
        let before = self.files.iter().chain(&*self.support).copied();
        let gone: Vec<File> = before.filter(|it| !left.contains(it)).collect();
        for file in gone {
            applied.files += usize::from(file.refresh(&mut self.db));
        }
        if found != *self.files {
            self.files = Arc::new(found);
            applied.layout = true;
        }
        if support != self.support {
            self.support = support;
            applied.layout = true;
        }
        if problems != self.problems {
            self.problems = problems;
            applied.layout = true;
        }
        applied
    }
}

/// Removes the paths that are below another one, and sorts the rest.
pub fn outermost(paths: impl IntoIterator<Item = Utf8PathBuf>) -> Vec<Utf8PathBuf> {
    let mut paths: Vec<Utf8PathBuf> = paths.into_iter().collect();
    paths.sort();
    paths.dedup_by(|path, above| path.starts_with(above));
    paths
}

/// Checks a single file, as [`CheckJob::check`] does, on the database that contains it.
pub fn check_one(db: &ProjectDatabase, file: File) -> Vec<Arc<Diagnostic>> {
    let mut findings = withhold(db, check_or_catch(db, file));
    // Findings in a file outside of the tree became one about the link that leads there.
    findings.retain(|it| it.file == file.id(db));
    findings
}

/// Returns the findings of a [support file](CheckJob::support), as a check of everything has them.
pub fn check_support(db: &ProjectDatabase, file: File) -> Vec<Arc<Diagnostic>> {
    let mut findings = withhold(db, support_findings(db, file));
    findings.retain(|it| it.file == file.id(db));
    findings
}

/// A check, with its own clone of the database.
///
/// It unwinds with [`salsa::Cancelled`] as soon as changes are applied to its project.
#[derive(Debug)]
pub struct CheckJob {
    db: ProjectDatabase,
    workers: Arc<Workers>,
    files: Arc<IndexSet<File>>,
    support: Arc<[File]>,
    paths: Vec<Utf8PathBuf>,
    exclude: Paths,
    problems: BTreeMap<Utf8PathBuf, WalkProblem>,
    stale: Stale,
    /// The number of files in the database that the index covers.
    indexed: usize,
    /// Whether the contents of environments that the database keeps are current.
    has_contents: bool,
}

/// The result of a check, which the project can [keep](Project::settle).
#[derive(Debug)]
pub struct Checked {
    findings: Vec<(File, Vec<Arc<Diagnostic>>)>,
    /// Files that have disappeared, and have no findings any more.
    gone: Vec<File>,
    /// The files' dependencies on other files, if these are kept.
    asked: Vec<(File, Result<Arc<Dependencies>, Panicked>)>,
    /// The outlines of the checked files, if these are kept.
    outlines: Vec<(File, Outlines)>,
    /// The contents of environments, unless those that are kept are current.
    contents: Option<BTreeMap<Environment, Contents>>,
    is_all: bool,
    /// The number of files in the database at the end of the check.
    known: usize,
    checked: usize,
    elapsed: Duration,
}

impl CheckJob {
    /// The database that the job uses.
    pub fn db(&self) -> &ProjectDatabase {
        &self.db
    }

    /// The files to check, by path.
    pub fn files(&self) -> &Arc<IndexSet<File>> {
        &self.files
    }

    /// The files that are not checked themselves, but on which findings depend, and which may have findings of their own: a
    /// `Puppetfile`, metadata, Ruby.
    pub fn support(&self) -> &Arc<[File]> {
        &self.support
    }

    /// Checks a single file, for callers that need only this one. A panic becomes a finding.
    ///
    /// Here, findings about a module as a whole are among those of each of its files.
    pub fn check(&self, file: File) -> Vec<Arc<Diagnostic>> {
        check_one(&self.db, file)
    }

    /// Checks all files, or uses cached results, without using the findings kept from earlier checks.
    pub fn report(mut self, progress: &dyn Progress) -> Report {
        (self.stale, self.indexed) = (Stale::All, 0);
        let (db, files) = (self.db.clone(), self.files.len());
        let Checked { findings, checked, elapsed, .. } = self.run(progress);
        let mut all = Findings::default();
        all.replace_all(&db, findings);
        Report { findings: all.all(&db), files, checked, elapsed }
    }

    /// Checks the files whose findings may have changed since the project kept a result.
    pub fn run(mut self, progress: &dyn Progress) -> Checked {
        let mut checked = self.check_stale(progress);
        // The part of a finding that may be displayed depends on the texts of all files.
        if !checked.is_all && may_quote_outside(&self.db) {
            (self.stale, self.indexed) = (Stale::All, 0);
            checked = self.check_stale(progress);
        }
        if !self.db.system().outside_files().is_empty() {
            checked.findings = self.withheld(checked.findings);
        }
        checked
    }

    /// The findings by file, after removing text that occurs only in files outside of the tree.
    fn withheld(&self, findings: Vec<(File, Vec<Arc<Diagnostic>>)>) -> Vec<(File, Vec<Arc<Diagnostic>>)> {
        let mut by_file: BTreeMap<File, Vec<_>> = findings.iter().map(|(it, _)| (*it, Vec::new())).collect();
        for finding in withhold(&self.db, findings.into_iter().flat_map(|(_, it)| it).collect()) {
            if let Some(file) = self.db.files().by_id(finding.file) {
                by_file.entry(file).or_default().push(finding);
            }
        }
        by_file.into_iter().collect()
    }

    /// The findings of stale files; if all are stale, also those of other files that matter.
    fn check_stale(&self, progress: &dyn Progress) -> Checked {
        let started = Instant::now();
        let before = self.db.checks();
        let (files, is_all): (Vec<File>, bool) = match &self.stale {
            Stale::All => (self.files.iter().copied().collect(), true),
            Stale::Files(files) => {
                (files.iter().copied().filter(|it| self.files.contains(it)).collect(), false)
            }
        };
        // After the first check, most of it is known, and looking at it costs more than it saves.
        if is_all && before == 0 {
            prepare_files(self.db.clone(), &self.workers, &files, &self.support);
        }
        let stale_support: Vec<File> = match &self.stale {
            Stale::All => Vec::new(),
            Stale::Files(stale) => stale
                .iter()
                .copied()
                .filter(|it| !self.files.contains(it) && self.support.contains(it))
                .collect(),
        };
        let of_files = check_files(self.db.clone(), &self.workers, &files, progress);
        let known = self.db.files().count();
        // A frozen database never changes.
        let asked = match self.db.files().is_frozen() {
            true => Vec::new(),
            false => {
                let asking: Vec<File> = files.iter().copied().chain(self.read_beside()).collect();
                in_parallel(self.db.clone(), &self.workers, &asking, |db, file| {
                    (*file, caught(db, || Arc::clone(dependencies(db, *file))))
                })
            }
        };
        let outlines = self.outlines(&files);
        let mut findings: Vec<_> = files.into_iter().zip(of_files).collect();
        findings.extend(stale_support.iter().map(|it| (*it, support_findings(&self.db, *it))));
        if is_all {
            findings.extend(self.problems.iter().map(|(path, problem)| {
                let (file, finding) = self.problem(path, problem);
                (file, vec![Arc::new(finding)])
            }));
            let beside = self.beside();
            let of_support =
                in_parallel(self.db.clone(), &self.workers, &beside, |db, file| support_findings(db, *file));
            findings.extend(beside.into_iter().zip(of_support));
        }
        let mut gone = Vec::new();
        if let Stale::Files(stale) = &self.stale {
            let is_listed = |it: &File| self.files.contains(it) || stale_support.contains(it);
            gone.extend(stale.iter().copied().filter(|it| !is_listed(it)));
            findings.extend(gone.iter().map(|it| (*it, Vec::new())));
        }
        let checked = self.db.checks() - before;
        let contents = (is_all || !self.has_contents).then(|| self.contents());
        let elapsed = started.elapsed();
        Checked { findings, gone, asked, outlines, contents, is_all, known, checked, elapsed }
    }

    /// The outlines of files of code, unless the database never changes, or no rule needs types.
    fn outlines(&self, files: &[File]) -> Vec<(File, Outlines)> {
        let db = &self.db;
        if db.files().is_frozen() || needs(Settings::get(db).rules(db)) != Needs::Tree {
            return Vec::new();
        }
        let is_code = |it: &File| discovery::is_puppet(it.path(db)) && it.status(db) == FileStatus::Exists;
        let code: Vec<File> = files.iter().copied().filter(is_code).collect();
        // Checks have inferred them.
        let of = |db: &ProjectDatabase, file: &File| {
            Some((*file, caught(db, || Arc::clone(outlines(db, *file))).ok()?))
        };
        in_parallel(db.clone(), &self.workers, &code, of).into_iter().flatten().collect()
    }

    /// The contents of all environments, unless the database never changes, or no rule needs them.
    fn contents(&self) -> BTreeMap<Environment, Contents> {
        let db = &self.db;
        if db.files().is_frozen() || needs(Settings::get(db).rules(db)) != Needs::Tree {
            return BTreeMap::new();
        }
        let environments = EnvironmentSet::get(db).environments(db).iter();
        let of = |it: &Environment| Some((*it, caught(db, || Contents::of(db, *it)).ok()??));
        environments.filter_map(of).collect()
    }

    /// Returns the files that may have findings in addition to the files to check: support files, and files with findings
    /// about whole trees.
    fn beside(&self) -> Vec<File> {
        let mut beside: IndexSet<File> = self.support.iter().copied().collect();
        if looks_at_trees(&self.db)
            && let Ok(told) = caught(&self.db, || files_with_findings(&self.db))
        {
            let is_named = |file: &File| {
                let path = file.path(&self.db);
                self.paths.iter().any(|it| path.starts_with(it)) && !self.exclude.contains(path.as_str())
            };
            beside.extend(told.into_iter().filter(is_named));
        }
        beside.retain(|it| !self.files.contains(it));
        beside.into_iter().collect()
    }

    /// Code that isn't checked, but that checks may read: files of modules next to the files to check, as far as the index
    /// doesn't cover them.
    fn read_beside(&self) -> impl Iterator<Item = File> {
        let known = self.db.files().known_after(self.indexed);
        known.into_iter().filter(|it| {
            discovery::is_puppet(it.path(&self.db))
                && it.status(&self.db) == FileStatus::Exists
                && !self.files.contains(it)
        })
    }

    fn problem(&self, path: &Utf8Path, problem: &WalkProblem) -> (File, Diagnostic) {
        let (rule, level, message) = match problem {
            WalkProblem::Loop(ancestor) => {
                let message = format!("the symbolic link leads back to {ancestor} and is not followed");
                (rules::SYMLINK_LOOP, Level::Warning, message)
            }
            WalkProblem::LeavesTree => {
                let message = "the symbolic link leads out of the tree and is not followed".to_owned();
                (rules::LINK_LEAVES_TREE, Level::Warning, message)
            }
            WalkProblem::TooMuch => {
                let message =
                    "symbolic links lead to more files than the limit allows: this folder is not checked"
                        .to_owned();
                (rules::UNREADABLE_FILE, Level::Error, message)
            }
            WalkProblem::NotUtf8 => {
                (rules::UNREADABLE_FILE, Level::Error, "the file's name is not UTF-8".to_owned())
            }
            WalkProblem::NotAFolder => {
                let message = "this path cannot be searched: it is not a folder".to_owned();
                (rules::UNREADABLE_FILE, Level::Error, message)
            }
            WalkProblem::Unreadable(error) => {
                (rules::UNREADABLE_FILE, Level::Error, format!("this path cannot be read: {error}"))
            }
        };
        let file = self.db.files().file_with_status(&self.db, path, FileStatus::Folder);
        (file, Diagnostic::new(rule, level, file.id(&self.db), TextRange::default(), message))
    }
}
