//! The programs that people use today, on the same files.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::measure::{RAN, REFUSED, Sample, sample};
use super::report::{Bound, Report};
use crate::Result;

/// What the peers are given.
pub(super) struct Peers<'run> {
    /// The corpus.
    pub(super) tree: &'run Path,
    /// Its manifests; the peers read no templates.
    pub(super) manifests: &'run [PathBuf],
    /// The small file.
    pub(super) small: &'run Path,
    /// puppet-lint gets every Nth manifest.
    pub(super) lint_every: u32,
}

impl Peers<'_> {
    /// Runs them, `runs` times each, and compares with what marotte took for all and for one.
    pub(super) fn compare(&self, whole: &Sample, one: &Sample, runs: u32, report: &mut Report) -> Result<()> {
        let note = format!("whole process, median of {runs}");
        let validate = sample(runs, REFUSED, || self.validate(self.manifests))?;
        report.add("`puppet parser validate` of the corpus", validate.wall, "s", Bound::None, &note);
        report.add("marotte is faster by", validate.wall / whole.wall, "times", Bound::AtLeast(30.0), "");
        report.add("its peak memory", validate.peak / 1e6, "MB", Bound::None, "");

        let small = sample(runs, RAN, || self.validate(&[self.small.to_owned()]))?;
        report.add("`puppet parser validate` of one small file", small.wall * 1e3, "ms", Bound::None, &note);
        report.add("marotte is faster by", small.wall / one.wall, "times", Bound::None, "");

        let (seconds, note) = self.lint_seconds()?;
        report.add("`puppet-lint` of the corpus", seconds, "s", Bound::None, &note);
        report.add("marotte is faster by", seconds / whole.wall, "times", Bound::AtLeast(100.0), "");
        Ok(())
    }

    fn validate(&self, manifests: &[PathBuf]) -> Command {
        let mut command = Command::new("puppet");
        command.args(["parser", "validate"]).args(manifests).current_dir(self.tree);
        command
    }

    /// puppet-lint's time for all manifests. It runs once: it is slow and hardly varies. What it takes to start is
    /// measured apart, so that a sample can be scaled without it.
    fn lint_seconds(&self) -> Result<(f64, String)> {
        let every = self.lint_every as usize;
        let chosen: Vec<&PathBuf> = self.manifests.iter().step_by(every).collect();
        let time = sample(1, RAN, || {
            let mut command = Command::new("puppet-lint");
            command.args(&chosen).current_dir(self.tree);
            command
        })?;
        if every == 1 {
            return Ok((time.wall, "whole process, one run".to_owned()));
        }
        let start = sample(1, RAN, || {
            let mut command = Command::new("puppet-lint");
            command.arg("--version");
            command
        })?;
        let scale = self.manifests.len() as f64 / chosen.len() as f64;
        let note = format!("estimated from {} of {} manifests", chosen.len(), self.manifests.len());
        Ok((start.wall + (time.wall - start.wall) * scale, note))
    }
}
