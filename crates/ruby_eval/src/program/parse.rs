use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use lib_ruby_parser::source::MagicCommentKind;
use lib_ruby_parser::{Parser, ParserOptions, ParserResult};
use marotte_pcore::effort;
use marotte_text::Str;

use super::erb::Magic;
use super::lower::{Lowerer, Mention};
use super::tree::Source;
use super::{Program, SyntaxError};

/// The maximal length of a text, in bytes. The parser's tree is at most as deep as the text has bytes.
const LONGEST: usize = 512 << 10;
/// The greatest [work] of the parser on one text.
const WORK: usize = 40_000_000;
/// The stack for the parser, without that for its tree.
const STACK: usize = 4 << 20;
/// The stack for the parser's tree for each byte of the text, which may be a level of the tree.
const STACK_PER_BYTE: usize = 1 << 10;

pub(super) fn parse(path: Str, text: &[u8], template: Option<Magic>) -> Result<Program, SyntaxError> {
    parse_with(path, text, template).map(|it| it.0)
}

pub(super) fn mentions(path: Str, text: &[u8], template: Option<Magic>) -> Result<Vec<Mention>, SyntaxError> {
    parse_with(path, text, template).map(|it| it.1)
}

/// Whether the code of a template is certainly short enough to be parsed.
pub(super) fn has_usual_length(template: &[u8]) -> bool {
    /// In code, a byte of text takes four at most, and a tag less than this multiple of its own length.
    const MOST: usize = 16;
    template.len() <= LONGEST / MOST
}

fn parse_with(
    path: Str,
    text: &[u8],
    template: Option<Magic>,
) -> Result<(Program, Vec<Mention>), SyntaxError> {
    if text.len() > LONGEST {
        return Err(refused("the Ruby code is too long"));
    }
    if std::str::from_utf8(text).is_err() {
        return Err(refused("the Ruby code is not valid UTF-8"));
    }
    if work(text) > WORK {
        return Err(refused("the Ruby code has too many blocks, keys or branches"));
    }
    let parsed = || catch_unwind(AssertUnwindSafe(|| parse_here(path, text, template)));
    let stack = STACK + STACK_PER_BYTE * text.len();
    match stacker::maybe_grow(stack, stack, parsed) {
        Ok(result) => result,
        Err(_) => Err(refused("the parser of Ruby failed")),
    }
}

/// An estimate of the work of the parser that is not proportional to the length of a text: it copies all names of
/// variables at the start of each block, compares the keys of a hash with each other, and moves the branches of a `case`
/// for each one. Whatever looks like one of these counts.
fn work(text: &[u8]) -> usize {
    let ends_key = |text: &[u8]| text.last().is_some_and(|it| !it.is_ascii_whitespace() && *it != b':');
    let is_word = |it: u8| it.is_ascii_alphanumeric() || it == b'_' || it >= 0x80;
    let (mut names, mut copied, mut keys, mut branches) = (HashSet::new(), 0_usize, 0_usize, 0_usize);
    let mut at = 0;
    // The last byte before a word that is no space.
    let mut before = b'\n';
    while let Some(&byte) = text.get(at) {
        if !is_word(byte) {
            let next = text.get(at + 1);
            match byte {
                b'{' => copied += names.len(),
                b'>' if before == b'-' => copied += names.len(),
                b'>' if before == b'=' => keys += 1,
                // `key: value`
                b':' if next != Some(&b':') && ends_key(&text[..at]) => keys += 1,
                _ => {}
            }
            if !matches!(byte, b' ' | b'\t') {
                before = byte;
            }
            at += 1;
            continue;
        }
        let end = text[at..].iter().position(|it| !is_word(*it)).map_or(text.len(), |length| at + length);
        let word = &text[at..end];
        match word {
            b"do" => copied += names.len(),
            b"when" | b"in" | b"rescue" => branches += 1,
            _ => {}
        }
        let is_variable = !byte.is_ascii_digit() && !byte.is_ascii_uppercase();
        let is_assigned = match text[end..].trim_ascii_start() {
            [b'=', b'=' | b'~' | b'>', ..] => false,
            [b'=', ..] => !matches!(before, b'@' | b'$' | b'.'),
            [b',' | b')' | b'|', ..] => matches!(before, b'(' | b',' | b'|' | b'*' | b'&'),
            _ => false,
        };
        if is_variable && is_assigned {
            names.insert(word);
        }
        (before, at) = (b'a', end);
    }
    copied * 2 + keys * keys / 2 + branches * branches / 2
}

fn refused(message: &str) -> SyntaxError {
    SyntaxError { line: 1, range: 0..0, message: message.to_owned(), is_refusal: true }
}

