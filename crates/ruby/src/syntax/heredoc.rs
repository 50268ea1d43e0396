//! Heredocs, whose bodies are separate from their beginnings.

use std::collections::HashMap;

use marotte_text::Str;
use tree_sitter::Node;

use super::lower::Lowering;
use super::text;
use super::tree::Part;

/// The bodies of all heredocs, by the position of their beginnings: a body belongs to the first beginning with its name
/// that has none yet.
pub(super) fn bodies<'n>(text: &str, root: Node<'n>) -> HashMap<usize, Node<'n>> {
    let mut bodies = HashMap::new();
    let may_begin = |behind: &str| behind.starts_with(|c: char| !c.is_ascii_whitespace());
    if !text.match_indices("<<").any(|(at, sign)| may_begin(&text[at + sign.len()..])) {
        return bodies;
    }
    let mut waiting: Vec<(usize, &str)> = Vec::new();
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        let source = text.get(node.byte_range()).unwrap_or_default();
        match node.kind() {
            "heredoc_beginning" => waiting.push((node.start_byte(), name(source))),
            "heredoc_body" => {
                let last = source.lines().next_back().unwrap_or_default().trim();
                if let Some(place) = waiting.iter().position(|(_, name)| *name == last) {
                    bodies.insert(waiting.remove(place).0, node);
                }
            }
            _ => {}
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return bodies;
            }
        }
    }
}

/// The name of a heredoc: `EOS` for `<<~'EOS'`.
fn name(beginning: &str) -> &str {
    beginning.trim_start_matches(['<', '-', '~']).trim_matches(['\'', '"', '`'])
}

/// The parts of the heredoc that begins at this node.
pub(super) fn parts<'n>(lowering: &Lowering<'_, 'n>, beginning: Node<'n>, depth: usize) -> Option<Vec<Part>> {
    let body = lowering.heredoc(beginning)?;
    let sign = lowering.source(beginning);
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    for node in Lowering::children(body) {
        let source = lowering.source(node);
        match node.kind() {
            "heredoc_content" => pieces.push(Piece::Content(source.into())),
            "escape_sequence" => pieces.push(Piece::Escape(source)),
            "interpolation" => pieces.push(Piece::Part(text::interpolation(lowering, node, depth))),
            _ => {}
        }
    }
    // The body starts after the end of the beginning's line, and ends before the last line, which has its name.
    if let Some(Piece::Content(first)) = pieces.first_mut() {
        *first = first.strip_prefix('\n').unwrap_or(first).into();
    }
    if let Some(Piece::Content(last)) = pieces.last_mut() {
        *last = last[..last.rfind('\n').map_or(0, |end| end + 1)].into();
    }
    Some(assembled(pieces, sign))
}

/// The parts of a heredoc, from the pieces of its body and from its beginning.
pub(super) fn assembled(mut pieces: Vec<Piece<'_>>, beginning: &str) -> Vec<Part> {
    if beginning.starts_with("<<~") {
        strip_margin(&mut pieces);
    }
    let raw = beginning.contains('\'');
    let part = |piece| match piece {
        Piece::Content(text) => Part::Text(text),
        Piece::Escape(text) => {
            Part::Text(if raw { text.into() } else { text::escape(text).unwrap_or_default() })
        }
        Piece::Part(part) => part,
    };
    pieces.into_iter().map(part).collect()
}

/// A piece of the body of a heredoc.
pub(super) enum Piece<'t> {
    Content(Str),
    Escape(&'t str),
    Part(Part),
}

/// Removes the common indentation of all lines that are not blank. Only blanks count, tabs as one.
fn strip_margin(pieces: &mut [Piece<'_>]) {
    let mut margin: Option<usize> = None;
    let mut at_start = true;
    for index in 0..pieces.len() {
        let followed = index + 1 < pieces.len();
        if let Piece::Content(text) = &pieces[index] {
            let mut lines = text.split('\n').enumerate().peekable();
            while let Some((number, line)) = lines.next() {
                let indentation = line.len() - line.trim_start_matches([' ', '\t']).len();
                // A line of blanks counts if it is followed by something other than literal content.
                let blank = indentation == line.len() && (lines.peek().is_some() || !followed);
                if (number > 0 || at_start) && !blank {
                    margin = Some(margin.map_or(indentation, |margin| margin.min(indentation)));
                }
            }
            at_start = text.ends_with('\n');
        } else {
            margin = if at_start { Some(0) } else { margin };
            at_start = false;
        }
    }
    let Some(margin) = margin.filter(|margin| *margin > 0) else { return };
    let mut at_start = true;
    for piece in pieces {
        if let Piece::Content(text) = piece {
            let ends_line = text.ends_with('\n');
            let lines = text.split('\n').enumerate().map(|(number, line)| {
                let indentation = line.len() - line.trim_start_matches([' ', '\t']).len();
                if number > 0 || at_start { &line[indentation.min(margin)..] } else { line }
            });
            let lines: Vec<&str> = lines.collect();
            *text = lines.join("\n").into();
            at_start = ends_line;
        } else {
            at_start = false;
        }
    }
}
