//! `Array#pack`

use marotte_pcore::value::Integer;
use num_bigint::BigInt;

use super::made;
use super::pack_template::{Count, Number, directives};
use super::pack_text::{encode_base64, encode_quoted_printable, encode_uu};
use crate::native::{Call, NativeClass, NativeMethod, exactly};
use crate::stop::{Result, unsupported};
use crate::value::Encoding;
use crate::vm::{ErrorClass, to_big};
use crate::{Value, Vm};

/// `Array#pack`
pub(crate) static PACK: NativeClass =
    NativeClass { name: "Array", superclass: Some("Object"), methods: &[METHODS], ..NativeClass::EMPTY };

const METHODS: &[NativeMethod] = &[exactly("pack", 1, pack).with_keywords()];

/// The values that are packed, in order.
struct Items {
    all: Vec<Value>,
    next: usize,
}

impl Items {
    fn take(&mut self, vm: &mut Vm<'_>) -> Result {
        let item = self.all.get(self.next).cloned();
        self.next += 1;
        match item {
            Some(item) => Ok(item),
            None => vm.argument_error("too few arguments"),
        }
    }

    fn left(&self) -> usize {
        self.all.len().saturating_sub(self.next)
    }

    /// The next item, which must be a string. `nil` is empty text where that is allowed.
    fn take_text(&mut self, vm: &mut Vm<'_>, nil: bool) -> Result<Vec<u8>> {
        match self.take(vm)? {
            Value::Nil if nil => Ok(Vec::new()),
            item => Ok(vm.expect_string(&item)?.bytes().clone()),
        }
    }

    /// The next item, which must be an integer.
    fn take_integer(&mut self, vm: &mut Vm<'_>) -> Result<BigInt> {
        let item = self.take(vm)?;
        match &item {
            Value::Float(it) if it.is_finite() => Ok(crate::vm::float_to_big(it.trunc()).unwrap_or_default()),
            Value::Float(_) => Ok(BigInt::from(vm.expect_integer(&item)?)),
            _ => match to_big(&item) {
                Some(it) => Ok(it),
                None => vm.no_conversion(&item, "Integer"),
            },
        }
    }
}

fn pack(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let Value::Array(array) = call.this else { return unsupported("pack of another object") };
    if call.keywords.is_some_and(|it| !it.is_empty()) {
        return unsupported("Array#pack with a buffer");
    }
    let template = vm.expect_string(call.required(0))?.bytes().clone();
    let directives = directives(vm, &template)?;
    let mut items = Items { all: array.snapshot(), next: 0 };
    let mut encoding = Encoding::Ascii;
    let mut out: Vec<u8> = Vec::new();
    for directive in directives {
        encoding = match (directive.letter, encoding) {
            (b'U', Encoding::Ascii) => Encoding::Utf8,
            (b'U' | b'm' | b'M' | b'u', same) => same,
            _ => Encoding::Binary,
        };
        let before = out.len();
        let count = match directive.count {
            Count::All if b"@Xxu".contains(&directive.letter) => Count::Number(0),
            count => count,
        };
        if let Some(number) = directive.number() {
            let times = count.or(items.left());
            vm.world.spend(times)?;
            for _ in 0..times {
                push_number(vm, &mut out, &mut items, number)?;
            }
            vm.world.allocate(out.len() - before)?;
            continue;
        }
        match directive.letter {
            b'a' | b'A' | b'Z' => {
                let text = items.take_text(vm, true)?;
                let length = match count {
                    Count::All if directive.letter == b'Z' => text.len() + 1,
                    other => other.or(text.len()),
                };
                vm.world.allocate(length)?;
                let fill = if directive.letter == b'A' { b' ' } else { 0 };
                out.extend(text.iter().copied().chain(std::iter::repeat(fill)).take(length));
                if directive.letter == b'Z' && length <= text.len() && count == Count::All {
                    out.push(0);
                }
            }
            b'B' | b'b' | b'H' | b'h' => {
                let text = items.take_text(vm, true)?;
                let length = count.or(text.len());
                vm.world.allocate(length / 2)?;
                let is_odd = |it: &u8| !it.is_ascii_hexdigit() && it.is_ascii_alphabetic();
                if matches!(directive.letter, b'H' | b'h') && text.iter().take(length).any(is_odd) {
                    return unsupported("pack(H) of letters that are not digits");
                }
                push_digits(&mut out, &text, directive.letter, length);
            }
            b'U' => {
                let times = count.or(items.left());
                vm.world.spend(times)?;
                for _ in 0..times {
                    let code = items.take_integer(vm)?;
                    match u32::try_from(&code).ok().and_then(char::from_u32) {
                        Some(it) => out.extend_from_slice(it.encode_utf8(&mut [0; 4]).as_bytes()),
                        None if code.sign() == num_bigint::Sign::Minus => {
                            return vm.raise(ErrorClass::Range, "pack(U): value out of range");
                        }
                        None => return unsupported("pack(U) of a code that is not a character"),
                    }
                }
            }
            b'm' | b'u' => {
                let text = items.take_text(vm, false)?;
                let length = match count {
                    Count::Number(it) => it,
                    _ => 45,
                };
                vm.world.allocate(text.len() * 2)?;
                match (directive.letter, length) {
                    (b'm', 0) => encode_base64(&mut out, &text, None),
                    (b'm', _) => encode_base64(&mut out, &text, Some(line_length(length))),
                    _ => encode_uu(&mut out, &text, line_length(length).min(63)),
                }
            }
            b'M' => {
                let item = items.take(vm)?;
                let text = vm.to_s(&item)?.bytes().clone();
                vm.world.allocate(text.len() * 3)?;
                let length = match count {
                    Count::Number(it) if it > 1 => it,
                    _ => 72,
                };
                encode_quoted_printable(&mut out, &text, length);
            }
            b'x' => {
                let length = count.or(0);
                vm.world.allocate(length)?;
                out.resize(out.len() + length, 0);
            }
            b'X' => match out.len().checked_sub(count.or(0)) {
                Some(length) => out.truncate(length),
                None => return vm.argument_error("X outside of string"),
            },
            _ => {
                let length = count.or(0);
                vm.world.allocate(length)?;
                out.resize(length, 0);
            }
        }
        vm.world.allocate(out.len().saturating_sub(before))?;
    }
    made(vm, out, encoding)
}

