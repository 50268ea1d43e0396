//! Texts for URLs and HTML: `CGI`, `ERB::Util`, and the functions of `URI` for forms.

use super::support::encoded;
use crate::native::{Call, NativeClass, NativeMethod, at_least, between, exactly};
use crate::stop::{Result, unsupported};
use crate::value::{Encoding, StringObject};
use crate::{Value, Vm};

/// Bytes with all but letters, digits and `plain` as `%XX`; blanks as `+` if `plus`.
pub(super) fn percent_encoded(bytes: &[u8], plain: &[u8], plus: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for byte in bytes {
        match byte {
            b' ' if plus => out.push(b'+'),
            it if it.is_ascii_alphanumeric() || plain.contains(it) => out.push(*it),
            it => out.extend(format!("%{it:02X}").bytes()),
        }
    }
    out
}

/// Bytes with `%XX` replaced, and `+` if `plus`. Other signs of percent are kept.
pub(super) fn percent_decoded(bytes: &[u8], plus: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let digit = |offset: usize| bytes.get(at + offset).and_then(|it| char::from(*it).to_digit(16));
        match (byte, digit(1), digit(2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high << 4 | low) as u8);
                at += 3;
            }
            (b'+', ..) if plus => {
                out.push(b' ');
                at += 1;
            }
            _ => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    out
}

fn html_escaped(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for byte in bytes {
        match byte {
            b'\'' => out.extend(b"&#39;"),
            b'&' => out.extend(b"&amp;"),
            b'"' => out.extend(b"&quot;"),
            b'<' => out.extend(b"&lt;"),
            b'>' => out.extend(b"&gt;"),
            other => out.push(*other),
        }
    }
    out
}

fn paid(vm: &Vm<'_>, text: &StringObject) -> Result<Vec<u8>> {
    let bytes = text.bytes().clone();
    vm.world.spend(bytes.len() / 4)?;
    vm.world.allocate(bytes.len() * 3)?;
    Ok(bytes)
}

/// An argument of `CGI`, which must be a string.
fn cgi_text<'v>(vm: &mut Vm<'_>, call: &'v Call<'_>) -> Result<&'v std::rc::Rc<StringObject>> {
    match call.required(0) {
        Value::String(it) => Ok(it),
        Value::Object(_) => unsupported("CGI of an object"),
        other => vm.no_conversion(other, "String"),
    }
}

fn cgi_escape(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let text = cgi_text(vm, call)?;
    let bytes = paid(vm, text)?;
    Ok(encoded(percent_encoded(&bytes, b"_.-~", true), text.encoding()))
}

fn cgi_unescape(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let text = cgi_text(vm, call)?;
    let bytes = percent_decoded(&paid(vm, text)?, true);
    let encoding = if std::str::from_utf8(&bytes).is_ok() { Encoding::Utf8 } else { text.encoding() };
    Ok(encoded(bytes, encoding))
}

fn cgi_escape_html(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let text = cgi_text(vm, call)?;
    let bytes = paid(vm, text)?;
    Ok(encoded(html_escaped(&bytes), text.encoding()))
}

