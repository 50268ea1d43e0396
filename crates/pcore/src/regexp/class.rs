//! Sets of characters: brackets, escapes such as `\d`, POSIX names and Unicode properties.
//!
//! A set is written in the syntax of the `regex` crate, each character as `\x{…}`. Only [`WORD`] and [`NOT_WORD`] are
//! placeholders in it: ignoring case never changes `\w`, which `regex` can't express inside a set (`ſ` and the Kelvin
//! sign fold to ASCII letters). The emitter replaces them.

use super::error::Fault;
use super::parse::{Charset, Parser};

/// The placeholder for `\w` in a set.
pub(super) const WORD: char = '\u{1}';
/// The placeholder for `\W` in a set.
pub(super) const NOT_WORD: char = '\u{2}';
/// The letters, digits and underscore of ASCII.
pub(super) const ASCII_WORD: &str = "0-9A-Z_a-z";

pub(super) const UNICODE_WORD: &str = r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}";
/// Digits and fractions of Latin 1 that Onigmo treats as word characters, except in brackets.
pub(super) const LATIN_WORD: &str = r"\x{B2}\x{B3}\x{B9}\x{BC}-\x{BE}";
/// A set that matches no character.
pub(super) const NOTHING: &str = r"[^\x{0}-\x{10FFFF}]";
const NEVER_GRAPHIC: &str = r"\p{White_Space}\p{Cc}\p{Cn}";

/// Returns the set of an escape such as `\d`, in the form used between brackets; `None` if the escape isn't a set.
pub(super) fn shorthand(letter: char, charset: Charset) -> Option<String> {
    let negated = letter.is_ascii_uppercase();
    let unicode = charset == Charset::Unicode;
    let set = match letter.to_ascii_lowercase() {
        'd' if unicode => r"\p{Nd}",
        'd' => "0-9",
        's' if unicode => r"\p{White_Space}",
        's' => r"\x{9}-\x{D}\x{20}",
        'h' => "0-9A-Fa-f",
        'w' if unicode => UNICODE_WORD,
        'w' => return Some(if negated { NOT_WORD } else { WORD }.into()),
        _ => return None,
    };
    Some(if negated { format!("[^{set}]") } else { format!("[{set}]") })
}

/// Returns the set of a POSIX name, or of the property of the same name.
fn named(name: &str, ascii: bool) -> Option<String> {
    let set = match (name, ascii) {
        ("alnum", false) => r"\p{Alphabetic}\p{Nd}".into(),
        ("alpha", false) => r"\p{Alphabetic}".into(),
        ("blank", false) => r"\x{9}\p{Zs}".into(),
        ("cntrl", false) => r"\p{Cc}".into(),
        ("digit", false) => r"\p{Nd}".into(),
        ("graph", false) => format!("[^{NEVER_GRAPHIC}]"),
        ("lower", false) => r"\p{Lowercase}".into(),
        ("print", false) => format!(r"[^{NEVER_GRAPHIC}]\p{{Zs}}"),
        ("punct", false) => r"\p{P}$+<=>\^`|\x{7E}".into(),
        ("space", false) => r"\p{White_Space}".into(),
        ("upper", false) => r"\p{Uppercase}".into(),
        ("word", false) => UNICODE_WORD.into(),
        ("alnum", true) => "0-9A-Za-z".into(),
        ("alpha", true) => "A-Za-z".into(),
        ("blank", true) => r"\x{9}\x{20}".into(),
        ("cntrl", true) => r"\x{0}-\x{1F}\x{7F}".into(),
        ("digit", true) => "0-9".into(),
        ("graph", true) => r"\x{21}-\x{7E}".into(),
        ("lower", true) => "a-z".into(),
        ("print", true) => r"\x{20}-\x{7E}".into(),
        ("punct", true) => r"\x{21}-\x{2F}\x{3A}-\x{40}\x{5B}-\x{60}\x{7B}-\x{7E}".into(),
        ("space", true) => r"\x{9}-\x{D}\x{20}".into(),
        ("upper", true) => "A-Z".into(),
        ("word", true) => ASCII_WORD.into(),
        ("xdigit", _) => "0-9A-Fa-f".into(),
        ("ascii", _) => r"\x{0}-\x{7F}".into(),
        _ => return None,
    };
    Some(set)
}

