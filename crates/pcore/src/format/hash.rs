//! Hashes: delimiters, separators, and one line for each entry (D82).

use super::FormatError;
use super::selection::{Format, Formats};
use super::write::{Indentation, Writer};
use crate::value::{Hash, Value};

/// Formats a hash for `String.new`.
pub(super) fn write(
    writer: &Writer<'_>,
    out: &mut String,
    hash: &Hash,
    format: &Format,
    formats: &Formats,
    indentation: Indentation,
) -> Result<(), FormatError> {
    let directive = &format.directive;
    match directive.letter {
        'h' | 's' | 'p' => {}
        'a' => {
            let pair = |(key, value): (&Value, &Value)| Value::Array([key.clone(), value.clone()].into());
            let pairs = Value::Array(hash.iter().map(pair).collect());
            return writer.write(out, &pairs, formats, indentation);
        }
        letter => return Err(FormatError::Letter { type_name: "Hash", letter, expected: "hasp" }),
    }
    let indentation = indentation.indenting(directive);
    let (open, close) = directive.delimiters.unwrap_or(("{", "}"));
    let separator = format.separator.as_deref().unwrap_or(", ");
    let association = format.separator2.as_deref().unwrap_or(" => ");
    let inner = indentation.deeper(false);
    indentation.start(out);
    out.push_str(open);
    if directive.alternative {
        out.push('\n');
    }
    for (at, (key, value)) in hash.iter().enumerate() {
        if at > 0 && directive.alternative {
            if separator.ends_with('\n') {
                out.push_str(separator);
            } else {
                out.push_str(separator.trim_end_matches([' ', '\t', '\u{B}', '\u{C}', '\r', '\0', '\n']));
            }
            out.push('\n');
        } else if at > 0 {
            out.push_str(separator);
        }
        if directive.alternative {
            inner.pad(out);
        }
        writer.write_nested(out, key, format, formats, inner)?;
        out.push_str(association);
        writer.write_nested(out, value, format, formats, inner)?;
    }
    if directive.alternative {
        out.push('\n');
        indentation.pad(out);
    }
    out.push_str(close);
    Ok(())
}
