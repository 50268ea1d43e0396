//! Strings that are never closed, in the lines above a place: the code after them would seem to be text.

use std::borrow::Cow;
use std::cmp::Reverse;

use marotte_syntax::{LexemeKind, Lexemes, Mode, lexemes};
use marotte_text::TextSize;

/// The number of strings that are repaired.
const MOST_REPAIRS: usize = 3;

/// The number of strings of which each is tried as the one that is not closed.
const MOST_CANDIDATES: usize = 24;

/// The text, in which strings that start above the line of a place and are never closed end on their own lines. All other code
/// stays at its offset.
///
/// A text whose strings are all closed is returned as it is: strings may have several lines.
pub(super) fn with_closed_quotes(text: &str, offset: TextSize, mode: Mode) -> Cow<'_, str> {
    let before = &text[..usize::from(offset)];
    let end = before.rfind('\n').map_or(0, |it| it + 1);
    let mut above = lexemes(&text[..end], mode);
    if above.unclosed.is_none() || (lexemes(text, mode).unclosed.is_none() && !has_code(before, mode)) {
        return Cow::Borrowed(text);
    }
    let mut repaired = text.to_owned();
    for _ in 0..MOST_REPAIRS {
        // With the right string closed, the fewest strings have several lines.
        let candidates = strings_of_lines(&repaired[..end], &above);
        let tries = candidates
            .iter()
            .rev()
            .take(MOST_CANDIDATES / 2)
            .chain(candidates.iter().take(MOST_CANDIDATES / 2));
        let best = tries
            .map(|start| {
                let closed = closed_at(&repaired, *start, end);
                let lexed = lexemes(&closed[..end], mode);
                let left = strings_of_lines(&closed[..end], &lexed).len();
                ((lexed.unclosed.is_some(), left, Reverse(*start)), closed, lexed)
            })
            .min_by_key(|(rank, ..)| *rank);
        let Some((_, closed, lexed)) = best else { break };
        (repaired, above) = (closed, lexed);
        if above.unclosed.is_none() {
            break;
        }
    }
    Cow::Owned(repaired)
}

/// Whether a string of several lines ends where another string would begin in code: `'…⏎file { '`.
fn has_code(text: &str, mode: Mode) -> bool {
    const BEFORE_STRINGS: [&str; 6] = ["{", "(", "[", "=>", "=", ","];
    lexemes(text, mode).all.iter().filter(|it| it.kind == LexemeKind::String).any(|it| {
        let written = &text[it.range];
        // The last string may not be closed.
        let text = written.strip_suffix(['\'', '"']).unwrap_or(written);
        let last = text.rsplit('\n').next().unwrap_or_default();
        written.contains('\n') && BEFORE_STRINGS.iter().any(|it| last.trim_end().ends_with(it))
    })
}

/// The offsets of the strings that don't end on the line on which they start.
fn strings_of_lines(text: &str, lexed: &Lexemes) -> Vec<usize> {
    let mut found = Vec::new();
    let mut start = None;
    for it in &lexed.all {
        let from = usize::from(it.range.start());
        match it.kind {
            LexemeKind::String => start = Some(from),
            LexemeKind::StringStart => {
                start = Some(from);
                continue;
            }
            LexemeKind::StringEnd => {}
            _ => continue,
        }
        let from = start.take().unwrap_or(from);
        if text.get(from..usize::from(it.range.end())).is_some_and(|it| it.contains('\n')) {
            found.push(from);
        }
    }
    found.extend(lexed.unclosed.map(|it| usize::from(it.start())));
    found.sort_unstable();
    found.dedup();
    found
}

/// A text in which the string at an offset ends on its line, before what looks like code. Everything else keeps its offset.
fn closed_at(text: &str, start: usize, end: usize) -> String {
    let quote = text[start..].chars().next().filter(|it| matches!(it, '\'' | '"')).unwrap_or('\'');
    let from = start + quote.len_utf8();
    let line = text[from..end].find('\n').map_or(&text[from..end], |it| &text[from..from + it]);
    let mut closed = text.as_bytes().to_vec();
    // Nothing in it is read as code.
    let plain = |bytes: &mut [u8]| {
        for byte in bytes.iter_mut().filter(|it| matches!(**it, b'\'' | b'"' | b'$' | b'\\')) {
            *byte = b' ';
        }
    };
    let sign = ["=>", ": ", ", ", "; "].iter().filter_map(|it| line.find(it)).min();
    let at_end = line.trim_end().strip_suffix([':', ',', ';']).map(str::len);
    let sign = sign.or(at_end.filter(|it| !line[..*it].contains('$')));
    match sign {
        // `'title: ` becomes `'title':`, unless nothing follows that the sign could replace.
        Some(at) if line[at..].starts_with([':', ',', ';']) && from + at + 1 < text.len() => {
            plain(&mut closed[from..from + at]);
            closed[from + at + 1] = closed[from + at];
            closed[from + at] = quote as u8;
        }
        // `'name => `
        Some(at) if at > 0 => {
            plain(&mut closed[from..from + at]);
            closed[from + at - 1] = quote as u8;
        }
        _ => {
            let last = line.trim_end().char_indices().next_back();
            plain(&mut closed[from..from + line.len()]);
            match last {
                Some((at, letter)) => {
                    closed[from + at..from + at + letter.len_utf8()].fill(b' ');
                    closed[from + at] = quote as u8;
                }
                None => closed[start] = b' ',
            }
        }
    }
    // Only whole characters were replaced.
    String::from_utf8(closed).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let offset = TextSize::of(text);
        assert_eq!(with_closed_quotes(text, offset, Mode::default()), expected);
    }

    #[test]
    fn strings_end_on_their_lines() {
        check("$x = 'abc\nfile { '/a': ensure => 'x' }\nmo", "$x = 'ab'\nfile { '/a': ensure => 'x' }\nmo");
        check("file { '/a:\n  mo", "file { '/a':  mo");
        check("file { 'a: ensure => file,\n  mo", "file { 'a':ensure => file,\n  mo");
        check("notice(\"${:\nfi", "notice(\" {\"\nfi");
        check("$x = '\nfi", "$x =  \nfi");
        check("$x = 'abc\nfile { '/a", "$x = 'ab'\nfile { '/a");
    }

    #[test]
    fn signs_at_the_end_stay_in_the_text() {
        let text = "\"a ${x['binclude ntp, 'ntp::params' ::\n";
        let closed = with_closed_quotes(text, TextSize::of(text), Mode::default());
        assert_eq!(closed.len(), text.len());
    }

    #[test]
    fn a_string_that_is_not_closed_ends_with_any_letter() {
        assert!(!has_code("'it''s# comment ü", Mode::default()));
    }

    #[test]
    fn strings_of_several_lines_stay() {
        check("$x = 'a\nb'\nfi", "$x = 'a\nb'\nfi");
        check("$y = 'a\nb'\n$x = 'c\nfi", "$y = 'a\nb'\n$x = ''\nfi");
    }
}
