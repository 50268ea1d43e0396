//! The content of strings, symbols and regular expressions.

use marotte_text::Str;
use tree_sitter::Node;

use super::lower::Lowering;
use super::tree::{Expr, ExprKind, Part};

/// The parts of a string or symbol.
pub(super) fn parts<'n>(lowering: &Lowering<'_, 'n>, node: Node<'n>, depth: usize) -> Vec<Part> {
    let source = lowering.source(node);
    // Bare words of `%w` have no quotes, and no relevant escapes.
    if raw(source) && !node.kind().starts_with("bare_") {
        return vec![Part::Text(unescape_raw(source))];
    }
    pieces(lowering, node, depth)
}

/// Whether a string or symbol supports neither interpolation nor escapes other than those of its quotes.
fn raw(source: &str) -> bool {
    ["'", ":'", "%q", "%s"].iter().any(|start| source.starts_with(start))
}

/// The text of `'…'`, `:'…'`, `%q(…)` and `%s(…)`.
pub(super) fn unescape_raw(source: &str) -> Str {
    let quote = source.find(|c: char| !matches!(c, ':' | '%' | 'q' | 's')).unwrap_or(0);
    let mut inner = source[quote..].chars();
    let (open, close) = (inner.next(), inner.next_back());
    let mut text = Str::new();
    while let Some(c) = inner.next() {
        let mut ahead = inner.clone();
        match (c, ahead.next()) {
            ('\\', Some(next)) if next == '\\' || Some(next) == open || Some(next) == close => {
                text.push(next);
                inner = ahead;
            }
            _ => text.push(c),
        }
    }
    text
}

/// The contents, escapes and interpolations among a node's children.
pub(super) fn pieces<'n>(lowering: &Lowering<'_, 'n>, node: Node<'n>, depth: usize) -> Vec<Part> {
    Lowering::children(node).into_iter().filter_map(|piece| part(lowering, piece, depth)).collect()
}

fn part<'n>(lowering: &Lowering<'_, 'n>, piece: Node<'n>, depth: usize) -> Option<Part> {
    let source = lowering.source(piece);
    match piece.kind() {
        "string_content" | "heredoc_content" => Some(Part::Text(source.into())),
        "escape_sequence" => Some(escape(source).map_or_else(|| opaque(piece), Part::Text)),
        "interpolation" => Some(interpolation(lowering, piece, depth)),
        "heredoc_end" => None,
        _ => Some(opaque(piece)),
    }
}

pub(super) fn interpolation<'n>(lowering: &Lowering<'_, 'n>, node: Node<'n>, depth: usize) -> Part {
    match Lowering::children(node)[..] {
        [code] => Part::Code(lowering.expr(code, depth)),
        _ => opaque(node),
    }
}

fn opaque(node: Node<'_>) -> Part {
    Part::Code(Expr { range: node.byte_range(), kind: ExprKind::Opaque })
}

/// The parts of a regular expression, with escapes unchanged. The closing sign needs no escape in its source.
pub(super) fn regexp_parts<'n>(lowering: &Lowering<'_, 'n>, node: Node<'n>, depth: usize) -> Vec<Part> {
    let source = lowering.source(node);
    let close = source.trim_end_matches(|c: char| c.is_ascii_alphabetic()).chars().next_back();
    // These have another meaning without their backslash.
    let close = close.filter(|close| !"$*+.?^|)]}>".contains(*close));
    let piece = |piece: Node<'n>| {
        let source = lowering.source(piece);
        match piece.kind() {
            "string_content" => Part::Text(source.into()),
            "escape_sequence" => {
                let escaped = source.strip_prefix('\\').unwrap_or(source);
                let plain = escaped == "\n" || close.is_some_and(|close| escaped.chars().eq([close]));
                match (plain, escaped) {
                    (true, "\n") => Part::Text(Str::new()),
                    (true, _) => Part::Text(escaped.into()),
                    (false, _) => Part::Text(source.into()),
                }
            }
            "interpolation" => interpolation(lowering, piece, depth),
            _ => opaque(piece),
        }
    };
    Lowering::children(node).into_iter().map(piece).collect()
}

/// The text for an escape sequence in double quotes. `None` for control and meta characters, and for bytes that are not
/// text.
pub(super) fn escape(sequence: &str) -> Option<Str> {
    let rest = sequence.strip_prefix('\\')?;
    let first = rest.chars().next()?;
    let simple = |c: char| Some(Str::from(c.to_string()));
    match first {
        'n' => simple('\n'),
        't' => simple('\t'),
        's' => simple(' '),
        'r' => simple('\r'),
        'e' => simple('\u{1b}'),
        'a' => simple('\u{7}'),
        'b' => simple('\u{8}'),
        'f' => simple('\u{c}'),
        'v' => simple('\u{b}'),
        '\n' => Some(Str::new()),
        '0'..='7' => ascii(u32::from_str_radix(rest, 8)),
        'x' => ascii(u32::from_str_radix(&rest[1..], 16)),
        'u' => {
            let codes = rest[1..].trim_matches(['{', '}']);
            codes.split_whitespace().map(|code| char::from_u32(u32::from_str_radix(code, 16).ok()?)).collect()
        }
        'c' | 'C' | 'M' => None,
        _ => Some(rest.into()),
    }
}

fn ascii(code: Result<u32, std::num::ParseIntError>) -> Option<Str> {
    let c = char::from_u32(code.ok()?).filter(char::is_ascii)?;
    Some(Str::from(c.to_string()))
}

#[cfg(test)]
mod tests {
    use super::{escape, unescape_raw};

    #[test]
    fn raw_strings_know_their_quotes_and_backslashes_only() {
        assert_eq!(unescape_raw(r"'a\'b\\c\n'"), r"a'b\c\n");
        assert_eq!(unescape_raw(r":'a::b'"), "a::b");
        assert_eq!(unescape_raw(r"%q(a\)b)"), "a)b");
        assert_eq!(unescape_raw("%q"), "");
    }

    #[test]
    fn escapes_are_those_of_ruby() {
        assert_eq!(escape(r"\u{48 49}").as_deref(), Some("HI"));
        assert_eq!(escape(r"\x41").as_deref(), Some("A"));
        assert_eq!(escape(r"\101").as_deref(), Some("A"));
        assert_eq!(escape(r"\q").as_deref(), Some("q"));
        assert_eq!(escape(r"\xff"), None);
        assert_eq!(escape(r"\C-a"), None);
    }
}
