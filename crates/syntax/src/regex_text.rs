//! The encoding that the text of a regular expression implies.

/// Whether Ruby fixes a pattern's encoding to UTF-8: it contains a character, an escape or a property beyond ASCII.
pub(crate) fn fixes_encoding(pattern: &str) -> bool {
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        if !c.is_ascii() {
            return true;
        }
        if c != '\\' {
            continue;
        }
        let rest = chars.as_str();
        match chars.next() {
            Some('p' | 'P') if rest[1..].starts_with('{') => return true,
            Some('u') if code_points(&rest[1..]).any(|code| code > 0x7f) => return true,
            Some('x') if hex(&rest[1..], 2).is_some_and(|code| code > 0x7f) => return true,
            _ => {}
        }
    }
    false
}

/// The code points of `XXXX` or `{X… X…}` at the start of `text`.
fn code_points(text: &str) -> impl Iterator<Item = u32> {
    let list = text.strip_prefix('{').and_then(|text| text.split_once('}')).map(|(list, _)| list);
    let single = if list.is_none() { hex(text, 4) } else { None };
    list.into_iter().flat_map(str::split_whitespace).filter_map(|code| hex(code, 6)).chain(single)
}

fn hex(text: &str, digits: usize) -> Option<u32> {
    let len = text.bytes().take(digits).take_while(u8::is_ascii_hexdigit).count();
    u32::from_str_radix(text.get(..len)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::fixes_encoding;

    #[test]
    fn as_ruby_reports_it() {
        // ruby -e 'p %w[é \\p{Alpha} …].map { |s| Regexp.new(s).fixed_encoding? }'
        for fixed in ["é", r"\p{Alpha}", r"\P{L}", r"\u00e9", r"\xC3\xA9", r"\u{e9 41}"] {
            assert!(fixes_encoding(fixed), "{fixed}");
        }
        for free in [r"\u0041", "[[:alpha:]]", r"\x41", r"\h\R", r"\u{41}", "(?i)a", r"\\\\u00e9"] {
            assert!(!fixes_encoding(free), "{free}");
        }
    }
}
