//! `unpack`, `unpack1`.

use num_bigint::BigInt;

use super::pack_template::{Count, Directive, Number, directives};
use super::pack_text::{decode_base64, decode_quoted_printable, decode_strict_base64, decode_uu};
use super::{made, made_array, this};
use crate::native::{Call, NativeMethod, exactly};
use crate::stop::{Result, unsupported};
use crate::value::Encoding;
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] =
    &[exactly("unpack", 1, unpack).with_keywords(), exactly("unpack1", 1, unpack_first).with_keywords()];

fn unpack(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let items = unpacked(vm, call, false)?;
    let Some(block) = call.block else { return made_array(vm, items) };
    for item in items {
        vm.yield_to(block, &[item])?;
    }
    Ok(Value::Nil)
}

fn unpack_first(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    Ok(unpacked(vm, call, true)?.into_iter().next().unwrap_or(Value::Nil))
}

/// The read position in the bytes.
struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    fn rest(&self) -> &'b [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn take(&mut self, length: usize) -> &'b [u8] {
        let rest = self.rest();
        let taken = rest.get(..length.min(rest.len())).unwrap_or_default();
        self.at += taken.len();
        taken
    }
}

/// The values of a string; of those that come from one directive for `unpack1`, the first only.
fn unpacked(vm: &mut Vm<'_>, call: &Call<'_>, first: bool) -> Result<Vec<Value>> {
    let this = this(call)?;
    let mut offset = 0;
    for (key, value) in call.keywords.map(|it| it.snapshot()).unwrap_or_default() {
        match &key {
            Value::Symbol(name) if &*name.name() == "offset" => offset = vm.expect_integer(&value)?,
            _ => {
                let key = vm.inspect(&key)?;
                return vm.argument_error(format!("unknown keyword: {key}"));
            }
        }
    }
    let template = vm.expect_string(call.required(0))?.bytes().clone();
    let directives = directives(vm, &template)?;
    let bytes = this.bytes();
    let Ok(at) = usize::try_from(offset) else { return vm.argument_error("offset can't be negative") };
    if at > bytes.len() {
        return vm.argument_error("offset outside of string");
    }
    let mut reader = Reader { bytes: &bytes, at };
    let mut items = Vec::new();
    for directive in directives {
        read(vm, &mut reader, directive, first, &mut items)?;
        vm.world.allocate(items.len() * size_of::<Value>())?;
        if first && !items.is_empty() {
            break;
        }
    }
    Ok(items)
}

