//! `String`.

pub(crate) mod case;
pub(crate) mod characters;
mod compare;
mod convert;
mod crypt;
mod edit;
mod element;
mod encoding;
mod format;
mod inspect;
mod iterate;
pub(crate) mod number;
mod pack;
mod pack_template;
mod pack_text;
mod pad;
mod search;
mod sets;
mod split;
mod strip;
mod substitute;
mod succ;
#[cfg(test)]
mod tests;
mod transcode;
mod unpack;

pub(crate) use convert::symbol;
pub(crate) use encoding::{ENCODING, ENCODING_ERRORS, encoding_value};
pub(crate) use format::{FORMAT, formatted};
pub(crate) use inspect::inspected;
pub(crate) use pack::PACK;
pub(crate) use succ::successor;

use std::cell::Ref;
use std::rc::Rc;

use crate::native::{Call, NativeClass};
use crate::stop::{Result, unsupported};
use crate::value::{Encoding, StringObject};
use crate::{Symbol, Value, Vm};
use characters::Characters;

/// `String`
pub(super) static STRING: NativeClass = NativeClass {
    name: "String",
    superclass: Some("Object"),
    includes: &["Comparable"],
    methods: &[
        case::METHODS,
        compare::METHODS,
        convert::METHODS,
        crypt::METHODS,
        edit::METHODS,
        element::METHODS,
        encoding::METHODS,
        format::METHODS,
        inspect::METHODS,
        iterate::METHODS,
        number::METHODS,
        pad::METHODS,
        search::METHODS,
        sets::METHODS,
        split::METHODS,
        strip::METHODS,
        substitute::METHODS,
        succ::METHODS,
        unpack::METHODS,
    ],
    singleton_methods: &[convert::SINGLETON_METHODS],
    ..NativeClass::EMPTY
};

/// The size of a string without its bytes, for the budget.
const OVERHEAD: usize = 64;

/// The receiver.
pub(super) fn this<'a>(call: &Call<'a>) -> Result<&'a Rc<StringObject>> {
    match call.this {
        Value::String(it) => Ok(it),
        _ => unsupported(format!("String#{} of another object", call.name)),
    }
}

/// The receiver of a method that changes it.
pub(super) fn changeable<'a>(vm: &mut Vm<'_>, call: &Call<'a>) -> Result<&'a Rc<StringObject>> {
    let this = this(call)?;
    if this.is_frozen() {
        vm.ensure_not_frozen(call.this)?;
    }
    Ok(this)
}

/// A new string.
pub(crate) fn made(vm: &Vm<'_>, bytes: impl Into<Vec<u8>>, encoding: Encoding) -> Result {
    let bytes = bytes.into();
    vm.world.allocate(bytes.len() + OVERHEAD)?;
    Ok(Value::String(Rc::new(StringObject::new(bytes, encoding))))
}

/// A new array of strings.
pub(super) fn made_array(vm: &Vm<'_>, items: Vec<Value>) -> Result {
    vm.world.allocate(items.len() * size_of::<Value>() + OVERHEAD)?;
    Ok(Value::array(items))
}

/// Replaces the bytes of a string; returns whether that changes anything. For methods that end in `!`.
pub(super) fn put(vm: &Vm<'_>, this: &Rc<StringObject>, bytes: Vec<u8>) -> Result<bool> {
    if *this.bytes() == bytes {
        return Ok(false);
    }
    vm.world.allocate(bytes.len())?;
    this.change(|it| *it = bytes);
    Ok(true)
}

/// The receiver if it was changed, else `nil`.
pub(super) fn changed(call: &Call<'_>, is_changed: bool) -> Value {
    if is_changed { call.this.clone() } else { Value::Nil }
}

/// The name of a symbol as a string, in ASCII if that suffices.
pub(crate) fn symbol_text(symbol: Symbol) -> StringObject {
    let name = symbol.name();
    let encoding = if name.is_ascii() { Encoding::Ascii } else { Encoding::Utf8 };
    StringObject::new(name.as_bytes().to_vec(), encoding)
}

/// An index of a character or byte, or a length.
pub(crate) fn integer(number: usize) -> Value {
    Value::Integer(i64::try_from(number).unwrap_or(i64::MAX))
}

/// The encoding of the result if two strings are joined or compared by characters.
///
/// # Errors
/// `Encoding::CompatibilityError` if neither is ASCII and the encodings differ.
pub(crate) fn compatible(vm: &mut Vm<'_>, left: &StringObject, right: &StringObject) -> Result<Encoding> {
    let (a, b) = (left.encoding(), right.encoding());
    if a == b || right.bytes().is_empty() {
        return Ok(a);
    }
    if left.bytes().is_empty() {
        return Ok(if right.bytes().is_ascii() { a } else { b });
    }
    if right.bytes().is_ascii() {
        return Ok(a);
    }
    if left.bytes().is_ascii() {
        return Ok(b);
    }
    let message = format!("incompatible character encodings: {} and {}", a.name(), b.name());
    vm.raise_named("Encoding::CompatibilityError", message)
}

/// Raises the error of operations that need valid characters.
pub(super) fn invalid<T>(vm: &mut Vm<'_>, encoding: Encoding) -> Result<T> {
    vm.argument_error(format!("invalid byte sequence in {}", encoding.name()))
}

/// Ensures that all characters are valid.
pub(super) fn ensure_valid(vm: &mut Vm<'_>, text: &StringObject) -> Result<()> {
    if Characters::of(&text.bytes(), text.encoding()).is_broken() {
        return invalid(vm, text.encoding());
    }
    Ok(())
}

/// The text of a string, for operations that are only implemented for valid text.
///
/// # Errors
/// `ArgumentError` for UTF-8 that is invalid; not supported for strings of bytes beyond ASCII.
pub(crate) fn text_of<'s>(vm: &mut Vm<'_>, string: &'s StringObject, what: &str) -> Result<Ref<'s, str>> {
    match string.text() {
        Some(text) => Ok(text),
        None if string.encoding() == Encoding::Utf8 => invalid(vm, Encoding::Utf8),
        None => unsupported(format!("{what} of a string in {} beyond ASCII", string.encoding().name())),
    }
}

/// The position of the first occurrence at an offset or later, on boundaries of characters.
pub(super) fn find(haystack: Characters<'_>, needle: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        let found = at + memchr::memmem::find(haystack.bytes().get(at..)?, needle)?;
        if haystack.is_boundary(found) {
            return Some(found);
        }
        at = found + 1;
    }
}

/// The position of the last occurrence that starts at an offset or earlier, on boundaries of characters.
pub(super) fn find_last(haystack: Characters<'_>, needle: &[u8], start: usize) -> Option<usize> {
    let mut end = start.saturating_add(needle.len()).min(haystack.bytes().len());
    loop {
        let found = memchr::memmem::rfind(haystack.bytes().get(..end)?, needle)?;
        if haystack.is_boundary(found) {
            return Some(found);
        }
        end = (found + needle.len()).checked_sub(1)?;
    }
}

/// The index counted from the end if it is negative; None if it is before the start.
pub(crate) fn from_end(index: i64, length: usize) -> Option<usize> {
    match usize::try_from(index) {
        Ok(index) => Some(index),
        Err(_) => length.checked_sub(usize::try_from(index.unsigned_abs()).ok()?),
    }
}
