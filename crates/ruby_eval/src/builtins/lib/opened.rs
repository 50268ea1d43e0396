//! `File.open` for reading: the whole file is read at once, through the host.

use super::file::{path_of, read};
use super::support::{encoded, new_object, text_of};
use crate::native::{Call, NativeMethod, at_least, between, exactly};
use crate::stop::{Result, unsupported};
use crate::value::{Data, Encoding};
use crate::{Value, Vm};

/// A file that was opened for reading.
#[derive(Debug)]
struct Opened {
    path: String,
    bytes: Vec<u8>,
    /// The number of bytes that were read.
    at: usize,
    encoding: Encoding,
    is_closed: bool,
}

impl Data for Opened {}

/// Returns the encoding of the content for a mode that only reads. None for other modes.
fn encoding_of(mode: &str) -> Option<Encoding> {
    match mode.to_ascii_lowercase().as_str() {
        "r" | "rt" | "r:utf-8" | "rt:utf-8" | "r:bom|utf-8" => Some(Encoding::Utf8),
        "rb" => Some(Encoding::Binary),
        "rb:utf-8" => Some(Encoding::Utf8),
        _ => None,
    }
}

/// `File.open(path[, mode]) [{ |file| … }]`, `File.new(path[, mode])`
pub(super) fn open(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let mode = match call.argument(1) {
        None => "r".to_owned(),
        Some(it @ Value::String(_)) => text_of(vm, it)?,
        Some(_) => return unsupported(format!("File.{} with this mode", call.name)),
    };
    let Some(encoding) = encoding_of(&mode) else {
        return unsupported(format!("File.{} with the mode '{mode}'", call.name));
    };
    let path = path_of(vm, call.required(0))?;
    let mut bytes = read(vm, &path)?;
    if mode.to_ascii_lowercase().contains("bom") && bytes.starts_with(b"\xEF\xBB\xBF") {
        bytes.drain(..3);
    }
    let file = new_object(vm, call.this, Opened { path, bytes, at: 0, encoding, is_closed: false });
    match call.block.filter(|_| &*call.name.name() == "open") {
        Some(block) => {
            let result = vm.yield_to(block, std::slice::from_ref(&file));
            change(&file, |it| it.is_closed = true);
            result
        }
        None => Ok(file),
    }
}

fn change<T>(file: &Value, change: impl FnOnce(&mut Opened) -> T) -> Option<T> {
    match file {
        Value::Object(it) => it.data_as_mut::<Opened>().map(|mut it| change(&mut it)),
        _ => None,
    }
}

/// Changes an open file.
///
/// # Errors
/// `IOError` if it is closed.
fn own<T>(vm: &mut Vm<'_>, this: &Value, body: impl FnOnce(&mut Opened) -> T) -> Result<T> {
    match change(this, |it| (!it.is_closed).then(|| body(it))) {
        Some(Some(result)) => Ok(result),
        Some(None) => vm.raise_named("IOError", "closed stream"),
        None => unsupported("an IO of another kind"),
    }
}

/// Returns the rest of an opened file, and None for other values.
///
/// # Errors
/// `IOError` if it is closed.
pub(super) fn rest(vm: &mut Vm<'_>, value: &Value) -> Result<Option<Value>> {
    let is_opened = matches!(value, Value::Object(it) if it.data_as::<Opened>().is_some());
    if !is_opened {
        return Ok(None);
    }
    let (bytes, encoding) = own(vm, value, |it| {
        let rest = it.bytes.get(it.at..).unwrap_or_default().to_vec();
        it.at = it.bytes.len();
        (rest, it.encoding)
    })?;
    vm.world.allocate(bytes.len())?;
    Ok(Some(encoded(bytes, encoding)))
}

/// Returns the next line with its line ending, and None at the end of the file.
fn next_line(file: &mut Opened) -> Option<Value> {
    let rest = file.bytes.get(file.at..).filter(|it| !it.is_empty())?;
    let length = rest.iter().position(|it| *it == b'\n').map_or(rest.len(), |at| at + 1);
    let line = encoded(rest[..length].to_vec(), file.encoding);
    file.at += length;
    Some(line)
}

/// Separators, limits and options such as `chomp: true` are not implemented.
fn ensure_no_arguments(call: &Call<'_>) -> Result<()> {
    match call.arguments {
        [] => Ok(()),
        _ => unsupported(format!("File#{} with these arguments", call.name)),
    }
}

fn lines(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    ensure_no_arguments(call)?;
    let mut lines = Vec::new();
    if &*call.name.name() != "readlines" && call.block.is_none() {
        return unsupported(format!("File#{} without a block", call.name));
    }
    while let Some(line) = own(vm, call.this, next_line)? {
        vm.world.spend(16)?;
        vm.world.allocate(32)?;
        match call.block.filter(|_| &*call.name.name() != "readlines") {
            Some(block) => {
                vm.yield_to(block, &[line])?;
            }
            None => lines.push(line),
        }
    }
    match &*call.name.name() {
        "readlines" => Ok(Value::array(lines)),
        _ => Ok(call.this.clone()),
    }
}

/// The methods of files that were opened.
pub(super) const METHODS: &[NativeMethod] = &[
    at_least("read", 0, |vm, call| {
        ensure_no_arguments(call)?;
        let rest = rest(vm, call.this)?;
        rest.map_or_else(|| unsupported("an IO of another kind"), Ok)
    }),
    at_least("gets", 0, |vm, call| {
        ensure_no_arguments(call)?;
        Ok(own(vm, call.this, next_line)?.unwrap_or(Value::Nil))
    }),
    at_least("readlines", 0, lines),
    at_least("each_line", 0, lines),
    at_least("each", 0, lines),
    exactly("eof?", 0, |vm, call| Ok(Value::Bool(own(vm, call.this, |it| it.at >= it.bytes.len())?))),
    exactly("rewind", 0, |vm, call| {
        own(vm, call.this, |it| it.at = 0)?;
        Ok(Value::Integer(0))
    }),
    exactly("close", 0, |_, call| {
        change(call.this, |it| it.is_closed = true);
        Ok(Value::Nil)
    }),
    exactly("closed?", 0, |_, call| {
        change(call.this, |it| Value::Bool(it.is_closed))
            .map_or_else(|| unsupported("an IO of another kind"), Ok)
    }),
    exactly("path", 0, |_, call| {
        change(call.this, |it| Value::from(it.path.clone()))
            .map_or_else(|| unsupported("an IO of another kind"), Ok)
    }),
    between("write", 0, 9, |_, _| unsupported("File#write")),
];
