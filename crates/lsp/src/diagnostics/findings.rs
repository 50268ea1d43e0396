//! What is known to be wrong in each file of a folder.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use camino::Utf8PathBuf;
use lsp_types::Diagnostic;
use marotte_db::{Db as _, File};
use marotte_diagnostics::Diagnostic as Finding;
use marotte_project::{check_file, is_of_module};

use super::convert::Converter;
use crate::snapshot::Snapshot;

/// The diagnostics of one file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FileDiagnostics {
    /// The client's number of the text that they are about, if it is open.
    pub(crate) version: Option<i32>,
    /// In the order of their places.
    pub(crate) diagnostics: Arc<Vec<Diagnostic>>,
    /// The same for the same diagnostics.
    pub(crate) id: Arc<str>,
}

impl FileDiagnostics {
    pub(crate) fn new(version: Option<i32>, diagnostics: Vec<Diagnostic>) -> FileDiagnostics {
        let mut hasher = DefaultHasher::new();
        serde_json::to_string(&diagnostics).unwrap_or_default().hash(&mut hasher);
        let id = format!("{:016x}", hasher.finish()).into();
        FileDiagnostics { version, diagnostics: Arc::new(diagnostics), id }
    }
}

/// The diagnostics of files, by path.
pub(crate) type Diagnosed = BTreeMap<Utf8PathBuf, FileDiagnostics>;

/// The findings of a file as its folder's settings show them.
pub(crate) fn of_file(snapshot: &Snapshot, file: File) -> Vec<Arc<Finding>> {
    shown(snapshot, file, check_file(&snapshot.db, file).to_vec())
}

/// Those of a file's findings that its folder's settings show. What is wrong with a module as a whole is told in one of its files: where it
/// was when all of them were checked last.
pub(crate) fn shown(snapshot: &Snapshot, file: File, mut findings: Vec<Arc<Finding>>) -> Vec<Arc<Finding>> {
    let told = snapshot.of_modules.get(&file).map(Vec::as_slice).unwrap_or_default();
    let is_told = |finding: &Finding| told.iter().any(|it| it.message == finding.message);
    findings.retain(|it| !is_of_module(it) || is_told(it));
    settled(snapshot, &mut findings);
    findings
}

/// Applies what a folder's settings say of findings.
pub(crate) fn settled(snapshot: &Snapshot, findings: &mut Vec<Arc<Finding>>) {
    snapshot.settings.rules.apply(findings);
    if let Some(known) = &snapshot.settings.known {
        known.leave_out(&snapshot.db, findings);
    }
}

/// The diagnostics of one file.
pub(crate) fn diagnosed(snapshot: &Snapshot, file: File, findings: &[Arc<Finding>]) -> FileDiagnostics {
    let mut converter = Converter::new(snapshot);
    let diagnostics = findings.iter().map(|it| converter.diagnostic(it)).collect();
    FileDiagnostics::new(snapshot.version(file.path(&snapshot.db)), diagnostics)
}

/// The diagnostics of all files that have findings, or are open.
pub(crate) fn all_diagnosed(snapshot: &Snapshot, findings: &[Arc<Finding>]) -> Diagnosed {
    let mut converter = Converter::new(snapshot);
    let mut by_path: BTreeMap<Utf8PathBuf, Vec<Diagnostic>> = BTreeMap::new();
    for finding in findings {
        if let Some(file) = snapshot.db.files().by_id(finding.file) {
            let of_file = by_path.entry(file.path(&snapshot.db).clone()).or_default();
            of_file.push(converter.diagnostic(finding));
        }
    }
    for file in snapshot.files.iter().map(|it| it.path(&snapshot.db)) {
        if snapshot.opened.contains_key(file) {
            by_path.entry(file.clone()).or_default();
        }
    }
    let diagnosed = |(path, diagnostics): (Utf8PathBuf, _)| {
        let version = snapshot.version(&path);
        (path, FileDiagnostics::new(version, diagnostics))
    };
    by_path.into_iter().map(diagnosed).collect()
}