/// Parses `{Name}` after `\p` or `\P`.
pub(super) fn property(parser: &mut Parser<'_>, start: usize, negated: bool) -> Result<String, Fault> {
    parser.expect_char('{');
    let inverted = parser.eat('^');
    let rest = parser.rest();
    let Some(len) = rest.find('}') else {
        let shown = rest.char_indices().next_back().map_or("", |(at, _)| &rest[..at]);
        return Err(Fault::invalid(start, format!("invalid character property name {{{shown}}}")));
    };
    let name = &rest[..len];
    parser.advance(len + 1);
    let unknown = || Fault::invalid(start, format!("invalid character property name {{{name}}}"));
    let plain: String =
        name.chars().filter(|c| !matches!(c, ' ' | '_' | '-')).map(|c| c.to_ascii_lowercase()).collect();
    let set = match named(&plain, false) {
        // Only the brackets also contain the nine symbols of C's `ispunct`.
        Some(_) if plain == "punct" => r"\p{P}".into(),
        Some(set) => set,
        None if plain == "cs" || plain == "surrogate" => NOTHING.into(),
        None if plain == "xposixpunct" => named("punct", false).unwrap_or_default(),
        None if plain.starts_with("in") && plain != "inherited" => {
            return Err(Fault::unsupported(start, format!("character property {name}")));
        }
        None => {
            let (key, value) = plain.split_once('=').unwrap_or(("", &plain));
            let known = value.chars().all(|c| c.is_ascii_alphanumeric() || c == '.');
            if !known || !matches!(key, "" | "age" | "graphemeclusterbreak") {
                return Err(unknown());
            }
            let set = format!(r"\p{{{plain}}}");
            regex_syntax::parse(&set).map_err(|_| unknown())?;
            set
        }
    };
    Ok(if negated != inverted { format!("[^{set}]") } else { format!("[{set}]") })
}

/// The state of parsing a bracket (Onigmo's `CC_STATE`).
#[derive(Clone, Copy, PartialEq)]
enum State {
    Start,
    /// After a character, which may start a range.
    Value(char),
    /// After a set, which may not.
    Set,
    /// After the `-` of a range from this character.
    Range(char),
    /// After a complete range or nested brackets.
    Complete,
}

/// An item in a bracket.
enum Item {
    Char(char),
    Set(String),
    Dash,
    And,
    Open,
    Close,
}

/// Parses a bracket after its `[`: returns the set with its brackets, and whether it is negated.
pub(super) fn bracket(parser: &mut Parser<'_>, start: usize) -> Result<(String, bool), Fault> {
    parser.enter(start)?;
    let negated = parser.eat('^');
    let mut operands: Vec<String> = Vec::new();
    let mut set = String::new();
    let mut state = State::Start;
    let mut first = true;
    let mut pending = None;
    loop {
        let at = parser.position();
        let item = match pending.take() {
            Some(item) => item,
            None => next_item(parser, start)?,
        };
        let item = match item {
            Item::Close if first => {
                if !has_close(parser.rest()) {
                    return Err(Fault::invalid(at, "empty char-class"));
                }
                Item::Char(']')
            }
            item => item,
        };
        first = false;
        match item {
            Item::Close => {
                flush(&mut set, state);
                break;
            }
            Item::Char(c) => state = value(&mut set, state, c, at)?,
            Item::Set(inner) => {
                if matches!(state, State::Range(_)) {
                    return Err(Fault::invalid(at, "char-class value at end of range"));
                }
                flush(&mut set, state);
                set.push_str(&inner);
                state = State::Set;
            }
            Item::Open => {
                flush(&mut set, state);
                let (inner, _) = bracket(parser, at)?;
                set.push_str(&inner);
                // A range that started before continues afterwards, as in Onigmo.
                state = if matches!(state, State::Range(_)) { state } else { State::Complete };
            }
            Item::And => {
                flush(&mut set, state);
                operands.push(operand(std::mem::take(&mut set)));
                state = State::Start;
            }
            Item::Dash => {
                if let State::Range(_) = state {
                    state = value(&mut set, state, '-', at)?;
                    continue;
                }
                let next = next_item(parser, start)?;
                let literal = matches!(next, Item::Close | Item::And);
                state = match state {
                    State::Value(c) if !literal => State::Range(c),
                    State::Set if !literal => {
                        return Err(Fault::invalid(at, "unmatched range specifier in char-class"));
                    }
                    _ => value(&mut set, state, '-', at)?,
                };
                pending = Some(next);
            }
        }
    }
    parser.leave();
    let caret = if negated { "^" } else { "" };
    let text = if operands.is_empty() {
        format!("[{caret}{}]", if set.is_empty() { NOTHING } else { &set })
    } else {
        operands.push(operand(set));
        format!("[{caret}{}]", operands.join("&&"))
    };
    Ok((text, negated))
}