fn cgi_unescape_html(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let text = cgi_text(vm, call)?;
    let bytes = paid(vm, text)?;
    if bytes.windows(2).any(|it| it == b"&#") {
        return unsupported("CGI.unescapeHTML with numbers");
    }
    let Ok(text) = String::from_utf8(bytes) else { return unsupported("CGI.unescapeHTML of bytes") };
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let entities = [("&apos;", '\''), ("&amp;", '&'), ("&quot;", '"'), ("&gt;", '>'), ("&lt;", '<')];
        match entities.iter().find(|(name, _)| rest.starts_with(name)) {
            Some((name, character)) => {
                out.push(*character);
                rest = &rest[name.len()..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    Ok(Value::from(out))
}

/// `ERB::Util.html_escape`: of any value.
fn erb_escape(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let text = vm.to_s(call.required(0))?;
    let bytes = paid(vm, &text)?;
    Ok(encoded(html_escaped(&bytes), text.encoding()))
}

/// `ERB::Util.url_encode`: of any value.
fn erb_url_encode(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let text = vm.to_s(call.required(0))?;
    let bytes = paid(vm, &text)?;
    Ok(encoded(percent_encoded(&bytes, b"_-.~", false), text.encoding()))
}

const FORM: &[u8] = b"*-._";

fn component(vm: &mut Vm<'_>, value: &Value, plus: bool) -> Result<Vec<u8>> {
    let text = vm.to_s(value)?;
    Ok(percent_encoded(&paid(vm, &text)?, FORM, plus))
}

fn no_encoding(call: &Call<'_>) -> Result<()> {
    match call.argument(1) {
        None | Some(Value::Nil) => Ok(()),
        Some(_) => unsupported(format!("URI.{} with an encoding", call.name)),
    }
}

fn encode_component(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    no_encoding(call)?;
    let plus = &*call.name.name() == "encode_www_form_component";
    Ok(encoded(component(vm, call.required(0), plus)?, Encoding::Ascii))
}

fn decode_component(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    no_encoding(call)?;
    let plus = &*call.name.name() == "decode_www_form_component";
    let text = match call.required(0) {
        Value::String(it) => it,
        Value::Object(_) | Value::Symbol(_) => {
            return unsupported("URI.decode_www_form_component of this object");
        }
        Value::Nil => return vm.no_method(&Value::Nil, crate::Symbol::new("b")),
        other => return vm.no_conversion(other, "String"),
    };
    let bytes = paid(vm, text)?;
    let is_escape =
        |at: usize| bytes.get(at + 1..at + 3).is_some_and(|it| it.iter().all(u8::is_ascii_hexdigit));
    if bytes.iter().enumerate().any(|(at, it)| *it == b'%' && !is_escape(at)) {
        return vm.argument_error(format!("invalid %-encoding ({})", text.lossy()));
    }
    Ok(encoded(percent_decoded(&bytes, plus), Encoding::Utf8))
}

fn encode_form(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    no_encoding(call)?;
    let pairs: Vec<(Value, Value)> = match call.required(0) {
        Value::Hash(it) => it.snapshot(),
        Value::Array(it) => {
            let mut pairs = Vec::new();
            for item in it.snapshot() {
                match item {
                    Value::Array(pair) => {
                        let at = |index: usize| pair.get(index).unwrap_or(Value::Nil);
                        pairs.push((at(0), at(1)));
                    }
                    key => pairs.push((key, Value::Nil)),
                }
            }
            pairs
        }
        _ => return unsupported("URI.encode_www_form of this object"),
    };
    let mut parts: Vec<Vec<u8>> = Vec::new();
    for (key, value) in pairs {
        let key = component(vm, &key, true)?;
        let values = match &value {
            Value::Array(it) => it.snapshot(),
            Value::Object(_) => return unsupported("URI.encode_www_form with an object"),
            _ => vec![value],
        };
        let mut own: Vec<Vec<u8>> = Vec::new();
        for value in values {
            let mut part = key.clone();
            if !value.is_nil() {
                part.push(b'=');
                part.extend(component(vm, &value, true)?);
            }
            own.push(part);
        }
        parts.push(own.join(&b'&'));
    }
    let text = parts.join(&b'&');
    vm.world.allocate(text.len())?;
    Ok(encoded(text, Encoding::Ascii))
}

fn decode_form(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    if call.arguments.len() > 1 || call.keywords.is_some() {
        return unsupported("URI.decode_www_form with options");
    }
    let Value::String(text) = call.required(0) else {
        return unsupported("URI.decode_www_form of this object");
    };
    let bytes = paid(vm, text)?;
    if !bytes.is_ascii() {
        return vm.argument_error("the input of URI.decode_www_form must be ASCII only string");
    }
    let decoded = |part: &[u8]| {
        let bytes = percent_decoded(part, true);
        Value::from(String::from_utf8_lossy(&bytes).into_owned())
    };
    let mut pairs = Vec::new();
    let mut parts: Vec<&[u8]> = bytes.split(|it| *it == b'&').collect();
    // A separator at the end ends the last part.
    if parts.last().is_some_and(|it| it.is_empty()) {
        parts.pop();
    }
    for part in parts {
        let at = part.iter().position(|it| *it == b'=');
        let (key, value) = at.map_or((part, &b""[..]), |at| (&part[..at], &part[at + 1..]));
        pairs.push(Value::array(vec![decoded(key), decoded(value)]));
    }
    vm.world.allocate(pairs.len() * 32)?;
    Ok(Value::array(pairs))
}

const CGI: &[NativeMethod] = &[
    exactly("escape", 1, cgi_escape),
    between("unescape", 1, 1, cgi_unescape),
    exactly("escapeHTML", 1, cgi_escape_html),
    exactly("escape_html", 1, cgi_escape_html),
    exactly("h", 1, cgi_escape_html),
    exactly("unescapeHTML", 1, cgi_unescape_html),
    exactly("unescape_html", 1, cgi_unescape_html),
];

const ERB_UTIL: &[NativeMethod] = &[
    exactly("html_escape", 1, erb_escape),
    exactly("h", 1, erb_escape),
    exactly("url_encode", 1, erb_url_encode),
    exactly("u", 1, erb_url_encode),
];

/// The functions of `URI` for forms.
pub(super) const URI_FORMS: &[NativeMethod] = &[
    between("encode_www_form_component", 1, 2, encode_component),
    between("encode_uri_component", 1, 2, encode_component),
    between("decode_www_form_component", 1, 2, decode_component),
    between("decode_uri_component", 1, 2, decode_component),
    between("encode_www_form", 1, 2, encode_form),
    at_least("decode_www_form", 1, decode_form).with_keywords(),
];

/// The classes of this library.
pub(super) static CLASSES: &[NativeClass] = &[
    NativeClass { name: "CGI", superclass: Some("Object"), singleton_methods: &[CGI], ..NativeClass::EMPTY },
    NativeClass { name: "CGI::Util", methods: &[CGI], ..NativeClass::EMPTY },
    NativeClass {
        name: "ERB",
        superclass: Some("Object"),
        singleton_methods: &[&[at_least("new", 0, |_, _| unsupported("ERB.new"))]],
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "ERB::Util",
        methods: &[ERB_UTIL],
        singleton_methods: &[ERB_UTIL],
        ..NativeClass::EMPTY
    },
];
