//! `textDocument/hover`.

use camino::Utf8PathBuf;
use lsp_types::{Hover, HoverParams, MarkupContent, MarkupKind};

use marotte_db::{Db as _, File};
use marotte_text::Str;

use super::position;
use crate::facts;
use crate::snapshot::{Answer, Snapshot};

pub(super) fn hover(snapshot: &Snapshot, params: HoverParams) -> Answer<Option<Hover>> {
    let at = position(snapshot, &params.text_document_position_params)?;
    let Some(mut found) = marotte_ide::hover(&snapshot.db, at) else { return Ok(None) };
    if let Some(samples) = found.fact.as_deref().and_then(|it| samples(snapshot, at.file, it)) {
        found.markdown = format!("{}\n\n{samples}", found.markdown);
    }
    let kind = if snapshot.client.markdown { MarkupKind::Markdown } else { MarkupKind::PlainText };
    let range = snapshot.range(&snapshot.text(at.file), found.range);
    Ok(Some(Hover { contents: MarkupContent::new(kind, found.markdown).into(), range: Some(range) }))
}

/// The number of nodes whose facts are read for a hover text, which is needed at once.
const NODES: usize = 16;

/// The values of a fact on the nodes that the settings name. Files that cannot be read have none: commands report these.
fn samples(snapshot: &Snapshot, file: File, fact: &[Str]) -> Option<String> {
    let system = snapshot.db.system();
    let files: Vec<Utf8PathBuf> = facts::files(system, &facts::path(snapshot, file)?);
    let read = files.iter().take(NODES).filter_map(|it| facts::of_file(system, it).ok());
    let nodes: Vec<_> = read.map(|it| (it.name.unwrap_or_default(), it.values)).collect();
    marotte_ide::fact_samples(fact, &nodes)
}
