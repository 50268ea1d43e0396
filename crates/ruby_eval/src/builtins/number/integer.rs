//! Methods that only integers have.

use std::rc::Rc;

use num_bigint::{BigInt, Sign};
use num_integer::Integer;

use super::{power, this_integer, to_f64};
use crate::builtins::support::{block_or_enumerator, push};
use crate::native::{Call, NativeMethod, between, exactly};
use crate::stop::{Result, unsupported};
use crate::value::{Encoding, StringObject};
use crate::vm::{ErrorClass, to_big};
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    between("to_s", 0, 1, to_s),
    between("inspect", 0, 1, to_s),
    exactly("to_i", 0, |_, call| Ok(call.this.clone())),
    exactly("to_int", 0, |_, call| Ok(call.this.clone())),
    exactly("to_f", 0, |_, call| Ok(Value::Float(to_f64(&this_integer(call)?)))),
    exactly("numerator", 0, |_, call| Ok(call.this.clone())),
    exactly("denominator", 0, |_, _| Ok(Value::Integer(1))),
    exactly("even?", 0, |_, call| Ok(Value::Bool(this_integer(call)?.is_even()))),
    exactly("odd?", 0, |_, call| Ok(Value::Bool(this_integer(call)?.is_odd()))),
    exactly("succ", 0, |_, call| Ok(Value::big(this_integer(call)? + 1))),
    exactly("next", 0, |_, call| Ok(Value::big(this_integer(call)? + 1))),
    exactly("pred", 0, |_, call| Ok(Value::big(this_integer(call)? - 1))),
    exactly("gcd", 1, |vm, call| {
        let (a, b) = divided(vm, call)?;
        Ok(Value::big(a.gcd(&b)))
    }),
    exactly("lcm", 1, |vm, call| {
        let (a, b) = divided(vm, call)?;
        Ok(Value::big(a.lcm(&b)))
    }),
    exactly("gcdlcm", 1, |vm, call| {
        let (a, b) = divided(vm, call)?;
        Ok(Value::array(vec![Value::big(a.gcd(&b)), Value::big(a.lcm(&b))]))
    }),
    between("digits", 0, 1, digits),
    between("chr", 0, 1, chr),
    exactly("ord", 0, |_, call| Ok(call.this.clone())),
    exactly("size", 0, |_, call| {
        let bits = this_integer(call)?.bits();
        Ok(Value::Integer(i64::try_from(bits.div_ceil(8)).unwrap_or(i64::MAX).max(8)))
    }),
    exactly("hash", 0, |vm, call| vm.hash_of(call.this)),
    exactly("times", 0, |vm, call| {
        let block = Rc::clone(block_or_enumerator!(vm, call));
        let Value::Integer(end) = call.this else { return unsupported("Integer#times of a large integer") };
        for index in 0..*end {
            vm.yield_to(&block, &[Value::Integer(index)])?;
        }
        Ok(call.this.clone())
    }),
    exactly("ceildiv", 1, |vm, call| {
        let negative = vm.call(call.this, "-@", &[])?;
        let quotient = vm.call(&negative, "div", call.arguments)?;
        vm.call(&quotient, "-@", &[])
    }),
];

