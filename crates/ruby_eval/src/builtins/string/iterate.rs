//! Characters, bytes and code points of strings, one by one; `upto`.

use super::characters::Characters;
use super::{OVERHEAD, integer, invalid, made, made_array, this};
use crate::builtins::string::succ;
use crate::builtins::support::enumerator;
use crate::native::{Call, NativeMethod, between, exactly};
use crate::stop::Result;
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("chars", 0, chars),
    exactly("each_char", 0, |vm, call| each(vm, call, chars)),
    exactly("bytes", 0, bytes),
    exactly("each_byte", 0, |vm, call| each(vm, call, bytes)),
    exactly("codepoints", 0, codepoints),
    exactly("each_codepoint", 0, |vm, call| each(vm, call, codepoints)),
    exactly("grapheme_clusters", 0, clusters),
    exactly("each_grapheme_cluster", 0, |vm, call| each(vm, call, clusters)),
    between("upto", 1, 2, upto),
    exactly("ord", 0, ord),
    between("sum", 0, 1, sum),
];

/// Passes the elements of an array to the block.
fn each(vm: &mut Vm<'_>, call: &Call<'_>, all: fn(&mut Vm<'_>, &Call<'_>) -> Result) -> Result {
    if call.block.is_none() {
        return enumerator(vm, call);
    }
    all(vm, call)
}

/// Returns the items as an array, or passes them to the block one after the other.
fn given(vm: &mut Vm<'_>, call: &Call<'_>, items: Vec<Value>) -> Result {
    let Some(block) = call.block else { return made_array(vm, items) };
    for item in items {
        vm.yield_to(block, &[item])?;
    }
    Ok(call.this.clone())
}

fn chars(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let items = {
        let bytes = this.bytes();
        vm.world.spend(bytes.len())?;
        let characters = Characters::of(&bytes, this.encoding());
        characters.iter().map(|it| made(vm, it, this.encoding())).collect::<Result<Vec<_>>>()?
    };
    given(vm, call, items)
}

fn bytes(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let length = this.bytes().len();
    vm.world.spend(length / 8)?;
    vm.world.allocate(length * size_of::<Value>() + OVERHEAD)?;
    let items = this.bytes().iter().map(|it| integer(usize::from(*it))).collect();
    match call.block {
        Some(_) => given(vm, call, items),
        // It is charged for already.
        None => Ok(Value::array(items)),
    }
}

fn codepoints(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    vm.world.spend(this.bytes().len())?;
    let codes: Option<Vec<Value>> = Characters::of(&this.bytes(), this.encoding())
        .codes()
        .map(|it| it.map(|it| Value::Integer(i64::from(it))))
        .collect();
    match codes {
        Some(items) => given(vm, call, items),
        None => invalid(vm, this.encoding()),
    }
}

fn clusters(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    if this.bytes().is_ascii() && !this.bytes().contains(&b'\r') {
        return chars(vm, call);
    }
    let pattern = crate::builtins::regexp::compile(vm, r"\X", marotte_pcore::regexp::Options::default())?;
    let items = {
        let text = super::text_of(vm, this, "grapheme clusters")?;
        let mut items = Vec::new();
        for found in pattern.regexp().find_iter(&text) {
            match found {
                Ok(found) => items.push(made(vm, found.get(0).unwrap_or_default(), this.encoding())?),
                Err(error) => return crate::builtins::regexp::too_slow(&error),
            }
        }
        items
    };
    given(vm, call, items)
}

fn ord(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let first = Characters::of(&this.bytes(), this.encoding()).codes().next();
    match first {
        None => vm.argument_error("empty string"),
        Some(None) => invalid(vm, this.encoding()),
        Some(Some(code)) => Ok(Value::Integer(i64::from(code))),
    }
}

fn sum(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let bits = match call.argument(0) {
        Some(bits) => vm.expect_integer(bits)?,
        None => 16,
    };
    vm.world.spend(this.bytes().len())?;
    let sum: u64 = this.bytes().iter().map(|it| u64::from(*it)).sum();
    let sum = match u32::try_from(bits) {
        Ok(bits @ 1..64) => sum & ((1 << bits) - 1),
        _ => sum,
    };
    Ok(integer(usize::try_from(sum).unwrap_or(usize::MAX)))
}

fn upto(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let Some(block) = call.block else { return enumerator(vm, call) };
    let last = vm.expect_string(call.required(0))?;
    let exclusive = call.argument(1).is_some_and(Value::is_truthy);
    succ::each_between(vm, this, &last, exclusive, &mut |vm, text| {
        vm.yield_to(block, &[text])?;
        Ok(())
    })?;
    Ok(call.this.clone())
}
