//! The compiler of ERB with the trim mode `-`: generates Ruby code with the same line numbers as the template, as
//! Ruby's own compiler does.

/// The Ruby code of a template.
///
/// The buffer is a variable that the evaluation sets beforehand; the assignment to itself declares it.
pub(super) fn compile(template: &[u8]) -> Vec<u8> {
    let mut compiler = Compiler::default();
    compiler.push(b"_erbout = _erbout");
    scan(template, &mut compiler);
    compiler.flush();
    compiler.push(b"_erbout");
    compiler.end_line(false);
    compiler.script
}

#[derive(Default)]
struct Compiler {
    script: Vec<u8>,
    /// The commands of the current line.
    line: Vec<Vec<u8>>,
    /// Text or code that was read so far.
    content: Vec<u8>,
    /// The tag in which the scanner is.
    tag: Option<Tag>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tag {
    /// `<%`
    Code,
    /// `<%=`
    Value,
    /// `<%#`
    Comment,
}

enum Token<'a> {
    Open(Tag),
    Close,
    /// The end of a line that is not part of the template's output.
    LineEnd,
    Text(&'a [u8]),
}

impl Compiler {
    fn push(&mut self, command: &[u8]) {
        self.line.push(command.to_vec());
    }

    fn end_line(&mut self, with_newline: bool) {
        let joined = self.line.join(&b"; "[..]);
        self.script.extend_from_slice(&joined);
        self.line.clear();
        if with_newline {
            self.script.push(b'\n');
        }
    }

    /// Emits the text that was read so far.
    fn flush(&mut self) {
        if self.content.is_empty() {
            return;
        }
        let content = std::mem::take(&mut self.content);
        let mut command = b"_erbout.<< \"".to_vec();
        let mut newlines = 0;
        for byte in content {
            match byte {
                b'"' | b'\\' | b'#' => command.extend_from_slice(&[b'\\', byte]),
                b'\n' => {
                    newlines += 1;
                    command.extend_from_slice(b"\\n");
                }
                b'\r' => command.extend_from_slice(b"\\r"),
                0 => command.extend_from_slice(b"\\x00"),
                _ => command.push(byte),
            }
        }
        command.extend_from_slice(b"\".freeze");
        command.extend(std::iter::repeat_n(b'\n', newlines));
        self.push(&command);
    }

