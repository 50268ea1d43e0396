//! The interpretation of YAML tags. Only data may be read: tags for other classes are rejected, as in the reference.

use base64::Engine as _;
use base64::engine::general_purpose::GeneralPurpose;
use base64::engine::{DecodePaddingMode, GeneralPurposeConfig};
use marotte_pcore::value::Value;

use super::DataErrorKind;
use super::scalar::{self, Scalar};
use super::yaml::Permitted;

/// The interpretation of a mapping with a tag.
pub(super) enum Mapping {
    /// A hash of its entries.
    Hash,
    /// A text, in the entry `str`.
    Text,
    /// A hash, in the entry `elements`.
    Elements,
}

/// The interpretation of a sequence with a tag.
pub(super) enum Sequence {
    /// A sequence that becomes an array.
    Array,
    /// A hash of the first entries of all elements.
    Hash,
}

const YAML: &str = "tag:yaml.org,2002:";

/// Interprets a scalar with a tag.
pub(super) fn scalar(tag: &str, text: &str) -> Result<Scalar, DataErrorKind> {
    let class = |name: &str| Err(DataErrorKind::Class(name.to_owned()));
    match tag {
        "!binary" | "tag:yaml.org,2002:binary" => binary(text).map(Scalar::Value),
        "tag:yaml.org,2002:str" => Ok(Scalar::Value(text.into())),
        "!ruby/object:BigDecimal" => class("BigDecimal"),
        "!ruby/object:DateTime" => class("DateTime"),
        "!ruby/object:Complex" => class("Complex"),
        "!ruby/object:Rational" => class("Rational"),
        "!ruby/regexp" => class("Regexp"),
        "!ruby/range" => class("Range"),
        "!ruby/encoding" => class("Encoding"),
        "!ruby/class" | "!ruby/module" if text.is_empty() => Ok(Scalar::Value(Value::Undef)),
        "!ruby/class" | "!ruby/module" => class(text),
        "tag:yaml.org,2002:float" | "!float" => {
            scalar::tagged_float(text).map(|it| Scalar::Value(Value::Float(it)))
        }
        _ => {
            if let Some(name) = string_class(tag) {
                return if name.is_empty() { Ok(Scalar::Value(text.into())) } else { class(name) };
            }
            if tag.starts_with("!ruby/sym") {
                return Ok(Scalar::Symbol(text.to_owned()));
            }
            scalar::resolve(text)
        }
    }
}

/// Interprets the tag of a mapping.
pub(super) fn mapping(tag: &str, permitted: Permitted<'_>) -> Result<Mapping, DataErrorKind> {
    let class = |name: &str| Err(DataErrorKind::Class(name.to_owned()));
    let named = |name: &str, unnamed: &str| class(if name.is_empty() { unnamed } else { name });
    let ruby = tag.strip_prefix("!ruby/").unwrap_or_default();
    // `x` and `x:NAME`; the name is empty without one.
    let of = |kind: &str| ruby.strip_prefix(kind).map(|it| it.strip_prefix(':').unwrap_or(it));
    if let Some(name) = of("object") {
        return match name {
            "Hash" => Ok(Mapping::Hash),
            _ if permitted.classes.contains(&name) => Ok(Mapping::Hash),
            _ => named(name, "Object"),
        };
    }
    if let Some(name) = string_class(tag) {
        return if name.is_empty() { Ok(Mapping::Text) } else { class(name) };
    }
    if let Some(name) = of("struct") {
        return named(name, "Struct");
    }
    if let Some(name) = of("exception") {
        return named(name, "Exception");
    }
    if let Some(name) = of("hash-with-ivars") {
        return if name.is_empty() { Ok(Mapping::Elements) } else { class(name) };
    }
    for kind in ["!ruby/array:", "!ruby/marshalable:", "!ruby/hash:", "!map:"] {
        if let Some(name) = tag.strip_prefix(kind) {
            return if name.is_empty() { Err(DataErrorKind::Shape(tag.to_owned())) } else { class(name) };
        }
    }
    match tag.strip_prefix(YAML).or_else(|| tag.strip_prefix('!')).unwrap_or_default() {
        "set" => class("Psych::Set"),
        "omap" => class("Psych::Omap"),
        "str" => Ok(Mapping::Text),
        "ruby/range" => class("Range"),
        _ => Ok(Mapping::Hash),
    }
}

/// Interprets the tag of a sequence.
pub(super) fn sequence(tag: &str) -> Result<Sequence, DataErrorKind> {
    match tag {
        "!omap" | "tag:yaml.org,2002:omap" => Ok(Sequence::Hash),
        _ => match tag.strip_prefix("!seq:").or_else(|| tag.strip_prefix("!ruby/array:")) {
            Some("") => Err(DataErrorKind::Shape(tag.to_owned())),
            Some(name) => Err(DataErrorKind::Class(name.to_owned())),
            None => Ok(Sequence::Array),
        },
    }
}

/// Returns the class that a tag for strings names; empty if it names none. `None` for another tag.
fn string_class(tag: &str) -> Option<&str> {
    let rest = tag.strip_prefix("!str").or_else(|| tag.strip_prefix("!ruby/string"))?;
    if rest.is_empty() { Some("") } else { rest.strip_prefix(':') }
}

/// Decodes base64 bytes. Other characters are skipped, up to the end or the padding.
fn binary(text: &str) -> Result<Value, DataErrorKind> {
    let config = GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let engine = GeneralPurpose::new(&base64::alphabet::STANDARD, config);
    let is_digit = |it: &char| it.is_ascii_alphanumeric() || matches!(it, '+' | '/');
    let mut digits: String = text.chars().take_while(|it| *it != '=').filter(is_digit).collect();
    // A single digit is less than a byte.
    if digits.len() % 4 == 1 {
        digits.pop();
    }
    let bytes = engine.decode(digits).map_err(|_| DataErrorKind::Binary)?;
    String::from_utf8(bytes).map(|it| Value::String(it.into())).map_err(|_| DataErrorKind::Binary)
}
