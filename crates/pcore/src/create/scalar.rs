//! Numbers, strings, patterns, versions, times, URIs.

use indexmap::IndexSet;

use super::CreateError;
use super::arguments::{class_name, range, size, type_name};
use super::error::label_with_article;
use crate::dialect::{Dialect, RangeDirection, SingleBound};
use crate::infer::merge_version_ranges;
use crate::new::{timespan_bound, timestamp_bound};
use crate::print::float_text;
use crate::regexp::Regexp;
use crate::semver::SemVerRange;
use crate::time::{Formats, LocalOffset, Timespan, Timestamp};
use crate::types::{EnumType, FloatRange, PatternType, StringType, Type, TypeKind, UriType};
use crate::uri::Uri;
use crate::value::Value;

pub(super) fn integer(dialect: &Dialect, arguments: &[Value]) -> Result<Type, CreateError> {
    const LABEL: &str = "Integer-Type";
    if !matches!(arguments.len(), 1 | 2) {
        return Err(CreateError::RangeArity { label: LABEL, actual: arguments.len() });
    }
    let bound = |it: &Value| match it {
        Value::Integer(number) => Ok(Some(number.clone())),
        Value::Default => Ok(None),
        _ => Err(CreateError::Bound { label: LABEL, actual: class_name(it) }),
    };
    let bounds = arguments.iter().map(bound).collect::<Result<Vec<_>, _>>()?;
    let range = match &bounds[..] {
        [one] if dialect.single_bound == SingleBound::Exact => range(dialect, one.clone(), one.clone())?,
        [from] => range(dialect, from.clone(), None)?,
        [from, to, ..] => range(dialect, from.clone(), to.clone())?,
        [] => range(dialect, None, None)?,
    };
    Ok(TypeKind::Integer(range).into())
}

pub(super) fn float(dialect: &Dialect, arguments: &[Value]) -> Result<Type, CreateError> {
    const LABEL: &str = "Float-Type";
    if !matches!(arguments.len(), 1 | 2) {
        return Err(CreateError::RangeArity { label: LABEL, actual: arguments.len() });
    }
    let bound = |it: &Value| match it {
        Value::Float(number) => Ok(Some(*number)),
        Value::Integer(number) => Ok(Some(number.to_f64())),
        Value::Default => Ok(None),
        _ => Err(CreateError::Bound { label: LABEL, actual: class_name(it) }),
    };
    let bounds = arguments.iter().map(bound).collect::<Result<Vec<_>, _>>()?;
    let (from, to) = match bounds[..] {
        [one] if dialect.single_bound == SingleBound::Exact => (one, one),
        [from] => (from, None),
        [from, to, ..] => (from, to),
        [] => (None, None),
    };
    let range = FloatRange { from: from.unwrap_or(f64::NEG_INFINITY), to: to.unwrap_or(f64::INFINITY) };
    match (range.from > range.to, dialect.range_direction) {
        (true, RangeDirection::Ascending) => {
            Err(CreateError::Descending { from: float_text(range.from), to: float_text(range.to) })
        }
        (true, RangeDirection::Either) => {
            Ok(TypeKind::Float(FloatRange { from: range.to, to: range.from }).into())
        }
        (false, _) => Ok(TypeKind::Float(range).into()),
    }
}

pub(super) fn string(dialect: &Dialect, arguments: &[Value]) -> Result<Type, CreateError> {
    match arguments {
        [_] | [_, _] => Ok(TypeKind::String(StringType::Sized(size(dialect, arguments)?)).into()),
        _ => Err(CreateError::StringArity { actual: arguments.len() }),
    }
}

pub(super) fn enumeration(it: &Type, mut arguments: Vec<Value>) -> Result<Type, CreateError> {
    let case_insensitive = match arguments.last() {
        Some(Value::Boolean(flag)) => {
            let flag = *flag;
            arguments.pop();
            flag
        }
        _ => false,
    };
    at_least_one(it, &arguments)?;
    let text = |argument: &Value| match argument {
        Value::String(text) => Ok(text.clone()),
        _ => Err(unexpected(it, argument, "String")),
    };
    let values = arguments.iter().map(text).collect::<Result<Vec<_>, _>>()?;
    Ok(TypeKind::Enum(EnumType::new(values, case_insensitive)).into())
}

