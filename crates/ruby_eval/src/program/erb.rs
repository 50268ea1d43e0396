//! The compiler of ERB with the trim mode `-`: generates Ruby code with the same line numbers as the template, as
//! Ruby's own compiler does.

use marotte_ruby::erb::{TagKind, Token, tokens};

/// The Ruby code of a template.
///
/// The buffer is a variable that the evaluation sets beforehand; the assignment to itself declares it.
pub(super) fn compile(template: &[u8]) -> Vec<u8> {
    run(template, Compiler::default()).script
}

/// The Ruby code of a template's tags, which mentions the same names on the same lines as [`compile`]'s, without the text between
/// them: most of a template is text, and parsing it takes most of the time. None if a literal may span several tags and contain
/// the text between them.
pub(super) fn compile_tags(template: &[u8]) -> Option<Vec<u8>> {
    let compiler = run(template, Compiler { omits_text: true, ..Compiler::default() });
    (!compiler.may_span_tags).then_some(compiler.script)
}

fn run(template: &[u8], mut compiler: Compiler) -> Compiler {
    compiler.push(b"_erbout = _erbout");
    tokens(template).for_each(|(_, token)| compiler.token(token));
    compiler.flush();
    compiler.push(b"_erbout");
    compiler.end_line(false);
    compiler
}

#[derive(Default)]
struct Compiler {
    /// Text becomes an expression without effect.
    omits_text: bool,
    /// A tag may contain only a part of a literal.
    may_span_tags: bool,
    script: Vec<u8>,
    /// The commands of the current line.
    line: Vec<Vec<u8>>,
    /// Text or code that was read so far.
    content: Vec<u8>,
    /// The kind of the tag that is open.
    tag: Option<TagKind>,
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
        if self.omits_text {
            let mut command = b"_erbout".to_vec();
            command.extend(content.iter().filter(|it| **it == b'\n'));
            return self.push(&command);
        }
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
        match token {
            Token::Open(kind) => {
                self.flush();
                self.tag = Some(kind);
            }
            Token::Close => self.close(),
            Token::LineEnd => self.end_line(true),
            Token::Text(text) => self.content.extend_from_slice(text),
        }
    }

    /// Emits the code of the tag that ends.
    fn close(&mut self) {
        let content = std::mem::take(&mut self.content);
        let kind = self.tag.take();
        self.may_span_tags |= self.omits_text && kind != Some(TagKind::Comment) && may_span_tags(&content);
        match kind {
            Some(TagKind::Code) => match content.strip_suffix(b"\n") {
                Some(code) => {
                    self.push(code.strip_suffix(b"\r").unwrap_or(code));
                    self.end_line(true);
                }
                None => self.push(&content),
            },
            Some(TagKind::Value) => {
                let command = [&b"_erbout.<<(("[..], &content, b").to_s)"].concat();
                self.push(&command);
            }
            Some(TagKind::Comment) | None => {}
        }
    }
}

/// Whether the code of a tag may have a part of a literal, rather than whole ones, or end within a statement. Far from exact:
/// most code is simple.
fn may_span_tags(code: &[u8]) -> bool {
    let is_odd = |quote: u8| memchr::memchr_iter(quote, code).count() % 2 == 1;
    let has = |it: u8| memchr::memchr(it, code).is_some();
    let is_heredoc = |at: usize| {
        let after = code.get(at + 2);
        after.is_some_and(|it| {
            matches!(it, b'-' | b'~' | b'"' | b'\'' | b'`' | b'_') || it.is_ascii_alphabetic()
        })
    };
    // One kind of quotes in another.
    let is_nested = has(b'"') && has(b'\'');
    is_nested
        || [b'"', b'\'', b'/'].into_iter().any(is_odd)
        || [b'%', b'`', b'\\'].into_iter().any(has)
        || memchr::memmem::find_iter(code, b"<<").any(is_heredoc)
        || [&b"=begin"[..], b"__END__", b"alias", b"undef"].into_iter().any(|it| find(code, it).is_some())
}

pub(super) fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    memchr::memmem::find(text, what)
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

#[cfg(test)]
mod tests {
    use super::{compile, compile_tags};

    fn tags(template: &str) -> Option<String> {
        compile_tags(template.as_bytes()).map(|it| String::from_utf8(it).expect("text"))
    }

    #[test]
    fn the_code_of_tags_has_no_text_and_the_same_lines() {
        let template = "first\nport <%= port %>\n<% if it['x'] -%>\n\"text\" <% end %>last\n";
        let found = tags(template).expect("simple code");
        assert_eq!(
            found,
            "_erbout = _erbout; _erbout\n; _erbout.<<(( port ).to_s); _erbout\n;  if it['x'] \n_erbout;  end ; _erbout\n; _erbout"
        );
        let lines = |code: &[u8]| code.iter().filter(|it| **it == b'\n').count();
        assert_eq!(lines(found.as_bytes()), lines(&compile(template.as_bytes())));
    }

    /// The text between the tags belongs to the literal.
    #[test]
    fn literals_may_span_tags() {
        for template in
            ["<% x = 'a %>b<% ' %>", "<% x = %w( %>a<% ) %>", "<% x = <<E\n%>a<% \nE\n%>", "<% /a %>(<% / %>"]
        {
            assert_eq!(tags(template), None, "{template}");
        }
        assert!(tags("<% x << 'a' %>").is_some());
    }
}
