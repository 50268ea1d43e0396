//! The conversions `%s` and `%p` of Ruby's `format`.

use std::fmt::Write as _;
use std::sync::LazyLock;

use super::FormatError;
use crate::dialect::Dialect;
use crate::print::{expanded_in, float_text, literal, short, short_in};
use crate::time::{LocalOffset, Timestamp};
use crate::types::{ResourceType, Type, TypeKind};
use crate::value::Value;

/// Appends a value as formatted by `%s`.
pub(super) fn text(out: &mut String, dialect: &Dialect, value: &Value) -> Result<(), FormatError> {
    match value {
        Value::Undef => {}
        Value::Default => out.push_str("default"),
        Value::String(text) => out.push_str(text),
        Value::Regexp(regexp) => {
            out.push_str("(?-mix:");
            out.push_str(regexp.source());
            out.push(')');
        }
        Value::Sensitive(_) => out.push_str(dialect.texts.redacted),
        Value::Timestamp(it) => {
            out.push_str(&it.format(Timestamp::DEFAULT_FORMAT, None, LocalOffset::UTC)?);
        }
        Value::Type(it) => reference(out, dialect, it),
        Value::SemVerRange(it) => out.push_str(&it.to_string()),
        _ => inspect(out, dialect, value)?,
    }
    Ok(())
}

/// Appends a value as formatted by `%p`. Where the reference would print memory addresses of its platform, the output
/// is that of `%s`.
pub(super) fn inspect(out: &mut String, dialect: &Dialect, value: &Value) -> Result<(), FormatError> {
    // Writing to a string doesn't fail, so the results of `write!` are ignored.
    match value {
        Value::Undef => out.push_str("nil"),
        Value::Default => out.push_str(":default"),
        Value::Boolean(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Integer(number) => {
            let _ = write!(out, "{number}");
        }
        Value::Float(number) => out.push_str(&float_text(*number)),
        Value::String(text) => quote(out, text),
        Value::Regexp(_) => out.push_str(&literal(value)),
        Value::Array(elements) => {
            out.push('[');
            for (at, it) in elements.iter().enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                inspect(out, dialect, it)?;
            }
            out.push(']');
        }
        Value::Hash(hash) => {
            out.push('{');
            for (at, (key, it)) in hash.iter().enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                inspect(out, dialect, key)?;
                out.push_str("=>");
                inspect(out, dialect, it)?;
            }
            out.push('}');
        }
        Value::Sensitive(_) => out.push_str(dialect.texts.redacted_programmatic),
        Value::Type(_) | Value::Timestamp(_) => text(out, dialect, value)?,
        Value::Timespan(it) => out.push_str(&it.text(&dialect.texts)),
        Value::SemVer(it) => {
            let _ = write!(out, "{it}");
        }
        Value::SemVerRange(it) => out.push_str(&it.comparators()),
        Value::Uri(it) => {
            let _ = write!(out, "{it}");
        }
        Value::Binary(it) => out.push_str(&it.to_base64()),
        Value::Object(_) | Value::Unknown(_) => out.push_str(&literal(value)),
        Value::Callable(callable) => out.push_str(&short_in(dialect, &callable.signature())),
        Value::Iterator(iterator) => {
            let element = short_in(dialect, &crate::infer::generalize(&iterator.element_type()));
            let _ = write!(out, "Iterator[{element}]-Value");
        }
    }
    Ok(())
}

/// Formats a type with its names in a dialect (X1–X3): aliases and other named types are expanded.
pub(super) fn type_text(dialect: &Dialect, it: &Type) -> String {
    match it.kind() {
        TypeKind::Object(_) | TypeKind::TypeSet(_) | TypeKind::Alias(_) => expanded_in(dialect, it),
        TypeKind::Resource(resource) if resource.is_object => {
            let mut text = String::new();
            reference(&mut text, dialect, it);
            text
        }
        _ => short_in(dialect, it),
    }
}

/// Formats a type; references to resources or classes are without quotes.
fn reference(out: &mut String, dialect: &Dialect, it: &Type) {
    match it.kind() {
        TypeKind::Resource(ResourceType { type_name: Some(name), title, .. }) => {
            let name = crate::print::capitalize_segments(name);
            let _ = write!(out, "{name}[{}]", title.as_deref().unwrap_or_default());
        }
        TypeKind::Class(Some(name)) => {
            let _ = write!(out, "Class[{}]", crate::print::capitalize_segments(name));
        }
        _ => out.push_str(&type_text(dialect, it)),
    }
}

/// The name of a value's type in messages.
pub(super) fn type_name(value: &Value) -> String {
    match value {
        Value::Type(it) => format!("{}-Type", short(it).split('[').next().unwrap_or_default()),
        Value::Object(object) => short(&object.object_type),
        other => other.kind_name().to_owned(),
    }
}

/// Formats a string in double quotes, like the reference's platform.
pub fn quoted(text: &str) -> String {
    let mut out = String::new();
    quote(&mut out, text);
    out
}

/// Characters that aren't printable: controls, line separators, and those that Unicode 13 doesn't contain.
static WITHOUT_PICTURE: LazyLock<Option<regex::Regex>> =
    LazyLock::new(|| regex::Regex::new(r"^[\p{Cc}\p{Zl}\p{Zp}\P{Age=13.0}]").ok());

fn has_picture(it: char) -> bool {
    if it.is_ascii() {
        return !it.is_ascii_control();
    }
    let mut room = [0; 4];
    !WITHOUT_PICTURE.as_ref().is_some_and(|class| class.is_match(it.encode_utf8(&mut room)))
}

fn quote(out: &mut String, text: &str) {
    out.push('"');
    let mut chars = text.chars().peekable();
    while let Some(it) = chars.next() {
        match it {
            '"' | '\\' => {
                out.push('\\');
                out.push(it);
            }
            '#' if matches!(chars.peek(), Some('{' | '$' | '@')) => out.push_str("\\#"),
            _ => match control(it) {
                Some(letter) => {
                    out.push('\\');
                    out.push(letter);
                }
                None if has_picture(it) => out.push(it),
                None => {
                    let code = u32::from(it);
                    let _ = if code > 0xFFFF {
                        write!(out, "\\u{{{code:X}}}")
                    } else {
                        write!(out, "\\u{code:04X}")
                    };
                }
            },
        }
    }
    out.push('"');
}

/// Returns the letter of the escape sequence for a control character.
fn control(it: char) -> Option<char> {
    Some(match it {
        '\n' => 'n',
        '\r' => 'r',
        '\t' => 't',
        '\u{C}' => 'f',
        '\u{B}' => 'v',
        '\u{8}' => 'b',
        '\u{7}' => 'a',
        '\u{1B}' => 'e',
        _ => return None,
    })
}

/// Formats bytes that aren't valid text in double quotes.
pub fn quoted_bytes(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for (at, byte) in bytes.iter().enumerate() {
        let it = char::from(*byte);
        match it {
            '"' | '\\' => {
                out.push('\\');
                out.push(it);
            }
            '#' if matches!(bytes.get(at + 1), Some(b'{' | b'$' | b'@')) => out.push_str("\\#"),
            _ => match control(it) {
                Some(letter) => {
                    out.push('\\');
                    out.push(letter);
                }
                None if matches!(it, ' '..='~') => out.push(it),
                None => {
                    let _ = write!(out, "\\x{byte:02X}");
                }
            },
        }
    }
    out.push('"');
    out
}
