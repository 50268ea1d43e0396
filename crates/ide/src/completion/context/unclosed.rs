//! Brackets that are never closed: the code at a place may continue them, or begin a new statement.

use marotte_syntax::{Lexeme, LexemeKind, lexemes};

use super::{Context, Scanner, either};
use crate::token::slice;

impl Scanner<'_> {
    /// Adds the start of a statement to the context of a word that begins its line, if a bracket around it is never closed.
    pub(super) fn or_statement(&self, context: Context) -> Context {
        if !self.is_first_on_line || begins_statement(&context) || !self.is_in_unclosed_bracket() {
            return context;
        }
        either(context, Context::Expression { is_statement: true })
    }

    /// Whether a bracket around the place is not closed behind it, or by a bracket of another kind.
    fn is_in_unclosed_bracket(&self) -> bool {
        let mut open: Vec<&str> =
            self.open.iter().filter_map(|it| closing(self.all.get(*it)?, self.word_at(*it))).collect();
        let rest = self.text.get(usize::from(self.offset)..).unwrap_or_default();
        // The place is in a tag.
        let tag = if self.mode.template { "<%" } else { "" };
        let rest = format!("{tag}{rest}");
        let mut around = open.len();
        for it in lexemes(&rest, self.mode).all {
            if around == 0 {
                return false;
            }
            let word = slice(&rest, it.range);
            if let Some(closing) = closing(&it, word) {
                open.push(closing);
            } else if it.kind == LexemeKind::StringEnd || is_closing(&it, word) {
                let expected = open.pop();
                let is_other = expected != Some(if it.kind == LexemeKind::StringEnd { "\"" } else { word });
                if open.len() < around {
                    if is_other {
                        return true;
                    }
                    around = open.len();
                }
            }
        }
        around > 0
    }
}

/// What closes a bracket, or the interpolation that ends the first part of a string. None for other lexemes.
fn closing(it: &Lexeme, word: &str) -> Option<&'static str> {
    match (it.kind, word) {
        (LexemeKind::StringStart, _) => Some("\""),
        (LexemeKind::Punctuation, "{") => Some("}"),
        (LexemeKind::Punctuation, "(") => Some(")"),
        (LexemeKind::Punctuation, "[") => Some("]"),
        (LexemeKind::Punctuation, "<|") => Some("|>"),
        (LexemeKind::Punctuation, "<<|") => Some("|>>"),
        _ => None,
    }
}

fn is_closing(it: &Lexeme, word: &str) -> bool {
    it.kind == LexemeKind::Punctuation && matches!(word, "}" | ")" | "]" | "|>" | "|>>")
}

fn begins_statement(context: &Context) -> bool {
    match context {
        Context::Expression { is_statement } => *is_statement,
        Context::Either(one, other) => begins_statement(one) || begins_statement(other),
        _ => false,
    }
}
