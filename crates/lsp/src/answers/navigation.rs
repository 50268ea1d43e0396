//! Navigation: definitions, declarations, implementations and references.

use lsp_types::{
    DeclarationParams, DefinitionParams, DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams,
    ImplementationParams, Location, LocationLink, ReferenceParams, TextDocumentPositionParams,
    TypeDefinitionParams,
};
use marotte_ide::{Access, FilePosition, NavigationTarget};
use serde_json::Value;

use super::position;
use crate::message::value_of;
use crate::snapshot::{Answer, Snapshot};

pub(super) fn definition(snapshot: &Snapshot, params: DefinitionParams) -> Answer<Value> {
    targets(snapshot, &params.text_document_position_params, |it, at| marotte_ide::definition(&it.db, at))
}

pub(super) fn declaration(snapshot: &Snapshot, params: DeclarationParams) -> Answer<Value> {
    targets(snapshot, &params.text_document_position_params, |it, at| marotte_ide::declaration(&it.db, at))
}

pub(super) fn type_definition(snapshot: &Snapshot, params: TypeDefinitionParams) -> Answer<Value> {
    targets(snapshot, &params.text_document_position_params, |it, at| {
        marotte_ide::type_definition(&it.db, at)
    })
}

pub(super) fn implementation(snapshot: &Snapshot, params: ImplementationParams) -> Answer<Value> {
    targets(snapshot, &params.text_document_position_params, |it, at| {
        marotte_ide::implementations(&it.db, at)
    })
}

/// Navigation targets, as links for clients that support them.
fn targets(
    snapshot: &Snapshot,
    params: &TextDocumentPositionParams,
    find: impl Fn(&Snapshot, FilePosition) -> Vec<NavigationTarget>,
) -> Answer<Value> {
    let found = find(snapshot, position(snapshot, params)?);
    let of = |it: &NavigationTarget| snapshot.location(it.full.file, it.selection);
    if !snapshot.client.location_links {
        return Ok(value_of(&found.iter().map(of).collect::<Vec<Location>>()));
    }
    let link = |it: &NavigationTarget| {
        let Location { uri, range } = of(it);
        LocationLink {
            origin_selection_range: None,
            target_uri: uri,
            target_range: snapshot.location(it.full.file, it.full.range).range,
            target_selection_range: range,
        }
    };
    Ok(value_of(&found.iter().map(link).collect::<Vec<LocationLink>>()))
}

pub(super) fn references(snapshot: &Snapshot, params: ReferenceParams) -> Answer<Option<Vec<Location>>> {
    let at = position(snapshot, &params.text_document_position_params)?;
    let found = marotte_ide::references(&snapshot.db, at);
    Ok(found.map(|found| {
        let is_wanted = |access: Access| params.context.include_declaration || access != Access::Definition;
        let found = found.iter().filter(|it| is_wanted(it.access));
        found.map(|it| snapshot.location(it.place.file, it.place.range)).collect()
    }))
}

pub(super) fn highlights(
    snapshot: &Snapshot,
    params: DocumentHighlightParams,
) -> Answer<Vec<DocumentHighlight>> {
    let at = position(snapshot, &params.text_document_position_params)?;
    let text = snapshot.text(at.file);
    let highlight = |it: &marotte_ide::Highlight| DocumentHighlight {
        range: snapshot.range(&text, it.range),
        kind: Some(match it.access {
            Access::Definition | Access::Write => DocumentHighlightKind::Write,
            Access::Declaration | Access::Read => DocumentHighlightKind::Read,
        }),
    };
    Ok(marotte_ide::highlights(&snapshot.db, at).iter().map(highlight).collect())
}
