//! The documents that are open in the editor.

use std::collections::BTreeMap;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use lsp_types::{TextDocumentContentChangeEvent, Uri};

use crate::position::{Encoding, Lines};

/// The maximum length of a text, in bytes. Longer texts aren't kept: they are reported as too large, as they are on disk.
pub(crate) const LONGEST_TEXT: usize = 64 << 20;

/// The content of an open document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// The text of the document.
    Text(Arc<str>),
    /// The size in bytes of a text that isn't kept.
    Oversized(u64),
}

/// A document that is open in the editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Document {
    /// The URI, as written by the client.
    pub(crate) uri: Uri,
    /// The client's version of the text.
    pub(crate) version: i32,
    /// The content, kept in sync with the client.
    pub(crate) content: Content,
}

/// All open documents, by path.
#[derive(Debug, Default)]
pub(crate) struct Documents(BTreeMap<Utf8PathBuf, Document>);

impl Documents {
    /// Opens a document, or reopens it.
    pub(crate) fn open(&mut self, path: Utf8PathBuf, uri: Uri, version: i32, text: String) -> &Document {
        let document = Document { uri, version, content: content(text) };
        self.0.insert(path.clone(), document);
        &self.0[&path]
    }

    /// Changes the text of a document. None if it isn't open.
    ///
    /// A text that was too large to be kept is available again after the next full change.
    pub(crate) fn change(
        &mut self,
        path: &Utf8Path,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) -> Option<&Document> {
        let document = self.0.get_mut(path)?;
        document.version = version;
        let mut text = match &document.content {
            Content::Text(text) => Some(text.to_string()),
            Content::Oversized(_) => None,
        };
        for change in changes {
            match (change, &mut text) {
                (TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole), text) => {
                    *text = Some(whole.text);
                }
                (TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part), Some(text)) => {
                    let lines = Lines::new(text);
                    let start = lines.offset_or_end(text, part.range.start, encoding);
                    let end = lines.offset_or_end(text, part.range.end, encoding);
                    text.replace_range(start.min(end)..end, &part.text);
                }
                (TextDocumentContentChangeEvent::TextDocumentContentChangePartial(_), None) => {}
            }
        }
        if let Some(text) = text {
            document.content = content(text);
        }
        Some(document)
    }

    /// Closes a document. Returns whether it was open.
    pub(crate) fn close(&mut self, path: &Utf8Path) -> bool {
        self.0.remove(path).is_some()
    }

    /// The document at a path, if it is open.
    pub(crate) fn get(&self, path: &Utf8Path) -> Option<&Document> {
        self.0.get(path)
    }

    /// Returns all open documents, by path.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Utf8PathBuf, &Document)> {
        self.0.iter()
    }
}

fn content(text: String) -> Content {
    if text.len() > LONGEST_TEXT { Content::Oversized(text.len() as u64) } else { Content::Text(text.into()) }
}

#[cfg(test)]
mod tests {
    use lsp_types::{
        Position, Range, TextDocumentContentChangePartial, TextDocumentContentChangeWholeDocument,
    };

    use super::*;

    #[expect(deprecated, reason = "clients may still send it")]
    fn part(start: (u32, u32), end: (u32, u32), text: &str) -> TextDocumentContentChangeEvent {
        TextDocumentContentChangePartial {
            range: Range::new(Position::new(start.0, start.1), Position::new(end.0, end.1)),
            range_length: None,
            text: text.to_owned(),
        }
        .into()
    }

    fn changed(text: &str, changes: Vec<TextDocumentContentChangeEvent>) -> Content {
        let mut documents = Documents::default();
        documents.open("/a.pp".into(), "file:///a.pp".into(), 1, text.to_owned());
        documents.change("/a.pp".into(), 2, changes, Encoding::Utf16).unwrap().content.clone()
    }

    #[test]
    fn changes_apply_one_after_the_other() {
        let changes = vec![part((0, 1), (0, 1), "x\n"), part((1, 0), (1, 1), "y"), part((9, 9), (9, 9), "!")];
        assert_eq!(changed("abc", changes), Content::Text("ax\nyc!".into()));
    }

    #[test]
    fn a_range_that_is_backwards_does_no_harm() {
        assert_eq!(changed("abc", vec![part((0, 2), (0, 1), "x")]), Content::Text("axbc".into()));
    }

    #[test]
    fn what_is_too_long_is_not_kept_until_all_of_it_comes_anew() {
        let long = "x".repeat(LONGEST_TEXT + 1);
        let whole = |text: &str| {
            TextDocumentContentChangeEvent::from(TextDocumentContentChangeWholeDocument::new(text.to_owned()))
        };
        assert_eq!(
            changed(&long, vec![part((0, 0), (0, 1), "")]),
            Content::Oversized(LONGEST_TEXT as u64 + 1)
        );
        assert_eq!(changed(&long, vec![whole("short")]), Content::Text("short".into()));
    }

    #[test]
    fn a_document_that_is_not_open_cannot_be_changed() {
        assert!(Documents::default().change("/a.pp".into(), 1, Vec::new(), Encoding::Utf8).is_none());
    }
}
