//! `Base64`

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::support::{ascii, bytes_of, text_of};
use crate::native::{Call, NativeClass, NativeMethod, between, exactly};
use crate::stop::{Result, unsupported};
use crate::{Symbol, Value, Vm};

/// Bytes in base 64, with a line break after each 60 characters.
fn in_lines(bytes: &[u8]) -> String {
    bytes.chunks(45).map(|it| STANDARD.encode(it) + "\n").collect()
}

/// The bytes of a text in base 64. Other characters are skipped, and padding ends the text.
pub(super) fn decode_leniently(text: &[u8]) -> Vec<u8> {
    let digit = |byte: u8| {
        Some(match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        })
    };
    let (mut out, mut group) = (Vec::with_capacity(text.len() / 4 * 3), Vec::with_capacity(4));
    for byte in text {
        match digit(*byte) {
            Some(digit) => group.push(digit),
            // Before the third digit of a group, padding is one of the characters that are skipped.
            None if *byte == b'=' && group.len() >= 2 => break,
            None => {}
        }
        if let [a, b, c, d] = group[..] {
            out.extend([a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d]);
            group.clear();
        }
    }
    if let [a, b, rest @ ..] = &group[..] {
        out.push(a << 2 | b >> 4);
        out.extend(rest.first().map(|c| b << 4 | c >> 2));
    }
    out
}

fn encode_lines(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let bytes = bytes_of(vm, call.required(0))?;
    vm.world.allocate(bytes.len() * 3 / 2)?;
    Ok(ascii(in_lines(&bytes)))
}

fn encode(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let bytes = bytes_of(vm, call.required(0))?;
    vm.world.allocate(bytes.len() * 3 / 2)?;
    Ok(ascii(STANDARD.encode(bytes)))
}

fn encode_for_urls(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let bytes = bytes_of(vm, call.required(0))?;
    vm.world.allocate(bytes.len() * 3 / 2)?;
    let mut padding = true;
    if let Some(keywords) = call.keywords {
        for (name, value) in keywords.snapshot() {
            match &name {
                Value::Symbol(name) if &*name.name() == "padding" => padding = value.is_truthy(),
                other => {
                    let name = vm.inspect(other)?;
                    return vm.argument_error(format!("unknown keyword: {name}"));
                }
            }
        }
    }
    let text = STANDARD.encode(bytes).replace('+', "-").replace('/', "_");
    Ok(ascii(if padding { text } else { text.trim_end_matches('=').to_owned() }))
}

/// The text to decode. Values that are not strings lack the method that Ruby calls.
fn source(vm: &mut Vm<'_>, value: &Value, method: &str) -> Result<Vec<u8>> {
    match value {
        Value::String(_) => bytes_of(vm, value),
        Value::Array(_) | Value::Object(_) => unsupported("Base64 of an object"),
        other => vm.no_method(other, Symbol::new(method)),
    }
}

fn decode(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let text = source(vm, call.required(0), "unpack1")?;
    Ok(Value::binary(decode_leniently(&text)))
}

fn strictly(vm: &mut Vm<'_>, text: &[u8]) -> Result {
    match STANDARD.decode(text) {
        Ok(bytes) => Ok(Value::binary(bytes)),
        Err(_) => vm.argument_error("invalid base64"),
    }
}

fn strict_decode(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let text = source(vm, call.required(0), "unpack1")?;
    strictly(vm, &text)
}

fn decode_for_urls(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    source(vm, call.required(0), "end_with?")?;
    let mut text = text_of(vm, call.required(0))?;
    let length = text.chars().count();
    if !text.ends_with('=') && length % 4 != 0 {
        text.extend(std::iter::repeat_n('=', 4 - length % 4));
    }
    strictly(vm, text.replace('-', "+").replace('_', "/").as_bytes())
}

const FUNCTIONS: &[NativeMethod] = &[
    exactly("encode64", 1, encode_lines),
    exactly("strict_encode64", 1, encode),
    between("urlsafe_encode64", 1, 1, encode_for_urls).with_keywords(),
    exactly("decode64", 1, decode),
    exactly("strict_decode64", 1, strict_decode),
    exactly("urlsafe_decode64", 1, decode_for_urls),
];

/// The classes of this library.
pub(super) static CLASSES: &[NativeClass] =
    &[NativeClass { name: "Base64", singleton_methods: &[FUNCTIONS], ..NativeClass::EMPTY }];
