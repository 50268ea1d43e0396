//! Makes text from sources and file systems safe to print: none of its control characters reaches a terminal, and no line that
//! a continuous integration service interprets as a command reaches its log.

use std::borrow::Cow;
use std::fmt::Write;
use std::sync::LazyLock;

use memchr::memmem::Finder;

/// The visible replacement of a character, if it needs one.
///
/// Controls of the first block become their symbols (`␀`, `␛`); others, and the invisible characters that reorder or hide text,
/// become `<U+202E>`. Tabs are left to the caller.
pub(crate) fn substitute(character: char) -> Option<Cow<'static, str>> {
    match character {
        '\t' => None,
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)).map(|it| Cow::Owned(it.to_string())),
        '\u{7f}' => Some(Cow::Borrowed("\u{2421}")),
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{61c}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}' => Some(Cow::Owned(format!("<U+{:04X}>", u32::from(character)))),
        _ => None,
    }
}

/// The names of GitHub's commands, which are at the start of a line: `::error file=x::…`.
const COMMANDS: [&str; 17] = [
    "add-mask",
    "add-matcher",
    "add-path",
    "debug",
    "echo",
    "endgroup",
    "error",
    "group",
    "internal-set-repo-path",
    "notice",
    "remove-matcher",
    "save-state",
    "set-env",
    "set-output",
    "stop-commands",
    "warning",
    "add-step-summary",
];

/// The prefixes of commands of Azure, TeamCity and the older ones of GitHub, anywhere in a line.
const PREFIXES: [&str; 3] = ["##[", "##vso[", "##teamcity["];

/// Whether a text consists of printable ASCII characters, as nearly all do. Such a text needs no [`substitute`].
pub(crate) fn is_plain(text: &str) -> bool {
    text.bytes().all(|it| matches!(it, b' '..=b'~'))
}

/// Whether a character ends a line.
fn is_line_end(character: char) -> bool {
    matches!(character, '\n' | '\r')
}

/// The offsets in a text where a service would see a command: after the first character of each.
fn commands(text: &str) -> Vec<usize> {
    static HASHES: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("##"));
    static COLONS: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("::"));
    let bytes = text.as_bytes();
    let starts = |at: usize, what: &str| {
        bytes.get(at..at + what.len()).is_some_and(|it| it.eq_ignore_ascii_case(what.as_bytes()))
    };
    let mut found: Vec<usize> = HASHES
        .find_iter(bytes)
        .filter(|at| PREFIXES.iter().any(|it| starts(*at, it)))
        .map(|at| at + 1)
        .collect();
    // In large texts, such as catalogs, few colons come first on a line.
    for start in COLONS.find_iter(bytes) {
        let before = text[..start].trim_end_matches(|it: char| it.is_whitespace() && !is_line_end(it));
        if before.chars().next_back().is_none_or(is_line_end) {
            let word = |it: &&&str| {
                let behind = start + 2 + it.len();
                starts(start + 2, it) && matches!(bytes.get(behind), Some(b' ' | b':'))
            };
            found.extend(COMMANDS.iter().find(word).map(|_| start + 1));
        }
    }
    found.sort_unstable();
    found
}

/// Inserts a string into each command, after its first character.
fn with_commands_broken<'t>(text: Cow<'t, str>, by: &str) -> Cow<'t, str> {
    let found = commands(&text);
    if found.is_empty() {
        return text;
    }
    let mut out = String::with_capacity(text.len() + found.len() * by.len());
    let mut copied = 0;
    for at in found {
        out.push_str(&text[copied..at]);
        out.push_str(by);
        copied = at;
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// Makes a text, perhaps of several lines, safe: nothing in it affects a terminal or a service.
pub fn text(text: &str) -> Cow<'_, str> {
    let is_kept = |it: char| matches!(it, '\n' | '\t') || substitute(it).is_none();
    if is_plain(text) || text.chars().all(is_kept) {
        return with_commands_broken(Cow::Borrowed(text), " ");
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match substitute(character) {
            // A line end of Windows.
            Some(_) if character == '\r' && characters.peek() == Some(&'\n') => {}
            Some(shown) if !is_kept(character) => out.push_str(&shown),
            _ => out.push(character),
        }
    }
    with_commands_broken(Cow::Owned(out), " ")
}

/// Makes a text safe that is already formatted with colors: none of its lines is a command.
pub fn colored(text: &str) -> Cow<'_, str> {
    with_commands_broken(Cow::Borrowed(text), " ")
}

