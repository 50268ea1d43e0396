//! The shapes of plain scalars of one line: what the regular expressions of the reference's parser accept, which the tests
//! compare.

/// Whether a text starts like a word: with one of these characters, or with one of them after a character that neither
/// starts a number nor a symbol.
pub(super) fn is_word(text: &str) -> bool {
    let is_of_word = |it: char| {
        it.is_alphabetic()
            || matches!(it, '\t' | '\n' | '\x0B' | '\x0C' | '\r')
            || "_ !@#$%^&*(){}<>|/\\~;=".contains(it)
    };
    let mut chars = text.chars();
    let Some(first) = chars.next() else { return false };
    is_of_word(first)
        || !first.is_ascii_digit()
            && !matches!(first, '.' | ':' | '-')
            && chars.next().is_some_and(is_of_word)
}

/// Year, month and day.
pub(super) fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let (Some(year), Some(month), Some(day), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return false;
    };
    let is_year = year.len() == 4 && year.bytes().all(|it| it.is_ascii_digit());
    is_year
        && matches!(month.as_bytes(), [b'1', b'0'..=b'2'] | [b'0', b'0'..=b'9'] | [b'0'..=b'9'])
        && matches!(day.as_bytes(), [b'3', b'0' | b'1'] | [b'0'..=b'2', b'0'..=b'9'] | [b'0'..=b'9'])
}

/// Two or three numbers with colons between them.
pub(super) fn is_sexagesimal(text: &str) -> bool {
    let mut parts = unsigned(text).split(':');
    let first = parts.next().unwrap_or_default();
    let mut more = 0;
    for part in parts {
        if !matches!(part.as_bytes(), [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9']) {
            return false;
        }
        more += 1;
    }
    is_number(first, b"_") && matches!(more, 1 | 2)
}

/// The same with a point, and perhaps digits, at the end.
pub(super) fn is_sexagesimal_float(text: &str) -> bool {
    text.split_once('.').is_some_and(|(whole, fraction)| {
        is_sexagesimal(whole) && fraction.bytes().all(|it| it.is_ascii_digit() || it == b'_')
    })
}

/// A number with a point, and perhaps with an exponent that has a sign.
pub(super) fn is_float(text: &str) -> bool {
    let Some((whole, rest)) = unsigned(text).split_once('.') else { return false };
    let rest = rest.trim_start_matches(|it: char| it.is_ascii_digit());
    let has_exponent = || {
        let exponent = rest.strip_prefix(['e', 'E']).and_then(|it| it.strip_prefix(['-', '+']));
        exponent.is_some_and(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()))
    };
    (whole.is_empty() || is_number(whole, b"_,")) && (rest.is_empty() || has_exponent())
}

/// An integer: binary, octal, decimal or hexadecimal.
pub(super) fn is_integer(text: &str) -> bool {
    let all = |digits: &[u8], is_digit: fn(&u8) -> bool| {
        !digits.is_empty() && digits.iter().all(|it| is_digit(it) || matches!(it, b'_' | b','))
    };
    match unsigned(text).as_bytes() {
        [b'0'] => true,
        [b'0', b'b', digits @ ..] => all(digits, |it| matches!(it, b'0' | b'1')),
        [b'0', b'x', digits @ ..] => all(digits, u8::is_ascii_hexdigit),
        [b'0', digits @ ..] => all(digits, |it| matches!(it, b'0'..=b'7')),
        digits @ [b'1'..=b'9', ..] => {
            digits.last().is_some_and(u8::is_ascii_digit)
                && digits.iter().all(|it| it.is_ascii_digit() || matches!(it, b'_' | b','))
                && digits.windows(2).all(|it| it[0].is_ascii_digit() || it[1].is_ascii_digit())
        }
        _ => false,
    }
}

fn unsigned(text: &str) -> &str {
    text.strip_prefix(['-', '+']).unwrap_or(text)
}

/// Whether a text is a digit, followed by digits and separators.
fn is_number(text: &str, separators: &[u8]) -> bool {
    text.starts_with(|it: char| it.is_ascii_digit())
        && text.bytes().all(|it| it.is_ascii_digit() || separators.contains(&it))
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::*;

    type Shape = (&'static str, fn(&str) -> bool);

    /// The expressions of the reference's parser.
    const SHAPES: [Shape; 6] = [
        (r"(?m)^[^0-9.:-]?[\p{Alphabetic}_ \t\r\n\x0B\x0C!@#$%\^&*(){}<>|/\\~;=]+", is_word),
        (r"^[0-9]{4}-(?:1[012]|0[0-9]|[0-9])-(?:[12][0-9]|3[01]|0[0-9]|[0-9])$", is_date),
        (r"^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9]){1,2}$", is_sexagesimal),
        (r"^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9]){1,2}\.[0-9_]*$", is_sexagesimal_float),
        (r"^[-+]?(?:[0-9][0-9_,]*)?\.[0-9]*(?:[eE][-+][0-9]+)?$", is_float),
        (
            r"^(?:[-+]?0b[0-1_,]+|[-+]?0[0-7_,]+|[-+]?(?:0|[1-9](?:[0-9]|,[0-9]|_[0-9])*)|[-+]?0x[0-9a-fA-F_,]+)$",
            is_integer,
        ),
    ];

    /// All texts of up to five of these characters, and some longer ones.
    fn texts() -> Vec<String> {
        let mut all = vec![String::new()];
        let mut last = all.clone();
        for _ in 0..5 {
            last = last
                .iter()
                .flat_map(|it| "019-+.:_,ebx\u{e9}".chars().map(move |c| format!("{it}{c}")))
                .collect();
            all.extend(last.iter().cloned());
        }
        let characters = (' '..='\u{ff}').chain(['\u{17f}', '\u{2160}', '\u{4e2d}', '\t', '\r', '\x0B']);
        all.extend(
            characters
                .flat_map(|it| [format!("{it}"), format!("{it}a"), format!("x{it}"), format!("\"{it}")]),
        );
        for date in
            ["2024-01-02", "2024-13-01", "2024-12-32", "2024-1-1", "24-1-1", "2024-00-30", "2024-10-3x"]
        {
            all.push(date.to_owned());
        }
        all.extend(
            ["12:30:45.5", "1:60", "1_0:05:59", "-1.5e+10", "0x_F", "1,000", "1__0", "10:20:30:40"]
                .map(String::from),
        );
        all
    }

    #[test]
    fn shapes_are_those_of_the_reference() {
        let texts = texts();
        for (pattern, is_shape) in SHAPES {
            let pattern = Regex::new(pattern).unwrap();
            for text in &texts {
                assert_eq!(is_shape(text), pattern.is_match(text), "{text:?} {pattern}");
            }
        }
    }
}
