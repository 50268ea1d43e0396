//! The impact of changes of code and data on a fleet: time and memory of `marotte impact`.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_catalog::Line;
use marotte_db::DiskSystem;
use marotte_host::{CodeTree, Facts, NodeInput, Policy, evaluate_once};
use marotte_impact::output::{Format, write};
use marotte_impact::{Ignore, Outcome as Impact, ReportBuilder};
use marotte_project::{Fleet, ProjectDatabase};
use serde::{Deserialize, Serialize};

use super::build::{self, Programs};
use super::fleet::{self, CHANGES, Change, EVERYWHERE};
use super::measure::{logged, sample};
use super::report::{Bound, Report};
use super::scratch::Scratch;
use crate::{Result, console, files, process};

/// The time limit for a change of all nodes, as a multiple of the time for compiling all nodes.
const BOTH_SIDES: f64 = 2.0;

/// The maximum time, in seconds, to find that a change concerns no node, once the code before is compiled.
const NOTHING: f64 = 0.5;

/// The maximum time, in seconds, for a change of one node in a hundred, once the code before is compiled.
const FEW: f64 = 1.0;

/// The maximum time for the first run that keeps its results, as a multiple of the time of one that keeps nothing.
const FILLING: f64 = 1.15;

/// The maximum time, in seconds, to compare and report the catalogs of all nodes.
const REPORT: f64 = 2.0;

/// The maximum memory of `marotte impact`, in megabytes.
const MEMORY: f64 = 1500.0;

/// The options of the measurement.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The number of nodes of the fleet.
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u32).range(100..=10_000))]
    nodes: u32,
    /// Measure this program rather than one built for it.
    #[arg(long)]
    program: Option<PathBuf>,
    /// Measure only changes whose names contain this.
    #[arg(long)]
    only: Option<String>,
}

/// Compares the catalogs of all nodes from two repositories, and reports the changes; prints time and memory as JSON.
#[derive(clap::Args)]
pub(crate) struct PassArguments {
    before: Utf8PathBuf,
    after: Utf8PathBuf,
    /// The folder of facts.
    facts: Utf8PathBuf,
}

/// The measured times of a comparison.
#[derive(Serialize, Deserialize)]
struct Outcome {
    nodes: usize,
    resources: usize,
    groups: usize,
    /// The time of comparing, in seconds.
    compared: f64,
    /// The time of grouping and writing, in seconds.
    reported: f64,
}

/// Runs the hidden subcommand `impact-passes`, which measures in a separate process.
pub(crate) fn run(arguments: &PassArguments) -> Result<()> {
    let system = Arc::new(DiskSystem::new()?);
    let fleet = |repository: &Utf8Path| {
        let tree = CodeTree {
            module_path: vec![repository.join("site-modules"), repository.join("modules")],
            environment: Some(repository.to_owned()),
        };
        let manifests = [repository.join("manifests/site.pp")];
        let db = ProjectDatabase::new(Arc::<DiskSystem>::clone(&system));
        Fleet::new(db, &tree, &manifests, Policy::default(), 1)
    };
    let fleets = [fleet(&arguments.before), fleet(&arguments.after)];
    let mut builder = ReportBuilder::new(String::new(), String::new(), Vec::new());
    let mut outcome = Outcome { nodes: 0, resources: 0, groups: 0, compared: 0.0, reported: 0.0 };
    for name in files::names(arguments.facts.as_std_path())? {
        let catalog = |fleet: &Fleet| {
            let facts = Facts::read(&*system, &arguments.facts.join(&name))?;
            let compiled = evaluate_once(fleet.db(), fleet.add(NodeInput::new(facts))).compiled;
            match (compiled.catalog, compiled.errors.first()) {
                (Some(it), None) => Ok(it.map_places(|_| None::<Line>)),
                (_, error) => Err(format!("{name}: {}", error.map(ToString::to_string).unwrap_or_default())),
            }
            .map_err(crate::Error::from)
        };
        let (before, after) = (catalog(&fleets[0])?, catalog(&fleets[1])?);
        let start = Instant::now();
        let found = Impact::of(Ok(&before), Ok(&after), &Ignore::default());
        outcome.compared += start.elapsed().as_secs_f64();
        let start = Instant::now();
        builder.add(name, found);
        outcome.reported += start.elapsed().as_secs_f64();
        outcome.nodes += 1;
        outcome.resources += after.resources.len();
    }
    let start = Instant::now();
    let report = builder.finish();
    let text = write(Format::Full, &report);
    outcome.reported += start.elapsed().as_secs_f64();
    outcome.groups = report.groups.len();
    if text.is_empty() {
        return Err("the report is empty".into());
    }
    console::say(&serde_json::to_string(&outcome)?);
    Ok(())
}

/// The fleet on disk.
struct Trees {
    before: PathBuf,
    after: PathBuf,
    facts: PathBuf,
    log: PathBuf,
    /// The folder in which results are kept between runs.
    cache: PathBuf,
    nodes: u32,
}

