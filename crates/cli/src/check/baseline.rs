//! `marotte check --baseline` and `--write-baseline`.

use std::collections::HashSet;
use std::io::{self, Write as _};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;
use marotte_db::system::ReadError;
use marotte_diagnostics::baseline::{Baseline, Known};
use marotte_diagnostics::{Diagnostic, FileId, RuleSet, Settings, printable, rules};
use marotte_project::{Project, ProjectDatabase};

use super::summary::count;
use crate::bounds::{Bounds, way};
use crate::failure::Failure;

/// The maximum size in bytes, longer than the baseline of any tree.
const MAX_SIZE: u64 = 1 << 30;

/// The known findings, and the file that lists them.
#[derive(Debug)]
pub(crate) struct KnownFindings {
    /// The absolute path. The paths in the file are relative to its folder, so that both can move.
    path: Utf8PathBuf,
    baseline: Baseline,
    bounds: Bounds,
}

impl KnownFindings {
    /// Reads the file. If it is about to be written, it may be missing, and must be in the tree or where the user names it.
    ///
    /// A file elsewhere is not quoted: a tree may name any file.
    pub(super) fn read(
        system: &dyn System,
        path: &Utf8Path,
        bounds: Bounds,
        is_written: bool,
    ) -> Result<Self, Failure> {
        let path = system.absolute(path);
        if is_written {
            refuse_outside(system, &path, &bounds)?;
        }
        let baseline = content(system, &path, &bounds, is_written)?;
        Ok(KnownFindings { path, baseline, bounds })
    }

    /// Leaves out the known findings.
    pub(super) fn apply(
        &self,
        project: &Project,
        scope: Scope<'_>,
        findings: &mut Vec<Arc<Diagnostic>>,
    ) -> Known {
        let checked = Checked::new(self.folder(), project, scope);
        let was_checked = |path: &str, rule: &str| checked.has(path, rule);
        self.baseline.apply(findings, |file| self.path_of(project, file), was_checked)
    }

    /// Writes the file with these findings as the known ones, and keeps those of files and rules that were not checked.
    pub(super) fn write(
        &mut self,
        system: &dyn System,
        project: &Project,
        scope: Scope<'_>,
        findings: &[Arc<Diagnostic>],
    ) -> Result<(), Failure> {
        let checked = Checked::new(self.folder(), project, scope);
        let mut new = Baseline::of(findings, |file| self.path_of(project, file));
        new.keep(&self.baseline, |path, rule| !checked.has(path, rule));
        // A link may have been made since the file was read.
        refuse_outside(system, &self.path, &self.bounds)?;
        self.bounds
            .write(system, &self.path, new.to_json().as_bytes())
            .map_err(|error| format!("cannot write {}: {error}", self.path))?;
        let difference = match (self.baseline.len(), new.len()) {
            (0, _) => String::new(),
            (before, new) if before == new => ", as many as before".to_owned(),
            (before, new) if before > new => format!(", {} fewer than before", before - new),
            (before, new) => format!(", {} more than before", new - before),
        };
        let path = printable::line(self.path.as_str());
        let message = format!("Listed {} in {path}{difference}\n", count(new.len(), "finding"));
        self.baseline = new;
        Ok(io::stderr().lock().write_all(message.as_bytes())?)
    }

    /// Leaves out the known findings, for findings of only some of the files.
    pub(crate) fn leave_out(&self, db: &ProjectDatabase, findings: &mut Vec<Arc<Diagnostic>>) {
        self.baseline.apply(findings, |file| self.path_in(db, file), |_, _| false);
    }

    fn folder(&self) -> &Utf8Path {
        self.path.parent().unwrap_or(&self.path)
    }

    fn path_of(&self, project: &Project, file: FileId) -> String {
        self.path_in(project.db(), file)
    }

    fn path_in(&self, db: &ProjectDatabase, file: FileId) -> String {
        let file = marotte_db::Db::files(db).by_id(file);
        file.map_or_else(String::new, |it| relative(self.folder(), it.path(db)))
    }
}