pub(super) fn pattern(dialect: &Dialect, it: &Type, arguments: &[Value]) -> Result<Type, CreateError> {
    at_least_one(it, arguments)?;
    let mut patterns = IndexSet::new();
    for argument in arguments {
        match argument {
            Value::String(source) => {
                patterns.insert(Regexp::in_dialect(dialect, source)?);
            }
            Value::Regexp(regexp) => {
                patterns.insert(regexp.clone());
            }
            Value::Type(argument_type) => match argument_type.kind() {
                TypeKind::Pattern(other) => patterns.extend(other.patterns.iter().cloned()),
                TypeKind::Regexp(Some(regexp)) => {
                    patterns.insert(regexp.clone());
                }
                TypeKind::Regexp(None) => {
                    patterns.insert(Regexp::new("")?);
                }
                _ => return Err(unexpected(it, argument, PATTERNS)),
            },
            _ => return Err(unexpected(it, argument, PATTERNS)),
        }
    }
    Ok(TypeKind::Pattern(PatternType { patterns: patterns.into_iter().collect() }).into())
}

const PATTERNS: &str = "String or Regexp or Pattern-Type or Regexp-Type";

pub(super) fn regexp(dialect: &Dialect, it: &Type, arguments: &[Value]) -> Result<Type, CreateError> {
    let regexp = match arguments {
        [Value::String(source)] => Regexp::in_dialect(dialect, source)?,
        [Value::Regexp(regexp)] => regexp.clone(),
        [other] => return Err(unexpected(it, other, "String or Regexp")),
        _ => return Err(CreateError::arity(label_with_article(it), 1, None, arguments.len())),
    };
    Ok(TypeKind::Regexp(Some(regexp)).into())
}

pub(super) fn boolean(it: &Type, arguments: &[Value]) -> Result<Type, CreateError> {
    match arguments {
        [Value::Boolean(value)] => Ok(TypeKind::Boolean(Some(*value)).into()),
        [other] => Err(unexpected(it, other, "Boolean or Boolean")),
        _ => Err(CreateError::arity(label_with_article(it), 1, None, arguments.len())),
    }
}

pub(super) fn sem_ver(dialect: &Dialect, it: &Type, arguments: &[Value]) -> Result<Type, CreateError> {
    at_least_one(it, arguments)?;
    let range = |argument: &Value| match argument {
        Value::SemVerRange(range) => Ok((**range).clone()),
        Value::SemVer(version) if dialect.sem_ver_takes_versions => {
            Ok(SemVerRange::exactly((**version).clone()))
        }
        Value::String(text) => {
            SemVerRange::parse(text).map_err(|error| CreateError::Value(error.to_string()))
        }
        _ => Err(unexpected(it, argument, "String or SemVerRange")),
    };
    let ranges = arguments.iter().map(range).collect::<Result<Vec<_>, _>>()?;
    Ok(TypeKind::SemVer(merge_version_ranges(ranges).into()).into())
}

pub(super) fn timespan(dialect: &Dialect, it: &Type, arguments: &[Value]) -> Result<Type, CreateError> {
    let (from, to) = bounds(dialect, it, arguments, |value| match value {
        Value::Timespan(it) => Ok(*it),
        Value::String(text) => Timespan::parse(&dialect.texts, text, Formats::Default).map_err(unreadable),
        Value::Integer(seconds) => Timespan::from_seconds(small(seconds)?).map_err(unreadable),
        Value::Float(seconds) => Timespan::from_seconds(*seconds).map_err(unreadable),
        Value::Hash(named) => timespan_bound(dialect, named).map_err(unreadable),
        _ => Err(no_time("Timespan", value)),
    })?;
    Ok(TypeKind::Timespan(from, to).into())
}

pub(super) fn timestamp(dialect: &Dialect, it: &Type, arguments: &[Value]) -> Result<Type, CreateError> {
    let (from, to) = bounds(dialect, it, arguments, |value| match value {
        Value::Timestamp(it) => Ok(*it),
        Value::String(text) => {
            Timestamp::parse(&dialect.texts, text, Formats::Default, None, LocalOffset::default())
                .map_err(unreadable)
        }
        Value::Integer(seconds) => Timestamp::from_seconds(small(seconds)?).map_err(unreadable),
        Value::Float(seconds) => Timestamp::from_seconds(*seconds).map_err(unreadable),
        Value::Hash(named) => timestamp_bound(dialect, named).map_err(unreadable),
        _ => Err(no_time("Timestamp", value)),
    })?;
    Ok(TypeKind::Timestamp(from, to).into())
}

