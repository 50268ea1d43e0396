//! Formatting of documents and of ranges.

use lsp_types::{DocumentFormattingParams, DocumentRangeFormattingParams, TextEdit};
use marotte_db::File;
use marotte_format::{Edit, Options, edits, format, format_range};
use salsa::Database as _;

use crate::message::ResponseError;
use crate::snapshot::{Answer, Snapshot};

/// The edits that format a document. `None` for files other than code, such as data.
pub(super) fn document(
    snapshot: &Snapshot,
    params: DocumentFormattingParams,
) -> Answer<Option<Vec<TextEdit>>> {
    let file = snapshot.file(&params.text_document.uri)?;
    laid_out(snapshot, file, |text, options| {
        let mode = marotte_db::mode(&snapshot.db, file);
        let after = format(text, mode, options)?;
        // An edit of the document waits for this answer.
        snapshot.db.unwind_if_revision_cancelled();
        Ok(edits(text, &after))
    })
}

/// The edits of the whole document's formatting that affect lines of a range.
pub(super) fn range(
    snapshot: &Snapshot,
    params: DocumentRangeFormattingParams,
) -> Answer<Option<Vec<TextEdit>>> {
    let file = snapshot.file(&params.text_document.uri)?;
    let line = |line: u32| usize::try_from(line).unwrap_or(usize::MAX).saturating_add(1);
    // A range that ends at the start of a line doesn't include that line.
    let (start, end) = (params.range.start, params.range.end);
    let last = if end.character == 0 && end.line > start.line { end.line - 1 } else { end.line };
    let lines = line(start.line)..=line(last);
    laid_out(snapshot, file, |text, options| {
        let mode = marotte_db::mode(&snapshot.db, file);
        snapshot.db.unwind_if_revision_cancelled();
        format_range(text, mode, options, lines.clone())
    })
}

fn laid_out(
    snapshot: &Snapshot,
    file: File,
    edits: impl Fn(&str, &Options) -> Result<Vec<Edit>, marotte_format::Error>,
) -> Answer<Option<Vec<TextEdit>>> {
    let path = file.path(&snapshot.db);
    if !matches!(path.extension(), Some("pp" | "epp")) {
        return Ok(None);
    }
    let options = snapshot.settings.layout.as_ref().map(|it| it.options(path)).unwrap_or_default();
    let text = snapshot.text(file);
    let edits = edits(text.as_str(), &options)
        .map_err(|error| ResponseError::failed(format!("this document is not formatted: {error}")))?;
    Ok(Some(edits.into_iter().map(|it| TextEdit::new(snapshot.range(&text, it.range), it.text)).collect()))
}
