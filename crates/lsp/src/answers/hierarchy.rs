//! The call hierarchy, the type hierarchy, and code lenses.

use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams, CodeLens,
    CodeLensParams, Command, Location, Range, TypeHierarchyItem, TypeHierarchyPrepareParams,
    TypeHierarchySubtypesParams, TypeHierarchySupertypesParams, Uri,
};
use marotte_ide::{Call, FilePosition, NavigationTarget};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::position;
use super::symbols::kind;
use crate::commands::nodes;
use crate::message::{ResponseError, value_of};
use crate::snapshot::{Answer, Snapshot};

pub(super) fn calls(
    snapshot: &Snapshot,
    params: CallHierarchyPrepareParams,
) -> Answer<Option<Vec<CallHierarchyItem>>> {
    let at = position(snapshot, &params.text_document_position_params)?;
    Ok(marotte_ide::call_hierarchy(&snapshot.db, at).map(|it| vec![call_item(snapshot, &it)]))
}

pub(super) fn incoming(
    snapshot: &Snapshot,
    params: CallHierarchyIncomingCallsParams,
) -> Answer<Vec<CallHierarchyIncomingCall>> {
    let at = place(snapshot, &params.item.uri, params.item.selection_range)?;
    let call = |it: &Call| CallHierarchyIncomingCall {
        from: call_item(snapshot, &it.target),
        from_ranges: ranges(snapshot, it),
    };
    Ok(marotte_ide::incoming_calls(&snapshot.db, at).iter().map(call).collect())
}

pub(super) fn outgoing(
    snapshot: &Snapshot,
    params: CallHierarchyOutgoingCallsParams,
) -> Answer<Vec<CallHierarchyOutgoingCall>> {
    let at = place(snapshot, &params.item.uri, params.item.selection_range)?;
    let call = |it: &Call| CallHierarchyOutgoingCall {
        to: call_item(snapshot, &it.target),
        from_ranges: ranges(snapshot, it),
    };
    Ok(marotte_ide::outgoing_calls(&snapshot.db, at).iter().map(call).collect())
}

fn call_item(snapshot: &Snapshot, target: &NavigationTarget) -> CallHierarchyItem {
    let Location { uri, range } = snapshot.location(target.full.file, target.full.range);
    let selection_range = snapshot.location(target.full.file, target.selection).range;
    CallHierarchyItem {
        name: target.name.clone(),
        kind: kind(target.kind),
        tags: None,
        detail: None,
        uri,
        range,
        selection_range,
        data: None,
    }
}

fn ranges(snapshot: &Snapshot, call: &Call) -> Vec<Range> {
    call.places.iter().map(|it| snapshot.location(it.file, it.range).range).collect()
}

pub(super) fn types(
    snapshot: &Snapshot,
    params: TypeHierarchyPrepareParams,
) -> Answer<Option<Vec<TypeHierarchyItem>>> {
    let at = position(snapshot, &params.text_document_position_params)?;
    Ok(marotte_ide::type_hierarchy(&snapshot.db, at).map(|it| vec![type_item(snapshot, &it)]))
}

pub(super) fn supertypes(
    snapshot: &Snapshot,
    params: TypeHierarchySupertypesParams,
) -> Answer<Vec<TypeHierarchyItem>> {
    let at = place(snapshot, &params.item.uri, params.item.selection_range)?;
    Ok(marotte_ide::supertypes(&snapshot.db, at).iter().map(|it| type_item(snapshot, it)).collect())
}

pub(super) fn subtypes(
    snapshot: &Snapshot,
    params: TypeHierarchySubtypesParams,
) -> Answer<Vec<TypeHierarchyItem>> {
    let at = place(snapshot, &params.item.uri, params.item.selection_range)?;
    Ok(marotte_ide::subtypes(&snapshot.db, at).iter().map(|it| type_item(snapshot, it)).collect())
}

fn type_item(snapshot: &Snapshot, target: &NavigationTarget) -> TypeHierarchyItem {
    let CallHierarchyItem { name, kind, uri, range, selection_range, .. } = call_item(snapshot, target);
    TypeHierarchyItem { name, kind, tags: None, detail: None, uri, range, selection_range, data: None }
}

/// The place of a hierarchy item.
fn place(snapshot: &Snapshot, uri: &Uri, selection: Range) -> Answer<FilePosition> {
    let file = snapshot.file(uri)?;
    Ok(FilePosition { file, offset: snapshot.offset(file, selection.start)? })
}

/// The data of a code lens until it is resolved.
#[derive(Debug, Serialize, Deserialize)]
struct Counted {
    uri: Uri,
    noun: String,
}

/// The command of a code lens, which clients implement.
pub(crate) const SHOW_REFERENCES: &str = "marotte.showReferences";

pub(super) fn lenses(snapshot: &Snapshot, params: CodeLensParams) -> Answer<Vec<CodeLens>> {
    let uri = params.text_document.uri;
    let file = snapshot.file(&uri)?;
    let text = snapshot.text(file);
    let mut lenses = Vec::new();
    for it in marotte_ide::code_lenses(&snapshot.db, file) {
        let range = snapshot.range(&text, it.range);
        let data = Some(value_of(&Counted { uri: uri.clone(), noun: it.noun.to_owned() }));
        lenses.push(CodeLens { range, command: None, data: data.clone() });
        if let Some(class) = it.class.filter(|_| snapshot.server.facts.is_some()) {
            let command = Command {
                title: "which nodes?".to_owned(),
                tooltip: None,
                command: nodes::NAME.to_owned(),
                arguments: Some(vec![json!({ "uri": uri, "class": class })]),
            };
            lenses.push(CodeLens { range, command: Some(command), data });
        }
    }
    Ok(lenses)
}

pub(super) fn lens(snapshot: &Snapshot, lens: CodeLens) -> Answer<CodeLens> {
    if lens.command.is_some() {
        return Ok(lens);
    }
    let Counted { uri, noun } = serde_json::from_value(lens.data.clone().unwrap_or_default())
        .map_err(|_| ResponseError::invalid_params("this lens has nothing to be resolved"))?;
    let places = marotte_ide::resolve_code_lens(&snapshot.db, place(snapshot, &uri, lens.range)?);
    let locations: Vec<Location> = places.iter().map(|it| snapshot.location(it.file, it.range)).collect();
    let plural = if locations.len() == 1 { "" } else { "s" };
    let command = Command {
        title: format!("{} {noun}{plural}", locations.len()),
        tooltip: None,
        command: SHOW_REFERENCES.to_owned(),
        arguments: Some(vec![value_of(&uri), value_of(&lens.range.start), value_of(&locations)]),
    };
    Ok(CodeLens { command: Some(command), ..lens })
}
