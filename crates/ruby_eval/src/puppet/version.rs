//! `SemanticPuppet::Version` and `SemanticPuppet::VersionRange`.

use std::cmp::Ordering;
use std::sync::Arc;

use marotte_pcore::semver::{SemVer, SemVerRange};
use marotte_pcore::value::Value as PuppetValue;
use num_bigint::BigUint;

use super::opaque::{self, wrap};
use crate::native::{Call, NativeClass, NativeMethod, exactly, refused};
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
        None => {
            let other = call.required(0);
            let shown = match other {
                Value::Nil | Value::Bool(_) | Value::Integer(_) | Value::Float(_) => vm.inspect(other)?,
                _ => vm.class_of(other).display_name(),
            };
            vm.argument_error(format!("comparison of SemanticPuppet::Version with {shown} failed"))
        }
    }
}

fn includes(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match version_of(call.required(0)) {
        Some(version) => Ok(Value::Bool(range(call)?.includes(&version))),
        None => unsupported("whether a range of versions includes another value"),
    }
}

static VERSION_METHODS: [NativeMethod; 15] = [
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
    refused("between?"),
    refused("clamp"),
    refused("next"),
    refused("to_stable"),
];

/// `SemanticPuppet::Version`
pub(crate) static VERSION: NativeClass = NativeClass {
    name: "SemanticPuppet::Version",
    superclass: Some("Object"),
    includes: &["Comparable"],
    methods: &[&opaque::COMMON, &VERSION_METHODS],
    singleton_methods: &[&[
        exactly("parse", 1, |vm, call| {
            let text = text(vm, call)?;
            match SemVer::parse(&text) {
                Ok(it) => Ok(wrap(vm, PuppetValue::SemVer(Arc::new(it)))),
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
