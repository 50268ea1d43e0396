//! Formatting: in memory, and as a whole process that writes nothing.

use std::path::Path;
use std::process::Command;

use super::build::Programs;
use super::measure::{Sample, sample};
use super::passes;
use super::report::{Bound, Report};
use crate::Result;

/// The exit statuses of a formatter that completed: the corpus has files that can't be parsed.
const RAN: &[i32] = &[0, 1, 2];

/// The time of a whole process that formats the corpus and writes nothing.
pub(super) fn whole(marotte: &Path, tree: &Path, runs: u32) -> Result<Sample> {
    sample(runs, RAN, || {
        let mut command = Command::new(marotte);
        command.args(["format", "--check", "--no-ignore"]).arg(tree);
        command
    })
}

/// Measures the speed of formatting the corpus.
pub(super) fn measure(programs: &Programs, tree: &Path, runs: u32, report: &mut Report) -> Result<()> {
    let outcome = passes::in_process(&programs.xtask, tree, runs, passes::What::Format)?;
    let best = outcome.best_megabytes_per_second();
    let note = format!(
        "one core, median of {runs} passes over {} files, {} bytes, in memory; fastest {best:.1}",
        outcome.files, outcome.bytes
    );
    report.add("formatting", outcome.megabytes_per_second(), "MB/s", Bound::AtLeast(40.0), &note);
    let whole = whole(&programs.marotte, tree, runs)?;
    let note = format!("whole process, median of {runs}; {:.1} ms of processor time", whole.cpu * 1e3);
    report.add("format --check of the corpus", whole.wall * 1e3, "ms", Bound::AtMost(300.0), &note);
    Ok(())
}
