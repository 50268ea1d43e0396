//! `textDocument/inlayHint`.

use lsp_types::{InlayHint, InlayHintKind, InlayHintParams, Position, Range};
use marotte_ide::InlayHintKind as Kind;
use marotte_text::TextRange;

use crate::snapshot::{Answer, Snapshot};

pub(super) fn hints(snapshot: &Snapshot, params: InlayHintParams) -> Answer<Vec<InlayHint>> {
    let file = snapshot.file(&params.text_document.uri)?;
    let text = snapshot.text(file);
    // Editors send the visible range, which may be longer than the text by now.
    let last = u32::try_from(text.lines.count().saturating_sub(1)).unwrap_or(u32::MAX);
    let within = |it: Position| if it.line > last { Position::new(last, u32::MAX) } else { it };
    let within =
        snapshot.text_range(file, Range::new(within(params.range.start), within(params.range.end)))?;
    let hint = |it: &marotte_ide::InlayHint| InlayHint {
        position: snapshot.range(&text, TextRange::empty(it.at)).start,
        label: it.label.clone().into(),
        kind: match it.kind {
            Kind::Type => Some(InlayHintKind::Type),
            Kind::Parameter => Some(InlayHintKind::Parameter),
            Kind::Data => None,
        },
        text_edits: None,
        tooltip: None,
        padding_left: Some(it.kind == Kind::Data),
        padding_right: Some(it.kind == Kind::Parameter),
        data: None,
    };
    Ok(marotte_ide::inlay_hints(&snapshot.db, file, within).iter().map(hint).collect())
}
