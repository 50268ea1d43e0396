//! Libraries of a method or two: `Zlib.crc32`, `Timeout`, and the constants of the platform.

use super::support::bytes_of;
use crate::native::{Call, NativeClass, NativeMethod, at_least, between};
use crate::stop::{Result, unsupported};
use crate::{Value, Vm};

/// The version of Ruby that Puppet 8 includes, as far as programs check it: the last number differs between releases.
const RUBY_VERSION: &str = "3.2.5";

fn crc32(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let bytes = match call.argument(0) {
        None | Some(Value::Nil) => return Ok(Value::Integer(0)),
        Some(it) => bytes_of(vm, it)?,
    };
    let start = match call.argument(1) {
        None => 0,
        Some(Value::Integer(it)) => match u32::try_from(*it) {
            Ok(it) => it,
            Err(_) => return unsupported("Zlib.crc32 with this start"),
        },
        Some(_) => return unsupported("Zlib.crc32 with this start"),
    };
    vm.world.spend(bytes.len() / 8)?;
    let mut hasher = crc32fast::Hasher::new_with_initial(start);
    hasher.update(&bytes);
    Ok(Value::Integer(i64::from(hasher.finalize())))
}

/// `Timeout.timeout(seconds) { … }`: the budget of the evaluation limits the block.
fn timeout(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = call.needed_block()?;
    vm.yield_to(block, &[call.required(0).clone()])
}

fn date(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    unsupported(format!("Date.{}", call.name))
}

/// Programs can name the date classes, but can't create dates.
const DATES: &[NativeMethod] = &[
    at_least("_parse", 0, date),
    at_least("civil", 0, date),
    at_least("commercial", 0, date),
    at_least("gregorian_leap?", 0, date),
    at_least("iso8601", 0, date),
    at_least("jd", 0, date),
    at_least("leap?", 0, date),
    at_least("new", 0, date),
    at_least("now", 0, date),
    at_least("ordinal", 0, date),
    at_least("parse", 0, date),
    at_least("rfc2822", 0, date),
    at_least("rfc3339", 0, date),
    at_least("strptime", 0, date),
    at_least("today", 0, date),
    at_least("valid_civil?", 0, date),
    at_least("valid_date?", 0, date),
];

/// The classes of these libraries.
pub(super) static CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "Zlib",
        singleton_methods: &[&[between("crc32", 0, 2, crc32)]],
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "Timeout",
        singleton_methods: &[&[between("timeout", 1, 3, timeout)]],
        ..NativeClass::EMPTY
    },
    NativeClass { name: "Timeout::Error", superclass: Some("RuntimeError"), ..NativeClass::EMPTY },
    NativeClass {
        name: "Date",
        superclass: Some("Object"),
        includes: &["Comparable"],
        singleton_methods: &[DATES],
        ..NativeClass::EMPTY
    },
    NativeClass { name: "DateTime", superclass: Some("Date"), ..NativeClass::EMPTY },
    NativeClass {
        name: "Logger",
        superclass: Some("Object"),
        singleton_methods: &[&[at_least("new", 0, |_, _| unsupported("Logger"))]],
        ..NativeClass::EMPTY
    },
    NativeClass {
        name: "Object",
        superclass: Some("BasicObject"),
        constants: &[
            ("RUBY_VERSION", |_| Ok(Value::from(RUBY_VERSION))),
            ("RUBY_PLATFORM", |_| Ok(Value::from("x86_64-linux"))),
            ("RUBY_ENGINE", |_| Ok(Value::from("ruby"))),
        ],
        ..NativeClass::EMPTY
    },
];
