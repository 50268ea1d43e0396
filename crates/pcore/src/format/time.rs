//! Points in time and lengths of time: their default text, or the seconds as a number. Other texts are `strftime`'s.

use super::FormatError;
use super::directive::Directive;
use super::sprintf::convert;
use crate::value::Value;

/// Writes a `Timespan` or a `Timestamp` under `String.new`.
pub(super) fn format(out: &mut String, value: &Value, directive: &Directive) -> Result<(), FormatError> {
    convert(out, &directive.text, value)
}
