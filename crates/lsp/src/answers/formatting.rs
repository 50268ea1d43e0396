//! Formatting of documents, of ranges, and while typing.

use std::ops::RangeInclusive;

use lsp_types::{
    DocumentFormattingParams, DocumentOnTypeFormattingParams, DocumentRangeFormattingParams,
    DocumentRangesFormattingParams, Range, TextEdit,
};
use marotte_db::File;
use marotte_format::{Edit, Options, edits, format, format_range};
use marotte_syntax::{LexemeKind, Mode, lexemes};
use marotte_text::{TextRange, TextSize};
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
    of_lines(snapshot, file, &[lines_of(params.range)])
}

/// Like [`range`], for several ranges.
pub(super) fn ranges(
    snapshot: &Snapshot,
    params: DocumentRangesFormattingParams,
) -> Answer<Option<Vec<TextEdit>>> {
    let file = snapshot.file(&params.text_document.uri)?;
    let lines: Vec<_> = params.ranges.into_iter().take(MOST_RANGES).map(lines_of).collect();
    of_lines(snapshot, file, &lines)
}

/// The number of ranges that one request formats.
const MOST_RANGES: usize = 64;

/// Returns the edits after a closing brace, for the lines of its block; after a line break, for the blanks of the line that it
/// ends. None for a text with errors, because the user is still typing.
pub(super) fn on_type(
    snapshot: &Snapshot,
    params: DocumentOnTypeFormattingParams,
) -> Answer<Option<Vec<TextEdit>>> {
    let file = snapshot.file(&params.text_document.uri)?;
    let line = usize::try_from(params.position.line).unwrap_or(usize::MAX);
    let edits = match &*params.ch {
        "}" => {
            let end = usize::from(snapshot.offset(file, params.position)?);
            let text = snapshot.text(file);
            let text = text.as_str();
            let Some(start) = opening(text, end, marotte_db::mode(&snapshot.db, file)) else {
                return Ok(None);
            };
            let first = text[..start].matches('\n').count() + 1;
            of_lines(snapshot, file, &[first..=line.saturating_add(1)])
        }
        "\n" if line > 0 => within_line(snapshot, file, line),
        _ => return Ok(None),
    };
    Ok(edits.unwrap_or_default())
}

/// The edits of the whole document's formatting that change only blanks within a line, counted from 1. Lines after it stay where they
/// are, whatever the formatting does to them.
fn within_line(snapshot: &Snapshot, file: File, line: usize) -> Answer<Option<Vec<TextEdit>>> {
    laid_out(snapshot, file, |text, options| {
        let mode = marotte_db::mode(&snapshot.db, file);
        let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
        let written = text[start..].lines().next().unwrap_or_default();
        let range = TextRange::at(TextSize::of(&text[..start]), TextSize::of(written));
        let edits = format_range(text, mode, options, line..=line)?;
        let edit = edits.into_iter().find(|it| it.range.start() == range.start());
        let new = edit.and_then(|it| it.text.lines().next().map(str::to_owned));
        Ok(new
            .filter(|new| has_same_words(written, new))
            .map(|text| Edit { range, text })
            .into_iter()
            .collect())
    })
}

/// Whether two lines differ in nothing but blanks.
fn has_same_words(one: &str, other: &str) -> bool {
    let signs = |line: &'_ str| line.chars().filter(|it| !it.is_whitespace()).collect::<String>();
    signs(one) == signs(other)
}

/// The offset of the brace that the one before a place closes.
fn opening(text: &str, end: usize, mode: Mode) -> Option<usize> {
    let all = lexemes(text.get(..end)?, mode).all;
    let last = all.last().filter(|it| usize::from(it.range.end()) == end && &text[it.range] == "}")?;
    let mut depth = 0_usize;
    for it in all.iter().rev().filter(|it| it.kind == LexemeKind::Punctuation || it.range == last.range) {
        match &text[it.range] {
            "}" => depth += 1,
            "{" => depth = depth.checked_sub(1)?,
            _ => continue,
        }
        if depth == 0 {
            return Some(it.range.start().into());
        }
    }
    None
}

/// The lines of a range, from 1. A range that ends at the start of a line doesn't include that line.
fn lines_of(range: Range) -> RangeInclusive<usize> {
    let line = |line: u32| usize::try_from(line).unwrap_or(usize::MAX).saturating_add(1);
    let (start, end) = (range.start, range.end);
    let last = if end.character == 0 && end.line > start.line { end.line - 1 } else { end.line };
    line(start.line)..=line(last)
}

/// The edits of the whole document's formatting that affect some lines, each once.
fn of_lines(
    snapshot: &Snapshot,
    file: File,
    lines: &[RangeInclusive<usize>],
) -> Answer<Option<Vec<TextEdit>>> {
    laid_out(snapshot, file, |text, options| {
        let mode = marotte_db::mode(&snapshot.db, file);
        let mut found: Vec<Edit> = Vec::new();
        for lines in lines {
            snapshot.db.unwind_if_revision_cancelled();
            found.extend(format_range(text, mode, options, lines.clone())?);
        }
        found.sort_by_key(|it| (it.range.start(), it.range.end()));
        found.dedup_by_key(|it| it.range);
        Ok(found)
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
    let failed = |error: String| ResponseError::failed(format!("this document is not formatted: {error}"));
    let options = snapshot.settings.layout.as_ref().map(|it| it.options(path)).transpose().map_err(failed)?;
    let text = snapshot.text(file);
    let edits =
        edits(text.as_str(), &options.unwrap_or_default()).map_err(|error| failed(error.to_string()))?;
    Ok(Some(edits.into_iter().map(|it| TextEdit::new(snapshot.range(&text, it.range), it.text)).collect()))
}
