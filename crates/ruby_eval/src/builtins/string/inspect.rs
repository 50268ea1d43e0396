//! Strings as literals: `inspect`, `dump`.

use std::fmt::Write as _;

use marotte_pcore::format::{quoted, quoted_bytes};

use super::{made, this};
use crate::Vm;
use crate::native::{Call, NativeMethod, exactly};
use crate::stop::{Result, unsupported};
use crate::value::{Encoding, StringObject};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("inspect", 0, inspect),
    exactly("dump", 0, dump),
    exactly("undump", 0, |_, _| unsupported("String#undump")),
];

fn inspect(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    vm.world.spend(this.bytes().len() / 16)?;
    made(vm, inspected(this), Encoding::Utf8)
}

/// A string as a literal in double quotes.
pub(crate) fn inspected(string: &StringObject) -> String {
    let bytes = string.bytes();
    match std::str::from_utf8(&bytes) {
        Ok(text) if string.encoding() == Encoding::Utf8 => quoted(text),
        _ if string.encoding() != Encoding::Utf8 => quoted_bytes(&bytes),
        _ => {
            let mut out = String::from("\"");
            for chunk in bytes.utf8_chunks() {
                let text = quoted(chunk.valid());
                out.push_str(text.get(1..text.len() - 1).unwrap_or_default());
                for byte in chunk.invalid() {
                    let _ = write!(out, "\\x{byte:02X}");
                }
            }
            out.push('"');
            out
        }
    }
}

fn dump(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let bytes = this.bytes();
    vm.world.spend(bytes.len() / 16)?;
    let mut out = String::from("\"");
    let ascii = |out: &mut String, bytes: &[u8]| {
        let text = quoted_bytes(bytes);
        out.push_str(text.get(1..text.len() - 1).unwrap_or_default());
    };
    match this.encoding() {
        Encoding::Utf8 => {
            for chunk in bytes.utf8_chunks() {
                for part in chunk.valid().split_inclusive(|it: char| !it.is_ascii()) {
                    let last = part.chars().next_back().filter(|it| !it.is_ascii());
                    let plain = part.len() - last.map_or(0, char::len_utf8);
                    ascii(&mut out, part.as_bytes().get(..plain).unwrap_or_default());
                    match last.map(u32::from) {
                        Some(code) if code > 0xFFFF => {
                            let _ = write!(out, "\\u{{{code:X}}}");
                        }
                        Some(code) => {
                            let _ = write!(out, "\\u{code:04X}");
                        }
                        None => {}
                    }
                }
                for byte in chunk.invalid() {
                    let _ = write!(out, "\\x{byte:02X}");
                }
            }
        }
        _ => ascii(&mut out, &bytes),
    }
    out.push('"');
    made(vm, out, this.encoding())
}
