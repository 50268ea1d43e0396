//! Keys: a root, and what is dug for below it (G10).

use std::fmt;

use marotte_pcore::value::{Hash, Integer, Value};
use marotte_text::Str;
use std::sync::Arc;

/// A part of a key between dots.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Segment {
    /// A name.
    Name(Str),
    /// A number: the index of an element, or a key that is a number.
    Number(Integer),
}

impl Segment {
    /// As a key of a hash.
    pub fn value(&self) -> Value {
        match self {
            Segment::Name(name) => Value::String(name.clone()),
            Segment::Number(number) => Value::Integer(number.clone()),
        }
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Segment::Name(name) => out.write_str(name),
            Segment::Number(number) => write!(out, "{number}"),
        }
    }
}

/// A key, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookupKey {
    /// As it was written.
    pub text: Str,
    /// What data has.
    pub root: Str,
    /// What is dug for in the value.
    pub segments: Vec<Segment>,
}

/// A text is no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeySyntaxError;

impl LookupKey {
    /// Reads a key.
    ///
    /// # Errors
    /// If quotes or dots stand where they may not.
    pub fn parse(text: &str) -> Result<LookupKey, KeySyntaxError> {
        let mut segments = split(text)?;
        if segments.is_empty() {
            return Err(KeySyntaxError);
        }
        let root = segments.remove(0).to_string().into();
        Ok(LookupKey { text: text.into(), root, segments })
    }

    /// `lookup_options`, which is no data.
    pub fn lookup_options() -> LookupKey {
        LookupKey { text: LOOKUP_OPTIONS.into(), root: LOOKUP_OPTIONS.into(), segments: Vec::new() }
    }

    /// The module whose data may have the key: its first segment, if it is qualified.
    pub fn module(&self) -> Option<&str> {
        self.root.split_once("::").map(|(module, _)| module)
    }

    /// What an answer must be so that digging finds the value in it.
    pub(crate) fn undig(&self, value: Value) -> Value {
        self.segments.iter().rev().fold(value, |inner, segment| match segment {
            Segment::Number(number) => {
                // An index that no array can have finds nothing anyway.
                let index =
                    number.to_i64().and_then(|it| usize::try_from(it).ok()).filter(|it| *it < 1_000_000);
                match index {
                    Some(index) => {
                        let mut elements = vec![Value::Undef; index];
                        elements.push(inner);
                        Value::Array(elements.into())
                    }
                    None => Value::Array(Vec::new().into()),
                }
            }
            Segment::Name(name) => {
                let mut hash = Hash::default();
                hash.insert(Value::String(name.clone()), inner);
                Value::Hash(Arc::new(hash))
            }
        })
    }
}

impl fmt::Display for LookupKey {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

/// The key of the options of other keys.
pub(crate) const LOOKUP_OPTIONS: &str = "lookup_options";

/// Whether the data of a module may have a key: its own ones, and the options of those.
pub fn may_have(module: &str, key: &str) -> bool {
    key == LOOKUP_OPTIONS || key.strip_prefix(module).is_some_and(|it| it.starts_with("::"))
}

/// Splits at dots outside of quotes. Blanks around segments do not count.
pub(crate) fn split(text: &str) -> Result<Vec<Segment>, KeySyntaxError> {
    if !text.contains(['\'', '"', '.']) {
        return Ok(vec![Segment::Name(text.into())]);
    }
    let mut segments = Vec::new();
    let mut rest = text;
    loop {
        let (segment, after) = segment(rest).ok_or(KeySyntaxError)?;
        segments.push(segment);
        if after.is_empty() {
            return Ok(segments);
        }
        rest = after.strip_prefix('.').ok_or(KeySyntaxError)?;
    }
}

/// The first segment, and what follows it.
fn segment(text: &str) -> Option<(Segment, &str)> {
    let bare = text.trim_start_matches(is_blank);
    if let Some(quote) = bare.chars().next().filter(|it| matches!(it, '"' | '\'')) {
        let (inner, after) = bare[1..].split_once(quote)?;
        if inner.is_empty() {
            return None;
        }
        return Some((Segment::Name(inner.into()), after.trim_start_matches(is_blank)));
    }
    let end = text.find(['\'', '"', '.']).unwrap_or(text.len());
    if end == 0 {
        return None;
    }
    let (name, after) = text.split_at(end);
    let name = name.trim_matches(|it| is_blank(it) || it == '\0');
    Some((number(name).map_or_else(|| Segment::Name(name.into()), Segment::Number), after))
}

fn is_blank(it: char) -> bool {
    matches!(it, ' ' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r')
}

/// A segment of digits only, perhaps signed. The reference takes a colon before it as well, and reads zero then.
fn number(name: &str) -> Option<Integer> {
    let (colon, name) = name.strip_prefix(':').map_or((false, name), |rest| (true, rest));
    let digits = name.strip_prefix(['+', '-']).unwrap_or(name);
    if digits.is_empty() || !digits.bytes().all(|it| it.is_ascii_digit()) {
        return None;
    }
    if colon {
        return Some(0.into());
    }
    name.strip_prefix('+').unwrap_or(name).parse::<i64>().ok().map(Integer::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segments(text: &str) -> Option<Vec<String>> {
        split(text).ok().map(|it| it.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn dots_split_and_quotes_keep_together() {
        assert_eq!(segments("a.b.0").unwrap(), ["a", "b", "0"]);
        assert_eq!(segments("a.'b.c'.\"d.e\"").unwrap(), ["a", "b.c", "d.e"]);
        assert_eq!(segments(" a . b ").unwrap(), ["a", "b"]);
        assert_eq!(split("a.-1").unwrap()[1], Segment::Number((-1).into()));
        assert_eq!(split("a.'1'").unwrap()[1], Segment::Name("1".into()));
        for text in ["a..b", ".a", "a.", "a.'b", "a.''", "'a'b", "a'b'"] {
            assert_eq!(segments(text), None, "{text}");
        }
    }
}
