//! Values as YAML, formatted like the output of the reference's platform.

use marotte_pcore::dialect::Dialect;
use marotte_pcore::format::plain_text;
use marotte_pcore::print::float_text;
use marotte_pcore::value::Value;

use super::scalar::{Scalar, resolve};

/// Writes a value as a document. Values that YAML can't represent are written as texts, which the dialect determines.
pub fn write_yaml(dialect: &Dialect, value: &Value) -> String {
    let mut out = "---".to_owned();
    match value {
        Value::Hash(hash) if !hash.is_empty() => {
            out.push('\n');
            block(dialect, &mut out, value, 0);
        }
        Value::Array(elements) if !elements.is_empty() => {
            out.push('\n');
            block(dialect, &mut out, value, 0);
        }
        other => {
            inline(dialect, &mut out, other, 0);
            out.push('\n');
        }
    }
    out
}

/// Writes the lines of a nonempty collection.
fn block(dialect: &Dialect, out: &mut String, value: &Value, indent: usize) {
    let blanks = " ".repeat(indent);
    match value {
        Value::Hash(hash) => {
            for (key, value) in hash.iter() {
                out.push_str(&blanks);
                out.push_str(scalar(dialect, key, indent).trim_start());
                out.push(':');
                // Elements of an array are indented like the key itself.
                let below = if matches!(value, Value::Array(_)) { indent } else { indent + 2 };
                nested(dialect, out, value, below);
            }
        }
        Value::Array(elements) => {
            for value in elements.iter() {
                out.push_str(&blanks);
                out.push('-');
                if is_block(value) {
                    let mut inner = String::new();
                    block(dialect, &mut inner, value, indent + 2);
                    out.push(' ');
                    out.push_str(inner.trim_start());
                } else {
                    nested(dialect, out, value, indent + 2);
                }
            }
        }
        _ => {}
    }
}

fn is_block(value: &Value) -> bool {
    match value {
        Value::Hash(hash) => !hash.is_empty(),
        Value::Array(elements) => !elements.is_empty(),
        _ => false,
    }
}

/// Writes the value after a key or a dash.
fn nested(dialect: &Dialect, out: &mut String, value: &Value, indent: usize) {
    if is_block(value) {
        out.push('\n');
        block(dialect, out, value, indent);
    } else {
        inline(dialect, out, value, indent);
        out.push('\n');
    }
}

fn inline(dialect: &Dialect, out: &mut String, value: &Value, indent: usize) {
    match value {
        Value::Undef => {}
        Value::Hash(_) => out.push_str(" {}"),
        Value::Array(_) => out.push_str(" []"),
        other => out.push_str(&scalar(dialect, other, indent)),
    }
}

/// Formats a value without parts, with a leading blank.
fn scalar(dialect: &Dialect, value: &Value, indent: usize) -> String {
    match value {
        Value::Undef => " ''".to_owned(),
        Value::Boolean(it) => format!(" {it}"),
        Value::Integer(it) => format!(" {it}"),
        Value::Float(it) if it.is_nan() => " .nan".to_owned(),
        Value::Float(it) if it.is_infinite() => (if *it > 0.0 { " .inf" } else { " -.inf" }).to_owned(),
        Value::Float(it) => format!(" {}", float_text(*it)),
        Value::String(it) => format!(" {}", text(it, indent)),
        other => format!(" {}", text(&plain_text(dialect, other).unwrap_or_default(), indent)),
    }
}

fn text(it: &str, indent: usize) -> String {
    if it.contains('\n') && !it.starts_with([' ', '\n']) && !it.chars().any(is_control) {
        let keep = match it.strip_suffix('\n') {
            None => "-",
            Some(rest) if rest.ends_with('\n') => "+",
            Some(_) => "",
        };
        let blanks = " ".repeat(indent.max(2));
        let lines = it.strip_suffix('\n').unwrap_or(it).split('\n');
        let lines: Vec<String> = lines
            .map(|line| if line.is_empty() { String::new() } else { format!("{blanks}{line}") })
            .collect();
        return format!("|{keep}\n{}", lines.join("\n"));
    }
    if it.contains('\n') || it.chars().any(is_control) {
        return double_quoted(it);
    }
    let is_text = matches!(resolve(it), Ok(Scalar::Value(Value::String(_))));
    let opens = it.starts_with([
        '!', '&', '*', '%', '@', '`', '{', '}', '[', ']', ',', '#', '|', '>', '\'', '"', ' ', ':',
    ]) || it.starts_with("- ")
        || it.starts_with("? ")
        || matches!(it, "" | "-" | "?" | "=" | "y" | "n" | "Y" | "N" | "<<" | "---" | "...");
    let inner = it.contains(": ") || it.contains(" #") || it.ends_with([' ', ':']);
    if is_text && !opens && !inner { it.to_owned() } else { format!("'{}'", it.replace('\'', "''")) }
}

fn is_control(it: char) -> bool {
    it.is_control() && it != '\n'
}

fn double_quoted(text: &str) -> String {
    let mut out = "\"".to_owned();
    for it in text.chars() {
        match it {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            it if it.is_control() => out.push_str(&format!("\\x{:02X}", u32::from(it))),
            it => out.push(it),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Permitted, parse_yaml};

    #[test]
    fn what_is_written_is_read_again() {
        let text = "a: [1, {b: [x, [y]]}, '1', 'true', 'a: b', '- x', '#', 'it''s', \"a\\nb\\n\", \"\\t\", '', ~, 1.5]\nd: {}\ne: []\n\"k: 1\": {f: {g: [h]}}\n";
        let value = parse_yaml(text, Permitted::DATA).unwrap().value;
        let written = write_yaml(Dialect::puppet8(), &value);
        let again =
            parse_yaml(&written, Permitted::DATA).unwrap_or_else(|error| panic!("{error}:\n{written}"));
        assert_eq!(again.value, value, "{written}");
    }
}
