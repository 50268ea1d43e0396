//! The texts of regular expressions: `to_s`, `inspect`, `Regexp.escape`.

use marotte_pcore::regexp::{Options, Regexp};

use crate::value::RegexpObject;

/// The source of an expression that matches a text literally.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for it in text.chars() {
        let letter = match it {
            '[' | ']' | '{' | '}' | '(' | ')' | '|' | '-' | '*' | '.' | '\\' | '?' | '+' | '^' | '$'
            | '#' | ' ' => it,
            '\t' => 't',
            '\u{C}' => 'f',
            '\u{B}' => 'v',
            '\n' => 'n',
            '\r' => 'r',
            _ => {
                out.push(it);
                continue;
            }
        };
        out.push('\\');
        out.push(letter);
    }
    out
}

/// The source between slashes: slashes and characters that can't be printed are escaped.
pub(super) fn source_text(source: &str) -> String {
    let printable = |it: char| !it.is_control();
    if source.chars().all(|it| it != '/' && printable(it)) {
        return source.to_owned();
    }
    let mut out = String::with_capacity(source.len() + 4);
    let mut chars = source.chars();
    while let Some(it) = chars.next() {
        match it {
            '\\' => {
                out.push(it);
                out.extend(chars.next());
            }
            '/' => out.push_str("\\/"),
            _ if printable(it) || it.is_ascii_whitespace() || it == '\u{B}' => out.push(it),
            _ => out.push_str(&format!("\\x{:02X}", u32::from(it))),
        }
    }
    out
}

/// The expression as a part of others: `(?i-mx:…)`. Options that a group around all of the source sets are joined with its
/// own.
pub(crate) fn embedded(regexp: &RegexpObject) -> String {
    let (options, source) = merged(regexp.source(), regexp.options());
    let flags = [(options.multi_line, 'm'), (options.ignore_case, 'i'), (options.extended, 'x')];
    let with = |set: bool| flags.iter().filter(move |it| it.0 == set).map(|it| it.1).collect::<String>();
    let (on, off) = (with(true), with(false));
    let dash = if off.is_empty() { "" } else { "-" };
    format!("(?{on}{dash}{off}:{})", source_text(source))
}

/// The options and the rest of a source that begins with options in parentheses.
fn merged(source: &str, own: Options) -> (Options, &str) {
    let mut options = own;
    let mut rest = source;
    while rest.len() >= 4
        && let Some(after) = rest.strip_prefix("(?")
    {
        let (on, after) = flags(after);
        on.chars().for_each(|it| set(&mut options, it, true));
        let after = match after.strip_prefix('-') {
            Some(off) if off.len() > 1 => {
                let (off, after) = flags(off);
                off.chars().for_each(|it| set(&mut options, it, false));
                after
            }
            _ => after,
        };
        if let Some(after) = after.strip_prefix(')') {
            rest = after;
            continue;
        }
        return match after.strip_prefix(':').and_then(|it| it.strip_suffix(')')) {
            Some(inside) if Regexp::with_options(inside, options).is_ok() => (options, inside),
            _ => (own, source),
        };
    }
    (options, rest)
}

/// The letters of options that a text begins with, and the rest.
fn flags(text: &str) -> (&str, &str) {
    text.split_at(text.find(|it| !matches!(it, 'm' | 'i' | 'x')).unwrap_or(text.len()))
}

fn set(options: &mut Options, letter: char, on: bool) {
    match letter {
        'm' => options.multi_line = on,
        'i' => options.ignore_case = on,
        _ => options.extended = on,
    }
}
