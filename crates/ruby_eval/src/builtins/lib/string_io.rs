//! `StringIO`: reading from and writing to a string.

use std::rc::Rc;

use super::support::{encoded, new_object, text_of};
use crate::builtins::support::only_keyword;
use crate::native::{Call, NativeClass, NativeMethod, at_least, exactly, refused};
use crate::stop::{Result, unsupported};
use crate::value::{Data, StringObject};
use crate::{Value, Vm};

/// A stream over a string, which it shares with the code that gave it.
#[derive(Debug)]
struct Stream {
    string: Rc<StringObject>,
    /// The number of bytes before the position.
    at: usize,
    line: i64,
    appends: bool,
    reads: bool,
    writes: bool,
    /// Whether the block of `open` has ended, after which there is no string.
    has_ended: bool,
}

impl Data for Stream {}

/// `StringIO.new(text, mode)`, `StringIO.open(text, mode) { |stream| … }`
fn new(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    if call.arguments.len() > 2 || call.arguments.iter().any(|it| matches!(it, Value::Hash(_))) {
        return unsupported(format!("StringIO.{} with these arguments", call.name));
    }
    let string = match call.argument(0) {
        None => vm.expect_string(&Value::string(""))?,
        Some(text) => vm.expect_string(text)?,
    };
    let mode = match call.argument(1) {
        None => (if string.is_frozen() { "r" } else { "r+" }).to_owned(),
        Some(it @ Value::String(_)) => text_of(vm, it)?,
        Some(_) => return unsupported("StringIO.new with this mode"),
    };
    let (reads, writes, appends) = match mode.as_str() {
        "r" => (true, false, false),
        "r+" => (true, true, false),
        "w" => (false, true, false),
        "w+" => (true, true, false),
        "a" => (false, true, true),
        "a+" => (true, true, true),
        _ => return unsupported(format!("StringIO.new with the mode '{mode}'")),
    };
    if writes && string.is_frozen() {
        return vm.raise_named("Errno::EACCES", "Permission denied");
    }
    if mode.starts_with('w') {
        string.change(Vec::clear);
    }
    let stream = Stream { string, at: 0, line: 0, appends, reads, writes, has_ended: false };
    let stream = new_object(vm, call.this, stream);
    match call.block.filter(|_| &*call.name.name() == "open") {
        Some(block) => {
            let result = vm.yield_to(block, std::slice::from_ref(&stream));
            with(&stream, |it| (it.reads, it.writes, it.has_ended) = (false, false, true))?;
            result
        }
        None => Ok(stream),
    }
}

/// Changes a stream.
fn with<T>(this: &Value, body: impl FnOnce(&mut Stream) -> T) -> Result<T> {
    let changed = match this {
        Value::Object(it) => it.data_as_mut::<Stream>().map(|mut it| body(&mut it)),
        _ => None,
    };
    changed.map_or_else(|| unsupported("a StringIO of another kind"), Ok)
}

/// Refuses to read from a stream that is not open for it.
fn ensure_reads(vm: &mut Vm<'_>, this: &Value) -> Result<()> {
    match with(this, |it| it.reads)? {
        true => Ok(()),
        false => vm.raise_named("IOError", "not opened for reading"),
    }
}

/// Appends bytes at the position, or replaces those that are there.
fn put(vm: &mut Vm<'_>, this: &Value, text: &StringObject) -> Result<()> {
    if !with(this, |it| it.writes)? {
        return vm.raise_named("IOError", "not opened for writing");
    }
    vm.world.allocate(text.bytes().len())?;
    let bytes = text.bytes().clone();
    let (string, mut at) = with(this, |it| {
        let end = it.string.bytes().len();
        (Rc::clone(&it.string), if it.appends { end } else { it.at })
    })?;
    if string.is_frozen() {
        return vm.raise_named("IOError", "not opened for writing");
    }
    if string.encoding() != text.encoding() && !bytes.is_ascii() {
        return unsupported("writing text of another encoding to a StringIO");
    }
    vm.world.allocate(at.saturating_sub(string.bytes().len()))?;
    string.change(|all| {
        if all.len() < at {
            all.resize(at, 0);
        }
        let end = (at + bytes.len()).min(all.len());
        all.splice(at..end, bytes.iter().copied());
    });
    at += bytes.len();
    with(this, |it| it.at = at)
}

