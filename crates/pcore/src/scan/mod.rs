//! `scanf`: values read from a text under a format (E26), as Ruby's library of that name reads them.
//!
//! A format is a list of steps (`format`). Each takes what it matches from the front of the text; the first that does not
//! match ends the scan, and what was read until then is the result. Ruby makes a regular expression of every step, and some
//! of what these do looks odd, but programs see it: `%i` does not take a lone `0`, `%f` leaves the exponent of `1e5`.

mod error;
mod float;
mod format;
mod integer;
mod set;
#[cfg(test)]
mod tests;

pub use error::ScanError;

use format::{Conversion, Step, steps};

use crate::value::Value;

/// The greatest width that a conversion may ask for, in characters; it is Ruby's.
pub const WIDTH_LIMIT: usize = 100_000;
/// The most digits that an integer may have.
pub const DIGIT_LIMIT: usize = 100_000;

/// The values that a format finds in a text, up to the first step that does not match (E26).
///
/// # Errors
/// If a step that is reached has a width that is none, or a set of characters that is none, or a number is too long.
pub fn scanf(text: &str, format: &str) -> Result<Vec<Value>, ScanError> {
    let mut values = Vec::new();
    let mut rest = text;
    for step in steps(format) {
        if !step.keeps_blanks() {
            rest = rest.trim_start_matches(is_blank);
        }
        let Some(length) = matched(&step, rest)? else { break };
        let (taken, after) = rest.split_at(length);
        if !step.is_suppressed {
            values.extend(value(step.conversion, taken)?);
        }
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    Ok(values)
}

/// How many bytes at the front of a text a step takes; all of them make one value.
fn matched(step: &Step<'_>, text: &str) -> Result<Option<usize>, ScanError> {
    let width = step.checked_width()?;
    Ok(match step.conversion {
        Conversion::Literal(literal) => text.starts_with(literal).then_some(literal.len()),
        Conversion::Integer(base) => integer::matched(text, base, width),
        Conversion::AnyInteger => match width {
            None => integer::matched_any(text),
            Some(width) => integer::matched_any_within(text, width),
        },
        Conversion::Float => float::matched(text).and_then(|length| match width {
            // A width takes whatever stands there, once a float begins it.
            Some(width) => characters(text, width, |it| !is_blank(it)),
            None => Some(length),
        }),
        Conversion::Word => characters(text, width.unwrap_or(usize::MAX), |it| !is_blank(it)),
        Conversion::Characters => characters(text, width.unwrap_or(1), |_| true),
        Conversion::Set(set) => set::matched(text, set, width)?,
    })
}

fn value(conversion: Conversion<'_>, taken: &str) -> Result<Option<Value>, ScanError> {
    Ok(Some(match conversion {
        Conversion::Literal(_) => return Ok(None),
        Conversion::Integer(base) => Value::Integer(integer::value(taken, base)?),
        Conversion::AnyInteger => Value::Integer(integer::value_of_any(taken)?),
        Conversion::Float => Value::Float(float::value(taken)),
        Conversion::Word | Conversion::Characters | Conversion::Set(_) => Value::String(taken.into()),
    }))
}

/// The length of at least one and at most `most` characters.
fn characters(text: &str, most: usize, is_wanted: impl Fn(char) -> bool) -> Option<usize> {
    let taken = text.chars().take(most).take_while(|it| is_wanted(*it));
    let length = taken.map(char::len_utf8).sum();
    (length > 0).then_some(length)
}

/// What separates: ASCII only.
fn is_blank(it: char) -> bool {
    matches!(it, ' ' | '\t'..='\r')
}
