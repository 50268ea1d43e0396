//! Removal of characters at the ends of strings: `strip`, `chomp`, `chop`, `delete_prefix`.

use std::ops::Range;
use std::rc::Rc;

use super::characters::Characters;
use super::search::ends_with_text;
use super::{changeable, changed, compatible, invalid, made, this};
use crate::native::{Call, NativeMethod, between, exactly};
use crate::stop::Result;
use crate::value::{Encoding, StringObject};
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("strip", 0, |vm, call| copy(vm, call, stripped)),
    exactly("lstrip", 0, |vm, call| copy(vm, call, left_stripped)),
    exactly("rstrip", 0, |vm, call| copy(vm, call, right_stripped)),
    between("chomp", 0, 1, |vm, call| copy(vm, call, chomped)),
    exactly("chop", 0, |vm, call| copy(vm, call, chopped)),
    exactly("delete_prefix", 1, |vm, call| copy(vm, call, without_prefix)),
    exactly("delete_suffix", 1, |vm, call| copy(vm, call, without_suffix)),
    exactly("strip!", 0, |vm, call| change(vm, call, stripped)),
    exactly("lstrip!", 0, |vm, call| change(vm, call, left_stripped)),
    exactly("rstrip!", 0, |vm, call| change(vm, call, right_stripped)),
    between("chomp!", 0, 1, |vm, call| {
        let is_empty = changeable(vm, call)?.bytes().is_empty();
        if is_empty { Ok(Value::Nil) } else { change(vm, call, chomped) }
    }),
    exactly("chop!", 0, |vm, call| change(vm, call, chopped)),
    exactly("delete_prefix!", 1, |vm, call| change(vm, call, without_prefix)),
    exactly("delete_suffix!", 1, |vm, call| change(vm, call, without_suffix)),
];

/// A function that returns the range of bytes to keep.
type Cut = fn(&mut Vm<'_>, &Call<'_>, &Rc<StringObject>) -> Result<Range<usize>>;

fn copy(vm: &mut Vm<'_>, call: &Call<'_>, cut: Cut) -> Result {
    let this = this(call)?;
    let kept = cut(vm, call, this)?;
    made(vm, this.bytes().get(kept).unwrap_or_default(), this.encoding())
}

fn change(vm: &mut Vm<'_>, call: &Call<'_>, cut: Cut) -> Result {
    let this = changeable(vm, call)?;
    let kept = cut(vm, call, this)?;
    let size = this.bytes().len();
    if kept == (0..size) {
        return Ok(Value::Nil);
    }
    this.change(|bytes| {
        bytes.truncate(kept.end);
        bytes.drain(..kept.start.min(kept.end));
    });
    Ok(changed(call, true))
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, 0 | b' ' | b'\t'..=b'\r')
}

fn left_stripped(vm: &mut Vm<'_>, _: &Call<'_>, this: &Rc<StringObject>) -> Result<Range<usize>> {
    let bytes = this.bytes();
    let start = bytes.iter().position(|it| !is_blank(*it)).unwrap_or(bytes.len());
    let characters = Characters::of(&bytes, this.encoding());
    if this.encoding() == Encoding::Utf8
        && characters.is_broken()
        && bytes.get(start).is_some_and(|it| !it.is_ascii())
        && characters.length_at(start) == Some(1)
    {
        return invalid(vm, this.encoding());
    }
    Ok(start..bytes.len())
}

fn right_stripped(vm: &mut Vm<'_>, _: &Call<'_>, this: &Rc<StringObject>) -> Result<Range<usize>> {
    let bytes = this.bytes();
    if this.encoding() == Encoding::Utf8 && Characters::of(&bytes, this.encoding()).is_broken() {
        return invalid(vm, this.encoding());
    }
    Ok(0..bytes.iter().rposition(|it| !is_blank(*it)).map_or(0, |it| it + 1))
}

fn stripped(vm: &mut Vm<'_>, call: &Call<'_>, this: &Rc<StringObject>) -> Result<Range<usize>> {
    let start = left_stripped(vm, call, this)?.start;
    let end = right_stripped(vm, call, this)?.end;
    Ok(start.min(end)..end)
}

/// The end of a text without one newline of any kind.
fn without_newline(bytes: &[u8]) -> usize {
    match bytes {
        [.., b'\r', b'\n'] => bytes.len() - 2,
        [.., b'\r' | b'\n'] => bytes.len() - 1,
        _ => bytes.len(),
    }
}

fn chomped(vm: &mut Vm<'_>, call: &Call<'_>, this: &Rc<StringObject>) -> Result<Range<usize>> {
    let suffix = match call.argument(0) {
        None => return Ok(0..without_newline(&this.bytes())),
        Some(Value::Nil) => return Ok(0..this.bytes().len()),
        Some(suffix) => vm.expect_string(suffix)?,
    };
    let bytes = this.bytes();
    if bytes.is_empty() {
        return Ok(0..0);
    }
    match suffix.bytes().as_slice() {
        b"\n" => return Ok(0..without_newline(&bytes)),
        b"" => {
            let mut end = bytes.len();
            while let Some(kept) = bytes.get(..end).and_then(|it| it.strip_suffix(b"\n")) {
                end = kept.strip_suffix(b"\r").unwrap_or(kept).len();
            }
            return Ok(0..end);
        }
        _ => {}
    }
    compatible(vm, this, &suffix)?;
    let cut = if ends_with_text(this, &suffix) { suffix.bytes().len() } else { 0 };
    Ok(0..bytes.len() - cut)
}

fn chopped(_: &mut Vm<'_>, _: &Call<'_>, this: &Rc<StringObject>) -> Result<Range<usize>> {
    let bytes = this.bytes();
    if bytes.ends_with(b"\r\n") {
        return Ok(0..bytes.len() - 2);
    }
    let last = Characters::of(&bytes, this.encoding()).length_before(bytes.len()).unwrap_or(0);
    Ok(0..bytes.len() - last)
}

fn without_prefix(vm: &mut Vm<'_>, call: &Call<'_>, this: &Rc<StringObject>) -> Result<Range<usize>> {
    let prefix = vm.expect_string(call.required(0))?;
    compatible(vm, this, &prefix)?;
    let (bytes, prefix) = (this.bytes(), prefix.bytes());
    let start = if bytes.starts_with(&prefix) { prefix.len() } else { 0 };
    Ok(start..bytes.len())
}

fn without_suffix(vm: &mut Vm<'_>, call: &Call<'_>, this: &Rc<StringObject>) -> Result<Range<usize>> {
    let suffix = vm.expect_string(call.required(0))?;
    compatible(vm, this, &suffix)?;
    let cut = if ends_with_text(this, &suffix) { suffix.bytes().len() } else { 0 };
    Ok(0..this.bytes().len() - cut)
}
