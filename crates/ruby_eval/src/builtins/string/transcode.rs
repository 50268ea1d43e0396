//! Conversion between encodings: `encode`, `scrub`.

use super::encoding::expect_encoding;
use crate::native::Call;
use crate::stop::{Result, unsupported};
use crate::value::{Encoding, StringObject};
use crate::{Value, Vm};

/// The options of `encode`.
#[derive(Default)]
struct Options {
    replace_invalid: bool,
    replace_undefined: bool,
    replacement: Option<Vec<u8>>,
    xml: Option<Xml>,
}

/// `xml:`
#[derive(Clone, Copy, PartialEq, Eq)]
enum Xml {
    Text,
    Attribute,
}

fn options(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<Options> {
    let mut options = Options::default();
    for (key, value) in call.keywords.map(|it| it.snapshot()).unwrap_or_default() {
        let Value::Symbol(key) = &key else { return unsupported("options of `encode` that are not symbols") };
        let value_name = match &value {
            Value::Symbol(it) => Some(it.name()),
            _ => None,
        };
        match (&*key.name(), value_name.as_deref()) {
            ("invalid" | "undef" | "xml", None) if value.is_nil() => {}
            ("invalid", Some("replace")) => options.replace_invalid = true,
            ("invalid", _) => return vm.argument_error("unknown value for invalid character option"),
            ("undef", Some("replace")) => options.replace_undefined = true,
            ("undef", _) => return vm.argument_error("unknown value for undefined character option"),
            ("replace", _) if value.is_nil() => {}
            ("replace", _) => options.replacement = Some(vm.expect_string(&value)?.bytes().clone()),
            ("xml", Some("text")) => options.xml = Some(Xml::Text),
            ("xml", Some("attr")) => options.xml = Some(Xml::Attribute),
            (name, _) => return unsupported(format!("String#encode with {name}:")),
        }
    }
    Ok(options)
}

/// The bytes of a string in the encoding that the arguments name.
pub(super) fn encode(vm: &mut Vm<'_>, call: &Call<'_>, this: &StringObject) -> Result<(Vec<u8>, Encoding)> {
    let options = options(vm, call)?;
    let target = match call.argument(0) {
        None => this.encoding(),
        Some(target) => expect_encoding(vm, target)?,
    };
    let source = match call.argument(1) {
        None => this.encoding(),
        Some(source) => expect_encoding(vm, source)?,
    };
    let bytes = this.bytes();
    vm.world.spend(bytes.len() / 16)?;
    vm.world.allocate(bytes.len())?;
    if options.xml.is_none() && (source == target || bytes.is_ascii()) {
        let bytes = match options.replace_invalid && source == target {
            true => with_replacement(&bytes, source, options.replacement.as_deref()),
            false => bytes.clone(),
        };
        return Ok((bytes, target));
    }
    let mut out = Vec::with_capacity(bytes.len());
    if options.xml == Some(Xml::Attribute) {
        out.push(b'"');
    }
    for piece in pieces(&bytes, source) {
        match piece {
            Piece::Character(it) if it.is_ascii() || target == Encoding::Utf8 => {
                push(&mut out, it, options.xml);
            }
            Piece::Character(it) if options.xml.is_some() => {
                out.extend_from_slice(format!("&#x{:X};", u32::from(it)).as_bytes());
            }
            Piece::Character(_) if options.replace_undefined => {
                out.extend_from_slice(options.replacement.as_deref().unwrap_or(b"?"));
            }
            Piece::Character(it) => {
                let message = format!("U+{:04X} from {} to {}", u32::from(it), source.name(), target.name());
                return vm.raise_named("Encoding::UndefinedConversionError", message);
            }
            // Between an encoding and itself, only the marks of XML are changed.
            Piece::Byte(byte) if source == target => out.push(byte),
            Piece::Byte(_) if options.replace_undefined => {
                out.extend_from_slice(replacement(target, &options));
            }
            Piece::Byte(byte) => {
                let message = match target {
                    Encoding::Utf8 => {
                        format!("\"\\x{byte:02X}\" from {} to {}", source.name(), target.name())
                    }
                    _ => format!(
                        "\"\\x{byte:02X}\" to UTF-8 in conversion from {} to UTF-8 to {}",
                        source.name(),
                        target.name()
                    ),
                };
                return vm.raise_named("Encoding::UndefinedConversionError", message);
            }
            Piece::Invalid(..) if options.replace_invalid => {
                out.extend_from_slice(replacement(target, &options));
            }
            Piece::Invalid(invalid, next) => {
                let shown = |bytes: &[u8]| marotte_pcore::format::quoted_bytes(bytes);
                let message = match (next, invalid.len()) {
                    (None, length) if source == Encoding::Utf8 && (length > 1 || is_start(invalid)) => {
                        format!("incomplete {} on {}", shown(invalid), source.name())
                    }
                    (Some(next), length) if source == Encoding::Utf8 && (length > 1 || is_start(invalid)) => {
                        format!("{} followed by {} on {}", shown(invalid), shown(&[next]), source.name())
                    }
                    _ => format!("{} on {}", shown(invalid), source.name()),
                };
                return vm.raise_named("Encoding::InvalidByteSequenceError", message);
            }
        }
    }
    if options.xml == Some(Xml::Attribute) {
        out.push(b'"');
    }
    vm.world.allocate(out.len())?;
    Ok((out, target))
}

/// Whether a byte starts a sequence of several bytes.
fn is_start(bytes: &[u8]) -> bool {
    matches!(bytes.first(), Some(0xC2..=0xF4))
}

fn replacement(target: Encoding, options: &Options) -> &[u8] {
    let default: &[u8] = if target == Encoding::Utf8 { "\u{FFFD}".as_bytes() } else { b"?" };
    options.replacement.as_deref().unwrap_or(default)
}

fn push(out: &mut Vec<u8>, character: char, xml: Option<Xml>) {
    let entity = match (xml, character) {
        (Some(_), '&') => "&amp;",
        (Some(_), '<') => "&lt;",
        (Some(_), '>') => "&gt;",
        (Some(Xml::Attribute), '"') => "&quot;",
        (Some(Xml::Attribute), '\'') => "&apos;",
        _ => return out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
    };
    out.extend_from_slice(entity.as_bytes());
}

/// A part of a string that is converted.
enum Piece<'a> {
    Character(char),
    /// A byte that the encoding allows but does not assign.
    Byte(u8),
    /// Bytes that are not valid, and the byte after them.
    Invalid(&'a [u8], Option<u8>),
}

fn pieces(bytes: &[u8], source: Encoding) -> Vec<Piece<'_>> {
    let single = |byte: &'_ u8| *byte;
    match source {
        Encoding::Utf8 => {
            let mut all = Vec::new();
            let mut at = 0;
            for chunk in bytes.utf8_chunks() {
                all.extend(chunk.valid().chars().map(Piece::Character));
                at += chunk.valid().len() + chunk.invalid().len();
                if !chunk.invalid().is_empty() {
                    all.push(Piece::Invalid(chunk.invalid(), bytes.get(at).copied()));
                }
            }
            all
        }
        Encoding::Binary => bytes
            .iter()
            .map(single)
            .map(|it| if it.is_ascii() { Piece::Character(char::from(it)) } else { Piece::Byte(it) })
            .collect(),
        Encoding::Ascii => bytes
            .chunks(1)
            .map(|it| match it {
                [byte] if byte.is_ascii() => Piece::Character(char::from(*byte)),
                other => Piece::Invalid(other, None),
            })
            .collect(),
    }
}