fn put_all(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<usize> {
    let mut length = 0;
    for argument in call.arguments {
        let text = vm.to_s(argument)?;
        length += text.bytes().len();
        put(vm, call.this, &text)?;
    }
    Ok(length)
}

fn puts(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let newline = StringObject::new(b"\n".to_vec(), crate::value::Encoding::Utf8);
    if call.arguments.is_empty() {
        put(vm, call.this, &newline)?;
    }
    for argument in call.arguments {
        put_line(vm, call.this, argument, &newline)?;
    }
    Ok(Value::Nil)
}

/// Writes a value and a line end, unless it ends with one; the elements of an array one by one.
fn put_line(vm: &mut Vm<'_>, this: &Value, value: &Value, newline: &StringObject) -> Result<()> {
    vm.world.spend(1)?;
    match value {
        Value::Array(items) => {
            for item in items.snapshot() {
                if let Value::Array(inner) = &item
                    && inner.items().iter().any(|it| matches!(it, Value::Array(_)))
                {
                    return unsupported("StringIO#puts of deeply nested arrays");
                }
                put_line(vm, this, &item, newline)?;
            }
            Ok(())
        }
        _ => {
            let text = vm.to_s(value)?;
            put(vm, this, &text)?;
            match text.bytes().last() {
                Some(b'\n') => Ok(()),
                _ => put(vm, this, newline),
            }
        }
    }
}

/// `read`, `read(length)`
fn read(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    if call.arguments.len() > 1 {
        return unsupported("StringIO#read with a buffer");
    }
    ensure_reads(vm, call.this)?;
    let length = match call.argument(0) {
        None | Some(Value::Nil) => None,
        Some(it) => match usize::try_from(vm.expect_integer(it)?) {
            Ok(it) => Some(it),
            Err(_) => return unsupported("StringIO#read with a negative length"),
        },
    };
    let (string, at) = with(call.this, |it| (Rc::clone(&it.string), it.at))?;
    let rest = string.bytes().len().saturating_sub(at);
    let size = length.map_or(rest, |it| it.min(rest));
    vm.world.spend(1 + size / 8)?;
    vm.world.allocate(size)?;
    let bytes = string.bytes().get(at..at + size).unwrap_or_default().to_vec();
    with(call.this, |it| it.at += size)?;
    let encoding = string.encoding();
    match length {
        None => Ok(encoded(bytes, encoding)),
        Some(1..) if bytes.is_empty() => Ok(Value::Nil),
        Some(0) => Ok(encoded(bytes, encoding)),
        Some(_) => Ok(Value::binary(bytes)),
    }
}

/// Whether a call asks for lines without their ends. Separators and limits are not implemented.
fn chomps(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<bool> {
    if !call.arguments.is_empty() {
        return unsupported(format!("StringIO#{} with these arguments", call.name));
    }
    Ok(only_keyword(vm, call, "chomp")?.is_some_and(|it| it.is_truthy()))
}

/// Takes the next line. `chomp`: without its end.
fn next_line(vm: &mut Vm<'_>, this: &Value, chomp: bool) -> Result<Option<Value>> {
    ensure_reads(vm, this)?;
    vm.world.spend(1)?;
    let (string, at) = with(this, |it| (Rc::clone(&it.string), it.at))?;
    let (length, shown) = {
        let bytes = string.bytes();
        let Some(rest) = bytes.get(at..).filter(|it| !it.is_empty()) else { return Ok(None) };
        let length = rest.iter().position(|it| *it == b'\n').map_or(rest.len(), |at| at + 1);
        let shown = match &rest[..length] {
            [text @ .., b'\r', b'\n'] | [text @ .., b'\n'] if chomp => text.len(),
            _ => length,
        };
        (length, shown)
    };
    vm.world.spend(length / 8)?;
    vm.world.allocate(shown)?;
    let line = string.bytes()[at..at + shown].to_vec();
    with(this, |it| {
        it.at += length;
        it.line += 1;
    })?;
    Ok(Some(encoded(line, string.encoding())))
}

fn gets(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let chomp = chomps(vm, call)?;
    Ok(next_line(vm, call.this, chomp)?.unwrap_or(Value::Nil))
}

fn each_line(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let chomp = chomps(vm, call)?;
    let block = call.needed_block()?;
    while let Some(line) = next_line(vm, call.this, chomp)? {
        vm.yield_to(block, &[line])?;
    }
    Ok(call.this.clone())
}

fn readlines(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let chomp = chomps(vm, call)?;
    let mut lines = Vec::new();
    while let Some(line) = next_line(vm, call.this, chomp)? {
        vm.world.allocate(size_of::<Value>())?;
        lines.push(line);
    }
    Ok(Value::array(lines))
}

const METHODS: &[NativeMethod] = &[
    at_least("read", 0, read),
    at_least("gets", 0, gets).with_keywords(),
    at_least("each_line", 0, each_line).with_keywords(),
    at_least("each", 0, each_line).with_keywords(),
    at_least("readlines", 0, readlines).with_keywords(),
    at_least("puts", 0, puts),
    at_least("print", 0, |vm, call| match call.arguments {
        [] => unsupported("StringIO#print without arguments"),
        _ => put_all(vm, call).map(|_| Value::Nil),
    }),
    at_least("write", 0, |vm, call| {
        let length = put_all(vm, call)?;
        Ok(Value::Integer(i64::try_from(length).unwrap_or(i64::MAX)))
    }),
    exactly("<<", 1, |vm, call| put_all(vm, call).map(|_| call.this.clone())),
    exactly("string", 0, |_, call| {
        with(call.this, |it| match it.has_ended {
            true => Value::Nil,
            false => Value::String(Rc::clone(&it.string)),
        })
    }),
    exactly("rewind", 0, |_, call| {
        with(call.this, |it| {
            (it.at, it.line) = (0, 0);
            Value::Integer(0)
        })
    }),
    exactly("eof?", 0, |vm, call| {
        ensure_reads(vm, call.this)?;
        with(call.this, |it| Value::Bool(it.at >= it.string.bytes().len()))
    }),
    exactly("pos", 0, |_, call| {
        with(call.this, |it| Value::Integer(i64::try_from(it.at).unwrap_or(i64::MAX)))
    }),
    exactly("lineno", 0, |_, call| with(call.this, |it| Value::Integer(it.line))),
    exactly("size", 0, |vm, call| {
        if with(call.this, |it| it.has_ended)? {
            return vm.raise_named("IOError", "not opened");
        }
        with(call.this, |it| Value::Integer(i64::try_from(it.string.bytes().len()).unwrap_or(i64::MAX)))
    }),
    exactly("close", 0, |_, call| {
        with(call.this, |it| {
            (it.reads, it.writes) = (false, false);
            Value::Nil
        })
    }),
    exactly("closed?", 0, |_, call| with(call.this, |it| Value::Bool(!it.reads && !it.writes))),
    // Of the modules `IO::generic_readable` and `IO::generic_writable`.
    refused("printf"),
    refused("read_nonblock"),
    refused("readbyte"),
    refused("readchar"),
    refused("readline"),
    refused("readpartial"),
    refused("sysread"),
    refused("syswrite"),
    refused("write_nonblock"),
];

/// The classes of this library.
pub(super) static CLASSES: &[NativeClass] = &[NativeClass {
    name: "StringIO",
    superclass: Some("Object"),
    includes: &["Enumerable"],
    methods: &[METHODS],
    singleton_methods: &[&[at_least("new", 0, new), at_least("open", 0, new)]],
    ..NativeClass::EMPTY
}];
