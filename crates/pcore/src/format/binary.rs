//! Binary values, as text or in the forms of base64 (D80).

use super::directive::Directive;
use super::inspect::quoted_bytes;
use super::sprintf::convert;
use super::{FormatError, string};
use crate::binary::Binary;

/// Formats a binary value for `String.new`.
pub(super) fn format(out: &mut String, value: &Binary, directive: &Directive) -> Result<(), FormatError> {
    let letter = if directive.alternative { 'p' } else { 's' };
    let text = match directive.letter {
        's' if directive.alternative => {
            // The text has quotes already.
            return convert(out, &directive.with_letter('s'), &string::value(&quoted_bytes(value.bytes())));
        }
        's' => match std::str::from_utf8(value.bytes()) {
            Ok(text) => text.to_owned(),
            Err(_) => {
                let high = value.bytes().iter().copied().find(|it| !it.is_ascii());
                return Err(FormatError::NotText(high.unwrap_or_default()));
            }
        },
        'p' => {
            out.push_str("Binary(\"");
            convert(out, &directive.with_letter('s'), &string::value(&value.to_base64()))?;
            out.push_str("\")");
            return Ok(());
        }
        'b' => value.to_base64_lines(),
        'B' => value.to_base64(),
        'u' => value.to_base64_urlsafe(),
        't' => "Binary".to_owned(),
        'T' => "BINARY".to_owned(),
        letter => return Err(FormatError::Letter { type_name: "Binary", letter, expected: "bButTsp" }),
    };
    convert(out, &directive.with_letter(letter), &string::value(&text))
}
