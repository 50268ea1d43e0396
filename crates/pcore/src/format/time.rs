//! Timestamps, timespans and versions: their text, or the seconds as a number. Other texts are produced by `strftime`.

use super::directive::Directive;
use super::sprintf::convert;
use super::{FormatError, string};
use crate::dialect::{Texts, TimeText};
use crate::time::{LocalOffset, Timespan, Timestamp};
use crate::value::Value;

const SHORT_TIMESPAN: &str = "%D-%H:%M:%S";
const SHORT_TIMESTAMP: &str = "%FT%T.%L %Z";

/// Formats a `Timespan`, a `Timestamp`, a `SemVer` or a `SemVerRange` for `String.new`.
pub(super) fn format(
    out: &mut String,
    value: &Value,
    directive: &Directive,
    texts: &Texts,
) -> Result<(), FormatError> {
    if texts.times == TimeText::Exact || !matches!(directive.letter, 's' | 'p') {
        return convert(out, &directive.text, value);
    }
    let text = match value {
        Value::Timespan(it) => Timespan::format(*it, texts, SHORT_TIMESPAN)?,
        Value::Timestamp(it) => Timestamp::format(*it, SHORT_TIMESTAMP, None, LocalOffset::UTC)?,
        Value::SemVer(it) => it.to_string(),
        Value::SemVerRange(it) => it.to_string(),
        _ => return convert(out, &directive.text, value),
    };
    let text = if directive.letter == 'p' { format!("{}('{text}')", value.kind_name()) } else { text };
    convert(out, &directive.with_letter('s'), &string::value(&text))
}
