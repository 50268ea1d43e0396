//! `true` and `false` (D80).

use super::FormatError;
use super::directive::Directive;
use super::sprintf::convert;
use super::string::pad;
use crate::value::Value;

/// Formats a boolean for `String.new`.
pub(super) fn format(out: &mut String, value: bool, directive: &Directive) -> Result<(), FormatError> {
    let word = |on: &'static str, off: &'static str| {
        let word = if value { on } else { off };
        // The alternative form is the first letter.
        if directive.alternative { &word[..1] } else { word }
    };
    match directive.letter {
        't' => pad(out, directive, word("true", "false")),
        'T' => pad(out, directive, word("True", "False")),
        'y' => pad(out, directive, word("yes", "no")),
        'Y' => pad(out, directive, word("Yes", "No")),
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' => convert(out, &directive.text, &i64::from(value).into()),
        'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => {
            convert(out, &directive.text, &Value::Float(f64::from(u8::from(value))))
        }
        's' | 'p' => pad(out, directive, if value { "true" } else { "false" }),
        letter => Err(FormatError::Letter { type_name: "Boolean", letter, expected: "tTyYdxXobBeEfgGaAsp" }),
    }
}