fn other_encoding(name: &str) -> SyntaxError {
    refused(&format!("the encoding {name} of Ruby code"))
}

/// Whether a text may contain syntax that is newer than the parser: Ruby 3.2 passes anonymous parameters on, as in
/// `def f(*, **) = g(*, **)`. Puppet may then accept what the parser does not.
fn is_newer(text: &[u8]) -> bool {
    let dense: Vec<u8> = text.iter().copied().filter(|it| !it.is_ascii_whitespace()).collect();
    let opens = |at: usize| at.checked_sub(1).is_some_and(|it| matches!(dense[it], b'(' | b','));
    let stars = memchr::memchr_iter(b'*', &dense).filter(|at| opens(*at));
    stars.into_iter().any(|at| {
        let rest = dense[at..].iter().skip_while(|it| **it == b'*');
        rest.into_iter().next().is_some_and(|it| matches!(it, b',' | b')'))
    })
}

fn parse_here(
    path: Str,
    text: &[u8],
    template: Option<Magic>,
) -> Result<(Program, Vec<Mention>), SyntaxError> {
    let options = ParserOptions { buffer_name: path.to_string(), decoder: None, record_tokens: false };
    let result = Parser::new(text.to_vec(), options).do_parse();
    let line_starts: Vec<usize> = std::iter::once(0)
        .chain(text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(index, _)| index + 1))
        .collect();
    let line_of = |offset: usize| {
        u32::try_from(line_starts.partition_point(|start| *start <= offset)).unwrap_or(u32::MAX)
    };
    if let Some(error) = result.diagnostics.iter().find(|it| it.is_error()) {
        let message = error.render_message();
        let range = error.loc.begin..error.loc.end;
        return Err(SyntaxError { line: line_of(range.start), range, message, is_refusal: is_newer(text) });
    }
    let mut has_frozen_strings = false;
    for (kind, value) in magic_comments(&result, text) {
        match kind {
            MagicCommentKind::FrozenStringLiteral => has_frozen_strings = value.eq_ignore_ascii_case("true"),
            MagicCommentKind::Encoding if !is_utf8(value) => return Err(other_encoding(value)),
            _ => {}
        }
    }
    if let Some(magic) = &template {
        has_frozen_strings = magic.has_frozen_strings;
        if let Some(name) = magic.encoding.as_deref().filter(|it| !is_utf8(it)) {
            return Err(other_encoding(name));
        }
    }
    let source = Arc::new(Source { path: path.clone() });
    let mut lowerer = Lowerer::new(source, &line_starts, has_frozen_strings, template.is_some());
    // Regular expressions beyond this limit are not supported.
    let body = Arc::new(effort::at_most(effort::FOR_REGEXPS, || lowerer.file(result.ast.as_deref())));
    let first_method = lowerer.first_method();
    Ok((Program { path, body, first_method }, lowerer.into_mentions()))
}

fn magic_comments<'a>(
    result: &ParserResult,
    text: &'a [u8],
) -> impl Iterator<Item = (MagicCommentKind, &'a str)> {
    result.magic_comments.iter().filter_map(|it| {
        let value = text.get(it.value_l.begin..it.value_l.end)?;
        Some((it.kind.clone(), std::str::from_utf8(value).ok()?.trim()))
    })
}

fn is_utf8(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = name.trim_end_matches("-unix").trim_end_matches("-dos").trim_end_matches("-mac");
    matches!(name, "utf-8" | "utf8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_grows_faster_than_the_text_is_counted() {
        assert_eq!(work(b"x = 1\ny = ->(a) { x }\n[1].each do |b| @c = b; d == 2 end"), 2 * (2 + 3 + 3));
        assert_eq!(work(b"foo(1) { Bar = 1 }\nx.y = 1\n{}"), 0);
        assert_eq!(work(b"{ a: 1, 'b' => B::C, 'c': 2, d => x ? 1 : 2 }"), 8);
        let parsed = |count: usize, line: &dyn Fn(usize) -> String, [start, end]: [&str; 2]| {
            let lines: String = (0..count).map(line).collect();
            parse("a.rb".into(), format!("{start}{lines}{end}").as_bytes(), None).map(drop)
        };
        let refused = |line: &dyn Fn(usize) -> String, around: [&str; 2]| {
            assert!(parsed(1_000, line, around).is_ok());
            let error = parsed(9_000, line, around).unwrap_err();
            assert!(error.is_refusal, "{}", error.message);
        };
        refused(&|it| format!("x{it}=proc{{1}}\n"), ["", ""]);
        refused(&|it| format!("k{it}=>1,"), ["{", "}"]);
        refused(&|it| format!("when {it} then 1\n"), ["case 1\n", "end"]);
    }
}
