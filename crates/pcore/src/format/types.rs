//! Types, regular expressions and URIs (D80).

use super::directive::Directive;
use super::inspect::type_text;
use super::sprintf::convert;
use super::{FormatError, string};
use crate::dialect::{Dialect, Texts};
use crate::print::{literal, quote};
use crate::regexp::Regexp;
use crate::types::Type;
use crate::uri::Uri;
use crate::value::Value;

/// Formats a type for `String.new`.
pub(super) fn format(
    out: &mut String,
    it: &Type,
    directive: &Directive,
    dialect: &Dialect,
) -> Result<(), FormatError> {
    let text = match directive.letter {
        's' if directive.alternative => format!("\"{}\"", type_text(dialect, it)),
        's' | 'p' => type_text(dialect, it),
        letter => return Err(FormatError::Letter { type_name: "Type", letter, expected: "sp" }),
    };
    convert(out, &directive.with_letter('s'), &string::value(&text))
}

/// Formats a regular expression for `String.new`: `%p` between slashes, `%s` without, unless the dialect adds them (X82).
pub(super) fn format_regexp(
    out: &mut String,
    regexp: &Regexp,
    directive: &Directive,
    texts: &Texts,
) -> Result<(), FormatError> {
    let text = match directive.letter {
        'p' => literal(&Value::Regexp(regexp.clone())),
        's' if directive.alternative => quote(regexp.source()),
        's' if texts.slashes_around_regexps => regexp.to_string(),
        's' => regexp.source().to_owned(),
        letter => return Err(FormatError::Letter { type_name: "Regexp", letter, expected: "sp" }),
    };
    convert(out, &directive.with_letter('s'), &string::value(&text))
}

/// Formats a URI for `String.new`.
pub(super) fn format_uri(out: &mut String, uri: &Uri, directive: &Directive) -> Result<(), FormatError> {
    let text = uri.to_string();
    match directive.letter {
        // Width and precision are ignored here.
        'p' => {
            out.push_str("URI(");
            out.push_str(&quote(&text));
            out.push(')');
            Ok(())
        }
        's' if directive.alternative => convert(out, &directive.text, &string::value(&quote(&text))),
        's' => convert(out, &directive.text, &string::value(&text)),
        letter => Err(FormatError::Letter { type_name: "URI", letter, expected: "sp" }),
    }
}
