//! Heredocs.

use super::Reader;
use crate::syntax::heredoc::{Piece, assembled};
use crate::syntax::tree::{Expr, ExprKind};

impl<'t> Reader<'t> {
    /// Reads the beginning of a heredoc, and its body, which starts on the next line.
    pub(super) fn heredoc(&mut self) -> Option<Expr> {
        let start = self.at;
        if !self.starts_with("<<") {
            return None;
        }
        self.at += "<<".len();
        let is_indented = matches!(self.peek(), b'~' | b'-');
        self.at += usize::from(is_indented);
        let quote = Some(self.peek()).filter(|it| matches!(it, b'"' | b'\''));
        self.at += usize::from(quote.is_some());
        let name = self.word();
        if name.is_empty() || !name.is_ascii() {
            return None;
        }
        self.at += name.len();
        if let Some(quote) = quote {
            self.expect(quote)?;
        }
        let beginning = Expr { range: start..self.at, kind: ExprKind::Opaque };
        let (line_end, body) = match self.heredoc {
            Some(before) => before,
            None => {
                let line_end = self.at + self.bytes[self.at..].iter().position(|it| *it == b'\n')?;
                (line_end, line_end + 1)
            }
        };
        let (end, after) = end_of_body(self.text, body, name, is_indented)?;
        let pieces = match quote {
            Some(b'\'') => vec![Piece::Content(self.text[body..end].into())],
            _ => {
                (self.at, self.heredoc) = (body, None);
                self.pieces_up_to(end)?
            }
        };
        (self.at, self.heredoc) = (beginning.range.end, Some((line_end, after)));
        let parts = assembled(pieces, &self.text[beginning.range.clone()]);
        Some(Expr { kind: ExprKind::String(parts), ..beginning })
    }

    /// Reads a body with escapes and interpolation.
    fn pieces_up_to(&mut self, end: usize) -> Option<Vec<Piece<'t>>> {
        let text = self.text;
        let mut pieces = Vec::new();
        let mut content = self.at;
        while self.at < end {
            let start = self.at;
            let piece = match (self.peek(), self.ahead(1)) {
                (b'\\', _) => {
                    self.pass_escape()?;
                    Piece::Escape(&text[start..self.at])
                }
                (b'#', b'{') => Piece::Part(self.interpolation()?),
                (b'#', b'@' | b'$') => return None,
                _ => {
                    self.at += 1;
                    continue;
                }
            };
            if content < start {
                pieces.push(Piece::Content(text[content..start].into()));
            }
            pieces.push(piece);
            content = self.at;
        }
        if self.at != end || self.heredoc.is_some() {
            return None;
        }
        if content < end {
            pieces.push(Piece::Content(text[content..end].into()));
        }
        Some(pieces)
    }
}

/// Finds the line that ends a body, and the start of the next one.
fn end_of_body(text: &str, body: usize, name: &str, is_indented: bool) -> Option<(usize, usize)> {
    let mut at = body;
    for line in text.get(body..)?.split_inclusive('\n') {
        let content = line.strip_suffix('\n').unwrap_or(line);
        let content = if is_indented { content.trim_start_matches([' ', '\t']) } else { content };
        if content == name {
            return Some((at, at + line.len()));
        }
        at += line.len();
    }
    None
}
