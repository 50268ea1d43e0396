//! `undef`, which isn't a number in any base, and `default` (D80).

use super::FormatError;
use super::directive::Directive;
use super::string::pad;

/// Formats `undef` for `String.new`.
pub(super) fn format(out: &mut String, directive: &Directive) -> Result<(), FormatError> {
    let alternative = directive.alternative;
    let text = match directive.letter {
        'n' if alternative => "null",
        'n' => "nil",
        'u' if alternative => "undefined",
        'u' | 'p' if !alternative => "undef",
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' | 'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => "NaN",
        'v' => "n/a",
        'V' => "N/A",
        's' if alternative => "\"\"",
        's' => "",
        'p' => "\"undef\"",
        letter => {
            return Err(FormatError::Letter { type_name: "Undef", letter, expected: "nudxXobBeEfgGaAvVsp" });
        }
    };
    pad(out, directive, text)
}

/// Formats `default` for `String.new`.
pub(super) fn format_default(out: &mut String, directive: &Directive) -> Result<(), FormatError> {
    let text = match (directive.letter, directive.alternative) {
        ('d' | 's' | 'p', false) => "default",
        ('d' | 's' | 'p', true) => "\"default\"",
        ('D', false) => "Default",
        ('D', true) => "\"Default\"",
        (letter, _) => {
            return Err(FormatError::Letter { type_name: "Default", letter, expected: "dDsp" });
        }
    };
    pad(out, directive, text)
}
