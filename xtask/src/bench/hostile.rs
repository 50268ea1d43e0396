//! `cargo xtask bench hostile`: the cost of small hostile texts, each in a separate process.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use marotte_tests::hostile::{SMALL, Tree, families, programs};
use wait4::Wait4;

use super::build;
use super::report::{Bound, Report};
use super::scratch::Scratch;
use crate::{Result, files};

/// The inputs of a measurement.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// Trees that are checked.
    Check,
    /// Programs that are evaluated.
    Evaluation,
}

/// The parts and the program that are measured.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only families and programs whose name contains this.
    pub(super) name: Option<String>,
    /// Only the check, or only the evaluation.
    #[arg(long)]
    pub(super) part: Option<Part>,
    /// The program to measure, instead of a release build.
    #[arg(long)]
    pub(super) marotte: Option<PathBuf>,
}

impl Arguments {
    /// Returns the program to measure.
    pub(super) fn program(&self) -> Result<PathBuf> {
        match &self.marotte {
            Some(path) => Ok(path.clone()),
            None => Ok(build::release()?.marotte),
        }
    }

    /// Whether a family of this name is requested.
    pub(super) fn wants_check(&self, name: &str) -> bool {
        self.wants(Part::Check, name)
    }

    /// Whether an item of this name is requested.
    fn wants(&self, part: Part, name: &str) -> bool {
        self.part.is_none_or(|it| it == part)
            && self.name.as_ref().is_none_or(|it| name.contains(it.as_str()))
    }
}

/// The limits of a check: seconds of processor time, and bytes of memory.
const CHECK: (f64, f64) = (1.0, 256e6);
/// The limits of the evaluation of a program.
const EVALUATION: (f64, f64) = (2.0, 1e9);
/// The seconds of processor time after which a process is killed.
const LONGEST: u32 = 4;

/// Measures hostile trees and programs.
pub(super) fn measure(arguments: &Arguments, report: &mut Report) -> Result<()> {
    let marotte = arguments.program()?;
    let scratch = Scratch::new("hostile")?;
    for family in families().into_iter().filter(|it| arguments.wants(Part::Check, it.name)) {
        let tree = family.at_most(SMALL);
        let folder = write(&tree, &scratch, family.name)?;
        let usage = limited(&marotte, &folder, &["check"], LONGEST)?;
        usage.add(&format!("check {}", family.name), &[0, 1], CHECK, report);
    }
    for program in programs().into_iter().filter(|it| arguments.wants(Part::Evaluation, it.name)) {
        let folder = write(&program.tree, &scratch, program.name)?;
        let (what, words) = if program.text.is_empty() {
            ("lookup", vec!["lookup", "k0"])
        } else {
            ("eval", vec!["eval", "-e", &program.text])
        };
        let usage = limited(&marotte, &folder, &words, LONGEST)?;
        usage.add(&format!("{what} {}", program.name), &[0, 1], EVALUATION, report);
    }
    Ok(())
}

/// Writes a tree to a folder of this name.
pub(super) fn write(tree: &Tree, scratch: &Scratch, name: &str) -> Result<PathBuf> {
    let folder = scratch.folder().join(name);
    files::make_folder(&folder)?;
    for (path, text) in &tree.files {
        files::write(&folder.join(path), text)?;
    }
    Ok(folder)
}

/// The resource usage of a process.
pub(super) struct Usage {
    /// Seconds of processor time.
    cpu: f64,
    wall: f64,
    peak: f64,
    status: Option<i32>,
}

impl Usage {
    /// The seconds of processor time of a process that ended with one of these statuses. An error tells how another ended.
    pub(super) fn ended(&self, statuses: &[i32]) -> std::result::Result<f64, String> {
        match self.status {
            Some(status) if statuses.contains(&status) => Ok(self.cpu),
            Some(status) => Err(format!("ENDED WITH {status}")),
            None => Err("KILLED".to_owned()),
        }
    }

    fn add(&self, what: &str, statuses: &[i32], (seconds, bytes): (f64, f64), report: &mut Report) {
        let (value, note) = match self.ended(statuses) {
            Ok(cpu) => (cpu, format!("{:.2} s by the clock", self.wall)),
            Err(end) => (f64::INFINITY, end),
        };
        report.add(what, value, "s", Bound::AtMost(seconds), &note);
        report.add(&format!("{what}: memory"), self.peak / 1e6, "MB", Bound::AtMost(bytes / 1e6), "");
    }
}

/// Runs the program in a folder, within so many seconds of the processor and 4 GB of addresses.
pub(super) fn limited(marotte: &Path, folder: &Path, words: &[&str], seconds: u32) -> Result<Usage> {
    let marotte = std::path::absolute(marotte)?;
    let mut command = Command::new("sh");
    let limits = format!("ulimit -t {seconds}; ulimit -v 4000000; exec \"$0\" \"$@\"");
    command.args(["-c", &limits]).arg(marotte).args(words);
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let used = command.spawn()?.wait4()?;
    Ok(Usage {
        cpu: (used.rusage.utime + used.rusage.stime).as_secs_f64(),
        wall: start.elapsed().as_secs_f64(),
        peak: used.rusage.maxrss as f64,
        status: used.status.code(),
    })
}
