//! Keys: a root, and the segments to dig for below it (G10).

use std::fmt;

use marotte_pcore::value::{Hash, Integer, Value};
use marotte_text::Str;
use std::sync::Arc;

/// A segment of a dotted key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Segment {
    /// The name of a hash key.
    Name(Str),
    /// A number: the index of an element, or a key that is a number.
    Number(Integer),
}

impl Segment {
    /// Converts it to a key of a hash.
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

/// A key, parsed into its root and its segments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookupKey {
    /// The key as written.
    pub text: Str,
    /// The key that data is searched for.
    pub root: Str,
    /// The segments to dig for in the value.
    pub segments: Vec<Segment>,
}

/// The error for a text that isn't a valid key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeySyntaxError;

impl LookupKey {
    /// Parses a key.
    ///
    /// # Errors
    /// If quotes or dots are misplaced.
    pub fn parse(text: &str) -> Result<LookupKey, KeySyntaxError> {
        let mut segments = split(text)?;
        if segments.is_empty() {
            return Err(KeySyntaxError);
        }
        let root = segments.remove(0).to_string().into();
        Ok(LookupKey { text: text.into(), root, segments })
    }

    /// `lookup_options`, which isn't data.
    pub fn lookup_options() -> LookupKey {
        LookupKey { text: LOOKUP_OPTIONS.into(), root: LOOKUP_OPTIONS.into(), segments: Vec::new() }
    }

    /// Returns the module whose data may have the key: its first segment, if it is qualified.
    pub fn module(&self) -> Option<&str> {
        self.root.split_once("::").map(|(module, _)| module)
    }

    /// Wraps a value in hashes and arrays so that digging for the segments finds it.
    pub(crate) fn undig(&self, value: Value) -> Value {
        self.segments.iter().rev().fold(value, |inner, segment| match segment {
            Segment::Number(number) => {
                // An index beyond the size of any array finds nothing anyway.
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

/// The key that holds the options of other keys.
pub(crate) const LOOKUP_OPTIONS: &str = "lookup_options";

/// Whether the data of a module may have a key: one in its own namespace, or `lookup_options`.
pub fn may_have(module: &str, key: &str) -> bool {
    key == LOOKUP_OPTIONS || key.strip_prefix(module).is_some_and(|it| it.starts_with("::"))
}

/// Splits a key at dots outside of quotes. Blanks around segments are ignored.
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

/// Returns the first segment and the text after it.
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

/// Parses a segment that consists of digits, optionally signed. The reference also accepts a colon before it, and then
/// reads zero.
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
