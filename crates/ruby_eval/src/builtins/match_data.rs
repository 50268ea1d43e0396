//! `MatchData`

use std::ops::Range;
use std::rc::Rc;

use super::regexp::{group_names, named_group};
use super::string::characters::Characters;
use super::string::{inspected, integer, made};
use crate::native::{Call, NativeClass, NativeMethod, at_least, between, exactly};
use crate::stop::{Result, unsupported};
use crate::value::MatchData;
use crate::vm::ErrorClass;
use crate::{Value, Vm};

/// `MatchData`
pub(super) static MATCH_DATA: NativeClass =
    NativeClass { name: "MatchData", superclass: Some("Object"), methods: &[METHODS], ..NativeClass::EMPTY };

const METHODS: &[NativeMethod] = &[
    between("[]", 1, 2, get),
    exactly("to_a", 0, |_, call| Ok(Value::array(groups(this(call)?, 0)))),
    exactly("captures", 0, |_, call| Ok(Value::array(groups(this(call)?, 1)))),
    exactly("deconstruct", 0, |_, call| Ok(Value::array(groups(this(call)?, 1)))),
    exactly("named_captures", 0, named_captures),
    exactly("names", 0, |_, call| {
        Ok(Value::array(group_names(&this(call)?.regexp).into_iter().map(Value::string).collect()))
    }),
    exactly("pre_match", 0, |vm, call| {
        let this = this(call)?;
        piece(vm, this, 0..whole(this).start)
    }),
    exactly("post_match", 0, |vm, call| {
        let this = this(call)?;
        piece(vm, this, whole(this).end..this.text.bytes().len())
    }),
    exactly("to_s", 0, |_, call| Ok(this(call)?.group(0))),
    exactly("string", 0, |_, call| Ok(Value::String(Rc::clone(&this(call)?.text)))),
    exactly("regexp", 0, |_, call| Ok(Value::Regexp(Rc::clone(&this(call)?.regexp)))),
    exactly("size", 0, |_, call| Ok(integer(this(call)?.groups.len()))),
    exactly("length", 0, |_, call| Ok(integer(this(call)?.groups.len()))),
    exactly("begin", 1, |vm, call| Ok(offsets(vm, call)?.0)),
    exactly("end", 1, |vm, call| Ok(offsets(vm, call)?.1)),
    exactly("offset", 1, |vm, call| {
        let (begin, end) = offsets(vm, call)?;
        Ok(Value::array(vec![begin, end]))
    }),
    at_least("values_at", 0, values_at),
    exactly("inspect", 0, inspect),
    exactly("==", 1, equal),
    exactly("eql?", 1, equal),
    exactly("hash", 0, |_, _| unsupported("MatchData#hash")),
];

fn this<'a>(call: &Call<'a>) -> Result<&'a Rc<MatchData>> {
    match call.this {
        Value::Match(it) => Ok(it),
        _ => unsupported(format!("MatchData#{} of another object", call.name)),
    }
}

fn whole(found: &MatchData) -> Range<usize> {
    found.groups.first().cloned().flatten().unwrap_or(0..0)
}

/// A part of the text that was matched.
pub(crate) fn piece(vm: &Vm<'_>, found: &MatchData, range: Range<usize>) -> Result {
    let bytes = found.text.bytes().get(range).unwrap_or_default().to_vec();
    made(vm, bytes, found.text.encoding())
}

/// The texts of groups from a number on.
fn groups(found: &MatchData, first: usize) -> Vec<Value> {
    (first..found.groups.len()).map(|it| found.group(it)).collect()
}

fn get(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    match call.arguments {
        [Value::Integer(index)] if *index >= 0 => {
            Ok(usize::try_from(*index).map_or(Value::Nil, |it| this.group(it)))
        }
        [name @ (Value::String(_) | Value::Symbol(_))] => {
            let index = named_group(vm, this, name)?;
            Ok(this.group(index))
        }
        arguments => vm.call(&Value::array(groups(this, 0)), "[]", arguments),
    }
}

fn named_captures(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    Ok(Value::hash(group_names(&this.regexp).into_iter().map(|name| {
        let value = this.named(&name).map_or(Value::Nil, |it| this.group(it));
        (Value::string(name), value)
    })))
}

/// Where a group begins and ends, in characters.
fn offsets(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<(Value, Value)> {
    let this = this(call)?;
    let index = match call.required(0) {
        name @ (Value::String(_) | Value::Symbol(_)) => named_group(vm, this, name)?,
        other => {
            let index = vm.expect_integer(other)?;
            match usize::try_from(index).ok().filter(|it| *it < this.groups.len()) {
                Some(index) => index,
                None => return vm.raise(ErrorClass::Index, format!("index {index} out of matches")),
            }
        }
    };
    let Some(range) = this.groups.get(index).cloned().flatten() else { return Ok((Value::Nil, Value::Nil)) };
    let bytes = this.text.bytes();
    let characters = Characters::of(&bytes, this.text.encoding());
    Ok((integer(characters.index(range.start)), integer(characters.index(range.end))))
}

fn values_at(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let mut indexes = Vec::with_capacity(call.arguments.len());
    for argument in call.arguments {
        indexes.push(match argument {
            name @ (Value::String(_) | Value::Symbol(_)) => integer(named_group(vm, this, name)?),
            other => other.clone(),
        });
    }
    vm.call(&Value::array(groups(this, 0)), "values_at", &indexes)
}

fn inspect(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let names = group_names(&this.regexp);
    let mut out = String::from("#<MatchData ");
    for index in 0..this.groups.len() {
        if index > 0 {
            let name = this.regexp.regexp().group_names().find(|(_, it)| *it == index).map(|(name, _)| name);
            match name.filter(|_| !names.is_empty()) {
                Some(name) => out.push_str(&format!(" {name}:")),
                None => out.push_str(&format!(" {index}:")),
            }
        }
        match this.group(index) {
            Value::String(text) => out.push_str(&inspected(&text)),
            _ => out.push_str("nil"),
        }
    }
    out.push('>');
    made(vm, out, crate::value::Encoding::Utf8)
}

fn equal(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    Ok(Value::Bool(match call.required(0) {
        Value::Match(other) => {
            *this.text.bytes() == *other.text.bytes()
                && this.regexp.source() == other.regexp.source()
                && this.regexp.options() == other.regexp.options()
                && this.groups == other.groups
        }
        _ => false,
    }))
}
