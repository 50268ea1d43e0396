//! `textDocument/semanticTokens`: semantic highlighting.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use camino::Utf8PathBuf;
use lsp_types::{
    SemanticToken, SemanticTokens, SemanticTokensDelta, SemanticTokensDeltaParams,
    SemanticTokensDeltaResponse, SemanticTokensEdit, SemanticTokensLegend, SemanticTokensParams,
    SemanticTokensRangeParams,
};
use marotte_db::File;
use marotte_ide::SemanticKind;
use marotte_text::{TextRange, TextSize};

use crate::snapshot::{Answer, Snapshot};

/// The token types, in the order of their indexes: names of the protocol, which every theme supports.
const TYPES: [(SemanticKind, &str); 18] = [
    (SemanticKind::Keyword, "keyword"),
    (SemanticKind::Constant, "enumMember"),
    (SemanticKind::Class, "class"),
    (SemanticKind::ResourceType, "struct"),
    (SemanticKind::Function, "function"),
    (SemanticKind::DataType, "type"),
    (SemanticKind::Parameter, "parameter"),
    (SemanticKind::Variable, "variable"),
    (SemanticKind::Attribute, "property"),
    (SemanticKind::Fact, "event"),
    (SemanticKind::Title, "label"),
    (SemanticKind::DataKey, "namespace"),
    (SemanticKind::String, "string"),
    (SemanticKind::Number, "number"),
    (SemanticKind::Regex, "regexp"),
    (SemanticKind::Operator, "operator"),
    (SemanticKind::Comment, "comment"),
    (SemanticKind::TemplateTag, "macro"),
];

/// The token modifiers, one bit for each.
const MODIFIERS: [&str; 2] = ["definition", "defaultLibrary"];

/// The names of the token types and modifiers.
pub(crate) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: TYPES.iter().map(|(_, name)| (*name).to_owned()).collect(),
        token_modifiers: MODIFIERS.iter().map(|it| (*it).to_owned()).collect(),
    }
}

/// The tokens that the client has for open documents, which it may request deltas of.
#[derive(Debug, Default)]
pub(crate) struct Sent(Mutex<HashMap<Utf8PathBuf, Tokens>>);

#[derive(Clone, Debug)]
struct Tokens {
    id: u64,
    tokens: Arc<Vec<SemanticToken>>,
}

impl Sent {
    /// Drops the tokens of a closed document.
    pub(crate) fn forget(&self, path: &Utf8PathBuf) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(path);
    }

    fn known(&self, path: &Utf8PathBuf) -> Option<Tokens> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned()
    }

    fn put(&self, path: Utf8PathBuf, tokens: Tokens) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(path, tokens);
    }
}

pub(super) fn full(snapshot: &Snapshot, params: SemanticTokensParams) -> Answer<SemanticTokens> {
    let file = snapshot.file(&params.text_document.uri)?;
    let Tokens { id, tokens } = kept(snapshot, file);
    Ok(SemanticTokens { result_id: Some(id.to_string()), data: tokens.to_vec() })
}

pub(super) fn range(snapshot: &Snapshot, params: SemanticTokensRangeParams) -> Answer<SemanticTokens> {
    let file = snapshot.file(&params.text_document.uri)?;
    let range = snapshot.text_range(file, params.range)?;
    Ok(SemanticTokens { result_id: None, data: tokens(snapshot, file, Some(range)) })
}

pub(super) fn delta(
    snapshot: &Snapshot,
    params: SemanticTokensDeltaParams,
) -> Answer<SemanticTokensDeltaResponse> {
    let file = snapshot.file(&params.text_document.uri)?;
    let before = snapshot.tokens.known(file.path(&snapshot.db));
    let Tokens { id, tokens } = kept(snapshot, file);
    let result_id = Some(id.to_string());
    Ok(match before.filter(|it| it.id.to_string() == params.previous_result_id) {
        Some(before) => {
            let edits = difference(&before.tokens, &tokens).into_iter().collect();
            SemanticTokensDelta { result_id, edits }.into()
        }
        None => SemanticTokens { result_id, data: tokens.to_vec() }.into(),
    })
}

