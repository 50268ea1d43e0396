//! Findings in modules that the Puppetfile fetches, which are the responsibility of other maintainers.

use std::collections::BTreeSet;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_diagnostics::Diagnostic;
use marotte_project::{Project, is_own_of_reader};

use super::summary::count;

/// The number of findings that were left out, and of the modules that contain them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fetched {
    findings: usize,
    modules: usize,
}

/// Removes the findings in the modules that Puppetfiles fetch, except in those that the user named, and except those that only
/// the user can fix.
pub(super) fn leave_out(project: &Project, findings: &mut Vec<Arc<Diagnostic>>) -> Fetched {
    let folders = project.fetched_modules();
    if folders.is_empty() {
        return Fetched::default();
    }
    let mut modules: BTreeSet<&Utf8PathBuf> = BTreeSet::new();
    let before = findings.len();
    findings.retain(|it| {
        let path = Utf8Path::new(project.path(it.file).unwrap_or_default());
        let folder = folders.iter().find(|folder| path.starts_with(folder));
        let folder = folder.filter(|_| !is_own_of_reader(it));
        modules.extend(folder);
        folder.is_none()
    });
    Fetched { findings: before - findings.len(), modules: modules.len() }
}

impl Fetched {
    /// Returns the number of findings as a part of the summary.
    pub(super) fn summary(self) -> String {
        if self.findings == 0 {
            return String::new();
        }
        let (findings, modules) = (self.findings, count(self.modules, "module"));
        format!(", and {findings} in {modules} of the Puppetfile, which `--third-party` shows")
    }
}
