//! The established programs, on the same files.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::measure::{RAN, REFUSED, Sample, sample};
use super::report::{Bound, Report};
use crate::Result;

/// The input of the peers.
pub(super) struct Peers<'run> {
    /// The corpus.
    pub(super) tree: &'run Path,
    /// Its manifests; the peers don't read templates.
    pub(super) manifests: &'run [PathBuf],
    /// The small file.
    pub(super) small: &'run Path,
    /// puppet-lint only gets every Nth manifest.
    pub(super) lint_every: u32,
}

impl Peers<'_> {
    /// Runs each of them `runs` times, and compares the results with those of marotte for all files and for one.
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

    /// Returns puppet-lint's time for all manifests. It runs once: it is slow and hardly varies. Its startup time is
    /// measured separately, so that the time of a sample can be scaled without it.
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
