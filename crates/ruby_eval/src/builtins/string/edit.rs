//! Changes in place: `<<`, `insert`, `replace`, `prepend`, `clear`.

use std::rc::Rc;

use super::characters::Characters;
use super::{changeable, compatible, from_end};
use crate::native::{Call, NativeMethod, at_least, exactly};
use crate::stop::Result;
use crate::value::{Encoding, StringObject};
use crate::vm::ErrorClass;
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("<<", 1, append),
    at_least("concat", 0, concat),
    at_least("prepend", 0, prepend),
    exactly("replace", 1, replace),
    exactly("initialize_copy", 1, replace),
    exactly("clear", 0, clear),
    exactly("insert", 2, insert),
];

fn append(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    if let Value::Integer(code @ ..0) = call.required(0) {
        return vm.raise(ErrorClass::Range, format!("{code} out of char range"));
    }
    let this = changeable(vm, call)?;
    push(vm, this, call.required(0))?;
    Ok(call.this.clone())
}

/// Appends a string, or the character of a code.
pub(crate) fn push(vm: &mut Vm<'_>, this: &Rc<StringObject>, value: &Value) -> Result<()> {
    match value {
        Value::Integer(code) => return push_code(vm, this, *code),
        Value::BigInteger(_) => return vm.raise(ErrorClass::Range, "bignum out of char range"),
        _ => {}
    }
    let other = vm.expect_string(value)?;
    let encoding = compatible(vm, this, &other)?;
    vm.world.allocate(other.bytes().len())?;
    if Rc::ptr_eq(this, &other) {
        this.change(|bytes| bytes.extend_from_within(..));
    } else {
        let more = other.bytes();
        this.change(|bytes| bytes.extend_from_slice(&more));
    }
    this.set_encoding(encoding);
    Ok(())
}

fn push_code(vm: &mut Vm<'_>, this: &Rc<StringObject>, code: i64) -> Result<()> {
    vm.world.allocate(4)?;
    let out_of_range = |vm: &mut Vm<'_>| vm.raise(ErrorClass::Range, format!("{code} out of char range"));
    if let (Ok(byte), Encoding::Binary | Encoding::Ascii) = (u8::try_from(code), this.encoding()) {
        this.change(|bytes| bytes.push(byte));
        if !byte.is_ascii() {
            this.set_encoding(Encoding::Binary);
        }
        return Ok(());
    }
    let Ok(code) = u32::try_from(code) else { return out_of_range(vm) };
    if this.encoding() != Encoding::Utf8 || code > 0x10_FFFF {
        return out_of_range(vm);
    }
    match char::from_u32(code) {
        Some(it) => {
            this.change(|bytes| bytes.extend_from_slice(it.encode_utf8(&mut [0; 4]).as_bytes()));
            Ok(())
        }
        None => vm.raise(ErrorClass::Range, format!("invalid codepoint 0x{code:X} in UTF-8")),
    }
}

/// The arguments joined, with the receiver as it is before it is changed.
fn joined(vm: &mut Vm<'_>, call: &Call<'_>, like: &StringObject) -> Result<Rc<StringObject>> {
    let all = Rc::new(StringObject::new(Vec::new(), like.encoding()));
    for argument in call.arguments {
        push(vm, &all, argument)?;
    }
    Ok(all)
}

fn concat(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = changeable(vm, call)?;
    match call.arguments {
        [] => {}
        [only] => push(vm, this, only)?,
        _ => {
            let all = joined(vm, call, this)?;
            push(vm, this, &Value::String(all))?;
        }
    }
    Ok(call.this.clone())
}

fn prepend(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = changeable(vm, call)?;
    let all = Rc::new(StringObject::new(Vec::new(), this.encoding()));
    for argument in call.arguments {
        let text = vm.expect_string(argument)?;
        push(vm, &all, &Value::String(text))?;
    }
    splice(vm, this, 0..0, &all)?;
    Ok(call.this.clone())
}

fn replace(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = changeable(vm, call)?;
    let other = vm.expect_string(call.required(0))?;
    if !Rc::ptr_eq(this, &other) {
        let (bytes, encoding) = (other.bytes().clone(), other.encoding());
        vm.world.allocate(bytes.len())?;
        this.change(|it| *it = bytes);
        this.set_encoding(encoding);
    }
    Ok(call.this.clone())
}

fn clear(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    changeable(vm, call)?.change(Vec::clear);
    Ok(call.this.clone())
}

fn insert(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let index = vm.expect_integer(call.required(0))?;
    let text = vm.expect_string(call.required(1))?;
    let this = changeable(vm, call)?;
    if index == -1 {
        push(vm, this, &Value::String(text))?;
        return Ok(call.this.clone());
    }
    // From the end, the text goes after the character.
    let index = if index < 0 { index + 1 } else { index };
    replace_characters(vm, this, index, 0, &text)?;
    Ok(call.this.clone())
}

/// Replaces characters by a text.
///
/// # Errors
/// `IndexError` if the position does not exist.
pub(super) fn replace_characters(
    vm: &mut Vm<'_>,
    this: &Rc<StringObject>,
    index: i64,
    length: i64,
    text: &Rc<StringObject>,
) -> Result<()> {
    let Ok(length) = usize::try_from(length) else {
        return vm.raise(ErrorClass::Index, format!("negative length {length}"));
    };
    let range = {
        let bytes = this.bytes();
        vm.world.spend(bytes.len() / 64)?;
        let characters = Characters::of(&bytes, this.encoding());
        let count = characters.count();
        from_end(index, count).and_then(|index| {
            let start = characters.offset(index)?;
            let end = characters.offset(index.saturating_add(length).min(count))?;
            Some(start..end)
        })
    };
    match range {
        Some(range) => splice(vm, this, range, text),
        None => vm.raise(ErrorClass::Index, format!("index {index} out of string")),
    }
}

/// Replaces a range of bytes by a text.
pub(super) fn splice(
    vm: &mut Vm<'_>,
    this: &Rc<StringObject>,
    range: std::ops::Range<usize>,
    text: &Rc<StringObject>,
) -> Result<()> {
    let encoding = compatible(vm, this, text)?;
    let new = text.bytes().clone();
    vm.world.allocate(new.len())?;
    vm.world.spend(this.bytes().len() / 256)?;
    this.change(|bytes| {
        let end = range.end.min(bytes.len());
        bytes.splice(range.start.min(end)..end, new);
    });
    this.set_encoding(encoding);
    Ok(())
}
