//! Template mode: text with tags (A91-A97).

use super::{Lexer, TemplateCode};
use crate::SyntaxErrorKind;
use crate::token::TokenKind;

impl Lexer<'_, '_> {
    /// Lexes the whole text as a template.
    pub(super) fn template(&mut self) {
        let start = self.pos;
        self.push(TokenKind::TemplateStart, start);
        self.template = TemplateCode::Text;
        self.template_text(false);
        self.outside_of_tags(start);
        self.code();
        if let Some(open) = self.open_tag {
            self.error(open, open + 2, SyntaxErrorKind::EppUnbalancedTag);
        }
    }

    /// Lexes `%>` or `-%>` of `len` bytes: the end of the tag's code; continues with the text after it.
    pub(super) fn close_tag(&mut self, len: usize) {
        let start = self.pos;
        self.pos += len;
        if self.template == TemplateCode::Expression {
            self.push(TokenKind::TemplateEnd, start);
        }
        self.template = TemplateCode::Text;
        self.template_text(len == 3);
        self.outside_of_tags(start);
    }

    /// Records the range between tags, from `start` to the position at which code continues.
    fn outside_of_tags(&mut self, start: usize) {
        let range = self.text_range(start, self.pos);
        self.out.texts.push(range);
    }

    /// Lexes text up to the next tag with code, or to the end.
    fn template_text(&mut self, mut trim_start: bool) {
        let start = self.pos;
        let mut text = String::new();
        self.open_tag = None;
        while !self.at_end() {
            let found = self.text[self.pos..].find("<%");
            let end = found.map_or(self.text.len(), |len| self.pos + len);
            let mut part = &self.text[self.pos..end];
            if trim_start {
                part = trim_line_start(part);
                trim_start = false;
            }
            text.push_str(&part.replace("%%>", "%>"));
            if found.is_none() {
                self.pos = end;
                return self.render_text(start, end, text);
            }
            self.pos = end + 2;
            match self.byte(0) {
                _ if self.at_end() => {
                    self.error(end, end + 2, SyntaxErrorKind::EppUnbalancedExpression);
                    return self.render_text(start, end, text);
                }
                b'%' => {
                    text.push_str("<%");
                    self.pos += 1;
                }
                b'#' => match self.tag_comment() {
                    Some(comment) => {
                        if comment.starts_with("#-") {
                            text.truncate(text.trim_end_matches([' ', '\t']).len());
                        }
                        trim_start = comment.ends_with("-%>");
                    }
                    None => {
                        self.error(end, end + 3, SyntaxErrorKind::EppUnbalancedComment);
                        self.pos = self.text.len();
                        return self.render_text(start, end, text);
                    }
                },
                sign => {
                    if sign == b'-' {
                        text.truncate(text.trim_end_matches([' ', '\t']).len());
                    }
                    self.pos += usize::from(matches!(sign, b'-' | b'='));
                    if !text.is_empty() {
                        self.render_text(start, end, text);
                    }
                    self.open_tag = Some(end);
                    if sign == b'=' {
                        let range = self.range(end, self.pos);
                        self.out.tokens.push(TokenKind::RenderStart, range);
                        self.after = Some(TokenKind::RenderStart);
                        self.template = TemplateCode::Expression;
                    } else {
                        self.template = TemplateCode::Statements;
                    }
                    return;
                }
            }
        }
        // As in the reference, text before a comment or `<%%` that ends the template is lost.
    }

    fn render_text(&mut self, start: usize, end: usize, text: String) {
        self.push_text(TokenKind::RenderText, start, end, text.into());
        self.after = Some(TokenKind::RenderText);
    }

    /// Skips a comment from its `#`: it ends at the first `%>` that no `%` precedes.
    fn tag_comment(&mut self) -> Option<&str> {
        let start = self.pos;
        let mut at = start + 1;
        loop {
            at += self.text.get(at..)?.find("%>")?;
            if self.bytes[at - 1] != b'%' {
                self.pos = at + 2;
                return self.text.get(start..self.pos);
            }
            at += 1;
        }
    }
}

/// Skips what `-%>` removes: blanks and one line end.
fn trim_line_start(text: &str) -> &str {
    let text = text.trim_start_matches([' ', '\t']);
    let text = text.strip_prefix('\r').unwrap_or(text);
    text.strip_prefix('\n').unwrap_or(text)
}
