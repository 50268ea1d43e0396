//! Common parts of `compile`, `verify` and `impact`: the nodes that the arguments name, and their catalogs.

mod nodes;
mod report;

use std::collections::BTreeSet;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_catalog::{Catalog, Contents};
use marotte_db::{Db as _, DiskSystem, Modules, System};
use marotte_diagnostics::output::{self, Format};
use marotte_diagnostics::{Diagnostic, Level, Sources as _};
use marotte_eval::Place;
use marotte_host::layout::{ENVIRONMENT_FILE, environment_around, environment_at, main_manifests};
use marotte_host::reads::Asked;
use marotte_host::{
    Clock, CodeTree, Evaluation, EvaluationContext, Findings, Node, NodeInput, Permission, Run, contents,
    edition, evaluate, evaluate_once, explain_once, rendered, rendered_gaps, unread_data,
};
use marotte_impact::Fault;
use marotte_project::watch::Watched;
use marotte_project::{ChangeBatch, Fleet, Panicked, ProjectDatabase, outermost, traced};

use crate::args::{CompilationArgs, EvaluationArgs, ValueFormat};
use crate::evaluation::{self, Printing, split_module_path};
use crate::failure::Failure;
use crate::sources::Sources;
use crate::text;
use nodes::Nodes;
pub(crate) use report::{NodeReport, Reports};

/// The number of nodes compiled before their results are written: all catalogs together may be larger than memory.
pub(crate) const BATCH: usize = 64;

/// The nodes that the arguments name, and the code that compiles their catalogs.
pub(crate) struct Compilation<'a> {
    args: &'a CompilationArgs,
    /// The system for reading files that arguments name.
    disk: Arc<dyn System>,
    /// The system for reading the code.
    system: Arc<dyn System>,
    /// The absolute path at which the search for the environment starts.
    beside: Utf8PathBuf,
    nodes: Nodes<'a>,
    fleet: Fleet,
}

/// The result of the compilation of a node.
pub(crate) struct Outcome {
    /// The catalog, if there were no errors.
    pub(crate) catalog: Option<Catalog>,
    /// The report: the program's messages, then the findings.
    pub(crate) report: NodeReport,
    /// The errors, if there is no catalog. Places have absolute paths.
    pub(crate) faults: Vec<Fault>,
    /// The requests of the evaluation, if they are recorded.
    pub(crate) asked: Option<Asked>,
}

impl Outcome {
    /// Whether there is a catalog, and parts of it are unknown.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.catalog.as_ref().is_some_and(|it| !it.completeness().is_complete())
    }
}

/// Returns names in their order, each once.
pub(crate) fn distinct(names: &[String]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    names.iter().filter(|it| seen.insert(*it)).cloned().collect()
}

/// When the results of a compilation may be used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reuse {
    /// The code never changes, and nothing is kept.
    Never,
    /// The code may change, or be replaced by other code.
    AfterEdits,
    /// In addition, each evaluation records its requests, so that another run can tell whether the result is still valid.
    BetweenRuns,
}

