//! The established programs, on the same files.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::format;
use super::measure::{RAN, REFUSED, Sample, sample};
use super::report::{Bound, Report};
use crate::Result;

/// The input of the peers.
pub(super) struct Peers<'run> {
    /// The program to compare with them.
    pub(super) marotte: &'run Path,
    /// The folder of the corpus.
    pub(super) tree: &'run Path,
    /// The manifests of the corpus; the peers don't read templates.
    pub(super) manifests: &'run [PathBuf],
    /// The path of the small file.
    pub(super) small: &'run Path,
    /// puppet-lint only gets every Nth manifest.
    pub(super) lint_every: u32,
    /// The sources of puppet-lint and its plugins.
    pub(super) lint_plugins: Option<&'run Path>,
}

/// Plugins that crash on manifests of the corpus, which would end puppet-lint.
const CRASHES: &[&str] = &["reference_on_foreign_class.rb"];

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

        let (theirs, note) = self.lint()?;
        report.add("`puppet-lint` of the corpus", theirs.wall, "s", Bound::None, &note);
        report.add("marotte is faster by", theirs.wall / whole.wall, "times", Bound::AtLeast(100.0), "");
        let same = sample(runs, RAN, || self.style(self.tree))?;
        let note = format!("{:.0} ms, beside {:.1} s", same.wall * 1e3, theirs.wall);
        let title = "puppet-lint's checks are faster by";
        report.add(title, theirs.wall / same.wall, "times", Bound::AtLeast(100.0), &note);
        let note = format!("{:.0} ms, beside {:.1} s", same.cpu * 1e3, theirs.cpu);
        let title = "and take less processor time by";
        report.add(title, theirs.cpu / same.cpu, "times", Bound::AtLeast(100.0), &note);

        let of_one = sample(runs, RAN, || lint(&[self.small]))?;
        let same = sample(runs, RAN, || self.style(self.small))?;
        let note = format!("{:.1} ms, beside {:.1} ms", same.cpu * 1e3, of_one.cpu * 1e3);
        report.add("the same of one small file", of_one.cpu / same.cpu, "times", Bound::None, &note);
        self.lint_plugins.map_or(Ok(()), |sources| self.compare_plugins(sources, runs, report))
    }

    /// Compares puppet-lint and all of its plugins with the rules and the formatter that do the same, and with all rules together.
    fn compare_plugins(&self, sources: &Path, runs: u32, report: &mut Report) -> Result<()> {
        let plugins = plugins(sources)?;
        let theirs = sample(1, RAN, || {
            let mut command = Command::new("ruby");
            command.arg(&plugins.program).env("RUBYLIB", &plugins.libraries);
            command.args(plugins.checks.iter().flat_map(|check| [OsStr::new("--load"), check.as_os_str()]));
            command.args(self.manifests).current_dir(self.tree);
            command
        })?;
        let note = format!("whole process, one run, {} files of plugins", plugins.checks.len());
        report.add("`puppet-lint` with its plugins", theirs.wall, "s", Bound::None, &note);

        let rules = sample(runs, RAN, || self.check(&["--select", "puppet-lint,style"], self.tree))?;
        let layout = format::whole(self.marotte, self.tree, runs)?;
        let all = sample(runs, REFUSED, || self.check(&["--warn", "puppet-lint,style"], self.tree))?;
        let same = Sample {
            wall: rules.wall + layout.wall,
            cpu: rules.cpu + layout.cpu,
            peak: rules.peak.max(layout.peak),
        };
        for (title, ours, bound) in [
            ("their checks and `format --check` are faster by", &same, Bound::AtLeast(100.0)),
            ("all rules and style are faster by", &all, Bound::AtLeast(100.0)),
        ] {
            let note =
                format!("{:.0} ms; {:.0} times in processor time", ours.wall * 1e3, theirs.cpu / ours.cpu);
            report.add(title, theirs.wall / ours.wall, "times", bound, &note);
        }
        Ok(())
    }

    /// The command that checks a path with some rules.
    fn check(&self, rules: &[&str], path: &Path) -> Command {
        let mut command = Command::new(self.marotte);
        command.arg("check").args(rules).args(["--output-format", "concise"]).arg(path);
        command
    }

    /// The command that runs puppet-lint's checks, and nothing else.
    fn style(&self, path: &Path) -> Command {
        self.check(&["--select", "puppet-lint"], path)
    }

    fn validate(&self, manifests: &[PathBuf]) -> Command {
        let mut command = Command::new("puppet");
        command.args(["parser", "validate"]).args(manifests).current_dir(self.tree);
        command
    }

    /// Returns puppet-lint's time for all manifests. It runs once: it is slow and hardly varies. Its startup time is
    /// measured separately, so that the time of a sample can be scaled without it.
    fn lint(&self) -> Result<(Sample, String)> {
        let every = self.lint_every as usize;
        let chosen: Vec<&PathBuf> = self.manifests.iter().step_by(every).collect();
        let mut of_chosen = || {
            let mut command = lint(&chosen);
            command.current_dir(self.tree);
            command
        };
        let time = sample(1, RAN, &mut of_chosen)?;
        if every == 1 {
            return Ok((time, "whole process, one run".to_owned()));
        }
        let start = sample(1, RAN, || lint(&["--version"]))?;
        let scale = self.manifests.len() as f64 / chosen.len() as f64;
        let scaled = |start: f64, time: f64| start + (time - start) * scale;
        let note = format!("estimated from {} of {} manifests", chosen.len(), self.manifests.len());
        let (wall, cpu) = (scaled(start.wall, time.wall), scaled(start.cpu, time.cpu));
        Ok((Sample { wall, cpu, peak: time.peak }, note))
    }
}

fn lint(arguments: &[impl AsRef<OsStr>]) -> Command {
    let mut command = Command::new("puppet-lint");
    command.args(arguments);
    command
}

/// puppet-lint and its plugins, in a folder of sources.
struct Plugins {
    /// The script that starts puppet-lint.
    program: PathBuf,
    /// The folders of libraries, joined as `RUBYLIB` wants them.
    libraries: std::ffi::OsString,
    /// The files to load.
    checks: Vec<PathBuf>,
}

/// Finds puppet-lint and its plugins. Each is in a folder of its own, or in a clone.
fn plugins(sources: &Path) -> Result<Plugins> {
    let (mut programs, mut libraries, mut checks) = (Vec::new(), Vec::new(), Vec::new());
    for entry in ignore::WalkBuilder::new(sources).standard_filters(false).follow_links(true).build() {
        let path = entry?.into_path();
        if path.ends_with("bin/puppet-lint") {
            programs.push(path);
        } else if path.ends_with("lib") && path.is_dir() {
            libraries.push(path);
        } else if path.parent().is_some_and(|it| it.ends_with("lib/puppet-lint/plugins"))
            && path.extension().is_some_and(|it| it == "rb")
            && !CRASHES.iter().any(|it| path.ends_with(it))
        {
            checks.push(path);
        }
    }
    let Some(program) = programs.pop() else {
        return Err(format!("there is no `bin/puppet-lint` in {}", sources.display()).into());
    };
    checks.sort();
    Ok(Plugins { program, libraries: std::env::join_paths(libraries)?, checks })
}