fn small(seconds: &crate::value::Integer) -> Result<i64, CreateError> {
    seconds.to_i64().ok_or_else(|| unreadable(crate::time::TimeError::Overflow))
}

fn unreadable(error: crate::time::TimeError) -> CreateError {
    CreateError::Value(error.to_string())
}

fn no_time(name: &str, value: &Value) -> CreateError {
    CreateError::Value(format!("Unable to create a {name} from a {}", value.kind_name()))
}

type Bounds<T> = (Option<T>, Option<T>);

fn bounds<T: PartialOrd + std::fmt::Display>(
    dialect: &Dialect,
    it: &Type,
    arguments: &[Value],
    read: impl Fn(&Value) -> Result<T, CreateError>,
) -> Result<Bounds<T>, CreateError> {
    if arguments.len() > 2 {
        return Err(CreateError::arity(label_with_article(it), 0, Some(2), arguments.len()));
    }
    let bound = |index: usize| match arguments.get(index) {
        None | Some(Value::Undef | Value::Default) => Ok(None),
        Some(value) => read(value).map(Some),
    };
    // As with integers, a single bound may be both ends.
    let bound = |index: usize| match (arguments.len(), dialect.single_bound) {
        (1, SingleBound::Exact) => bound(0),
        _ => bound(index),
    };
    match (bound(0)?, bound(1)?) {
        (Some(from), Some(to)) if from > to => {
            Err(CreateError::Descending { from: from.to_string(), to: to.to_string() })
        }
        bounds => Ok(bounds),
    }
}

pub(super) fn uri(dialect: &Dialect, arguments: &[Value]) -> Result<Type, CreateError> {
    const LABEL: &str = "URI-Type";
    let parts = match arguments {
        [Value::String(text)] if !text.is_empty() => {
            let uri = Uri::parse(text).map_err(|error| CreateError::Value(error.to_string()))?;
            UriType::of(dialect, &uri).parts
        }
        [Value::Uri(uri)] => UriType::of(dialect, uri).parts,
        [Value::Hash(hash)] => {
            let part = |(name, value): (&Value, &Value)| match name {
                Value::String(name) if is_part(dialect, name, value) => Ok((name.clone(), value.clone())),
                _ => Err(CreateError::NotAType { label: LABEL, actual: "Hash".to_owned() }),
            };
            hash.iter().map(part).collect::<Result<_, _>>()?
        }
        [other] => {
            return Err(CreateError::NotAType { label: LABEL, actual: other.kind_name().to_owned() });
        }
        _ => return Err(CreateError::arity(LABEL, 1, None, arguments.len())),
    };
    Ok(TypeKind::Uri(UriType { parts }).into())
}

/// Whether a value can be the constraint on a part of a URI (D43).
fn is_part(dialect: &Dialect, name: &str, value: &Value) -> bool {
    let names = ["scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque"];
    if !names.contains(&name) {
        return false;
    }
    let accepts = |kind: TypeKind, it: &Type| crate::relation::assignable(dialect, &kind.into(), it);
    let is_presence = |it: &Type| accepts(TypeKind::NotUndef(None), it) || accepts(TypeKind::Undef, it);
    match value {
        Value::Undef => true,
        Value::Integer(number) => name == "port" && *number >= 0.into(),
        Value::String(text) => name != "port" && !text.is_empty(),
        Value::Regexp(_) => name != "port",
        Value::Type(it) if name == "port" => is_presence(it),
        Value::Type(it) => {
            is_presence(it)
                || accepts(TypeKind::Pattern(PatternType::default()), it)
                || accepts(TypeKind::Enum(EnumType::default()), it)
        }
        _ => false,
    }
}

fn at_least_one(it: &Type, arguments: &[Value]) -> Result<(), CreateError> {
    if arguments.is_empty() {
        return Err(CreateError::arity(label_with_article(it), 1, Some(usize::MAX), 0));
    }
    Ok(())
}

fn unexpected(it: &Type, argument: &Value, expected: &'static str) -> CreateError {
    CreateError::Argument { it: it.clone(), actual: type_name(Dialect::puppet8(), argument), expected }
}
