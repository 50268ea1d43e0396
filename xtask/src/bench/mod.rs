//! `cargo xtask bench`: speed and size, compared with the peers in the same run.
//!
//! This process only starts others and reads their clocks. It stays small on purpose: a child's peak memory includes
//! the memory that it shared with its parent before it executed another program.

pub(crate) mod build;
pub(crate) mod catalog;
mod control;
pub(crate) mod edit;
pub(crate) mod eval;
mod fleet;
mod format;
mod growth;
mod hostile;
pub(crate) mod impact;
mod items;
mod measure;
mod memory;
pub(crate) mod monorepo;
pub(crate) mod monorepo_edits;
pub(crate) mod passes;
mod peers;
mod report;
pub(crate) mod ruby;
pub(crate) mod scratch;
mod server;
pub(crate) mod types;
mod work;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Result, console, corpus, files};
use build::Programs;
use measure::{RAN, REFUSED, Sample, sample};
use report::{Bound, Report};

/// Measure marotte on the corpus: parsing, checking, memory, growth, edits; with its peers on request.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    part: Option<Part>,
    /// The folder that `cargo xtask corpus` filled.
    #[arg(long, default_value = "corpus")]
    dir: PathBuf,
    /// Also run `puppet parser validate` and `puppet-lint`, which takes minutes.
    #[arg(long)]
    peers: bool,
    /// Give puppet-lint only every Nth manifest and scale its time up.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    lint_every: u32,
    /// A folder with the sources of puppet-lint and of its plugins, as `lint-parity` reads it: also run that puppet-lint with all
    /// of its plugins.
    #[arg(long, requires = "peers")]
    lint_plugins: Option<PathBuf>,
    /// Also count instructions under valgrind.
    #[arg(long)]
    callgrind: bool,
    /// The number of times that each of marotte's measurements is taken.
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// The profile of Cargo that the measured programs are built with. Only that of the packages is what users run; others build
    /// faster.
    #[arg(long, global = true, default_value = build::PACKAGES)]
    profile: String,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// Measurements that are not part of the default run.
#[derive(clap::Subcommand)]
enum Part {
    Types(types::Arguments),
    /// Measure evaluation: six programs compared with Puppet, a small process, memory of loops. Puppet is the installed one, or
    /// the library in PUPPET_LIB.
    Eval,
    /// Measure catalogs of a generated control repository, compared with Puppet: cold, warm, and of up to 1,000 nodes. Puppet is
    /// the installed one, or the library in PUPPET_LIB.
    Catalog,
    /// Measure how fast the corpus is formatted: in memory, and by a whole process.
    Format,
    /// Measure edits of a generated monorepo of more than 3,000 manifests in one environment, at 1, 4 and 16 copies.
    Edit,
    /// Measure what one item more takes, of up to 16,000 resources, edges, ancestors, options and keys.
    Growth(hostile::Arguments),
    /// Measure what small hostile texts take: each family and program of the tests' generators, in a process of its own.
    Hostile(hostile::Arguments),
    /// Measure what changes of a generated fleet of 2,000 nodes with 300 to 3,000 resources are found to do, and how soon.
    Impact(impact::Arguments),
    /// Measure templates and functions in Ruby, warm, and sites, cold, beside Puppet's own. Puppet is the installed one, or the library in PUPPET_LIB.
    Ruby,
    Server(server::Arguments),
    /// Count the instructions of a check under valgrind, and fail if there are too many.
    Work(work::Arguments),
}

/// The number of runs of a peer: they take long, and vary less.
const PEER_RUNS: u32 = 3;

/// Runs `cargo xtask bench`.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut report = Report::default();
    match &arguments.part {
        Some(Part::Types(arguments)) => return types::run(arguments),
        Some(Part::Eval) => {
            let programs = build::release_with(&arguments.profile)?;
            eval::measure(&programs.xtask, arguments.runs, &mut report)?;
            memory::measure(&programs, arguments.runs, &mut report)?;
        }
        Some(Part::Catalog) => {
            catalog::measure(&build::release_with(&arguments.profile)?, arguments.runs, &mut report)?
        }
        Some(Part::Format) => {
            let tree = corpus::tree(&arguments.dir);
            format::measure(&build::release_with(&arguments.profile)?, &tree, arguments.runs, &mut report)?;
        }
        Some(Part::Edit) => {
            monorepo_edits::measure(&build::release_with(&arguments.profile)?.xtask, &mut report)?
        }
        Some(Part::Growth(arguments)) => items::measure(arguments, &mut report)?,
        Some(Part::Hostile(arguments)) => hostile::measure(arguments, &mut report)?,
        Some(Part::Impact(arguments)) => impact::measure(arguments, &mut report)?,
        Some(Part::Ruby) => {
            ruby::measure(&build::release_with(&arguments.profile)?, arguments.runs, &mut report)?
        }
        Some(Part::Server(arguments)) => server::measure(arguments, &mut report)?,
        Some(Part::Work(part)) => work::measure(part, &arguments.dir, &mut report)?,
        None => checks(arguments, &mut report)?,
    }
    console::say(&if arguments.json { report.json()? } else { report.table() });
    Ok(())
}