/// Rewrites JSON to an equivalent text in which nothing affects a terminal or a service.
pub fn json(text: &str) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(text);
    // Those of ASCII have escapes already.
    let is_substituted = |it: char| it >= '\u{7f}' && substitute(it).is_some();
    // In UTF-8, they begin with one of these bytes.
    let bytes = text.as_bytes();
    let mut may_be =
        memchr::memchr3_iter(0x7f, 0xc2, 0xe2, bytes).chain(memchr::memchr2_iter(0xd8, 0xef, bytes));
    if may_be.any(|at| text[at..].starts_with(is_substituted)) {
        let mut escaped = String::with_capacity(text.len());
        for it in text.chars() {
            if is_substituted(it) {
                escaped.push_str(&format!("\\u{:04x}", u32::from(it)));
            } else {
                escaped.push(it);
            }
        }
        out = Cow::Owned(escaped);
    }
    // Two adjacent `#` occur in strings only.
    if commands(&out).is_empty() { out } else { Cow::Owned(out.replace("##", "#\\u0023")) }
}

/// Whether a terminal and a service print the text unchanged, and interpret nothing in it.
pub fn is_harmless(text: &str) -> bool {
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let is_line_end = character == '\r' && characters.peek() == Some(&'\n');
        if character.is_control() && !matches!(character, '\n' | '\t') && !is_line_end {
            return false;
        }
    }
    commands(text).is_empty()
}

/// Puts the text on one line and makes it safe: nothing in it affects a terminal or a service.
pub fn line(text: &str) -> Cow<'_, str> {
    with_commands_broken(single_line(text), " ")
}

fn single_line(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    if text.chars().all(|character| character != '\t' && substitute(character).is_none()) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match substitute(character) {
            Some(shown) => out.push_str(&shown),
            None if character == '\t' => out.push(' '),
            None => out.push(character),
        }
    }
    Cow::Owned(out)
}

/// The number of characters of a token that a message quotes.
const QUOTED: usize = 40;

/// A token in backticks, on one line, and truncated if it is long.
pub(crate) fn quoted(token: &str) -> String {
    let mut out = String::from("`");
    for (count, character) in token.chars().enumerate() {
        if count == QUOTED {
            out.push('…');
            break;
        }
        match (character, substitute(character)) {
            ('\n', _) => out.push('⏎'),
            ('\t', _) => out.push(' '),
            (_, Some(shown)) => out.push_str(&shown),
            (_, None) => out.push(character),
        }
    }
    out.push('`');
    out
}

/// A character, named so that a reader can find it even if it is invisible.
pub(crate) fn named(character: char) -> String {
    let mut out = match substitute(character) {
        None if !character.is_whitespace() => format!("`{character}` "),
        _ => String::new(),
    };
    // Writing to a string cannot fail.
    let _ = write!(out, "U+{:04X}", u32::from(character));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_a_terminal_obeys_is_left() {
        assert_eq!(line("a\x1b[31mb\r\u{9b}c\u{202e}"), "a␛[31mb␍<U+009B>c<U+202E>");
        assert!(matches!(line("plain é 🗻"), Cow::Borrowed(_)));
    }

    #[test]
    fn nothing_a_service_obeys_is_left() {
        for (command, broken) in [
            ("::error::x", ": :error::x"),
            ("a\n  ::set-output name=a::b", "a\n  : :set-output name=a::b"),
            ("a ##vso[task.x]", "a # #vso[task.x]"),
            ("##teamcity[x]", "# #teamcity[x]"),
            ("x ##[Error]y", "x # #[Error]y"),
            ("a\r\n::warning::", "a\n: :warning::"),
            ("a::b\n\u{2003}\t::debug::x::error::", "a::b\n\u{2003}\t: :debug::x::error::"),
        ] {
            assert_eq!(text(command), broken);
            assert!(!is_harmless(command));
        }
        for harmless in [
            "::ntp::server",
            "# # comment",
            "## heading",
            "a ::error::",
            "::errors::x",
            "a\r\nb\tc",
            ":::error::x",
        ] {
            assert!(is_harmless(harmless), "{harmless}");
        }
        assert!(!is_harmless("\u{1b}[2J") && !is_harmless("\u{9b}2J") && !is_harmless("a\rb"));
        assert_eq!(json("[\"##vso[x]\u{9b}\"]"), "[\"#\\u0023vso[x]\\u009b\"]");
        assert_eq!(json("[\"é\u{a0}\u{7f}\u{80}\"]"), "[\"é\u{a0}\\u007f\\u0080\"]");
        assert!(matches!(json("[\"é\u{a0}\u{ff}\"]"), Cow::Borrowed(_)));
        assert_eq!(json("[\"\u{202e}\u{7f}é\u{200b}\"]"), "[\"\\u202e\\u007fé\\u200b\"]");
    }

    #[test]
    fn a_quoted_token_is_short_and_on_one_line() {
        assert_eq!(quoted("a\nb"), "`a⏎b`");
        assert_eq!(quoted(&"x".repeat(1_000_000)), format!("`{}…`", "x".repeat(40)));
    }

    #[test]
    fn an_invisible_character_is_named_by_its_number() {
        assert_eq!(named('\u{a0}'), "U+00A0");
        assert_eq!(named('“'), "`“` U+201C");
    }
}