impl<'a> Compilation<'a> {
    /// Finds the code that the arguments name. None if there are errors, which have been shown.
    pub(crate) fn new(args: &'a CompilationArgs) -> Result<Option<Compilation<'a>>, Failure> {
        Compilation::over(args, Reuse::Never)
    }

    /// Like [`new`](Self::new), for watching changes.
    pub(crate) fn kept(args: &'a CompilationArgs) -> Result<Option<Compilation<'a>>, Failure> {
        Compilation::over(args, Reuse::AfterEdits)
    }

    fn over(args: &'a CompilationArgs, reuse: Reuse) -> Result<Option<Compilation<'a>>, Failure> {
        let disk: Arc<dyn System> = Arc::new(DiskSystem::new()?);
        let sources = Sources::new(args, &*disk)?;
        Compilation::on(args, sources, Arc::clone(&disk), disk, None, reuse)
    }

    /// Creates a compilation with the code from a separate system, and with a fixed time.
    pub(crate) fn of(
        args: &'a CompilationArgs,
        sources: Arc<Sources>,
        disk: Arc<dyn System>,
        code: Arc<dyn System>,
        clock: Clock,
        reuse: Reuse,
    ) -> Result<Option<Compilation<'a>>, Failure> {
        Compilation::on(args, sources, disk, code, Some(clock), reuse)
    }

    fn on(
        args: &'a CompilationArgs,
        sources: Arc<Sources>,
        disk: Arc<dyn System>,
        code: Arc<dyn System>,
        clock: Option<Clock>,
        reuse: Reuse,
    ) -> Result<Option<Compilation<'a>>, Failure> {
        let named = args.manifest.iter().map(|it| code.absolute(it)).collect();
        let named = evaluation::named_roots(&args.evaluation, &*code, named);
        evaluation::refuse_missing(&args.evaluation, &[&*disk, &*code])?;
        let beside = beside(args, &*code)?;
        let environment = environment_around(&*code, &beside);
        let folder = args.environment_dir.as_deref().unwrap_or(Utf8Path::new("."));
        let one_of_several = match args.manifest {
            None if beside.parent() == Some(&*code.absolute(folder)) => beside.file_name().map(str::to_owned),
            _ => None,
        };
        let answers = evaluation::answers(&args.evaluation, &*code)?;
        let system = evaluation::confined(&args.evaluation, code, environment, &named, answers.as_deref());
        let (tree, manifests) = tree(args, &beside, &*system)?;
        evaluation::tell_what_is_outside(&*system, tree.module_path.iter())?;
        let mut policy = evaluation::policy(&args.evaluation, &*system, &tree, named, answers)?;
        policy.records_reads = reuse == Reuse::BetweenRuns;
        // Only those who compare catalogs have a fixed time, or compile again after edits.
        policy.has_contents = clock.is_some() || reuse != Reuse::Never;
        policy.store = match &policy.answers {
            Some(answers) => answers.around_store(sources.store()),
            None => sources.store(),
        };
        if policy.store.is_some() {
            policy.own_settings.push(("storeconfigs", true.into()));
        }
        if let (Some(clock), None) = (clock, &args.evaluation.now) {
            policy.clock = clock;
        }
        if !args.evaluation.set.is_empty() {
            let db = ProjectDatabase::frozen(Arc::clone(&system));
            let context = EvaluationContext::new(db, tree.clone(), NodeInput::default());
            let context = context.with_policy(policy.clone());
            let color = args.evaluation.color.on_stderr();
            let Some(variables) = evaluation::variables(&args.evaluation, &context, color)? else {
                return Ok(None);
            };
            policy.variables = variables;
        }
        let threads = usize::from(args.threads.unwrap_or_default());
        let db = match reuse {
            Reuse::Never => ProjectDatabase::frozen(Arc::clone(&system)),
            Reuse::AfterEdits | Reuse::BetweenRuns => ProjectDatabase::new(Arc::clone(&system)),
        };
        let fleet = Fleet::new(db, &tree, &manifests, policy, threads);
        Ok(Some(Compilation {
            args,
            nodes: Nodes::new(args, sources, Arc::clone(&disk), one_of_several),
            disk,
            system,
            beside,
            fleet,
        }))
    }

    /// Writes the record if `--record` is given.
    pub(crate) fn save(&self) -> Result<(), Failure> {
        evaluation::save(self.fleet.run().policy(self.fleet.db()), &*self.system, &*self.disk)
    }

    /// The names of all nodes that have a file of facts, or that PuppetDB has.
    pub(crate) fn all_nodes(&self) -> Result<Vec<String>, Failure> {
        self.nodes.all()
    }

    /// Returns an error if a named node has no facts in the named folder, or in PuppetDB: the name or the source is not the one that
    /// was meant.
    pub(crate) fn require_facts<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> Result<(), Failure> {
        let names: Vec<&str> = names.into_iter().collect();
        self.nodes.fetch(&names)?;
        names.into_iter().try_for_each(|it| self.nodes.require_facts(it))
    }

    /// The folder of the environment, if there is one.
    pub(crate) fn root(&self) -> Option<&Utf8Path> {
        self.fleet.run().environment(self.fleet.db()).root(self.fleet.db())
    }

    /// The folders that are searched for modules, in order.
    pub(crate) fn module_path(&self) -> &[Utf8PathBuf] {
        self.fleet.run().environment(self.fleet.db()).module_path(self.fleet.db())
    }

    /// The paths that anything has read or looked for, and the folders that are searched for modules.
    pub(crate) fn known_paths(&self) -> impl Iterator<Item = Utf8PathBuf> {
        self.fleet.known_after(0).into_iter().chain(self.module_path().iter().cloned())
    }

    /// The modules by name and by folder.
    pub(crate) fn modules(&self) -> &Modules {
        self.fleet.run().environment(self.fleet.db()).modules(self.fleet.db())
    }

    /// Reads the text of a file that an argument names.
    pub(crate) fn text(&self, path: &Utf8Path) -> Result<String, Failure> {
        text::read(&*self.disk, path)
    }

    /// Compiles the catalogs of nodes in parallel, and converts each with `make`, which gets the index of the node among the
    /// names. `take` receives the results in the order of the names. A node that fails doesn't affect the others.
    pub(crate) fn each<T: Send>(
        &self,
        names: &[Option<String>],
        make: impl Fn(usize, Outcome) -> T + Sync,
        take: impl FnMut(Result<T, Failure>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let (job, is_alone) = (self.job(), names.len() == 1);
        let compile = |names: &[Numbered<'_>]| {
            self.fleet.each(names, |db, (number, name)| {
                Ok(make(*number, job.compile(db, name.as_deref(), is_alone)?))
            })
        };
        in_batches(names, compile, take)
    }

    /// Compiles each of the nodes with the code of two compilations, one after the other, so that no catalog has to be kept until the
    /// other one of its node is there. Otherwise like [`each`](Self::each).
    pub(crate) fn each_of_two<T: Send>(
        [one, other]: [&Compilation<'_>; 2],
        names: &[Option<String>],
        make: impl Fn(usize, [Result<Outcome, Failure>; 2]) -> T + Sync,
        take: impl FnMut(Result<T, Failure>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let (jobs, is_alone) = ([one.job(), other.job()], names.len() == 1);
        let compile = |side: usize, db: &ProjectDatabase, (_, name): &Numbered<'_>| {
            jobs[side].compile(db, name.as_deref(), is_alone)
        };
        let join = |(number, name): &Numbered<'_>, made: [Result<_, Panicked>; 2]| {
            let failed = |panicked| Err(bug_on(name.as_deref(), &panicked));
            Ok(make(*number, made.map(|it| it.unwrap_or_else(failed))))
        };
        let fleets = [&one.fleet, &other.fleet];
        in_batches(names, |names| Fleet::each_of_two(fleets, names, compile, join), take)
    }

    fn job(&self) -> Job<'_> {
        Job { nodes: &self.nodes, args: &self.args.evaluation, run: self.fleet.run() }
    }
}

/// The parts of a compilation that threads share.
struct Job<'c> {
    nodes: &'c Nodes<'c>,
    args: &'c EvaluationArgs,
    run: Run,
}