/// Creates the fleet, and measures compiling it, changes, and comparing.
pub(super) fn measure(arguments: &Arguments, report: &mut Report) -> Result<()> {
    let programs = match &arguments.program {
        Some(program) => Programs { marotte: program.clone(), xtask: std::env::current_exe()? },
        None => build::release()?,
    };
    let scratch = Scratch::new("impact")?;
    let at = |name: &str| scratch.folder().join(name);
    let nodes = arguments.nodes;
    let trees = Trees {
        before: at("before"),
        after: at("after"),
        facts: at("facts"),
        log: at("log"),
        cache: at("cache"),
        nodes,
    };
    for tree in [&trees.before, &trees.after] {
        fleet::write(tree)?;
        fleet::write_nodes(tree, &trees.facts, usize::try_from(nodes)?)?;
    }
    let compiled = sample(1, &[0], || {
        let mut command = Command::new(&programs.marotte);
        command.args(["compile", "--all", "--format", "json", "--environment-dir"]).arg(&trees.before);
        command.arg("--facts-dir").arg(&trees.facts);
        command
    })?;
    let each = compiled.cpu / f64::from(nodes);
    let note = format!(
        "all catalogs once: {:.1} nodes per second and core, {:.0} MB at the peak",
        1.0 / each,
        compiled.peak / 1e6
    );
    report.add(&format!("compile --all of {nodes} nodes"), compiled.wall, "s", Bound::None, &note);
    fill(&programs, &trees, report)?;
    for change in std::iter::once(&EVERYWHERE).chain(&CHANGES) {
        if arguments.only.as_ref().is_none_or(|it| change.name.contains(it.as_str())) {
            one(&programs, &trees, change, compiled.wall, report)?;
        }
    }
    EVERYWHERE.make(&trees.after)?;
    let mut passes = Command::new(&programs.xtask);
    passes.arg("impact-passes").args([&trees.before, &trees.after, &trees.facts]);
    let outcome: Outcome = serde_json::from_str(&process::output(&mut passes)?)?;
    let note = format!(
        "{} resources on {} nodes, one thread; comparing {:.2} s, {} groups and the report {:.2} s",
        outcome.resources, outcome.nodes, outcome.compared, outcome.groups, outcome.reported
    );
    let both = outcome.compared + outcome.reported;
    report.add("diff and report of these", both, "s", Bound::AtMost(REPORT), &note);
    Ok(())
}

impl Trees {
    /// The command that compares both trees.
    fn impact(&self, programs: &Programs, is_cached: bool) -> Command {
        let mut command = Command::new(&programs.marotte);
        command.args(["impact", "--verbose", "--output-format", "concise", "--from"]);
        command.arg(&self.before).arg("--to").arg(&self.after).arg("--facts-dir").arg(&self.facts);
        match is_cached {
            true => command.arg("--cache").arg(&self.cache),
            false => command.arg("--no-cache"),
        };
        command
    }
}

/// Measures comparing equal trees, without and with a cache, which is empty.
fn fill(programs: &Programs, trees: &Trees, report: &mut Report) -> Result<()> {
    let without = logged(trees.impact(programs, false), &[0], Stdio::null())?;
    let with = logged(trees.impact(programs, true), &[0], Stdio::null())?;
    let note = format!("{:.2} s rather than {:.2} s", with.wall, without.wall);
    report.add("filling a cache", with.wall / without.wall, "times", Bound::AtMost(FILLING), &note);
    Ok(())
}

/// Measures a change, and reverts it.
fn one(
    programs: &Programs,
    trees: &Trees,
    change: &Change,
    compiled: f64,
    report: &mut Report,
) -> Result<()> {
    let original = files::read(&trees.after.join(change.file))?;
    change.make(&trees.after)?;
    let status = i32::from(change.changed > 0);
    let sample = logged(trees.impact(programs, false), &[status], Stdio::from(files::create(&trees.log)?))?;
    let kept = logged(trees.impact(programs, true), &[status], Stdio::null())?;
    files::write(&trees.after.join(change.file), &original)?;
    let told = Told::of(&files::read(&trees.log)?)?;
    let expected = trees.nodes * change.changed / 100;
    if told.compiled != expected {
        return Err(format!("{}: {} nodes are compiled again", change.name, told.compiled).into());
    }
    let note = format!(
        "{expected} nodes compiled again; the code before {:.2} s, the code after {:.2} s",
        told.before, told.after
    );
    let ratio = sample.wall / compiled;
    report.add(&format!("impact of {}", change.name), ratio, "times", Bound::AtMost(BOTH_SIDES), &note);
    let bound = match change.changed {
        0 => Bound::AtMost(NOTHING),
        1 => Bound::AtMost(FEW),
        _ => Bound::None,
    };
    report.add("  once the code before is known", told.after, "s", bound, "");
    let note = "the whole process, with the code before known from another run";
    report.add("  with a cache", kept.wall, "s", bound, note);
    report.add("  memory", sample.peak / 1e6, "MB", Bound::AtMost(MEMORY), "at the peak");
    Ok(())
}

/// The numbers that `impact --verbose` prints.
struct Told {
    compiled: u32,
    before: f64,
    after: f64,
}

impl Told {
    fn of(log: &str) -> Result<Told> {
        let number = |after: &str, end: &str| {
            let (_, rest) = log.split_once(after)?;
            rest.split_once(end)?.0.trim().parse::<f64>().ok()
        };
        let compiled = log.lines().find_map(|it| {
            it.split_once(" of ").filter(|it| it.1.ends_with("read something that is different"))
        });
        let compiled = compiled.and_then(|it| it.0.parse().ok());
        match (compiled, number("the code before took ", " s"), number("the code after took ", " s")) {
            (Some(compiled), Some(before), Some(after)) => Ok(Told { compiled, before, after }),
            _ => Err(format!("`impact --verbose` does not say what it did: {log}").into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Told;

    #[test]
    fn words_of_the_program_are_read() {
        let log = "the code before took 1.25 s\nthe code after took 0.50 s\n20 of 2000 nodes read something that is different\n";
        let told = Told::of(log).unwrap();
        assert_eq!((told.compiled, told.before, told.after), (20, 1.25, 0.5));
        assert!(Told::of("").is_err());
    }
}
