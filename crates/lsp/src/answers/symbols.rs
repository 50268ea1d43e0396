//! Symbols: of a document, and of the workspace.

use lsp_types::{
    BaseSymbolInformation, DocumentSymbol, DocumentSymbolParams, Location, SymbolInformation, SymbolKind,
    WorkspaceSymbol, WorkspaceSymbolParams,
};
use marotte_ide::SymbolKind as Kind;
use serde_json::Value;

use crate::message::value_of;
use crate::snapshot::{Answer, Snapshot, Text};

pub(super) fn of_document(snapshot: &Snapshot, params: DocumentSymbolParams) -> Answer<Value> {
    let file = snapshot.file(&params.text_document.uri)?;
    let text = snapshot.text(file);
    let found = marotte_ide::document_symbols(&snapshot.db, file);
    let symbols: Vec<DocumentSymbol> = found.into_iter().map(|it| symbol(snapshot, &text, it)).collect();
    if snapshot.client.hierarchical_symbols {
        return Ok(value_of(&symbols));
    }
    let mut flat = Vec::new();
    for symbol in symbols {
        flatten(symbol, None, &snapshot.uri(file.path(&snapshot.db)), &mut flat);
    }
    Ok(value_of(&flat))
}

#[expect(deprecated, reason = "a field that is never set")]
fn symbol(snapshot: &Snapshot, text: &Text, symbol: marotte_ide::DocumentSymbol) -> DocumentSymbol {
    let marotte_ide::DocumentSymbol { name, detail, kind: of, range, selection, children } = symbol;
    let children = children.into_iter().map(|it| self::symbol(snapshot, text, it)).collect();
    DocumentSymbol {
        name,
        detail,
        kind: kind(of),
        tags: None,
        deprecated: None,
        range: snapshot.range(text, range),
        selection_range: snapshot.range(text, selection),
        children: Some(children),
    }
}

/// Flattens the symbols, for clients without support for hierarchical symbols.
#[expect(deprecated, reason = "a field that is never set")]
fn flatten(
    symbol: DocumentSymbol,
    container: Option<&str>,
    uri: &lsp_types::Uri,
    flat: &mut Vec<SymbolInformation>,
) {
    let DocumentSymbol { name, kind, range, children, .. } = symbol;
    flat.push(SymbolInformation {
        deprecated: None,
        location: Location::new(uri.clone(), range),
        base_symbol_information: BaseSymbolInformation {
            name: name.clone(),
            kind,
            tags: None,
            container_name: container.map(str::to_owned),
        },
    });
    for child in children.into_iter().flatten() {
        flatten(child, Some(&name), uri, flat);
    }
}

/// The nearest symbol kind of the protocol.
pub(super) fn kind(kind: Kind) -> SymbolKind {
    match kind {
        Kind::Class => SymbolKind::Class,
        Kind::Define | Kind::ResourceType => SymbolKind::Struct,
        Kind::Function | Kind::Plan => SymbolKind::Function,
        Kind::DataType => SymbolKind::Interface,
        Kind::Node => SymbolKind::Namespace,
        Kind::Parameter | Kind::Attribute => SymbolKind::Property,
        Kind::Variable => SymbolKind::Variable,
        Kind::Resource => SymbolKind::Object,
        Kind::Fact => SymbolKind::Constant,
        Kind::DataKey => SymbolKind::Key,
        Kind::Module => SymbolKind::Module,
        Kind::File => SymbolKind::File,
        Kind::Keyword => SymbolKind::Operator,
        Kind::Value => SymbolKind::EnumMember,
    }
}

/// A limit beyond any useful number of results.
const MOST: usize = 200;

pub(super) fn everywhere(snapshot: &Snapshot, params: WorkspaceSymbolParams) -> Answer<Vec<WorkspaceSymbol>> {
    let found = marotte_ide::workspace_symbols(&snapshot.db, &params.query, MOST);
    let symbol = |it: &marotte_ide::NavigationTarget| WorkspaceSymbol {
        location: snapshot.location(it.full.file, it.selection).into(),
        data: None,
        base_symbol_information: BaseSymbolInformation {
            name: it.name.clone(),
            kind: kind(it.kind),
            tags: None,
            container_name: None,
        },
    };
    Ok(found.iter().map(symbol).collect())
}
