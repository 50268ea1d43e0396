//! `scanf`: reads values from a text with a format (E26), like Ruby's library of that name.
//!
//! A format is a list of steps (`format`). Each one consumes its match at the start of the text; the first that doesn't
//! match ends the scan, and the result is the values read so far. Ruby builds a regular expression for every step, and
//! some of their quirks are visible to programs: `%i` doesn't match a lone `0`, `%f` leaves the exponent of `1e5`.

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

/// The maximum width of a conversion, in characters; equal to Ruby's.
pub const WIDTH_LIMIT: usize = 100_000;
/// The maximum number of digits of an integer.
pub const DIGIT_LIMIT: usize = 100_000;

/// Returns the values that a format finds in a text, up to the first step that doesn't match (E26).
///
/// # Errors
/// If a reached step has an invalid width or set of characters, or if a number is too long.
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

/// Returns the number of bytes that a step consumes at the start of a text; together they form one value.
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
            // With a width, any nonblank characters are consumed once the text starts with a float.
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

/// Returns the length of at least one and at most `most` characters.
fn characters(text: &str, most: usize, is_wanted: impl Fn(char) -> bool) -> Option<usize> {
    let taken = text.chars().take(most).take_while(|it| is_wanted(*it));
    let length = taken.map(char::len_utf8).sum();
    (length > 0).then_some(length)
}

/// Whether a character is a separator: ASCII only.
fn is_blank(it: char) -> bool {
    matches!(it, ' ' | '\t'..='\r')
}