impl Job<'_> {
    /// Compiles the catalog of a node, which is the only one or one of several.
    fn compile(&self, db: &ProjectDatabase, name: Option<&str>, is_alone: bool) -> Result<Outcome, Failure> {
        let described = self.nodes.node(name).map_err(|it| match name {
            Some(name) if !is_alone => Failure::Message(format!("{it} on node {name}")),
            _ => it,
        })?;
        let of = (!is_alone).then(|| described.certname.to_string());
        let node = Node::add(db, self.run, described);
        let mut evaluation = evaluate_once(db, node);
        let catalog = evaluation.compiled.catalog.take();
        outcome(self.args, db, node, &evaluation, catalog, of.as_deref())
    }
}

/// The name of a node, with its index among the names.
type Numbered<'n> = (usize, &'n Option<String>);

/// Compiles a batch of nodes after the other, and passes the results on in the order of the names.
fn in_batches<T>(
    names: &[Option<String>],
    compile: impl Fn(&[Numbered<'_>]) -> Vec<Result<Result<T, Failure>, Panicked>>,
    mut take: impl FnMut(Result<T, Failure>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let names: Vec<Numbered<'_>> = names.iter().enumerate().collect();
    for names in names.chunks(BATCH) {
        for ((_, name), made) in names.iter().zip(compile(names)) {
            take(made.unwrap_or_else(|panicked| Err(bug_on(name.as_deref(), &panicked))))?;
        }
    }
    Ok(())
}

/// The failure for a panic.
fn bug(panicked: &Panicked) -> Failure {
    Failure::Message(format!("internal-error: a bug in marotte: {panicked}"))
}

/// The failure for a panic while a node was compiled.
fn bug_on(name: Option<&str>, panicked: &Panicked) -> Failure {
    let name = name.unwrap_or("the node");
    Failure::Message(format!("internal-error: a bug in marotte ended the compilation of {name}: {panicked}"))
}

/// Operations for explanations.
impl Compilation<'_> {
    /// Compiles the catalog of a node with its provenance, and converts it.
    pub(crate) fn explained<T: Send>(
        &self,
        name: Option<&str>,
        make: impl Fn(&ProjectDatabase, &Evaluation, Outcome) -> T + Sync,
    ) -> Result<T, Failure> {
        let described = self.nodes.node(name)?;
        let (args, run) = (&self.args.evaluation, self.fleet.run());
        let made = self.fleet.each(&[described], |db, described| {
            let node = Node::add(db, run, described.clone());
            let mut evaluation = explain_once(db, node);
            let catalog = evaluation.compiled.catalog.take();
            let outcome = outcome(args, db, node, &evaluation, catalog, None)?;
            Ok(make(db, &evaluation, outcome))
        });
        match made.into_iter().next() {
            Some(made) => made.unwrap_or_else(|panicked| Err(bug(&panicked))),
            None => Err(Failure::Message("internal-error: nothing was compiled".to_owned())),
        }
    }
}

/// Operations for watching changes.
impl Compilation<'_> {
    /// The system for reading the code.
    pub(crate) fn system(&self) -> Arc<dyn System> {
        Arc::clone(&self.system)
    }

    /// The absolute paths on which catalogs may depend.
    pub(crate) fn paths(&self) -> Vec<Utf8PathBuf> {
        outermost(self.named_paths())
    }

    /// The paths on which catalogs may depend, with the targets of symbolic links and the links on the way.
    pub(crate) fn watched(&self) -> Watched {
        Watched::following(self.fleet.db(), self.named_paths())
    }

    /// The absolute paths of the code, and those that the arguments name.
    fn named_paths(&self) -> Vec<Utf8PathBuf> {
        let environment = self.fleet.run().environment(self.fleet.db());
        let mut paths: Vec<Utf8PathBuf> =
            environment.root(self.fleet.db()).map(Utf8Path::to_owned).into_iter().collect();
        // The configuration decides where the rest is, and may be a link.
        paths.extend(environment.root(self.fleet.db()).map(|it| it.join(ENVIRONMENT_FILE)));
        paths.extend(environment.module_path(self.fleet.db()).iter().cloned());
        paths.extend(self.args.manifest.iter().map(|it| self.system.absolute(it)));
        paths.extend(evaluation::hiera_folder(&self.args.evaluation, &*self.system));
        paths.extend(self.args.evaluation.allow.iter().filter_map(|it| match it {
            Permission::Read(path) => Some(self.system.absolute(path)),
            Permission::Exec | Permission::Ruby(_) => None,
        }));
        paths.extend(self.nodes.paths(None));
        paths
    }

    /// Returns the system with the descriptions of nodes.
    pub(crate) fn disk(&self) -> &dyn System {
        &*self.disk
    }

    /// The absolute paths of the files that describe nodes: facts, trusted facts, classifications.
    pub(crate) fn described_by(&self) -> Vec<Utf8PathBuf> {
        self.nodes.paths(None)
    }

    /// Whether an evaluation may run programs, whose output may differ from one time to the next.
    pub(crate) fn runs_programs(&self) -> bool {
        self.args.evaluation.allow.iter().any(|it| !matches!(it, Permission::Read(_)))
    }

    /// Whether the description of a node may have changed.
    pub(crate) fn is_described_by(&self, name: Option<&str>, batch: &ChangeBatch) -> bool {
        self.nodes.paths(name).iter().any(|it| batch.touches(it))
    }

    /// Updates the description of a node, or adds a node.
    pub(crate) fn describe(&mut self, known: Option<Node>, name: Option<&str>) -> Result<Node, Failure> {
        let described = self.nodes.node(name)?;
        match known {
            Some(node) => {
                self.fleet.describe(node, described);
                Ok(node)
            }
            None => Ok(self.fleet.add(described)),
        }
    }

    /// Returns what catalogs don't have because data outside of the environment may not be read, with the options that allow it.
    pub(crate) fn unread_data(&self) -> impl Iterator<Item = String> + use<> {
        let folders = unread_data(self.fleet.db(), self.fleet.run()).into_iter();
        folders.map(|it| {
            format!(
                "data in {it} is outside of the environment, and not read, whether it is there or not; `--allow read={it}` allows it"
            )
        })
    }

    /// Returns which modules catalogs don't have because their folder is outside of the environment and may not be read.
    pub(crate) fn unread_modules(&self) -> impl Iterator<Item = String> {
        let is_unread = |it: &&Utf8PathBuf| self.system.is_outside(it) && self.system.is_directory(it);
        self.module_path().iter().filter(is_unread).map(|path| {
            let real = evaluation::real(&*self.system, path);
            format!(
                "modules in {real} are outside of the environment, and not read; `--allow read={real}` allows it"
            )
        })
    }

    /// Returns the description of a node, with its facts.
    pub(crate) fn described(&self, name: Option<&str>) -> Result<NodeInput, Failure> {
        self.nodes.node(name)
    }

    /// Returns the descriptions of nodes, which are read in parallel. None for a node whose facts can't be read.
    pub(crate) fn all_described(&self, names: &[Option<String>]) -> Vec<Option<NodeInput>> {
        let nodes = &self.nodes;
        let made = self.fleet.each(names, |_, name| nodes.node(name.as_deref()).ok());
        made.into_iter().map(|it| it.ok().flatten()).collect()
    }

    /// Returns the path of a node's facts in the folder of facts, as the user names it. None if there is none.
    pub(crate) fn facts_path(&self, name: &str) -> Option<Utf8PathBuf> {
        self.nodes.facts_path(name)
    }

    /// Returns the fleet that the compilation evaluates.
    pub(crate) fn fleet(&mut self) -> &mut Fleet {
        &mut self.fleet
    }

    /// Looks up the contents of the files that agents fetch for a catalog.
    pub(crate) fn contents(&self, catalog: &Catalog) -> Contents {
        contents(self.fleet.db(), self.fleet.run(), catalog)
    }

    /// Notifies the database of changed files.
    pub(crate) fn apply(&mut self, batch: &ChangeBatch) -> Result<(), Failure> {
        let (tree, manifests) = tree(self.args, &self.beside, &*self.system)?;
        self.fleet.apply(batch, &tree, &manifests);
        Ok(())
    }

    /// Answers questions about the code that is there now, in parallel. The node of a job is any node of this code. None for a job that
    /// panics.
    pub(crate) fn ask<I: Sync, T: Send>(
        &self,
        items: &[I],
        job: impl Fn(&ProjectDatabase, Node, &I) -> T + Sync,
    ) -> Vec<Option<T>> {
        let any = self.fleet.add(NodeInput::default());
        let made = self.fleet.each(items, |db, item| job(db, any, item));
        made.into_iter().map(Result::ok).collect()
    }

    /// Compiles the catalogs of nodes whose dependencies have changed since their last compilation, and converts each. The
    /// result is None for other nodes.
    pub(crate) fn traced<I: Sync, T: Send>(
        &self,
        items: &[I],
        node: impl Fn(&I) -> Node + Sync,
        make: impl Fn(&I, Outcome) -> T + Sync,
    ) -> Vec<Result<Option<T>, Failure>> {
        let args = &self.args.evaluation;
        let made = self.fleet.each(items, |db, item| {
            let node = node(item);
            let Some(mut evaluation) = traced(db, node).take() else { return Ok(None) };
            let catalog = evaluation.compiled.catalog.take();
            let mut outcome = outcome(args, db, node, &evaluation, catalog, None)?;
            outcome.asked = evaluation.asked.take();
            Ok(Some(make(item, outcome)))
        });
        made.into_iter().map(|it| it.unwrap_or_else(|panicked| Err(bug(&panicked)))).collect()
    }

    /// Compiles the catalogs of nodes whose dependencies have changed, and converts each. `known` returns an item's
    /// node and the edition that the caller has. The result has the current edition; it is None for nodes without a
    /// newer edition.
    pub(crate) fn changed<I: Sync, T: Send>(
        &self,
        items: &[I],
        known: impl Fn(&I) -> (Node, Option<u64>) + Sync,
        make: impl Fn(&I, Outcome) -> Result<T, Failure> + Sync,
    ) -> Vec<Result<Option<(u64, T)>, Failure>> {
        let args = &self.args.evaluation;
        let made = self.fleet.each(items, |db, item| {
            let (node, known) = known(item);
            let edition = edition(db, node);
            if known == Some(edition) {
                return Ok(None);
            }
            let evaluation = evaluate(db, node);
            let catalog = evaluation.compiled.catalog.clone();
            let of = (items.len() > 1).then(|| node.described(db).certname.to_string());
            Ok(Some((edition, make(item, outcome(args, db, node, evaluation, catalog, of.as_deref())?)?)))
        });
        made.into_iter().map(|it| it.unwrap_or_else(|panicked| Err(bug(&panicked)))).collect()
    }
}

/// Returns the absolute path at which the search for the environment starts.
fn beside(args: &CompilationArgs, system: &dyn System) -> Result<Utf8PathBuf, Failure> {
    match (&args.environment_dir, &args.manifest) {
        (None, Some(manifest)) => Ok(system.absolute(manifest)),
        (folder, _) => {
            evaluation::environment_dir(system, folder.as_deref(), args.evaluation.environment.as_deref())
        }
    }
}

/// The code tree that the arguments name, and the main manifests.
fn tree(
    args: &CompilationArgs,
    beside: &Utf8Path,
    system: &dyn System,
) -> Result<(CodeTree, Vec<Utf8PathBuf>), Failure> {
    let named = args.evaluation.module_path.as_deref().map(split_module_path).unwrap_or_default();
    let named: Vec<Utf8PathBuf> = named.iter().map(|it| system.absolute(it)).collect();
    let environment = environment_at(system, beside, &named);
    if let Some(it) = &environment {
        evaluation::refuse_outside_configuration(system, &it.root)?;
    }
    let manifests = match (&args.manifest, &environment) {
        (Some(path), _) => main_manifests(system, &system.absolute(path)),
        (None, Some(environment)) => environment.manifests.clone(),
        (None, None) => Vec::new(),
    };
    if manifests.is_empty() {
        let main = environment.as_ref().map(|it| &*it.main_manifest);
        if let Some(main) = main.filter(|it| system.is_outside(it) && system.metadata(it).is_ok()) {
            let real = evaluation::real(system, main);
            return Err(Failure::Message(format!(
                "the main manifest {main} is not read, because it is outside of the environment; `--allow read={real}` allows it"
            )));
        }
        return Err(match &args.manifest {
            Some(path) => Failure::Message(format!("there is no manifest `{path}`")),
            None => Failure::NoManifest(beside.to_owned()),
        });
    }
    let tree = match environment {
        Some(it) => CodeTree { module_path: it.module_path, environment: Some(it.root) },
        None => CodeTree { module_path: named, environment: None },
    };
    Ok((tree, manifests))
}

/// The outcome of an evaluation. The catalog is present only if there are no errors. `of` is the node's name, if there
/// are several nodes.
fn outcome(
    args: &EvaluationArgs,
    db: &ProjectDatabase,
    node: Node,
    evaluation: &Evaluation,
    catalog: Option<Catalog<Place>>,
    of: Option<&str>,
) -> Result<Outcome, Failure> {
    let mut report = NodeReport::default();
    let mut findings = Findings::of(db, evaluation);
    let printing = Printing::new(args, ValueFormat::Text);
    for log in &evaluation.logs.messages {
        if let Some(line) = printing.line(log, of, &mut findings) {
            report.messages.extend_from_slice(line.as_bytes());
            report.messages.push(b'\n');
        }
    }
    if evaluation.logs.dropped > 0 {
        let more = format!("{} more messages were not kept\n", evaluation.logs.dropped);
        report.messages.extend_from_slice(more.as_bytes());
    }
    let has_errors = !evaluation.compiled.errors.is_empty();
    let mut catalog = catalog.filter(|_| !has_errors).map(|it| rendered(it, &mut findings));
    if let Some(catalog) = &mut catalog {
        catalog.gaps = rendered_gaps(&evaluation.compiled.gaps, &mut findings);
    }
    let faults = if has_errors { faults(&findings, db, &node.described(db).certname) } else { Vec::new() };
    findings.head(of);
    let color = args.color.on_stderr();
    let (of_files, own) = findings.by_origin();
    for finding in of_files {
        let mut text = Vec::new();
        output::write(Format::Full, std::slice::from_ref(finding), &findings, color, &mut text)?;
        report.files.push(text);
    }
    output::write(Format::Full, own, &findings, color, &mut report.own)?;
    if let Some(catalog) = &catalog {
        printing.incomplete(catalog, &mut report.own);
    }
    Ok(Outcome { catalog, report, faults, asked: None })
}

/// The errors among findings, with absolute paths, and without the name of the node.
fn faults(findings: &Findings<'_>, db: &ProjectDatabase, certname: &str) -> Vec<Fault> {
    let of_node = format!(" for {certname}");
    let errors = findings.diagnostics().iter().filter(|it| it.level == Level::Error);
    let fault = |it: &Arc<Diagnostic>| {
        let line = findings.line_index(it.file).position(it.range.start()).line;
        let path = findings.path(it.file);
        // Texts that are no files have names such as `<program>`.
        let path = if path.starts_with('<') {
            path.to_owned()
        } else {
            db.system().absolute(path.into()).into_string()
        };
        // Nodes that fail for the same reason are shown together.
        let message = it.message.strip_suffix(&of_node).unwrap_or(&it.message);
        Fault { message: message.to_owned(), place: Some((path, line)) }
    };
    errors.map(fault).collect()
}
