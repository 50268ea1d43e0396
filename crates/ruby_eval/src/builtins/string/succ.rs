//! Successors: `succ`, and ranges of strings.

use std::rc::Rc;

use super::characters::Characters;
use super::{changeable, made, this};
use crate::native::{Call, NativeMethod, exactly};
use crate::stop::{Result, unsupported};
use crate::value::{Encoding, StringObject};
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("succ", 0, next),
    exactly("next", 0, next),
    exactly("succ!", 0, change),
    exactly("next!", 0, change),
];

fn next(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    made(vm, successor(this)?, this.encoding())
}

fn change(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = changeable(vm, call)?;
    let bytes = successor(this)?;
    vm.world.allocate(bytes.len())?;
    this.change(|it| *it = bytes);
    Ok(call.this.clone())
}

/// Adds one to a digit or letter; returns whether it wrapped around.
fn increment(byte: &mut u8) -> bool {
    let first = match byte {
        b'9' => b'0',
        b'z' => b'a',
        b'Z' => b'A',
        _ => {
            *byte = byte.wrapping_add(1);
            return false;
        }
    };
    *byte = first;
    true
}

/// The bytes of the next string: the last letter or digit is increased, with a carry to the one before it.
///
/// # Errors
/// Not supported where characters beyond ASCII would be increased.
pub(crate) fn successor(string: &StringObject) -> Result<Vec<u8>> {
    let mut bytes = string.bytes().clone();
    let single = Characters::of(&bytes, string.encoding()).is_single();
    let mut carried: Option<usize> = None;
    let mut skipped = false;
    for at in (0..bytes.len()).rev() {
        let Some(byte) = bytes.get_mut(at) else { break };
        if !byte.is_ascii() && !single {
            return unsupported("the successor of a string beyond ASCII");
        }
        if let Some(carried) = carried.filter(|_| skipped) {
            let this = *byte;
            let last = bytes.get(carried).copied().unwrap_or_default();
            // Letters and digits on both sides of another character are not one number.
            let differs = match last.is_ascii_alphabetic() {
                true => this.is_ascii_digit(),
                false => this.is_ascii_alphabetic(),
            };
            if differs {
                break;
            }
        }
        let Some(byte) = bytes.get_mut(at) else { break };
        skipped = !byte.is_ascii_alphanumeric();
        if skipped {
            continue;
        }
        carried = Some(at);
        if !increment(byte) {
            return Ok(bytes);
        }
    }
    if let Some(at) = carried {
        let first = match bytes.get(at) {
            Some(b'0') => b'1',
            Some(other) => *other,
            None => b'1',
        };
        bytes.insert(at, first);
        return Ok(bytes);
    }
    let limit = if string.encoding() == Encoding::Binary { 0xFF } else { 0x7F };
    for byte in bytes.iter_mut().rev() {
        if *byte < limit {
            *byte += 1;
            return Ok(bytes);
        }
        *byte = 0;
    }
    if !bytes.is_empty() {
        bytes.insert(0, 1);
    }
    Ok(bytes)
}

/// Calls a function with each string of a range of strings.
///
/// # Errors
/// If the function raises an exception.
pub(crate) fn each_between(
    vm: &mut Vm<'_>,
    first: &Rc<StringObject>,
    last: &Rc<StringObject>,
    exclusive: bool,
    each: &mut dyn FnMut(&mut Vm<'_>, Value) -> Result<()>,
) -> Result<()> {
    super::compatible(vm, first, last)?;
    let (a, b) = (first.bytes().clone(), last.bytes().clone());
    if let ([a], [b]) = (&a[..], &b[..])
        && a.is_ascii()
        && b.is_ascii()
    {
        let end = if exclusive { *b } else { b + 1 };
        for byte in *a..end {
            let text = made(vm, [byte], first.encoding())?;
            each(vm, text)?;
        }
        return Ok(());
    }
    if let (Some(from), Some(to)) = (digits(&a), digits(&b)) {
        // Both are numbers: they are counted, with the width of the first.
        let end = if exclusive { to } else { to + 1 };
        let width = a.len();
        for number in from..end {
            let text = made(vm, format!("{number:0width$}"), Encoding::Ascii)?;
            each(vm, text)?;
        }
        return Ok(());
    }
    let order = a.cmp(&b);
    if order.is_gt() || exclusive && order.is_eq() {
        return Ok(());
    }
    let after_last = successor(last)?;
    let mut current = StringObject::new(a, first.encoding());
    while *current.bytes() != after_last {
        let is_last = *current.bytes() == b;
        if is_last && exclusive {
            break;
        }
        let following = successor(&current)?;
        let text = made(vm, current.bytes().clone(), first.encoding())?;
        each(vm, text)?;
        if is_last || exclusive && following == b || following.len() > b.len() || following.is_empty() {
            break;
        }
        vm.world.spend(1)?;
        current = StringObject::new(following, first.encoding());
    }
    Ok(())
}

/// The number that a string of digits is.
fn digits(bytes: &[u8]) -> Option<i64> {
    if !bytes.iter().all(u8::is_ascii_digit) {
        return None;
    }
    // Numbers of 62 bits are counted.
    std::str::from_utf8(bytes).ok()?.parse().ok().filter(|it| *it < 1 << 62)
}