fn read(
    vm: &mut Vm<'_>,
    reader: &mut Reader<'_>,
    directive: Directive,
    first: bool,
    items: &mut Vec<Value>,
) -> Result<()> {
    let count = directive.count;
    if let Some(number) = directive.number() {
        let there = reader.rest().len() / number.size;
        let wanted = count.or(there);
        // `unpack1` continues with the next directive if nothing is left.
        let times = if first { wanted.min(there).min(1) } else { wanted };
        vm.world.spend(times)?;
        vm.world.allocate(times.saturating_mul(size_of::<Value>()))?;
        for at in 0..times {
            items.push(if at < there { read_number(reader.take(number.size), number) } else { Value::Nil });
        }
        return Ok(());
    }
    let left = reader.rest().len();
    match directive.letter {
        b'a' | b'A' | b'Z' => {
            let taken = reader.take(count.or(left));
            let kept = match directive.letter {
                b'A' => taken.iter().rposition(|it| !matches!(it, b' ' | 0)).map_or(0, |it| it + 1),
                b'Z' => taken.iter().position(|it| *it == 0).unwrap_or(taken.len()),
                _ => taken.len(),
            };
            if directive.letter == b'Z' && count == Count::All {
                // Bytes after the zero byte are left for the next directive.
                reader.at -= taken.len() - (kept + 1).min(taken.len());
            }
            items.push(made(vm, taken.get(..kept).unwrap_or_default(), Encoding::Binary)?);
        }
        b'B' | b'b' | b'H' | b'h' => {
            let per_byte = if matches!(directive.letter, b'B' | b'b') { 8 } else { 2 };
            let length = count.or(usize::MAX).min(left * per_byte);
            let taken = reader.take(length.div_ceil(per_byte));
            vm.world.allocate(length)?;
            items.push(made(vm, digits(taken, directive.letter, length), Encoding::Ascii)?);
        }
        b'U' => {
            let times = count.or(left);
            let times = if first { times.min(1) } else { times };
            for _ in 0..times {
                let rest = reader.rest();
                if rest.is_empty() {
                    break;
                }
                let length =
                    (1..=4).find(|it| rest.get(..*it).is_some_and(|it| std::str::from_utf8(it).is_ok()));
                let Some(length) = length else { return unsupported("unpack(U) of invalid UTF-8") };
                let text = std::str::from_utf8(reader.take(length)).unwrap_or_default();
                items.extend(text.chars().map(|it| Value::Integer(i64::from(u32::from(it)))));
                vm.world.spend(1)?;
            }
        }
        b'm' => {
            let rest = reader.take(left);
            let decoded = match count {
                Count::Number(0) => match decode_strict_base64(rest) {
                    Some(bytes) => bytes,
                    None => return vm.argument_error("invalid base64"),
                },
                _ => {
                    let (bytes, read) = decode_base64(rest);
                    reader.at -= rest.len() - read;
                    bytes
                }
            };
            items.push(made(vm, decoded, Encoding::Binary)?);
        }
        b'M' => {
            let Some(decoded) = decode_quoted_printable(reader.take(left)) else {
                return unsupported("unpack(M) of a text that is not quoted rightly");
            };
            items.push(made(vm, decoded, Encoding::Binary)?);
        }
        b'u' => {
            let Some(decoded) = decode_uu(reader.take(left)) else {
                return unsupported("unpack(u) of a text with other lines");
            };
            items.push(made(vm, decoded, Encoding::Binary)?);
        }
        b'x' => {
            let length = if count == Count::All { left } else { count.or(0) };
            if length > left {
                return vm.argument_error("x outside of string");
            }
            reader.at += length;
        }
        b'X' => match reader.at.checked_sub(count.or(left)) {
            Some(at) => reader.at = at,
            None => return vm.argument_error("X outside of string"),
        },
        _ => {
            let at = if count == Count::One { 0 } else { count.or(left) };
            if at > reader.bytes.len() {
                return vm.argument_error("@ outside of string");
            }
            reader.at = at;
        }
    }
    Ok(())
}

fn read_number(bytes: &[u8], number: Number) -> Value {
    let mut little: Vec<u8> = bytes.to_vec();
    if number.big_endian {
        little.reverse();
    }
    if number.float {
        return match (<[u8; 4]>::try_from(&little[..]), <[u8; 8]>::try_from(&little[..])) {
            (Ok(four), _) => Value::Float(f64::from(f32::from_le_bytes(four))),
            (_, Ok(eight)) => Value::Float(f64::from_le_bytes(eight)),
            _ => Value::Nil,
        };
    }
    match number.signed {
        true => Value::big(BigInt::from_signed_bytes_le(&little)),
        false => Value::big(BigInt::from_bytes_le(num_bigint::Sign::Plus, &little)),
    }
}

/// The digits of bytes, either end first.
fn digits(bytes: &[u8], letter: u8, length: usize) -> Vec<u8> {
    let bits = matches!(letter, b'B' | b'b');
    let (per_byte, width) = if bits { (8, 1) } else { (2, 4) };
    let mask = if bits { 1 } else { 15 };
    let all = bytes.iter().flat_map(|byte| {
        (0..per_byte).map(move |at| {
            let shift = match letter.is_ascii_uppercase() {
                true => (per_byte - 1 - at) * width,
                false => at * width,
            };
            byte >> shift & mask
        })
    });
    all.take(length).map(|it| char::from_digit(u32::from(it), 16).map_or(b'0', |it| it as u8)).collect()
}
