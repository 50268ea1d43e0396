//! Strings filled to a width, and reversed.

use super::characters::Characters;
use super::{changeable, compatible, made, put, this};
use crate::Vm;
use crate::native::{Call, NativeMethod, between, exactly};
use crate::stop::Result;
use crate::value::StringObject;

pub(super) const METHODS: &[NativeMethod] = &[
    between("ljust", 1, 2, |vm, call| justified(vm, call, |missing| (0, missing))),
    between("rjust", 1, 2, |vm, call| justified(vm, call, |missing| (missing, 0))),
    between("center", 1, 2, |vm, call| justified(vm, call, |missing| (missing / 2, missing - missing / 2))),
    exactly("reverse", 0, |vm, call| {
        let this = this(call)?;
        made(vm, reversed(this), this.encoding())
    }),
    exactly("reverse!", 0, |vm, call| {
        let this = changeable(vm, call)?;
        put(vm, this, reversed(this))?;
        Ok(call.this.clone())
    }),
];

/// Fills a string; `sides` says how many of the missing characters go to each side.
fn justified(vm: &mut Vm<'_>, call: &Call<'_>, sides: fn(usize) -> (usize, usize)) -> Result {
    let this = this(call)?;
    let width = vm.expect_integer(call.required(0))?;
    let pad = match call.argument(1) {
        Some(pad) => {
            let pad = vm.expect_string(pad)?;
            if pad.bytes().is_empty() {
                return vm.argument_error("zero width padding");
            }
            Some(pad)
        }
        None => None,
    };
    let encoding = match &pad {
        Some(pad) => compatible(vm, this, pad)?,
        None => this.encoding(),
    };
    let bytes = this.bytes();
    vm.world.spend(bytes.len() / 64)?;
    let length = Characters::of(&bytes, this.encoding()).count();
    let missing = usize::try_from(width).unwrap_or(0).saturating_sub(length);
    if missing == 0 {
        return made(vm, bytes.clone(), this.encoding());
    }
    let space = StringObject::new(b" ".to_vec(), encoding);
    let pad = pad.as_deref().unwrap_or(&space);
    vm.world.allocate(missing.saturating_mul(4))?;
    let (left, right) = sides(missing);
    let pad_bytes = pad.bytes();
    let mut out = Vec::with_capacity(bytes.len() + missing);
    fill(&mut out, Characters::of(&pad_bytes, pad.encoding()), left);
    out.extend_from_slice(&bytes);
    fill(&mut out, Characters::of(&pad_bytes, pad.encoding()), right);
    made(vm, out, encoding)
}

fn fill(out: &mut Vec<u8>, pad: Characters<'_>, count: usize) {
    pad.iter().cycle().take(count).for_each(|it| out.extend_from_slice(it));
}

fn reversed(this: &StringObject) -> Vec<u8> {
    let bytes = this.bytes();
    let characters = Characters::of(&bytes, this.encoding());
    if characters.is_single() {
        return bytes.iter().rev().copied().collect();
    }
    let mut out = vec![0; bytes.len()];
    let mut end = out.len();
    for character in characters.iter() {
        let start = end.saturating_sub(character.len());
        if let Some(place) = out.get_mut(start..end) {
            place.copy_from_slice(character);
        }
        end = start;
    }
    out
}
