//! Arrays: delimiters, separators, and line breaks (D82).

use super::FormatError;
use super::selection::{Format, Formats};
use super::write::{Indentation, Writer};
use crate::value::Value;

/// Formats an array for `String.new`.
pub(super) fn write(
    writer: &Writer<'_>,
    out: &mut String,
    elements: &[Value],
    format: &Format,
    formats: &Formats,
    indentation: Indentation,
) -> Result<(), FormatError> {
    let directive = &format.directive;
    let letter = directive.letter;
    if !"asp".contains(letter) {
        return Err(FormatError::Letter { type_name: "Array", letter, expected: "asp" });
    }
    let indentation = indentation.indenting(directive);
    let (open, close) = directive.delimiters.unwrap_or(("[", "]"));
    let separator = format.separator.as_deref().unwrap_or(", ");
    let start = out.len();
    indentation.start(out);
    out.push_str(open);
    let inner = Indentation { first: false, ..indentation.deeper(directive.alternative) };
    let mut breaks = false;
    if let (true, Some(width)) = (directive.alternative, directive.width) {
        breaks = widest(writer, elements, format, formats, inner)? > width;
    }
    for (at, element) in elements.iter().enumerate() {
        if at == 0 {
            if breaks && !is_container(element) {
                out.push(' ');
            }
        } else {
            out.push_str(separator);
            let after_container = directive.alternative && is_container(&elements[at - 1]);
            if (breaks || after_container) && !is_container(element) {
                if !out[start..].ends_with('\n') {
                    strip(out, start);
                }
                out.push('\n');
                inner.pad(out);
            }
        }
        let before = out.len();
        writer.write_nested(out, element, format, formats, inner)?;
        if out[before..].starts_with('\n') && out[start..before].ends_with(' ') {
            // A line break removes the blank before it.
            let element = out.split_off(before);
            strip(out, start);
            out.push_str(&element);
        }
    }
    out.push_str(close);
    Ok(())
}

fn is_container(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Hash(_))
}

/// Returns the length in characters of the longest run of elements between containers.
fn widest(
    writer: &Writer<'_>,
    elements: &[Value],
    format: &Format,
    formats: &Formats,
    inner: Indentation,
) -> Result<u64, FormatError> {
    let (mut widest, mut run) = (0, 0_u64);
    let mut text = String::new();
    for element in elements {
        if is_container(element) {
            run = 0;
            continue;
        }
        text.clear();
        writer.write_nested(&mut text, element, format, formats, inner)?;
        run = run.saturating_add(u64::try_from(text.chars().count()).unwrap_or(u64::MAX));
        widest = widest.max(run);
    }
    Ok(widest)
}

/// Removes trailing blanks, but only after `start`.
pub(super) fn strip(out: &mut String, start: usize) {
    let kept = out[start..].trim_end_matches([' ', '\t', '\n', '\u{B}', '\u{C}', '\r', '\0']).len();
    out.truncate(start + kept);
}
