//! `SemVer` and `SemVerRange` (D73).

use std::sync::Arc;

use num_bigint::BigUint;

use super::NewError;
use crate::dialect::Dialect;
use crate::semver::{SemVer, SemVerError, SemVerRange};
use crate::value::Value;

/// Creates a version from a text, from its parts, or from a hash of its parts.
pub(super) fn sem_ver(dialect: &Dialect, arguments: &[Value]) -> Result<Value, NewError> {
    if let [Value::String(text)] = arguments {
        return Ok(Value::SemVer(Arc::new(SemVer::parse(text)?)));
    }
    let part = |index: usize, name| match arguments {
        [Value::Hash(named)] => named.get_str(name),
        _ => arguments.get(index),
    };
    let number = |index, name| match part(index, name) {
        Some(Value::Integer(number)) => BigUint::try_from(number.to_big()).unwrap_or_default(),
        _ => BigUint::default(),
    };
    let text = |index, name| part(index, name).and_then(Value::as_str);
    let (prerelease, build) = (text(3, "prerelease"), text(4, "build"));
    let version = SemVer::new(number(0, "major"), number(1, "minor"), number(2, "patch"), prerelease, build);
    let version =
        version.ok_or_else(|| SemVerError::Version(prerelease.or(build).unwrap_or_default().into()))?;
    let version = if dialect.prerelease_has_segments { version.with_segments()? } else { version };
    Ok(Value::SemVer(Arc::new(version)))
}

/// Creates a version range from a text, from its bounds, or from a hash of them; `default` means no bound.
pub(super) fn sem_ver_range(dialect: &Dialect, arguments: &[Value]) -> Result<Value, NewError> {
    if let [Value::String(text)] = arguments {
        if text.contains("||") && !dialect.version_ranges_have_alternatives {
            return Err(SemVerError::Range(text.to_string()).into());
        }
        return Ok(Value::SemVerRange(Arc::new(SemVerRange::parse(text)?)));
    }
    let part = |index: usize, name| match arguments {
        [Value::Hash(named)] => named.get_str(name),
        _ => arguments.get(index),
    };
    let bound = |index, name| match part(index, name) {
        Some(Value::SemVer(version)) => Some(SemVer::clone(version)),
        _ => None,
    };
    let exclude_max = part(2, "exclude_max") == Some(&Value::Boolean(true));
    let range = SemVerRange::between(bound(0, "min"), bound(1, "max"), exclude_max);
    Ok(Value::SemVerRange(Arc::new(range)))
}
