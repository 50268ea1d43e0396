//! The structure of a text: folding ranges, selection ranges, linked editing ranges; and links.

use lsp_types::{
    DocumentLink, DocumentLinkParams, FoldingRange, FoldingRangeKind, FoldingRangeParams,
    LinkedEditingRangeParams, LinkedEditingRanges, SelectionRange, SelectionRangeParams,
};
use marotte_ide::{FilePosition, FoldingKind};

use super::position;
use crate::snapshot::{Answer, Snapshot};

pub(super) fn foldings(snapshot: &Snapshot, params: FoldingRangeParams) -> Answer<Vec<FoldingRange>> {
    let file = snapshot.file(&params.text_document.uri)?;
    let text = snapshot.text(file);
    let lines_only = snapshot.client.line_folding_only;
    let found = marotte_ide::foldings(&snapshot.db, file);
    let folding = |it: &marotte_ide::Folding| {
        let range = snapshot.range(&text, it.range);
        let mut end_line = range.end.line;
        // A client that folds whole lines would hide the closing bracket.
        let last = text.as_str().get(..usize::from(it.range.end())).unwrap_or_default();
        let last = last.rsplit('\n').next().unwrap_or_default().trim();
        if lines_only && it.kind == FoldingKind::Code && matches!(last, "}" | "]" | ")" | "|}") {
            end_line = end_line.saturating_sub(1);
        }
        FoldingRange {
            start_line: range.start.line,
            start_character: (!lines_only).then_some(range.start.character),
            end_line,
            end_character: (!lines_only).then_some(range.end.character),
            kind: match it.kind {
                FoldingKind::Code => None,
                FoldingKind::Comment => Some(FoldingRangeKind::Comment),
                FoldingKind::Region => Some(FoldingRangeKind::Region),
            },
            collapsed_text: None,
        }
    };
    Ok(found.iter().map(folding).filter(|it| it.start_line < it.end_line).collect())
}

pub(super) fn selections(snapshot: &Snapshot, params: SelectionRangeParams) -> Answer<Vec<SelectionRange>> {
    let file = snapshot.file(&params.text_document.uri)?;
    let text = snapshot.text(file);
    let selection = |position| {
        let offset = snapshot.offset(file, position)?;
        let ranges = marotte_ide::selection_ranges(&snapshot.db, FilePosition { file, offset });
        let outward = ranges.iter().rev().fold(None, |parent: Option<Box<SelectionRange>>, it| {
            Some(Box::new(SelectionRange { range: snapshot.range(&text, *it), parent }))
        });
        let here = || SelectionRange { range: lsp_types::Range::new(position, position), parent: None };
        Ok(outward.map_or_else(here, |it| *it))
    };
    params.positions.into_iter().map(selection).collect()
}

pub(super) fn linked(
    snapshot: &Snapshot,
    params: LinkedEditingRangeParams,
) -> Answer<Option<LinkedEditingRanges>> {
    let at = position(snapshot, &params.text_document_position_params)?;
    let text = snapshot.text(at.file);
    let ranges = marotte_ide::linked_editing(&snapshot.db, at);
    let ranges: Vec<_> = ranges.into_iter().map(|it| snapshot.range(&text, it)).collect();
    Ok((!ranges.is_empty()).then_some(LinkedEditingRanges { ranges, word_pattern: None }))
}

pub(super) fn links(snapshot: &Snapshot, params: DocumentLinkParams) -> Answer<Vec<DocumentLink>> {
    let file = snapshot.file(&params.text_document.uri)?;
    let text = snapshot.text(file);
    let link = |it: &marotte_ide::Link| DocumentLink {
        range: snapshot.range(&text, it.range),
        target: Some(snapshot.uri(it.target.path(&snapshot.db))),
        tooltip: None,
        data: None,
    };
    Ok(marotte_ide::links(&snapshot.db, file).iter().map(link).collect())
}
