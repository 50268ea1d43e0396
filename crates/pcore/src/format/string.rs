//! Strings: unchanged, quoted, with changed case, trimmed (D80, D83).

use super::FormatError;
use super::directive::Directive;
use super::sprintf::{Spec, convert};
use crate::print::{quote, quote_double};
use crate::value::Value;

/// Formats a string for `String.new`.
pub(super) fn format(out: &mut String, text: &str, directive: &Directive) -> Result<(), FormatError> {
    let changed = match directive.letter {
        's' if &*directive.text == "%s" => {
            out.push_str(text);
            return Ok(());
        }
        's' => return convert(out, &directive.text, &value(text)),
        'p' if directive.alternative => return pad(out, directive, &quote_double(text)),
        'p' => return pad(out, directive, &quote(text)),
        'c' => capitalize(text),
        'C' => capitalize_segments(text),
        'u' => text.chars().flat_map(char::to_uppercase).collect(),
        'd' => downcase(text),
        't' => text.trim_matches(BLANKS).to_owned(),
        letter => return Err(FormatError::Letter { type_name: "String", letter, expected: "cCudspt" }),
    };
    if directive.alternative {
        return pad(out, directive, &quote(&changed));
    }
    convert(out, &directive.with_letter('s'), &value(&changed))
}

/// The characters that Ruby's `strip` removes.
const BLANKS: [char; 7] = ['\0', '\t', '\n', '\u{B}', '\u{C}', '\r', ' '];

/// Converts a text to a value.
pub(super) fn value(text: &str) -> Value {
    Value::String(text.into())
}

/// Appends a text with the width and precision of a format.
pub(super) fn pad(out: &mut String, directive: &Directive, text: &str) -> Result<(), FormatError> {
    if directive.is_plain() {
        out.push_str(text);
        return Ok(());
    }
    let bounded = |number: Option<u64>, what| match number.map(u32::try_from) {
        None => Ok(None),
        Some(Ok(number)) if number <= super::WIDTH_LIMIT => Ok(Some(number)),
        Some(_) => Err(FormatError::TooWide(what)),
    };
    let width = bounded(directive.width, "width")?;
    let precision = bounded(directive.precision, "precision")?;
    Spec { minus: directive.left, width, precision, ..Spec::default() }.pad(out, text);
    Ok(())
}

/// Converts letter by letter, regardless of the surrounding letters.
fn downcase(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).collect()
}

fn capitalize(text: &str) -> String {
    let mut chars = text.chars();
    let mut capitalized = String::with_capacity(text.len());
    if let Some(first) = chars.next() {
        push_title(&mut capitalized, first);
    }
    capitalized.extend(chars.flat_map(char::to_lowercase));
    capitalized
}

/// Capitalizes each segment of a name; trailing empty ones are dropped.
fn capitalize_segments(text: &str) -> String {
    let mut segments: Vec<String> = text.split("::").map(capitalize).collect();
    while segments.last().is_some_and(String::is_empty) {
        segments.pop();
    }
    segments.join("::")
}

/// Appends the title case of a letter: its upper case; in digraphs, only the first part is upper case.
fn push_title(out: &mut String, it: char) {
    match it {
        'Ǆ'..='ǆ' => out.push('ǅ'),
        'Ǉ'..='ǉ' => out.push('ǈ'),
        'Ǌ'..='ǌ' => out.push('ǋ'),
        'Ǳ'..='ǳ' => out.push('ǲ'),
        // Georgian has upper case, but no title case.
        'ა'..='ჺ' | 'ჽ'..='ჿ' => out.push(it),
        _ => {
            let mut upper = it.to_uppercase();
            out.extend(upper.next());
            out.extend(upper.flat_map(char::to_lowercase));
        }
    }
}