/// Measures parsing and checking.
fn checks(arguments: &Arguments, report: &mut Report) -> Result<()> {
    let tree = corpus::tree(&arguments.dir);
    let manifests = files::regular_files(&tree, &["pp"])?;
    let small =
        median_sized(&tree, &manifests).ok_or("the corpus is empty: run `cargo xtask corpus` first")?;
    let programs = build::release_with(&arguments.profile)?;
    parsing(arguments, &programs, &tree, report)?;
    let whole = checking(arguments, &programs, (&tree, REFUSED), "check of the corpus", Bound::None, report)?;
    report.add(
        "peak memory of that",
        whole.peak / 1e6,
        "MB",
        Bound::AtMost(80.0),
        "resident, as the kernel counts it; no less than this process's own",
    );
    let one = checking(
        arguments,
        &programs,
        (&small, RAN),
        "check of one small file",
        Bound::AtMost(10.0),
        report,
    )?;
    if arguments.peers {
        let peers = peers::Peers {
            marotte: &programs.marotte,
            tree: &tree,
            manifests: &manifests,
            small: &small,
            lint_every: arguments.lint_every,
            lint_plugins: arguments.lint_plugins.as_deref(),
        };
        peers.compare(&whole, &one, PEER_RUNS, report)?;
    }
    growth::measure(&programs, &tree, arguments.runs, report)?;
    edit::measure(&programs.xtask, &tree, report)
}

/// Measures throughput in memory and, on request, instructions.
fn parsing(arguments: &Arguments, programs: &Programs, tree: &Path, report: &mut Report) -> Result<()> {
    let outcome = passes::in_process(&programs.xtask, tree, arguments.runs, passes::What::Parse)?;
    let best = outcome.best_megabytes_per_second();
    let note = format!(
        "median of {} passes over {} files, {} bytes, in memory; fastest {best:.1}",
        arguments.runs, outcome.files, outcome.bytes
    );
    report.add("lexing, parsing, tree", outcome.megabytes_per_second(), "MB/s", Bound::AtLeast(75.0), &note);
    if arguments.callgrind {
        let instructions = passes::instructions(&programs.xtask, tree)?;
        let per_byte = instructions as f64 / outcome.bytes as f64;
        report.add(
            "the same under callgrind",
            per_byte,
            "instr/byte",
            Bound::AtMost(150.0),
            "one pass, less the start",
        );
    }
    Ok(())
}

/// Measures a whole process that checks `path`.
fn checking(
    arguments: &Arguments,
    programs: &Programs,
    (path, statuses): (&Path, &[i32]),
    what: &str,
    bound: Bound,
    report: &mut Report,
) -> Result<Sample> {
    let sample = sample(arguments.runs, statuses, || programs.check(path))?;
    let note =
        format!("whole process, median of {}; {:.1} ms of processor time", arguments.runs, sample.cpu * 1e3);
    report.add(what, sample.wall * 1e3, "ms", bound, &note);
    Ok(sample)
}

impl Programs {
    /// The command that checks a path.
    fn check(&self, path: &Path) -> Command {
        let mut command = Command::new(&self.marotte);
        command.args(["check", "--output-format", "concise"]).arg(path);
        command
    }
}

/// Returns the manifest of median size: neither empty nor unusual.
fn median_sized(tree: &Path, manifests: &[PathBuf]) -> Option<PathBuf> {
    let mut sized: Vec<(u64, PathBuf)> = manifests
        .iter()
        .filter_map(|path| Some((files::size(&tree.join(path)).ok()?, tree.join(path))))
        .collect();
    sized.sort();
    let middle = sized.len() / 2;
    (middle < sized.len()).then(|| sized.swap_remove(middle).1)
}
