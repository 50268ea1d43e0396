//! `textDocument/completion`.

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionItemTag, CompletionList, CompletionParams,
    InsertTextFormat, MarkupContent, MarkupKind, TextEdit,
};
use marotte_ide::SymbolKind as Kind;

use super::position;
use crate::snapshot::{Answer, Snapshot, Text};

pub(super) fn completion(snapshot: &Snapshot, params: CompletionParams) -> Answer<CompletionList> {
    let at = position(snapshot, &params.text_document_position_params)?;
    let text = snapshot.text(at.file);
    let found = marotte_ide::completions(&snapshot.db, at);
    let items = found.items.into_iter().enumerate();
    Ok(CompletionList {
        is_incomplete: found.is_incomplete,
        items: items.map(|(index, it)| item(snapshot, &text, index, it)).collect(),
        ..CompletionList::default()
    })
}

#[expect(deprecated, reason = "a field that is never set")]
fn item(snapshot: &Snapshot, text: &Text, index: usize, item: marotte_ide::CompletionItem) -> CompletionItem {
    let marotte_ide::CompletionItem { label, kind: of, detail, documentation, replace, insert, .. } = item;
    let is_snippet = item.is_snippet && snapshot.client.snippets;
    let insert = if item.is_snippet && !is_snippet { plain(&insert) } else { insert };
    CompletionItem {
        kind: Some(kind(of)),
        tags: item.is_deprecated.then(|| vec![CompletionItemTag::Deprecated]),
        detail,
        documentation: documentation.map(|it| MarkupContent::new(MarkupKind::Markdown, it).into()),
        // Editors sort alphabetically; this text preserves our order.
        sort_text: Some(format!("{index:04}")),
        insert_text_format: is_snippet.then_some(InsertTextFormat::Snippet),
        text_edit: Some(TextEdit::new(snapshot.range(text, replace), insert).into()),
        deprecated: None,
        label,
        ..CompletionItem::default()
    }
}

/// A snippet as plain text, for editors without snippets: up to its first placeholder, where the user continues.
fn plain(snippet: &str) -> String {
    let mut text = String::new();
    let mut characters = snippet.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => text.extend(characters.next()),
            '$' => break,
            other => text.push(other),
        }
    }
    text
}

fn kind(kind: Kind) -> CompletionItemKind {
    match kind {
        Kind::Class => CompletionItemKind::Class,
        Kind::Define | Kind::ResourceType => CompletionItemKind::Struct,
        Kind::Function | Kind::Plan => CompletionItemKind::Function,
        Kind::DataType => CompletionItemKind::Interface,
        Kind::Node | Kind::Module => CompletionItemKind::Module,
        Kind::Parameter | Kind::Attribute | Kind::DataKey => CompletionItemKind::Property,
        Kind::Variable => CompletionItemKind::Variable,
        Kind::Resource => CompletionItemKind::Reference,
        Kind::Fact => CompletionItemKind::Constant,
        Kind::File => CompletionItemKind::File,
        Kind::Keyword => CompletionItemKind::Keyword,
        Kind::Value => CompletionItemKind::Value,
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn a_snippet_without_places_ends_at_the_first() {
        assert_eq!(plain("file { '$1':\n}"), "file { '");
        assert_eq!(plain("a \\$x \\} b"), "a $x } b");
    }
}
