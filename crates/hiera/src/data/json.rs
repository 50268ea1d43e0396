//! JSON as the reference reads it: the standard plus comments.

use std::sync::Arc;

use indexmap::IndexMap;
use jsonc_parser::ast;
use jsonc_parser::common::{Range, Ranged as _};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use marotte_pcore::value::{Hash, Integer, Value};
use marotte_text::{TextRange, TextSize};
use num_bigint::BigInt;

use super::{DEPTH_LIMIT, DataError, DataErrorKind, Document, Inner, Places, Repeated};

const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Reads a text.
///
/// # Errors
/// If it isn't valid JSON, or is nested too deeply.
pub fn parse_json(text: &str) -> Result<Document, DataError> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &OPTIONS).map_err(|error| DataError {
        kind: DataErrorKind::Syntax(error.kind().to_string()),
        range: text_range(error.range()),
    })?;
    let Some(root) = parsed.value else {
        return Err(DataError {
            kind: DataErrorKind::Syntax("unexpected end of the text, where a value should be".to_owned()),
            range: TextRange::empty(TextSize::of(text)),
        });
    };
    let mut repeated = Vec::new();
    let (value, places) = node(&root, text, 0, &mut repeated)?;
    Ok(Document { value, places, repeated: repeated.into() })
}

fn text_range(range: Range) -> TextRange {
    let size = |offset: usize| TextSize::try_from(offset).unwrap_or(TextSize::new(u32::MAX));
    TextRange::new(size(range.start), size(range.end.max(range.start)))
}

fn node(
    json: &ast::Value<'_>,
    text: &str,
    depth: usize,
    repeated: &mut Vec<Repeated>,
) -> Result<(Value, Places), DataError> {
    let range = text_range(json.range());
    let fail = |kind| DataError { kind, range };
    if depth > DEPTH_LIMIT {
        return Err(fail(DataErrorKind::Depth));
    }
    let value = match json {
        ast::Value::NullKeyword(_) => Value::Undef,
        ast::Value::BooleanLit(it) => Value::Boolean(it.value),
        ast::Value::StringLit(it) => {
            check_string(text, it)?;
            Value::String((&*it.value).into())
        }
        ast::Value::NumberLit(it) => number(it.value).map_err(fail)?,
        ast::Value::Array(array) => {
            let mut values = Vec::with_capacity(array.elements.len());
            let mut places = Vec::with_capacity(array.elements.len());
            for element in &array.elements {
                let (value, place) = node(element, text, depth + 1, repeated)?;
                values.push(value);
                places.push(place);
            }
            return Ok((
                Value::Array(values.into()),
                Places { range, inner: Inner::Elements(places.into()) },
            ));
        }
        ast::Value::Object(object) => {
            let mut entries = IndexMap::new();
            for property in &object.properties {
                if let ast::ObjectPropName::String(name) = &property.name {
                    check_string(text, name)?;
                }
                let (value, place) = node(&property.value, text, depth + 1, repeated)?;
                let name = property.name.as_str().to_owned();
                // Of several entries with one key, the last wins, at the position of the first.
                let again = text_range(property.name.range());
                if let Some((before, ..)) = entries.insert(name, (again, value, place)) {
                    repeated.push(Repeated { again, before });
                }
            }
            let mut hash = Hash::default();
            let mut places = Vec::with_capacity(entries.len());
            for (name, (at, value, place)) in entries {
                hash.insert(Value::String(name.into()), value);
                places.push((at, place));
            }
            return Ok((Value::Hash(Arc::new(hash)), Places { range, inner: Inner::Entries(places.into()) }));
        }
    };
    Ok((value, Places::scalar(range)))
}

/// Rejects control characters in strings: they must be escaped.
fn check_string(text: &str, literal: &ast::StringLit<'_>) -> Result<(), DataError> {
    let source = text.get(literal.range.start..literal.range.end).unwrap_or_default();
    match source.find(|it: char| it < ' ') {
        None => Ok(()),
        Some(offset) => {
            let at = literal.range.start + offset;
            let message = "a control character appears in a string; write it as an escape such as \\n";
            Err(DataError {
                kind: DataErrorKind::Syntax(message.to_owned()),
                range: text_range(Range { start: at, end: at + 1 }),
            })
        }
    }
}

fn number(text: &str) -> Result<Value, DataErrorKind> {
    if text.contains(['.', 'e', 'E']) {
        let number = text.parse().map_err(|_| DataErrorKind::Number(text.to_owned(), "Float"))?;
        return Ok(Value::Float(number));
    }
    super::check_digits(text)?;
    let number: BigInt = text.parse().map_err(|_| DataErrorKind::Number(text.to_owned(), "Integer"))?;
    Ok(Value::Integer(Integer::from(number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_kept() {
        let text = r#"{"é": [1, "zwei"], "b": {"c": null}}"#;
        let document = parse_json(text).unwrap();
        let Inner::Entries(entries) = &document.places.inner else { panic!("a hash") };
        let texts: Vec<_> = entries.iter().map(|(key, it)| (&text[*key], &text[it.range])).collect();
        assert_eq!(texts, [("\"é\"", "[1, \"zwei\"]"), ("\"b\"", "{\"c\": null}")]);
    }

    #[test]
    fn depth_is_bounded() {
        assert!(parse_json(&"[".repeat(100_000)).is_err());
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        assert_eq!(parse_json(&deep).unwrap_err().kind, DataErrorKind::Depth);
    }
}
