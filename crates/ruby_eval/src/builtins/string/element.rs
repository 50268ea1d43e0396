//! Parts of strings: `[]`, `[]=`, `slice!`, bytes.

use std::ops::Range;
use std::rc::Rc;

use super::characters::Characters;
use super::edit::{replace_characters, splice};
use super::{changeable, find, from_end, integer, made, this};
use crate::builtins::regexp;
use crate::native::{Call, NativeMethod, between, exactly};
use crate::stop::Result;
use crate::value::{RegexpObject, StringObject};
use crate::vm::ErrorClass;
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    between("[]", 1, 2, get),
    between("slice", 1, 2, get),
    between("[]=", 2, 3, set),
    between("slice!", 1, 2, cut),
    between("byteslice", 1, 2, byteslice),
    exactly("getbyte", 1, getbyte),
    exactly("setbyte", 2, setbyte),
    exactly("chr", 0, |vm, call| part(vm, this(call)?, 0, 1)),
];

fn get(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    match call.arguments {
        [Value::Integer(index)] => match one(this, *index) {
            Some(range) => copied(vm, this, range),
            None => Ok(Value::Nil),
        },
        [Value::String(text)] => {
            let found = {
                super::compatible(vm, this, text)?;
                find(Characters::of(&this.bytes(), this.encoding()), &text.bytes(), 0).is_some()
            };
            match found {
                true => made(vm, text.bytes().clone(), text.encoding()),
                false => Ok(Value::Nil),
            }
        }
        [pattern] => match range_of(vm, this, pattern)? {
            Some(range) => copied(vm, this, range),
            None => Ok(Value::Nil),
        },
        [Value::Regexp(regexp), group] => match group_range(vm, this, regexp, group)? {
            Group::Found(range) => copied(vm, this, range),
            _ => Ok(Value::Nil),
        },
        [index, length, ..] => {
            let index = vm.expect_integer(index)?;
            let length = vm.expect_integer(length)?;
            part(vm, this, index, length)
        }
        [] => Ok(Value::Nil),
    }
}

/// The bytes of the character at an index.
fn one(this: &StringObject, index: i64) -> Option<Range<usize>> {
    let bytes = this.bytes();
    let characters = Characters::of(&bytes, this.encoding());
    let index = match index < 0 {
        true => from_end(index, characters.count())?,
        false => usize::try_from(index).ok()?,
    };
    let start = characters.offset(index)?;
    Some(start..start + characters.length_at(start)?)
}

/// The bytes of a number of characters from an index.
fn several(this: &StringObject, index: i64, length: i64) -> Option<Range<usize>> {
    let length = usize::try_from(length).ok()?;
    let bytes = this.bytes();
    let characters = Characters::of(&bytes, this.encoding());
    let index = match index < 0 {
        true => from_end(index, characters.count())?,
        false => usize::try_from(index).ok()?,
    };
    let start = characters.offset(index)?;
    if characters.is_single() {
        return Some(start..start.saturating_add(length).min(bytes.len()));
    }
    let rest = Characters::of(bytes.get(start..)?, this.encoding());
    Some(start..rest.offset(length).map_or(bytes.len(), |it| start + it))
}

fn part(vm: &mut Vm<'_>, this: &StringObject, index: i64, length: i64) -> Result {
    vm.world.spend(this.bytes().len() / 256)?;
    match several(this, index, length) {
        Some(range) => copied(vm, this, range),
        None => Ok(Value::Nil),
    }
}

/// A copy of some bytes.
fn copied(vm: &Vm<'_>, this: &StringObject, range: Range<usize>) -> Result {
    vm.world.spend(this.bytes().len() / 256)?;
    let bytes = this.bytes().get(range).unwrap_or_default().to_vec();
    made(vm, bytes, this.encoding())
}

/// The bytes that a single index, range or pattern selects.
fn range_of(vm: &mut Vm<'_>, this: &Rc<StringObject>, pattern: &Value) -> Result<Option<Range<usize>>> {
    match pattern {
        Value::Range(range) => {
            let count = Characters::of(&this.bytes(), this.encoding()).count();
            let Some((start, length)) = vm.range_bounds(range, count)? else { return Ok(None) };
            let as_index = |it: usize| i64::try_from(it).unwrap_or(i64::MAX);
            Ok(several(this, as_index(start), as_index(length)))
        }
        Value::Regexp(regexp) => {
            let found = regexp::matched(vm, regexp, this, 0)?;
            Ok(found.and_then(|it| it.groups.first().cloned().flatten()))
        }
        Value::String(text) => {
            super::compatible(vm, this, text)?;
            let found = find(Characters::of(&this.bytes(), this.encoding()), &text.bytes(), 0);
            Ok(found.map(|start| start..start + text.bytes().len()))
        }
        _ => {
            let index = vm.expect_integer(pattern)?;
            Ok(one(this, index))
        }
    }
}

/// The part of a string that a group of an expression matched.
enum Group {
    Found(Range<usize>),
    NoMatch,
    OutOfRange(i64),
    Unmatched(i64),
}

