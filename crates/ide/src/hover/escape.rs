//! Hover texts of escape sequences in strings.

use marotte_db::{mode, source_text};
use marotte_syntax::{LexemeKind, lexemes};

use super::Hover;
use crate::token::{is_code, part, slice};
use crate::{Db, FilePosition};

/// Returns the hover text of the escape sequence at a place of a quoted string: the character that it denotes.
pub(super) fn hover(db: &dyn Db, at: FilePosition) -> Option<Hover> {
    if !is_code(db, at.file) {
        return None;
    }
    let text = source_text(db, at.file).text();
    let lexed = lexemes(text, mode(db, at.file)).all;
    let string = lexed.iter().find(|it| it.range.contains(at.offset))?;
    let is_double = match string.kind {
        LexemeKind::String | LexemeKind::StringStart => slice(text, string.range).starts_with('"'),
        _ => return None,
    };
    let written = slice(text, string.range);
    if !is_double && !written.starts_with('\'') {
        return None;
    }
    let place = usize::from(at.offset - string.range.start());
    let mut from = 0;
    while let Some(found) = written[from..].find('\\') {
        let start = from + found;
        let length = length(&written[start..], is_double)?;
        if (start..start + length).contains(&place) {
            let markdown = meaning(&written[start..start + length], is_double)?;
            return Some(Hover { range: part(string.range, start, start + length), markdown, fact: None });
        }
        from = start + length;
    }
    None
}

/// The length of the sequence that a text starts with, in bytes. None at the end of the text.
fn length(text: &str, is_double: bool) -> Option<usize> {
    let rest = text.get(1..)?;
    let letter = rest.chars().next()?;
    let digits = match rest.strip_prefix('u').filter(|_| is_double) {
        Some(rest) if rest.starts_with('{') => rest.find('}').filter(|it| *it <= 7).map_or(0, |it| it + 1),
        Some(rest) => rest.chars().take(4).take_while(char::is_ascii_hexdigit).count(),
        None => 0,
    };
    Some(1 + letter.len_utf8() + digits)
}

/// Returns the description of the character that an escape sequence denotes.
fn meaning(written: &str, is_double: bool) -> Option<String> {
    let letter = written[1..].chars().next()?;
    let known = match letter {
        '\\' => Some("a backslash"),
        '\'' if !is_double => Some("a single quote"),
        _ if !is_double => None,
        'n' => Some("a line feed, U+000A"),
        'r' => Some("a carriage return, U+000D"),
        't' => Some("a tab, U+0009"),
        's' => Some("a space, U+0020"),
        '$' => Some("a dollar sign, which starts no interpolation"),
        '"' => Some("a double quote"),
        '\'' => Some("a single quote"),
        _ => None,
    };
    if let Some(known) = known {
        return Some(format!("`{written}` is {known}."));
    }
    if letter == 'u' && is_double {
        let digits = written[2..].trim_matches(['{', '}']);
        let letter = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)?;
        let shown = if letter.is_control() { String::new() } else { format!(" `{letter}`,") };
        return Some(format!("`{written}` is the character{shown} U+{:04X}.", u32::from(letter)));
    }
    Some(format!("`{written}` is not an escape sequence here: the backslash stays."))
}

#[cfg(test)]
mod tests {
    use crate::fixture::Fixture;

    fn shown(code: &str) -> Option<String> {
        let fixture = Fixture::new(code);
        crate::hover(fixture.db(), fixture.cursor()).map(|it| it.markdown)
    }

    #[test]
    fn sequences_in_double_quotes() {
        assert_eq!(shown(r#"$x = "a\$0n""#).as_deref(), Some("`\\n` is a line feed, U+000A."));
        assert_eq!(shown(r#"$x = "a\u{$041}b""#).as_deref(), Some("`\\u{41}` is the character `A`, U+0041."));
        assert_eq!(shown(r#"$x = "\u00$0e9""#).as_deref(), Some("`\\u00e9` is the character `é`, U+00E9."));
        assert_eq!(shown(r#"$x = "\$0t${y}""#).as_deref(), Some("`\\t` is a tab, U+0009."));
        assert_eq!(
            shown(r#"$x = "\$0d""#).as_deref(),
            Some("`\\d` is not an escape sequence here: the backslash stays.")
        );
        assert_eq!(shown(r#"$x = "a$0n""#), None);
    }

    #[test]
    fn sequences_in_single_quotes() {
        assert_eq!(shown(r"$x = 'a\$0\b'").as_deref(), Some("`\\\\` is a backslash."));
        assert_eq!(
            shown(r"$x = 'a\$0nb'").as_deref(),
            Some("`\\n` is not an escape sequence here: the backslash stays.")
        );
    }
}
