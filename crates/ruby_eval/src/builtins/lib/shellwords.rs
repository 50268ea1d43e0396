//! `Shellwords`

use super::support::{bytes_of, encoded};
use crate::native::{Call, NativeClass, NativeMethod, exactly};
use crate::stop::{Result, unsupported};
use crate::value::Encoding;
use crate::{Symbol, Value, Vm};

/// A word that a shell reads as this text. Each character that may be special to a shell gets a backslash.
fn escaped(vm: &mut Vm<'_>, value: &Value) -> Result<String> {
    let text = vm.to_s(value)?;
    vm.world.spend(text.bytes().len() / 4)?;
    vm.world.allocate(text.bytes().len() * 2)?;
    let Some(text) = text.text() else {
        return match text.encoding() {
            Encoding::Binary => unsupported("Shellwords.escape of bytes"),
            encoding => vm.argument_error(format!("invalid byte sequence in {}", encoding.name())),
        };
    };
    if text.is_empty() {
        return Ok("''".to_owned());
    }
    let mut out = String::with_capacity(text.len() * 2);
    for it in text.chars() {
        match it {
            '\n' => out.push_str("'\n'"),
            'A'..='Z' | 'a'..='z' | '0'..='9' | '_' | '-' | '.' | ',' | ':' | '+' | '/' | '@' => out.push(it),
            _ => out.extend(['\\', it]),
        }
    }
    Ok(out)
}

fn escape(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    Ok(Value::from(escaped(vm, call.required(0))?))
}

fn escape_self(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    Ok(Value::from(escaped(vm, call.this)?))
}

fn joined(vm: &mut Vm<'_>, value: &Value) -> Result {
    let items = match value {
        Value::Array(it) => it.snapshot(),
        Value::Hash(_) | Value::Range(_) | Value::Object(_) => {
            return unsupported("Shellwords.join of this object");
        }
        other => return vm.no_method(other, Symbol::new("map")),
    };
    let words: Vec<String> = items.iter().map(|it| escaped(vm, it)).collect::<Result<_>>()?;
    Ok(Value::from(words.join(" ")))
}

fn join(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    joined(vm, call.required(0))
}

fn join_self(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    joined(vm, call.this)
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// The words of a line as a shell splits them. An unmatched quote is an error.
fn words(line: &[u8]) -> std::result::Result<Vec<Vec<u8>>, ()> {
    let (mut words, mut field) = (Vec::new(), Vec::new());
    let mut at = 0;
    loop {
        while line.get(at).copied().is_some_and(is_space) {
            at += 1;
        }
        match line.get(at).copied() {
            None => return Ok(words),
            Some(b'\'') => {
                let rest = &line[at + 1..];
                let end = rest.iter().position(|it| *it == b'\'').ok_or(())?;
                field.extend(&rest[..end]);
                at += end + 2;
            }
            Some(b'"') => {
                at += 1;
                loop {
                    match (line.get(at).copied(), line.get(at + 1).copied()) {
                        (Some(b'"'), _) => break,
                        (Some(b'\\'), Some(next)) => {
                            if !b"$`\"\\\n".contains(&next) {
                                field.push(b'\\');
                            }
                            field.push(next);
                            at += 2;
                        }
                        (Some(b'\\'), None) | (None, _) => return Err(()),
                        (Some(byte), _) => {
                            field.push(byte);
                            at += 1;
                        }
                    }
                }
                at += 1;
            }
            Some(b'\\') => {
                match line.get(at + 1) {
                    // A line break keeps its backslash.
                    Some(b'\n') => field.extend(b"\\\n"),
                    Some(next) => field.push(*next),
                    None => field.push(b'\\'),
                }
                at = (at + 2).min(line.len());
            }
            Some(_) => {
                let rest = &line[at..];
                let end = rest.iter().position(|it| is_space(*it) || b"\\'\"".contains(it));
                let end = end.unwrap_or(rest.len());
                field.extend(&rest[..end]);
                at += end;
            }
        }
        match line.get(at).copied() {
            None => {
                words.push(std::mem::take(&mut field));
                return Ok(words);
            }
            Some(byte) if is_space(byte) => {
                words.push(std::mem::take(&mut field));
                at += 1;
            }
            Some(_) => {}
        }
    }
}

fn split_text(vm: &mut Vm<'_>, value: &Value) -> Result {
    let line = match value {
        Value::String(_) => bytes_of(vm, value)?,
        other => return vm.no_method(other, Symbol::new("scan")),
    };
    if std::str::from_utf8(&line).is_err() {
        return unsupported("Shellwords.split of bytes");
    }
    vm.world.spend(line.len())?;
    vm.world.allocate(line.len() * 16)?;
    match words(&line) {
        // Real Ruby collects them in texts of bytes, which are what is added to them if that is not ASCII.
        Ok(words) => Ok(Value::array(
            words
                .into_iter()
                .map(|it| match it.is_ascii() {
                    true => Value::binary(it),
                    false => encoded(it, Encoding::Utf8),
                })
                .collect(),
        )),
        Err(()) => {
            let shown = vm.inspect(value)?;
            vm.argument_error(format!("Unmatched quote: {shown}"))
        }
    }
}

fn split(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    split_text(vm, call.required(0))
}

fn split_self(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    split_text(vm, call.this)
}

const FUNCTIONS: &[NativeMethod] = &[
    exactly("shellescape", 1, escape),
    exactly("shellsplit", 1, split),
    exactly("shellwords", 1, split),
    exactly("shelljoin", 1, join),
];

/// The classes of this library.
pub(super) static CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "Shellwords",
        methods: &[FUNCTIONS],
        singleton_methods: &[
            FUNCTIONS,
            &[exactly("escape", 1, escape), exactly("split", 1, split), exactly("join", 1, join)],
        ],
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "String",
        superclass: Some("Object"),
        methods: &[&[exactly("shellescape", 0, escape_self), exactly("shellsplit", 0, split_self)]],
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "Array",
        superclass: Some("Object"),
        methods: &[&[exactly("shelljoin", 0, join_self)]],
        ..NativeClass::EMPTY
    },
];
