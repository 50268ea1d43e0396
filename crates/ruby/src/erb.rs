//! The scanner of ERB templates with the trim mode `-`: splits a template into text and tags, as Ruby's own scanner does.

use marotte_text::{TextRange, TextSize};
use memchr::memmem::find;

/// The kind of a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagKind {
    /// `<%` and `<%-`
    Code,
    /// `<%=`
    Value,
    /// `<%#`
    Comment,
}

/// A piece of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'t> {
    /// The start of a tag.
    Open(TagKind),
    /// The end of a tag.
    Close,
    /// The end of a line that is not part of the template's output: the one after `-%>`. The end of the template counts as one.
    LineEnd,
    /// Text outside of tags, or the code of a tag. `<%%` outside and `%%>` inside are several pieces.
    Text(&'t [u8]),
}

/// Splits a template into tokens, each with its offset. Only `<%` is significant outside of tags, only `%>` inside.
pub fn tokens(template: &[u8]) -> Tokens<'_> {
    Tokens { template, at: 0, is_in_tag: false, next: [None, None] }
}

/// The tokens of a template, as [`tokens`] returns them.
#[derive(Clone, Debug)]
pub struct Tokens<'t> {
    template: &'t [u8],
    /// The offset of the rest.
    at: usize,
    is_in_tag: bool,
    /// The tokens that were read together with the last one.
    next: [Option<(usize, Token<'t>)>; 2],
}

impl<'t> Tokens<'t> {
    /// Reads the text before the next tag, and its start.
    fn outside(&mut self) -> (usize, Token<'t>) {
        let start = self.at;
        let rest = &self.template[start..];
        let Some(length) = find(rest, b"<%") else {
            self.at = self.template.len();
            return (start, Token::Text(rest));
        };
        let before = &rest[..length];
        let open = start + length;
        let (kind, length) = match rest.get(length + 2) {
            Some(b'%') => {
                self.next[0] = Some((open, Token::Text(&rest[length..length + 2])));
                self.at = open + 3;
                return (start, Token::Text(before));
            }
            Some(b'-') => (TagKind::Code, 3),
            Some(b'=') => (TagKind::Value, 3),
            Some(b'#') => (TagKind::Comment, 3),
            _ => (TagKind::Code, 2),
        };
        self.at = open + length;
        self.is_in_tag = true;
        self.next[0] = Some((open, Token::Open(kind)));
        let is_trimmed = rest.get(before.len() + 2) == Some(&b'-');
        (start, Token::Text(if is_trimmed { without_blanks(before) } else { before }))
    }

    /// Reads the code before the end of a tag, and the end.
    fn inside(&mut self) -> (usize, Token<'t>) {
        let start = self.at;
        let rest = &self.template[start..];
        let Some(length) = find(rest, b"%>") else {
            // Code without a closing tag is text.
            self.at = self.template.len();
            return (start, Token::Text(rest));
        };
        let code = &rest[..length];
        let close = start + length;
        self.at = close + 2;
        if let Some(code) = code.strip_suffix(b"%") {
            self.next[0] = Some((close, Token::Text(&rest[length..length + 2])));
            return (start, Token::Text(code));
        }
        self.is_in_tag = false;
        let Some(code) = code.strip_suffix(b"-") else {
            self.next[0] = Some((close, Token::Close));
            return (start, Token::Text(code));
        };
        self.next[0] = Some((close - 1, Token::Close));
        let after = &self.template[self.at..];
        let newline = [&b"\n"[..], b"\r\n"].into_iter().find(|it| after.starts_with(it));
        if newline.is_some() || after.is_empty() {
            self.next[1] = Some((self.at, Token::LineEnd));
            self.at += newline.map_or(0, <[u8]>::len);
        }
        (start, Token::Text(code))
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = (usize, Token<'t>);

    fn next(&mut self) -> Option<(usize, Token<'t>)> {
        let [first, second] = &mut self.next;
        if let Some(token) = first.take().or_else(|| second.take()) {
            return Some(token);
        }
        if self.at == self.template.len() {
            return None;
        }
        Some(if self.is_in_tag { self.inside() } else { self.outside() })
    }
}

/// Returns the text before `<%-`, which drops the blanks before it if they are first on the line. The end of the tag before counts as
/// the start of a line.
fn without_blanks(text: &[u8]) -> &[u8] {
    let blanks = text.iter().rev().take_while(|it| matches!(it, b' ' | b'\t')).count();
    let kept = &text[..text.len() - blanks];
    if kept.last().is_none_or(|it| *it == b'\n') { kept } else { text }
}

/// A tag of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tag<'t> {
    /// The kind of the tag.
    pub kind: TagKind,
    /// The offset of `<%`.
    pub open: usize,
    /// The offset of the code.
    pub start: usize,
    /// The code as written: a `%>` in it is `%%>`. That of a tag that is not closed is the rest of the template.
    pub code: &'t str,
    /// Whether `%>` closes the tag.
    pub is_closed: bool,
}

impl Tag<'_> {
    /// Whether the tag contains code that runs.
    pub fn is_run(&self) -> bool {
        self.is_closed && self.kind != TagKind::Comment
    }

    /// The range of the code.
    pub fn range(&self) -> TextRange {
        range(self.start, self.code.len())
    }
}

/// Returns the tags of a template, in order. Only the last one can be unclosed.
pub fn tags(text: &str) -> Vec<Tag<'_>> {
    let mut found: Vec<Tag<'_>> = Vec::new();
    for (at, token) in tokens(text.as_bytes()) {
        match (token, found.last_mut()) {
            (Token::Open(kind), _) => {
                let is_plain = kind == TagKind::Code && !text[at..].starts_with("<%-");
                let start = at + if is_plain { 2 } else { 3 };
                found.push(Tag { kind, open: at, start, code: &text[start..], is_closed: false });
            }
            (Token::Close, Some(tag)) => {
                tag.code = &text[tag.start..at];
                tag.is_closed = true;
            }
            _ => {}
        }
    }
    found
}

