//! Catalogs of a large control repository, compared with the reference's in the same run: cold, warm, and of many nodes.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use camino::Utf8PathBuf;
use marotte_db::DiskSystem;
use marotte_host::{CodeTree, Facts, NodeInput, Policy, evaluate_once};
use marotte_project::{Fleet, ProjectDatabase};
use serde::{Deserialize, Serialize};

use super::build::Programs;
use super::control;
use super::measure::{median, sample};
use super::report::{Bound, Report};
use super::scratch::Scratch;
use crate::{Result, console, files, process};

/// The required speedup over the reference.
const FACTOR: f64 = 50.0;

/// The number of warm runs of the reference: it takes long, and varies less.
const REFERENCE_RUNS: u32 = 3;

/// The numbers of nodes in a fleet.
const NODES: [usize; 3] = [100, 300, 1000];

/// The permitted ratio of a node's cost in a larger fleet to that in the smallest one: allows noise, but no trend.
const SLACK: f64 = 1.1;

/// Compile the catalog of a node some times over; prints what that took as JSON.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder of the control repository.
    repository: Utf8PathBuf,
    /// The facts of the node.
    facts: Utf8PathBuf,
    /// The number of runs after the first one.
    runs: u32,
}

/// The result of compiling.
#[derive(Serialize, Deserialize)]
struct Outcome {
    /// The number of resources.
    resources: usize,
    /// The seconds of each run except the first.
    seconds: Vec<f64>,
}

/// Runs the hidden subcommand `catalog-passes`, which measures in a separate process.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let system = Arc::new(DiskSystem::new()?);
    let facts = Facts::read(&*system, &arguments.facts)?;
    let tree = CodeTree {
        module_path: vec![arguments.repository.join("modules")],
        environment: Some(arguments.repository.clone()),
    };
    let manifests = [arguments.repository.join("manifests/site.pp")];
    let fleet = Fleet::new(ProjectDatabase::new(system), &tree, &manifests, Policy::default(), 1);
    let node = fleet.add(NodeInput::new(facts));
    let mut outcome = Outcome { resources: 0, seconds: Vec::new() };
    for number in 0..=arguments.runs {
        let start = Instant::now();
        let evaluation = black_box(evaluate_once(fleet.db(), black_box(node)));
        let seconds = start.elapsed().as_secs_f64();
        if number > 0 {
            outcome.seconds.push(seconds);
        }
        if let Some(error) = evaluation.compiled.errors.first() {
            return Err(error.to_string().into());
        }
        outcome.resources = evaluation.compiled.catalog.map_or(0, |it| it.resources.len());
    }
    console::say(&serde_json::to_string(&outcome)?);
    Ok(())
}

/// A node of a control repository, and where the reference writes its catalog.
pub(super) struct Sample<'a> {
    /// The control repository.
    pub(super) repository: &'a Path,
    facts: PathBuf,
    catalog: PathBuf,
}

impl<'a> Sample<'a> {
    /// Writes the facts of the node into a folder.
    pub(super) fn new(repository: &'a Path, folder: &Path) -> Result<Sample<'a>> {
        let facts = folder.join("facts");
        let name = control::write_facts(&facts, 1)?.concat();
        let facts = facts.join(format!("{name}.yaml"));
        Ok(Sample { repository, facts, catalog: folder.join("catalog.json") })
    }

    /// The reference, which writes the catalog, and compiles it `runs` more times.
    fn reference(&self, runs: u32) -> Command {
        let mut command = Command::new("ruby");
        command.arg(files::repository().join("xtask/oracle/catalog_speed.rb"));
        command.args([self.repository, &*self.facts, &*self.catalog]).arg(runs.to_string());
        command
    }

    /// Compiles the catalog warm with both, and reports the speedup; both catalogs must be the same.
    pub(super) fn warm(
        &self,
        programs: &Programs,
        runs: u32,
        (what, factor): (&str, f64),
        report: &mut Report,
    ) -> Result<usize> {
        let theirs: Outcome = serde_json::from_str(&process::output(&mut self.reference(REFERENCE_RUNS))?)?;
        let mut verify = programs.on(self.repository, "verify");
        process::output(verify.arg("--facts").arg(&self.facts).arg("--against").arg(&self.catalog))?;
        let mut passes = Command::new(&programs.xtask);
        passes.arg("catalog-passes").args([self.repository, &*self.facts]).arg(runs.to_string());
        let ours: Outcome = serde_json::from_str(&process::output(&mut passes)?)?;
        if ours.resources != theirs.resources {
            return Err(format!("{} resources, and {} in Puppet", ours.resources, theirs.resources).into());
        }
        let (own, reference) = (median(ours.seconds), median(theirs.seconds));
        let note = format!(
            "{} resources, the same again in one process: {:.1} ms against {:.0} ms of Puppet",
            ours.resources,
            own * 1e3,
            reference * 1e3
        );
        report.add(what, reference / own, "times", Bound::AtLeast(factor), &note);
        Ok(ours.resources)
    }
}

/// Measures marotte and Puppet.
pub(super) fn measure(programs: &Programs, runs: u32, report: &mut Report) -> Result<()> {
    let scratch = Scratch::new("catalog")?;
    let repository = scratch.folder().join("control");
    control::write(&repository, control::Templates::Epp)?;
    let node = Sample::new(&repository, scratch.folder())?;
    let theirs = sample(1, &[0], || node.reference(0))?;
    let count = node.warm(programs, runs, ("warm compile", FACTOR), report)?;
    let ours = sample(runs, &[0], || {
        let mut command = programs.on(&repository, "compile");
        command.arg("--facts").arg(&node.facts).args(["--format", "json"]);
        command
    })?;
    let note = format!(
        "{count} resources, whole process: {:.1} ms against {:.0} ms of Puppet, {:.0} MB against {:.0} MB",
        ours.wall * 1e3,
        theirs.wall * 1e3,
        ours.peak / 1e6,
        theirs.peak / 1e6
    );
    report.add("cold compile", theirs.wall / ours.wall, "times", Bound::AtLeast(FACTOR), &note);
    fleet(programs, &repository, scratch.folder(), report)
}

/// Measures time and memory of increasing numbers of nodes.
fn fleet(programs: &Programs, repository: &Path, folder: &Path, report: &mut Report) -> Result<()> {
    let mut fewest = None;
    for count in NODES {
        let facts: PathBuf = folder.join(format!("facts-{count}"));
        control::write_facts(&facts, count)?;
        let sample = sample(1, &[0], || {
            let mut command = programs.on(repository, "compile");
            command.args(["--all", "--threads", "2", "--format", "json", "--facts-dir"]).arg(&facts);
            command
        })?;
        let each = sample.wall / count as f64;
        let growth = each / *fewest.get_or_insert(each);
        let bound = if count == NODES[0] { Bound::None } else { Bound::AtMost(SLACK) };
        let note = format!(
            "{:.0} nodes per second on two threads, {:.0} MB at the peak",
            1.0 / each,
            sample.peak / 1e6
        );
        report.add(&format!("time for each of {count} nodes"), growth, "times", bound, &note);
    }
    Ok(())
}

impl Programs {
    /// Returns a command on a control repository.
    fn on(&self, repository: &Path, command: &str) -> Command {
        let mut process = Command::new(&self.marotte);
        process.arg(command).arg("--environment-dir").arg(repository);
        process
    }
}
