//! `textDocument/hover`.

use lsp_types::{Hover, HoverParams, MarkupContent, MarkupKind};

use super::position;
use crate::snapshot::{Answer, Snapshot};

pub(super) fn hover(snapshot: &Snapshot, params: HoverParams) -> Answer<Option<Hover>> {
    let at = position(snapshot, &params.text_document_position_params)?;
    let Some(found) = marotte_ide::hover(&snapshot.db, at) else { return Ok(None) };
    let kind = if snapshot.client.markdown { MarkupKind::Markdown } else { MarkupKind::PlainText };
    let range = snapshot.range(&snapshot.text(at.file), found.range);
    Ok(Some(Hover { contents: MarkupContent::new(kind, found.markdown).into(), range: Some(range) }))
}