/// The bytes with a replacement for invalid sequences.
fn with_replacement(bytes: &[u8], encoding: Encoding, replacement: Option<&[u8]>) -> Vec<u8> {
    match encoding {
        Encoding::Binary => bytes.to_vec(),
        Encoding::Ascii => {
            let replacement = replacement.unwrap_or(b"?");
            bytes.iter().flat_map(|it| if it.is_ascii() { vec![*it] } else { replacement.to_vec() }).collect()
        }
        Encoding::Utf8 => {
            let replacement = replacement.unwrap_or("\u{FFFD}".as_bytes());
            let mut out = Vec::with_capacity(bytes.len());
            for chunk in bytes.utf8_chunks() {
                out.extend_from_slice(chunk.valid().as_bytes());
                if !chunk.invalid().is_empty() {
                    out.extend_from_slice(replacement);
                }
            }
            out
        }
    }
}

/// The bytes of a string with invalid sequences replaced, as the arguments of `scrub` say.
pub(super) fn scrubbed(vm: &mut Vm<'_>, call: &Call<'_>, this: &StringObject) -> Result<Vec<u8>> {
    let bytes = this.bytes().clone();
    vm.world.allocate(bytes.len() * 3)?;
    let is_valid = match this.encoding() {
        Encoding::Binary => true,
        Encoding::Ascii => bytes.is_ascii(),
        Encoding::Utf8 => std::str::from_utf8(&bytes).is_ok(),
    };
    if is_valid {
        return Ok(bytes);
    }
    match (call.argument(0), call.block) {
        (None | Some(Value::Nil), None) => Ok(with_replacement(&bytes, this.encoding(), None)),
        (Some(text), _) if !text.is_nil() => {
            let text = vm.expect_string(text)?;
            super::ensure_valid(vm, &text)?;
            let replacement = text.bytes().clone();
            vm.world.allocate(bytes.len().saturating_mul(replacement.len()))?;
            Ok(with_replacement(&bytes, this.encoding(), Some(&replacement)))
        }
        (_, Some(block)) if this.encoding() == Encoding::Utf8 => {
            let mut out = Vec::with_capacity(bytes.len());
            for chunk in bytes.utf8_chunks() {
                out.extend_from_slice(chunk.valid().as_bytes());
                if !chunk.invalid().is_empty() {
                    let invalid = super::made(vm, chunk.invalid(), this.encoding())?;
                    let value = vm.yield_to(block, &[invalid])?;
                    let text = vm.expect_string(&value)?;
                    vm.world.allocate(text.bytes().len())?;
                    out.extend_from_slice(&text.bytes());
                }
            }
            Ok(out)
        }
        _ => unsupported("String#scrub with a block"),
    }
}