/// Refuses to write a file to which only the tree leads.
fn refuse_outside(system: &dyn System, path: &Utf8Path, bounds: &Bounds) -> Result<(), Failure> {
    let Some(target) = bounds.led_out(system, path) else { return Ok(()) };
    Err(Failure::Message(format!(
        "the baseline {} is outside of the tree, and not written unless `--baseline {target}` names it",
        way(path, &target)
    )))
}

/// Reads the findings of a file; none, if it is missing and may be.
fn content(
    system: &dyn System,
    path: &Utf8Path,
    bounds: &Bounds,
    may_be_missing: bool,
) -> Result<Baseline, Failure> {
    let bytes = match system.read(path, MAX_SIZE) {
        Ok(bytes) => bytes,
        Err(ReadError::NotFound) if may_be_missing => return Ok(Baseline::default()),
        Err(ReadError::NotFound) => {
            return Err(Failure::Message(format!("there is no {path}; `--write-baseline` makes it")));
        }
        Err(error) => return Err(Failure::Message(format!("cannot read {path}: {error}"))),
    };
    let baseline = String::from_utf8(bytes)
        .map_err(|_| format!("{path} is not UTF-8"))
        .and_then(|text| Baseline::from_json(&text).map_err(|it| format!("{path} is not a baseline: {it}")));
    baseline.map_err(|message| match bounds.led_out(system, path) {
        Some(target) => {
            let way = way(path, &target);
            Failure::Message(format!("{way} is outside of the tree, and not a baseline"))
        }
        None => Failure::Message(message),
    })
}

/// The part of the tree's findings that a run looks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope<'a> {
    pub(super) rules: &'a Settings,
    /// Whether it includes modules that the Puppetfile fetches.
    pub(super) third_party: bool,
}

/// The paths and rules that were checked; paths are as in a baseline.
struct Checked<'a> {
    system: &'a dyn System,
    folder: &'a Utf8Path,
    paths: HashSet<String>,
    /// The folders whose findings were left out.
    left_out: Vec<Utf8PathBuf>,
    rules: &'a Settings,
    wanted: RuleSet,
}

impl<'a> Checked<'a> {
    fn new(folder: &'a Utf8Path, project: &'a Project, scope: Scope<'a>) -> Self {
        let paths = project.files().map(|it| relative(folder, it.path(project.db()))).collect();
        let left_out = if scope.third_party { Vec::new() } else { project.fetched_modules() };
        let rules = scope.rules;
        Checked { system: project.system(), folder, paths, left_out, rules, wanted: rules.wanted() }
    }

    /// Whether a rule has examined a file; a file that no longer exists has no findings, either.
    fn has(&self, path: &str, rule: &str) -> bool {
        let absolute = self.system.absolute(&self.folder.join(path));
        let was_read = self.paths.contains(path) && !self.left_out.iter().any(|it| absolute.starts_with(it));
        (was_read || !self.system.is_file(&absolute)) && self.wants(rule, absolute.as_str())
    }

    /// Whether a rule was requested for a file. A rule that no longer exists finds nothing.
    fn wants(&self, name: &str, path: &str) -> bool {
        let Some(rule) = rules::rule(name) else { return true };
        // It reports comments about requested rules only.
        let is_partial = rule == rules::UNUSED_SUPPRESSION && self.rules.is_selective();
        self.wanted.contains(rule) && self.rules.reports(rule, Some(path)) && !is_partial
    }
}

/// A path relative to a folder, both absolute; with the same separators on every system.
fn relative(folder: &Utf8Path, path: &Utf8Path) -> String {
    for (up, ancestor) in folder.ancestors().enumerate() {
        if let Ok(below) = path.strip_prefix(ancestor) {
            return "../".repeat(up) + &below.as_str().replace('\\', "/");
        }
    }
    path.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_folder_of_the_baseline() {
        let of = |folder: &str, path: &str| relative(folder.into(), path.into());
        assert_eq!(of("/site", "/site/manifests/x.pp"), "manifests/x.pp");
        assert_eq!(of("/site/ci", "/site/manifests/x.pp"), "../manifests/x.pp");
        assert_eq!(of("/", "/x.pp"), "x.pp");
    }
}
