use std::fmt::Write;

use super::inspect::type_text;
use crate::dialect::Dialect;
use crate::infer::generalize;
use crate::print::{float_text, literal, short_in};
use crate::value::Value;

/// The work that is left.
enum Rest<'v> {
    Value(&'v Value),
    Elements { elements: &'v [Value], at: usize },
    Entries(Box<dyn Iterator<Item = (&'v Value, &'v Value)> + 'v>, bool),
    Text(&'static str),
}

/// Appends the text of a value in interpolated strings (D77) to a writer, which must not fail.
pub fn interpolate(dialect: &Dialect, out: &mut impl Write, value: &Value) {
    match value {
        Value::Array(_) | Value::Hash(_) => {
            let _ = out.write_str(&interpolated(dialect, value));
        }
        _ => scalar(dialect, out, value),
    }
}

/// Returns the text of a value in interpolated strings and in the output of `notice` (D77). Values may be nested to any
/// depth.
pub fn interpolated(dialect: &Dialect, value: &Value) -> String {
    if let Value::String(text) = value {
        return text.to_string();
    }
    let mut out = String::new();
    let mut rest = vec![Rest::Value(value)];
    while let Some(next) = rest.pop() {
        match next {
            Rest::Text(text) => out.push_str(text),
            Rest::Value(Value::Array(elements)) => {
                out.push('[');
                rest.push(Rest::Elements { elements, at: 0 });
            }
            Rest::Value(Value::Hash(hash)) => {
                out.push('{');
                rest.push(Rest::Entries(Box::new(hash.iter()), true));
            }
            Rest::Value(value) => scalar(dialect, &mut out, value),
            Rest::Elements { elements, at } => match elements.get(at) {
                None => out.push(']'),
                Some(element) => {
                    if at > 0 {
                        out.push_str(", ");
                    }
                    rest.push(Rest::Elements { elements, at: at + 1 });
                    rest.push(Rest::Value(element));
                }
            },
            Rest::Entries(mut entries, first) => match entries.next() {
                None => out.push('}'),
                Some((key, value)) => {
                    if !first {
                        out.push_str(", ");
                    }
                    rest.push(Rest::Entries(entries, false));
                    rest.extend([Rest::Value(value), Rest::Text(" => "), Rest::Value(key)]);
                }
            },
        }
    }
    out
}

/// Appends a value that contains no others, or that is formatted as a whole.
fn scalar(dialect: &Dialect, out: &mut impl Write, value: &Value) {
    // Writing to a string doesn't fail, unless the value itself can't be formatted.
    let _ = match value {
        Value::Undef => Ok(()),
        Value::Default => out.write_str("default"),
        Value::Boolean(value) => write!(out, "{value}"),
        Value::Integer(number) => write!(out, "{number}"),
        Value::Float(number) => out.write_str(&float_text(*number)),
        Value::String(text) => out.write_str(text),
        Value::Type(it) => out.write_str(&type_text(dialect, it)),
        Value::Sensitive(_) => out.write_str(dialect.texts.redacted_in_strings),
        Value::Timespan(it) => out.write_str(&it.text(&dialect.texts)),
        Value::Timestamp(it) => write!(out, "{it}"),
        Value::SemVer(it) => write!(out, "{it}"),
        Value::SemVerRange(it) => write!(out, "{it}"),
        Value::Binary(it) => out.write_str(&it.to_base64()),
        Value::Uri(it) => write!(out, "{it}"),
        Value::Callable(callable) => out.write_str(&short_in(dialect, &callable.signature())),
        Value::Iterator(iterator) => {
            write!(out, "Iterator[{}]-Value", short_in(dialect, &generalize(&iterator.element_type())))
        }
        Value::Regexp(_) | Value::Object(_) | Value::Array(_) | Value::Hash(_) | Value::Unknown(_) => {
            out.write_str(&literal(value))
        }
    };
}