fn operand(set: String) -> String {
    if set.is_empty() { NOTHING.into() } else { format!("[{set}]") }
}

/// Writes a character that didn't start a range. One that started an unfinished range is dropped, as in Onigmo.
fn flush(set: &mut String, state: State) {
    if let State::Value(c) = state {
        push_char(set, c);
    }
}

fn value(set: &mut String, state: State, c: char, at: usize) -> Result<State, Fault> {
    let State::Range(low) = state else {
        flush(set, state);
        return Ok(State::Value(c));
    };
    if low > c {
        return Err(Fault::invalid(at, "empty range in char class"));
    }
    push_char(set, low);
    set.push('-');
    push_char(set, c);
    Ok(State::Complete)
}

/// Writes a character, escaped so that no engine interprets it.
pub(super) fn push_char(out: &mut String, c: char) {
    if c.is_ascii_alphanumeric() {
        out.push(c);
    } else {
        out.push_str(&format!(r"\x{{{:X}}}", c as u32));
    }
}

fn has_close(text: &str) -> bool {
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            ']' => return true,
            '\\' => _ = chars.next(),
            _ => {}
        }
    }
    false
}

fn next_item(parser: &mut Parser<'_>, start: usize) -> Result<Item, Fault> {
    let at = parser.position();
    let Some(c) = parser.queued().or_else(|| parser.next()) else {
        return Err(Fault::invalid(start, "premature end of char-class"));
    };
    if parser.was_queued() {
        return Ok(Item::Char(c));
    }
    Ok(match c {
        ']' => Item::Close,
        '-' => Item::Dash,
        '&' if parser.eat('&') => Item::And,
        '[' => match posix(parser, at)? {
            Some(set) => Item::Set(set),
            None => Item::Open,
        },
        '\\' => match parser.peek() {
            Some(letter) if shorthand(letter, parser.charset()).is_some() => {
                parser.next();
                Item::Set(shorthand(letter, parser.charset()).unwrap_or_default())
            }
            Some(letter @ ('p' | 'P')) if parser.rest()[1..].starts_with('{') => {
                parser.next();
                Item::Set(property(parser, at, letter == 'P')?)
            }
            _ => Item::Char(parser.escaped_char(at, true)?),
        },
        c => Item::Char(c),
    })
}

/// Parses `:name:]` after `[`, if present.
fn posix(parser: &mut Parser<'_>, at: usize) -> Result<Option<String>, Fault> {
    /// The distance within which Onigmo searches for the end of a name.
    const MAX_NAME: usize = 20;
    let Some(rest) = parser.rest().strip_prefix(':') else { return Ok(None) };
    let inverted = rest.starts_with('^');
    let name_start = usize::from(inverted);
    let Some(len) = rest[name_start..].find(":]") else { return Ok(None) };
    let name = &rest[name_start..name_start + len];
    if name.len() > MAX_NAME || name.contains([']', '\\']) {
        return Ok(None);
    }
    let Some(set) = named(name, parser.charset() == Charset::Ascii) else {
        return Err(Fault::invalid(at, "invalid POSIX bracket type"));
    };
    parser.advance(1 + name_start + len + 2);
    Ok(Some(if inverted { format!("[^{set}]") } else { format!("[{set}]") }))
}
