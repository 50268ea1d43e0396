//! The findings and diagnostics of the files of a folder.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use camino::Utf8PathBuf;
use lsp_types::Diagnostic;
use marotte_db::{Db as _, File};
use marotte_diagnostics::Diagnostic as Finding;
use marotte_project::{check_one, check_support, is_of_module, is_own_of_reader};

use super::convert::Converter;
use crate::snapshot::Snapshot;

/// The diagnostics of one file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FileDiagnostics {
    /// The client's version of the text that was checked, if the document is open.
    pub(crate) version: Option<i32>,
    /// The diagnostics, in order of position.
    pub(crate) diagnostics: Arc<Vec<Diagnostic>>,
    /// The result ID: equal for equal diagnostics.
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

/// The diagnostics of files, by path. None for a file that has no findings any more, and is not open.
pub(crate) type Diagnosed = BTreeMap<Utf8PathBuf, Option<FileDiagnostics>>;

/// The findings of a file, after applying the folder's settings.
pub(crate) fn of_file(snapshot: &Snapshot, file: File) -> Vec<Arc<Finding>> {
    shown(snapshot, file, check_one(&snapshot.db, file))
}

/// The findings of a file that isn't among the files to check, after applying the folder's settings.
pub(crate) fn of_support(snapshot: &Snapshot, file: File) -> Vec<Arc<Finding>> {
    let mut findings = check_support(&snapshot.db, file);
    settled(snapshot, file, &mut findings);
    findings
}

/// Applies the folder's settings to a file's findings. A finding about a module as a whole is shown in one of its files: where
/// it was when all of them were last checked.
pub(crate) fn shown(snapshot: &Snapshot, file: File, mut findings: Vec<Arc<Finding>>) -> Vec<Arc<Finding>> {
    let told = snapshot.of_modules.get(&file).map(Vec::as_slice).unwrap_or_default();
    let is_told = |finding: &Finding| told.iter().any(|it| it.message == finding.message);
    findings.retain(|it| !is_of_module(it) || is_told(it));
    settled(snapshot, file, &mut findings);
    findings
}

/// Applies a folder's settings to the findings of a file.
pub(crate) fn settled(snapshot: &Snapshot, file: File, findings: &mut Vec<Arc<Finding>>) {
    if snapshot.is_of_others(file) {
        findings.retain(|it| is_own_of_reader(it));
    }
    let path = |id| snapshot.db.files().by_id(id).map(|it| it.path(&snapshot.db).as_str());
    snapshot.settings.rules.apply(findings, path);
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

/// The diagnostics of files, given the findings of a check of all files. One converter for all of them reads each text once.
pub(crate) fn all_diagnosed<'a>(
    snapshot: &Snapshot,
    findings: impl Iterator<Item = (File, &'a [Arc<Finding>])>,
) -> Diagnosed {
    let mut converter = Converter::new(snapshot);
    let mut diagnosed = Diagnosed::new();
    for (file, findings) in findings {
        let path = file.path(&snapshot.db);
        let mut findings = findings.to_vec();
        settled(snapshot, file, &mut findings);
        let version = snapshot.version(path);
        let has_news = !findings.is_empty() || version.is_some();
        let diagnostics = findings.iter().map(|it| converter.diagnostic(it)).collect();
        let of_file = has_news.then(|| FileDiagnostics::new(version, diagnostics));
        diagnosed.insert(path.clone(), of_file);
    }
    diagnosed
}
