//! `SemanticPuppet::Version` and `SemanticPuppet::VersionRange`.

use std::cmp::Ordering;
use std::sync::Arc;

use marotte_pcore::semver::{SemVer, SemVerRange};
use marotte_pcore::value::Value as PuppetValue;
use num_bigint::BigUint;

use super::opaque::{self, wrap};
use crate::native::{Call, NativeClass, NativeMethod, between, exactly, refused};
use crate::stop::{Result, unsupported};
use crate::{Value, Vm};

fn version_of(value: &Value) -> Option<Arc<SemVer>> {
    match opaque::value(value) {
        Ok(PuppetValue::SemVer(it)) => Some(it),
        _ => None,
    }
}

fn version(call: &Call<'_>) -> Result<Arc<SemVer>> {
    version_of(call.this).map_or_else(|| unsupported("such a version"), Ok)
}

fn range(call: &Call<'_>) -> Result<Arc<SemVerRange>> {
    match opaque::value(call.this) {
        Ok(PuppetValue::SemVerRange(it)) => Ok(it),
        _ => unsupported("such a range of versions"),
    }
}

/// The text that is parsed. Ruby raises an error about the method that another value does not have.
fn text(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<String> {
    match call.required(0) {
        Value::String(it) => match it.text() {
            Some(text) => Ok(text.to_owned()),
            None => unsupported("a version with invalid bytes"),
        },
        other => {
            let class = vm.class_of(other).display_name();
            unsupported(format!("a version from a value of class {class}"))
        }
    }
}

fn number(it: &BigUint) -> Value {
    Value::big(it.clone().into())
}

/// The order of two versions. `None` if the other one is not a version.
fn order(call: &Call<'_>) -> Result<Option<Ordering>> {
    let own = version(call)?;
    Ok(version_of(call.required(0)).map(|other| own.precedence(&other)))
}

fn compared(vm: &mut Vm<'_>, call: &Call<'_>, accept: fn(Ordering) -> bool) -> Result {
    match order(call)? {
        Some(order) => Ok(Value::Bool(accept(order))),
        None => vm.not_comparable(call.this, call.required(0)),
    }
}

fn includes(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match version_of(call.required(0)) {
        Some(version) => Ok(Value::Bool(range(call)?.includes(&version))),
        None => unsupported("whether a range of versions includes another value"),
    }
}

/// Methods of the numbers of Ruby that are kept with `Numeric` here, but which other subclasses of it do not have.
const OF_NUMBERS: [&str; 7] = ["+", "-", "*", "/", "upto", "downto", "__step"];

fn responds(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let name = vm.expect_name(call.required(0))?;
    let text = name.name();
    if OF_NUMBERS.iter().any(|it| *it == &*text) {
        return Ok(Value::Bool(false));
    }
    match vm.responds_to_symbol(call.this, name) {
        true => Ok(Value::Bool(true)),
        false => unsupported(format!("whether versions have the method `{text}`")),
    }
}

/// A version that was parsed is frozen, and one that Puppet created from numbers is not.
fn is_frozen(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match call.this {
        Value::Object(it) if it.is_frozen() => Ok(Value::Bool(true)),
        _ => unsupported("whether a version that was not parsed is frozen"),
    }
}

/// `Numeric#clone`, which returns its receiver.
fn own_clone(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match call.argument(0) {
        None => Ok(call.this.clone()),
        Some(_) => unsupported("clone of a version with arguments"),
    }
}

/// The methods of versions. Those of `Numeric` that calculate with their receiver are unknown for all but Ruby's own numbers.
static VERSION_METHODS: [NativeMethod; 27] = [
    exactly("major", 0, |_, call| Ok(number(version(call)?.major()))),
    exactly("minor", 0, |_, call| Ok(number(version(call)?.minor()))),
    exactly("patch", 0, |_, call| Ok(number(version(call)?.patch()))),
    exactly("prerelease", 0, |_, call| Ok(version(call)?.prerelease().into())),
    exactly("build", 0, |_, call| Ok(version(call)?.build().map(str::to_owned).into())),
    exactly("stable?", 0, |_, call| Ok(Value::Bool(version(call)?.is_stable()))),
    exactly("<=>", 1, |_, call| Ok(order(call)?.map(|it| it as i64).into())),
    exactly("<", 1, |vm, call| compared(vm, call, Ordering::is_lt)),
    exactly("<=", 1, |vm, call| compared(vm, call, Ordering::is_le)),
    exactly(">", 1, |vm, call| compared(vm, call, Ordering::is_gt)),
    exactly(">=", 1, |vm, call| compared(vm, call, Ordering::is_ge)),
    exactly("===", 1, |vm, call| vm.call(call.this, "==", call.arguments)),
    exactly("integer?", 0, |_, _| Ok(Value::Bool(false))),
    exactly("zero?", 0, |_, _| Ok(Value::Bool(false))),
    exactly("frozen?", 0, is_frozen),
    exactly("dup", 0, |_, call| Ok(call.this.clone())),
    between("clone", 0, 1, own_clone),
    between("respond_to?", 1, 2, responds),
    refused("upto"),
    refused("downto"),
    refused("step"),
    refused("__step"),
    refused("round"),
    refused("between?"),
    refused("clamp"),
    refused("next"),
    refused("to_stable"),
];

/// `SemanticPuppet::Version`
pub(crate) static VERSION: NativeClass = NativeClass {
    name: "SemanticPuppet::Version",
    superclass: Some("Numeric"),
    methods: &[&opaque::COMMON, &VERSION_METHODS],
    singleton_methods: &[&[
        exactly("parse", 1, |vm, call| {
            let text = text(vm, call)?;
            match SemVer::parse(&text) {
                Ok(it) => {
                    let version = wrap(vm, PuppetValue::SemVer(Arc::new(it)));
                    if let Value::Object(object) = &version {
                        object.freeze();
                    }
                    Ok(version)
                }
                Err(error) => vm.raise_named("SemanticPuppet::Version::ValidationFailure", error.to_string()),
            }
        }),
        exactly("valid?", 1, |vm, call| {
            let text = text(vm, call)?;
            Ok(Value::Bool(SemVer::parse(&text).is_ok()))
        }),
        refused("new"),
    ]],
    ..NativeClass::EMPTY
};

/// `SemanticPuppet::Version::ValidationFailure`
pub(crate) static VALIDATION_FAILURE: NativeClass = NativeClass {
    name: "SemanticPuppet::Version::ValidationFailure",
    superclass: Some("ArgumentError"),
    ..NativeClass::EMPTY
};

/// `SemanticPuppet::VersionRange`
pub(crate) static VERSION_RANGE: NativeClass = NativeClass {
    name: "SemanticPuppet::VersionRange",
    superclass: Some("Object"),
    methods: &[
        &opaque::COMMON,
        &[
            exactly("include?", 1, includes),
            exactly("member?", 1, includes),
            exactly("cover?", 1, includes),
            exactly("===", 1, includes),
        ],
    ],
    singleton_methods: &[&[
        exactly("parse", 1, |vm, call| {
            let text = text(vm, call)?;
            match SemVerRange::parse(&text) {
                Ok(it) => Ok(wrap(vm, PuppetValue::SemVerRange(Arc::new(it)))),
                Err(error) => vm.argument_error(error.to_string()),
            }
        }),
        refused("new"),
    ]],
    ..NativeClass::EMPTY
};