/// The operands of the search for a common divisor, whose work grows with the square of their length.
fn divided(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<(BigInt, BigInt)> {
    /// The number of words that are processed in one step.
    const WORDS: u64 = 512;
    let (a, b) = (this_integer(call)?, integer_argument(vm, call)?);
    let bits = a.bits().saturating_add(b.bits());
    let steps = bits.saturating_mul(bits / 64) / WORDS;
    vm.world.spend(usize::try_from(steps).unwrap_or(usize::MAX))?;
    Ok((a, b))
}

pub(super) const CLASS_METHODS: &[NativeMethod] = &[
    exactly("sqrt", 1, power::integer_root),
    exactly("try_convert", 1, |vm, call| match call.required(0) {
        it @ (Value::Integer(_) | Value::BigInteger(_)) => Ok(it.clone()),
        it if vm.responds_to(it, "to_int") => vm.call(it, "to_int", &[]),
        _ => Ok(Value::Nil),
    }),
];

fn integer_argument(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<BigInt> {
    match to_big(call.required(0)) {
        Some(it) => Ok(it),
        None => vm.type_error("not an integer"),
    }
}

fn to_s(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let radix = match call.argument(0) {
        None => 10,
        Some(it) => vm.expect_integer(it)?,
    };
    if !(2..=36).contains(&radix) {
        return vm.argument_error(format!("invalid radix {radix}"));
    }
    let text = match call.this {
        Value::Integer(it) if radix == 10 => it.to_string(),
        _ => {
            let number = this_integer(call)?;
            let words = usize::try_from((number.bits() / 64).pow(2) / 64);
            vm.world.spend(words.unwrap_or(usize::MAX))?;
            number.to_str_radix(u32::try_from(radix).unwrap_or(10))
        }
    };
    vm.world.allocate(text.len())?;
    Ok(Value::String(Rc::new(StringObject::new(text.into_bytes(), Encoding::Ascii))))
}

fn digits(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let base = match call.argument(0) {
        None => BigInt::from(10),
        Some(it) => match to_big(it) {
            Some(it) => it,
            None => BigInt::from(vm.expect_integer(it)?),
        },
    };
    let mut number = this_integer(call)?;
    if number.sign() == Sign::Minus {
        return vm.raise_named("Math::DomainError", "out of domain");
    }
    if base.sign() == Sign::Minus {
        return vm.argument_error("negative radix");
    }
    if base < BigInt::from(2) {
        return vm.argument_error(format!("invalid radix {base}"));
    }
    let words = usize::try_from(number.bits() / 64).unwrap_or(usize::MAX);
    let mut all = Vec::new();
    loop {
        vm.world.spend(1 + words)?;
        let (rest, digit) = number.div_mod_floor(&base);
        push(vm, &mut all, Value::big(digit))?;
        if rest == BigInt::ZERO {
            return Ok(Value::array(all));
        }
        number = rest;
    }
}

fn chr(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let encoding = match call.argument(0) {
        None => None,
        Some(name @ Value::String(_)) => Some(vm.to_s(name)?.lossy()),
        Some(encoding) => {
            let name = vm.call(encoding, "to_s", &[])?;
            Some(vm.to_s(&name)?.lossy())
        }
    };
    let code = match call.this {
        Value::Integer(it) if (-(1 << 62)..1 << 62).contains(it) => u32::try_from(*it).ok(),
        _ => return vm.raise(ErrorClass::Range, "bignum out of char range"),
    };
    let out_of_range = |vm: &mut Vm<'_>| {
        let number = vm.inspect(call.this)?;
        vm.raise(ErrorClass::Range, format!("{number} out of char range"))
    };
    let Some(code) = code else { return out_of_range(vm) };
    let (bytes, encoding) = match encoding.as_deref().map(str::to_ascii_uppercase).as_deref() {
        None => match u8::try_from(code) {
            Ok(byte) if byte < 0x80 => (vec![byte], Encoding::Ascii),
            Ok(byte) => (vec![byte], Encoding::Binary),
            // Puppet sets the internal encoding to UTF-8.
            Err(_) => match char::from_u32(code) {
                Some(it) => (it.to_string().into_bytes(), Encoding::Utf8),
                None => return invalid_code(vm, code),
            },
        },
        Some("UTF-8") => match char::from_u32(code) {
            Some(it) => (it.to_string().into_bytes(), Encoding::Utf8),
            None => return invalid_code(vm, code),
        },
        Some("ASCII-8BIT" | "BINARY") => match u8::try_from(code) {
            Ok(byte) => (vec![byte], Encoding::Binary),
            Err(_) => return out_of_range(vm),
        },
        Some("US-ASCII" | "ASCII") => match u8::try_from(code) {
            Ok(byte) if byte < 0x80 => (vec![byte], Encoding::Ascii),
            _ => return out_of_range(vm),
        },
        Some(other) => return unsupported(format!("Integer#chr with the encoding {other}")),
    };
    Ok(Value::String(Rc::new(StringObject::new(bytes, encoding))))
}

fn invalid_code<T>(vm: &mut Vm<'_>, code: u32) -> Result<T> {
    match code {
        0xd800..=0xdfff => vm.raise(ErrorClass::Range, format!("invalid codepoint 0x{code:X} in UTF-8")),
        _ => vm.raise(ErrorClass::Range, format!("{code} out of char range")),
    }
}