    fn token(&mut self, token: Token<'_>) {
        match (self.tag, token) {
            (None, Token::Open(tag)) => {
                self.flush();
                self.tag = Some(tag);
            }
            (None, Token::LineEnd) => self.end_line(true),
            (None, Token::Close) => self.content.extend_from_slice(b"%>"),
            (Some(tag), Token::Close) => {
                let content = std::mem::take(&mut self.content);
                self.tag = None;
                match tag {
                    Tag::Code => match content.strip_suffix(b"\n") {
                        Some(code) => {
                            self.push(code.strip_suffix(b"\r").unwrap_or(code));
                            self.end_line(true);
                        }
                        None => self.push(&content),
                    },
                    Tag::Value => {
                        let command = [&b"_erbout.<<(("[..], &content, b").to_s)"].concat();
                        self.push(&command);
                    }
                    Tag::Comment => {}
                }
            }
            (Some(_), Token::Open(tag)) => self.content.extend_from_slice(match tag {
                Tag::Code => b"<%",
                Tag::Value => b"<%=",
                Tag::Comment => b"<%#",
            }),
            (Some(_), Token::LineEnd) => {}
            (_, Token::Text(text)) => self.content.extend_from_slice(text),
        }
    }
}

/// Splits a template into tokens. Only `<%` is significant outside of tags, only `%>` inside.
fn scan(template: &[u8], compiler: &mut Compiler) {
    let mut rest = template;
    while !rest.is_empty() {
        match compiler.tag {
            None => {
                let Some(at) = find(rest, b"<%") else {
                    compiler.token(Token::Text(rest));
                    return;
                };
                let (before, after) = (&rest[..at], &rest[at + 2..]);
                match after.first() {
                    Some(b'-') => {
                        // Blanks before the tag are dropped if they are first on the line.
                        let blanks = before.iter().rev().take_while(|it| matches!(it, b' ' | b'\t')).count();
                        let kept = before.len() - blanks;
                        // The end of the tag before counts as the start of a line.
                        let is_at_line_start = kept == 0 || before[kept - 1] == b'\n';
                        compiler.token(Token::Text(if is_at_line_start { &before[..kept] } else { before }));
                        compiler.token(Token::Open(Tag::Code));
                        rest = &after[1..];
                    }
                    Some(b'%') => {
                        compiler.token(Token::Text(before));
                        compiler.token(Token::Text(b"<%"));
                        rest = &after[1..];
                    }
                    Some(b'=') => {
                        compiler.token(Token::Text(before));
                        compiler.token(Token::Open(Tag::Value));
                        rest = &after[1..];
                    }
                    Some(b'#') => {
                        compiler.token(Token::Text(before));
                        compiler.token(Token::Open(Tag::Comment));
                        rest = &after[1..];
                    }
                    _ => {
                        compiler.token(Token::Text(before));
                        compiler.token(Token::Open(Tag::Code));
                        rest = after;
                    }
                }
            }
            Some(_) => {
                let Some(at) = find(rest, b"%>") else {
                    // Code without a closing tag is text.
                    compiler.token(Token::Text(rest));
                    return;
                };
                if rest[..at].ends_with(b"%") {
                    compiler.token(Token::Text(&rest[..at - 1]));
                    compiler.token(Token::Text(b"%>"));
                    rest = &rest[at + 2..];
                } else if rest[..at].ends_with(b"-") {
                    compiler.token(Token::Text(&rest[..at - 1]));
                    compiler.token(Token::Close);
                    rest = &rest[at + 2..];
                    let newline = [&b"\n"[..], b"\r\n"].into_iter().find(|it| rest.starts_with(it));
                    if let Some(newline) = newline {
                        compiler.token(Token::LineEnd);
                        rest = &rest[newline.len()..];
                    } else if rest.is_empty() {
                        compiler.token(Token::LineEnd);
                    }
                } else {
                    compiler.token(Token::Text(&rest[..at]));
                    compiler.token(Token::Close);
                    rest = &rest[at + 2..];
                }
            }
        }
    }
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|it| it == what)
}

/// The magic comment at the start of a template: `<%# -*- frozen_string_literal: true -*- %>`.
#[derive(Default)]
pub(super) struct Magic {
    /// Whether string literals are frozen.
    pub(super) has_frozen_strings: bool,
    /// The encoding of the template.
    pub(super) encoding: Option<String>,
}

/// Parses the magic comment at the start of a template.
pub(super) fn magic(template: &[u8]) -> Magic {
    let mut magic = Magic::default();
    let Some(comment) = template.strip_prefix(b"<%#") else { return magic };
    let line = comment.split(|it| *it == b'\n').next().unwrap_or_default();
    let Some(end) = line.windows(2).rposition(|it| it == b"%>") else { return magic };
    let text = String::from_utf8_lossy(&line[..end]);
    if let Some((_, after)) = text.split_once("coding")
        && let Some(after) = after.trim_start().strip_prefix([':', '='])
    {
        let is_name = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_');
        let name: String = after.trim_start().chars().take_while(|it| is_name(*it)).collect();
        magic.encoding = Some(name).filter(|it| !it.is_empty());
        return magic;
    }
    let lower = text.replace('-', "_");
    if let Some((_, after)) = lower.split_once("frozen_string_literal") {
        let value = after.trim_start().strip_prefix(':').unwrap_or_default().trim_start();
        magic.has_frozen_strings = value.starts_with("true");
    }
    magic
}