fn group_range(
    vm: &mut Vm<'_>,
    this: &Rc<StringObject>,
    regexp: &Rc<RegexpObject>,
    group: &Value,
) -> Result<Group> {
    let Some(found) = regexp::matched(vm, regexp, this, 0)? else { return Ok(Group::NoMatch) };
    let number = match group {
        Value::String(_) | Value::Symbol(_) => {
            i64::try_from(regexp::named_group(vm, &found, group)?).unwrap_or(i64::MAX)
        }
        _ => vm.expect_integer(group)?,
    };
    let Some(index) = from_end(number, found.groups.len()).filter(|it| *it < found.groups.len()) else {
        return Ok(Group::OutOfRange(number));
    };
    if number < 0 && index == 0 {
        return Ok(Group::OutOfRange(number));
    }
    Ok(match found.groups.get(index).cloned().flatten() {
        Some(range) => Group::Found(range),
        None => Group::Unmatched(number),
    })
}

fn set(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let (arguments, value) = match call.arguments {
        [arguments @ .., value] => (arguments, value),
        [] => return Ok(Value::Nil),
    };
    let this = changeable(vm, call)?;
    match arguments {
        [Value::Regexp(regexp)] => {
            let found = regexp::matched(vm, regexp, this, 0)?;
            let Some(range) = found.and_then(|it| it.groups.first().cloned().flatten()) else {
                return vm.raise(ErrorClass::Index, "regexp not matched");
            };
            let text = vm.expect_string(value)?;
            splice(vm, this, range, &text)?;
        }
        [Value::Regexp(regexp), group] => {
            let message = match group_range(vm, this, regexp, group)? {
                Group::Found(range) => {
                    let text = vm.expect_string(value)?;
                    splice(vm, this, range, &text)?;
                    return Ok(value.clone());
                }
                Group::NoMatch => "regexp not matched".to_owned(),
                Group::OutOfRange(number) => format!("index {number} out of regexp"),
                Group::Unmatched(number) => format!("regexp group {number} not matched"),
            };
            return vm.raise(ErrorClass::Index, message);
        }
        [pattern @ Value::String(_)] => match range_of(vm, this, pattern)? {
            Some(range) => {
                let text = vm.expect_string(value)?;
                splice(vm, this, range, &text)?;
            }
            None => return vm.raise(ErrorClass::Index, "string not matched"),
        },
        [Value::Range(range)] => {
            let count = Characters::of(&this.bytes(), this.encoding()).count();
            let Some((start, length)) = vm.range_bounds(range, count)? else {
                let range = vm.to_s(&Value::Range(Rc::clone(range)))?.lossy();
                return vm.raise(ErrorClass::Range, format!("{range} out of range"));
            };
            let text = vm.expect_string(value)?;
            let as_index = |it: usize| i64::try_from(it).unwrap_or(i64::MAX);
            replace_characters(vm, this, as_index(start), as_index(length), &text)?;
        }
        [index] => {
            let index = vm.expect_integer(index)?;
            let text = vm.expect_string(value)?;
            replace_characters(vm, this, index, 1, &text)?;
        }
        [index, length, ..] => {
            // Ruby looks at the length first.
            let length = vm.expect_integer(length)?;
            let index = vm.expect_integer(index)?;
            let text = vm.expect_string(value)?;
            replace_characters(vm, this, index, length, &text)?;
        }
        [] => {}
    }
    Ok(value.clone())
}

fn cut(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = changeable(vm, call)?;
    let range = match call.arguments {
        [pattern] => range_of(vm, this, pattern)?,
        [Value::Regexp(regexp), group] => match group_range(vm, this, regexp, group)? {
            Group::Found(range) => Some(range),
            _ => None,
        },
        [index, length, ..] => {
            let index = vm.expect_integer(index)?;
            let length = vm.expect_integer(length)?;
            several(this, index, length)
        }
        [] => None,
    };
    let Some(range) = range else { return Ok(Value::Nil) };
    let removed = copied(vm, this, range.clone())?;
    this.change(|bytes| drop(bytes.drain(range)));
    Ok(removed)
}

fn byteslice(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let size = this.bytes().len();
    let range = match call.arguments {
        [Value::Range(range)] => vm.range_bounds(range, size)?.map(|(start, length)| start..start + length),
        [index] => {
            let index = vm.expect_integer(index)?;
            from_end(index, size).filter(|it| *it < size).map(|it| it..it + 1)
        }
        [index, length, ..] => {
            let index = vm.expect_integer(index)?;
            let length = vm.expect_integer(length)?;
            from_end(index, size).filter(|it| *it <= size).and_then(|start| {
                let length = usize::try_from(length).ok()?;
                Some(start..start.saturating_add(length).min(size))
            })
        }
        [] => None,
    };
    match range {
        Some(range) => copied(vm, this, range),
        None => Ok(Value::Nil),
    }
}

fn getbyte(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let index = vm.expect_integer(call.required(0))?;
    let bytes = this.bytes();
    let byte = from_end(index, bytes.len()).and_then(|it| bytes.get(it).copied());
    Ok(byte.map_or(Value::Nil, |it| integer(usize::from(it))))
}

fn setbyte(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let index = vm.expect_integer(call.required(0))?;
    let this = changeable(vm, call)?;
    let size = this.bytes().len();
    let Some(at) = from_end(index, size).filter(|it| *it < size) else {
        return vm.raise(ErrorClass::Index, format!("index {index} out of string"));
    };
    let value = match call.required(1) {
        Value::BigInteger(it) => (&**it & num_bigint::BigInt::from(0xFF)).try_into().unwrap_or(0),
        other => vm.expect_integer(other)? & 0xFF,
    };
    let byte = u8::try_from(value).unwrap_or_default();
    this.change(|bytes| bytes.iter_mut().skip(at).take(1).for_each(|it| *it = byte));
    Ok(call.required(1).clone())
}
