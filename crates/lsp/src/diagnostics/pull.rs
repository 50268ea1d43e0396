//! `textDocument/diagnostic`.

use lsp_types::{
    DocumentDiagnosticParams, DocumentDiagnosticReport, FullDocumentDiagnosticReport,
    RelatedFullDocumentDiagnosticReport, RelatedUnchangedDocumentDiagnosticReport,
    UnchangedDocumentDiagnosticReport,
};

use super::findings::{diagnosed, of_file, of_support};
use crate::snapshot::{Answer, Snapshot};

/// The diagnostics of one document.
pub(crate) fn document(
    snapshot: &Snapshot,
    params: DocumentDiagnosticParams,
) -> Answer<DocumentDiagnosticReport> {
    let file = snapshot.file(&params.text_document.uri)?;
    let findings = if snapshot.is_checked(file) {
        of_file(snapshot, file)
    } else if snapshot.support.contains(&file) {
        of_support(snapshot, file)
    } else {
        Vec::new()
    };
    let diagnosed = diagnosed(snapshot, file, &findings);
    let id = diagnosed.id.to_string();
    Ok(if params.previous_result_id.as_ref() == Some(&id) {
        let report = UnchangedDocumentDiagnosticReport::new(id);
        RelatedUnchangedDocumentDiagnosticReport::new(None, report).into()
    } else {
        let items = diagnosed.diagnostics.to_vec();
        let report = FullDocumentDiagnosticReport { result_id: Some(id), items };
        RelatedFullDocumentDiagnosticReport::new(None, report).into()
    })
}