/// Returns the tag whose code contains a place.
pub fn tag_at<'a, 't>(tags: &'a [Tag<'t>], at: usize) -> Option<&'a Tag<'t>> {
    let tag = tags[..tags.partition_point(|it| it.start <= at)].last()?;
    (at < tag.start + tag.code.len()).then_some(tag)
}

/// Returns the code before a place, in the tag that contains it. None outside of tags, and in comments.
pub fn code_before(text: &str, offset: usize) -> Option<&str> {
    let tag = *tags(text.get(..offset)?).last()?;
    (!tag.is_closed && tag.kind != TagKind::Comment).then_some(tag.code)
}

pub(crate) fn range(at: usize, length: usize) -> TextRange {
    let offset = |it: usize| TextSize::try_from(it).unwrap_or_default();
    TextRange::at(offset(at), offset(length))
}

#[cfg(test)]
mod tests {
    use super::{TagKind, Token, code_before, tags, tokens};

    /// The tokens of Ruby's own scanner, `ERB::Compiler::TrimScanner` with the trim mode `-`, in a short notation.
    #[test]
    fn templates_are_split_as_ruby_splits_them() {
        let written = |template: &str| {
            let tokens = tokens(template.as_bytes()).filter(|it| it.1 != Token::Text(b""));
            let shown = tokens.map(|(_, token)| match token {
                Token::Open(TagKind::Code) => "<%".to_owned(),
                Token::Open(TagKind::Value) => "<%=".to_owned(),
                Token::Open(TagKind::Comment) => "<%#".to_owned(),
                Token::Close => "%>".to_owned(),
                Token::LineEnd => "newline".to_owned(),
                Token::Text(text) => format!("{:?}", String::from_utf8_lossy(text)),
            });
            shown.collect::<Vec<_>>().join(" ")
        };
        for (template, expected) in [
            ("", ""),
            ("a", "\"a\""),
            ("<%= a %>\n", "<%= \" a \" %> \"\\n\""),
            ("<%= a -%>\nb", "<%= \" a \" %> newline \"b\""),
            ("<% a -%>\r\nb", "<% \" a \" %> newline \"b\""),
            ("<% a -%>", "<% \" a \" %> newline"),
            ("x\n  <%- a %>", "\"x\\n\" <% \" a \" %>"),
            ("x  <%- a %>", "\"x  \" <% \" a \" %>"),
            ("<%# a %> <%- b %>", "<%# \" a \" %> <% \" b \" %>"),
            ("<%% a %> %%>", "\"<%\" \" a %> %%>\""),
            ("<% a %%> b %>", "<% \" a \" \"%>\" \" b \" %>"),
            ("<% a <% b %>", "<% \" a <% b \" %>"),
            ("<% a", "<% \" a\""),
        ] {
            assert_eq!(written(template), expected, "{template}");
        }
    }

    #[test]
    fn tags_have_places() {
        let text = "a <%- b -%>\n<%# c %><%% <%= 'd %%>' %> <% e";
        for tag in tags(text) {
            assert!(text[tag.open..].starts_with("<%"));
            assert_eq!(&text[tag.range()], tag.code);
        }
        let found: Vec<(&str, bool)> = tags(text).iter().map(|it| (it.code, it.is_closed)).collect();
        assert_eq!(found, [(" b ", true), (" c ", true), (" 'd %%>' ", true), (" e", false)]);
        assert_eq!(code_before(text, text.len()), Some(" e"));
        assert_eq!(code_before(text, text.find("c %>").expect("a comment")), None);
        assert_eq!(code_before(text, text.find("<%%").expect("an escape") + 3), None);
    }
}