/// The tokens of a document, which are kept if it is open.
fn kept(snapshot: &Snapshot, file: File) -> Tokens {
    let path = file.path(&snapshot.db);
    let tokens = tokens(snapshot, file, None);
    let id = snapshot.tokens.known(path).map_or(0, |it| it.id) + 1;
    let tokens = Tokens { id, tokens: Arc::new(tokens) };
    if snapshot.opened.contains_key(path) {
        snapshot.tokens.put(path.clone(), tokens.clone());
    }
    tokens
}

/// The single edit that turns the old tokens into the new ones.
fn difference(before: &[SemanticToken], after: &[SemanticToken]) -> Option<SemanticTokensEdit> {
    let start = before.iter().zip(after).take_while(|(one, other)| one == other).count();
    let (before, after) = (&before[start..], &after[start..]);
    let end = before.iter().rev().zip(after.iter().rev()).take_while(|(one, other)| one == other).count();
    let (gone, new) = (before.len() - end, &after[..after.len() - end]);
    // Each token consists of five numbers.
    let numbers = |it: usize| u32::try_from(it * 5).unwrap_or(u32::MAX);
    let data = new
        .iter()
        .flat_map(|it| [it.delta_line, it.delta_start, it.length, it.token_type, it.token_modifiers_bitset]);
    (gone > 0 || !new.is_empty()).then(|| SemanticTokensEdit {
        start: numbers(start),
        delete_count: numbers(gone),
        data: Some(data.collect()),
    })
}

/// The tokens of a file, each on one line, with relative positions.
fn tokens(snapshot: &Snapshot, file: File, within: Option<TextRange>) -> Vec<SemanticToken> {
    let text = snapshot.text(file);
    let mut tokens = Vec::new();
    let (mut line, mut start) = (0, 0);
    for token in marotte_ide::semantic_tokens(&snapshot.db, file, within) {
        let number = TYPES.iter().position(|(kind, _)| *kind == token.kind).unwrap_or_default();
        let modifiers = u32::from(token.is_definition) | u32::from(token.is_builtin) << 1;
        for piece in pieces(text.as_str(), token.range) {
            let range = snapshot.range(&text, piece);
            let before = if range.start.line == line { start } else { 0 };
            tokens.push(SemanticToken {
                delta_line: range.start.line - line,
                delta_start: range.start.character - before,
                length: range.end.character - range.start.character,
                token_type: u32::try_from(number).unwrap_or_default(),
                token_modifiers_bitset: modifiers,
            });
            (line, start) = (range.start.line, range.start.character);
        }
    }
    tokens
}

/// Splits a range into pieces that are each on one line, without line ends.
fn pieces(text: &str, range: TextRange) -> Vec<TextRange> {
    let content = text.get(usize::from(range.start())..usize::from(range.end())).unwrap_or_default();
    let mut at = range.start();
    let mut pieces = Vec::new();
    for line in content.split_inclusive(['\n', '\r']) {
        let visible = line.trim_end_matches(['\n', '\r']);
        if !visible.is_empty() {
            pieces.push(TextRange::at(at, TextSize::of(visible)));
        }
        at += TextSize::of(line);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(length: u32) -> SemanticToken {
        SemanticToken { delta_line: 0, delta_start: 1, length, token_type: 0, token_modifiers_bitset: 0 }
    }

    #[test]
    fn a_difference_is_the_middle() {
        let tokens = |lengths: &[u32]| lengths.iter().map(|it| token(*it)).collect::<Vec<_>>();
        assert_eq!(difference(&tokens(&[1, 2]), &tokens(&[1, 2])), None);
        let edit = difference(&tokens(&[1, 2, 3]), &tokens(&[1, 4, 4, 3])).unwrap();
        assert_eq!((edit.start, edit.delete_count, edit.data.unwrap().len()), (5, 5, 10));
        let edit = difference(&tokens(&[1, 1]), &tokens(&[1])).unwrap();
        assert_eq!((edit.start, edit.delete_count), (5, 5));
    }

    #[test]
    fn a_token_of_several_lines_comes_in_pieces() {
        let range = TextRange::new(0.into(), 8.into());
        let pieces: Vec<_> = pieces("ab\r\n\ncde", range)
            .into_iter()
            .map(|it| (u32::from(it.start()), u32::from(it.end())))
            .collect();
        assert_eq!(pieces, [(0, 2), (5, 8)]);
    }
}
