//! `max`, `min`: the greatest and the least of several values.

use std::cmp::Ordering;

use marotte_diagnostics::issues;
use marotte_pcore::format::plain_text;
use marotte_pcore::value::Value;

use super::{Body, Builtin, Call, Overload};
use crate::interpreter::Evaluated;

/// `max`.
pub(super) static MAX: Builtin = Builtin {
    name: "max",
    doc: "The greatest of its arguments, or of the elements of its only argument: `max(1, 3, 2)` is `3`.\n\n\
          Numbers, strings, versions and times are compared with their own kind. A lambda takes two values and returns a number, \
          which is negative if the first is less. Values of different kinds are compared as text, and strings that look like \
          numbers are compared as numbers; both are deprecated and cause a warning.",
    overloads: &[
        kind("Numeric *$values", max_natural),
        kind("String *$values", max_text),
        kind("SemVer *$values", max_natural),
        kind("Timespan *$values", max_natural),
        kind("Timestamp *$values", max_natural),
        array("Array[Numeric] $values", max_natural),
        array("Array[String] $values", max_text),
        array("Array[SemVer] $values", max_natural),
        array("Array[Timespan] $values", max_natural),
        array("Array[Timestamp] $values", max_natural),
        array("Array $values", max_any),
        Overload {
            parameters: "Any *$values",
            block: Some("Callable[2, 2]"),
            returns: None,
            body: Body::Run(max_natural),
        },
        kind("Any *$values", max_any),
    ],
    ..Builtin::base()
};

/// `min`.
pub(super) static MIN: Builtin = Builtin {
    name: "min",
    doc: "The least of its arguments, or of the elements of its only argument: `min(1, 3, 2)` is `1`.\n\n\
          It compares as `max` does.",
    overloads: &[
        kind("Numeric *$values", min_natural),
        kind("String *$values", min_text),
        kind("SemVer *$values", min_natural),
        kind("Timespan *$values", min_natural),
        kind("Timestamp *$values", min_natural),
        array("Array[Numeric] $values", min_natural),
        array("Array[SemVer] $values", min_natural),
        array("Array[Timespan] $values", min_natural),
        array("Array[Timestamp] $values", min_natural),
        array("Array[String] $values", min_text),
        array("Array $values", min_any),
        Overload {
            parameters: "Any *$values",
            block: Some("Callable[2, 2]"),
            returns: None,
            body: Body::Run(min_natural),
        },
        kind("Any *$values", min_any),
    ],
    ..Builtin::base()
};

type Run = for<'c> fn(&mut Call<'c, '_, '_>) -> Evaluated;

const fn kind(parameters: &'static str, run: Run) -> Overload {
    Overload { parameters, block: None, returns: None, body: Body::Run(run) }
}

const fn array(parameters: &'static str, run: Run) -> Overload {
    Overload { parameters, block: Some("Optional[Callable[2, 2]]"), returns: None, body: Body::Run(run) }
}

/// The way in which values are compared.
#[derive(Clone, Copy)]
enum By {
    /// Values are ordered by their type.
    Kind,
    /// Values are compared as strings, or as numbers if they look like numbers.
    Text,
    /// Values of any type are converted to strings and compared as such.
    AnyText,
}

fn max_natural(call: &mut Call<'_, '_, '_>) -> Evaluated {
    extreme(call, Ordering::Greater, By::Kind)
}

fn max_text(call: &mut Call<'_, '_, '_>) -> Evaluated {
    extreme(call, Ordering::Greater, By::Text)
}

fn max_any(call: &mut Call<'_, '_, '_>) -> Evaluated {
    extreme(call, Ordering::Greater, By::AnyText)
}

fn min_natural(call: &mut Call<'_, '_, '_>) -> Evaluated {
    extreme(call, Ordering::Less, By::Kind)
}

fn min_text(call: &mut Call<'_, '_, '_>) -> Evaluated {
    extreme(call, Ordering::Less, By::Text)
}

fn min_any(call: &mut Call<'_, '_, '_>) -> Evaluated {
    extreme(call, Ordering::Less, By::AnyText)
}

/// Returns the first extreme value.
fn extreme(call: &mut Call<'_, '_, '_>, wanted: Ordering, by: By) -> Evaluated {
    let arguments = std::mem::take(&mut call.arguments);
    let values = match &arguments[..] {
        [Value::Array(elements)] => elements,
        arguments => arguments,
    };
    let name = if wanted == Ordering::Greater { "max" } else { "min" };
    let Some((first, others)) = values.split_first() else {
        if call.block.is_some() {
            return Ok(Value::Undef);
        }
        return call.fail(format!("{name}(): Wrong number of arguments need at least one"));
    };
    let mut found = first;
    for value in others {
        let ordering = match by {
            _ if call.block.is_some() => call.order(value, found)?,
            By::Kind => call.order(value, found)?,
            By::Text | By::AnyText => by_text(call, name, value, found, by)?,
        };
        if ordering == wanted {
            found = value;
        }
    }
    Ok(found.clone())
}

fn by_text(
    call: &mut Call<'_, '_, '_>,
    name: &str,
    left: &Value,
    right: &Value,
    by: By,
) -> Evaluated<Ordering> {
    let is_max = name == "max";
    let dialect = call.dialect();
    let texts = plain_text(dialect, left).and_then(|left| Ok((left, plain_text(dialect, right)?)));
    let (left, right) = match texts {
        Ok(texts) => texts,
        Err(error) => return call.fail(error.to_string()),
    };
    if let (Some(left), Some(right)) = (number(&left), number(&right)) {
        let issue = if is_max {
            issues::MAX_FUNCTION_NUMERIC_COERCE_STRING
        } else {
            issues::MIN_FUNCTION_NUMERIC_COERCE_STRING
        };
        let message = format!(
            "The {name}() function's auto conversion of String to Numeric is deprecated - change to convert input before \
             calling, or use lambda"
        );
        call.deprecated(issue, &message);
        return Ok(left.partial_cmp(&right).unwrap_or(Ordering::Equal));
    }
    if matches!(by, By::AnyText) {
        let issue = if is_max {
            issues::MAX_FUNCTION_STRING_COERCE_ANY
        } else {
            issues::MIN_FUNCTION_STRING_COERCE_ANY
        };
        let message = format!(
            "The {name}() function's auto conversion of Any to String is deprecated - change to convert input before \
             calling, or use lambda"
        );
        call.deprecated(issue, &message);
    }
    Ok(left.cmp(&right))
}

/// Parses a string that looks like a number: digits, with an optional sign and one of `.`, `_`, `e` among them.
fn number(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let mut parts = digits.split(['.', '_', 'e', 'E']);
    let are_digits = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    let (first, second, third) = (parts.next()?, parts.next(), parts.next());
    if !are_digits(first) || !second.is_none_or(are_digits) || third.is_some() {
        return None;
    }
    text.replace('_', "").parse().ok()
}