/// Bytes of a line: whole groups of three.
fn line_length(length: usize) -> usize {
    if length <= 2 { 45 } else { length / 3 * 3 }
}

fn push_number(vm: &mut Vm<'_>, out: &mut Vec<u8>, items: &mut Items, number: Number) -> Result<()> {
    let mut bytes = match number.float {
        true => {
            let value = match items.take(vm)? {
                Value::Float(it) => it,
                Value::Integer(it) => it as f64,
                Value::BigInteger(it) => Integer::from(BigInt::clone(&it)).to_f64(),
                other => {
                    let name = vm.conversion_name(&other);
                    return vm.type_error(format!("can't convert {name} into Float"));
                }
            };
            match number.size {
                4 => (value as f32).to_le_bytes().to_vec(),
                _ => value.to_le_bytes().to_vec(),
            }
        }
        false => {
            let value = items.take_integer(vm)?;
            let negative = value.sign() == num_bigint::Sign::Minus;
            let mut bytes = value.to_signed_bytes_le();
            bytes.resize(number.size, if negative { 0xFF } else { 0 });
            bytes
        }
    };
    if number.big_endian {
        bytes.reverse();
    }
    out.extend_from_slice(&bytes);
    Ok(())
}

/// Appends digits of bits or of hexadecimal numbers, either end first.
fn push_digits(out: &mut Vec<u8>, text: &[u8], letter: u8, length: usize) {
    let bits = matches!(letter, b'B' | b'b');
    let per_byte = if bits { 8 } else { 2 };
    let value = |digit: &u8| match bits {
        true => digit & 1,
        false if digit.is_ascii_alphabetic() => ((digit & 7) + 9) & 15,
        false => digit & 15,
    };
    let width = 8 / per_byte;
    let digits = text.get(..length.min(text.len())).unwrap_or_default();
    for group in digits.chunks(per_byte) {
        let mut byte = 0;
        for (at, digit) in group.iter().enumerate() {
            let shift = match letter.is_ascii_uppercase() {
                true => (per_byte - 1 - at) * width,
                false => at * width,
            };
            byte |= value(digit) << shift;
        }
        out.push(byte);
    }
    // For each two digits that are missing there is a byte, whatever the kind of digits.
    let missing = match bits {
        true => (length - digits.len()).div_ceil(2),
        false => length.div_ceil(2) - digits.len().div_ceil(2),
    };
    out.resize(out.len() + missing, 0);
}
