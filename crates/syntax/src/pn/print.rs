//! The output formats of Puppet Notation.

use std::fmt::{self, Display, Write};

use marotte_text::float_text;

use super::Pn;

impl Display for Pn {
    /// Formats on one line.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(out, None)
    }
}

impl Pn {
    /// Formats with one line per element.
    pub fn pretty(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut out, Some(0));
        out
    }

    /// Formats as JSON on one line.
    pub fn json(&self) -> String {
        let mut out = String::new();
        self.write_json(&mut out, None);
        out
    }

    /// Formats as JSON with one line per element.
    pub fn json_pretty(&self) -> String {
        let mut out = String::new();
        self.write_json(&mut out, Some(0));
        out
    }

    fn write(&self, out: &mut dyn Write, indent: Option<usize>) -> fmt::Result {
        let inner = indent.map(|indent| indent + 1);
        match self {
            Pn::Call(name, elements) => {
                write!(out, "({name}")?;
                for element in elements {
                    separate(out, inner, true)?;
                    element.write(out, inner)?;
                }
                out.write_char(')')
            }
            Pn::List(elements) => {
                out.write_char('[')?;
                for (index, element) in elements.iter().enumerate() {
                    separate(out, inner, index > 0)?;
                    element.write(out, inner)?;
                }
                out.write_char(']')
            }
            Pn::Map(entries) => {
                out.write_char('{')?;
                for (index, (key, value)) in entries.iter().enumerate() {
                    separate(out, inner, index > 0)?;
                    write!(out, ":{key} ")?;
                    value.write(out, inner)?;
                }
                out.write_char('}')
            }
            Pn::Nil => out.write_str("nil"),
            Pn::Boolean(value) => write!(out, "{value}"),
            Pn::Integer(value) => write!(out, "{value}"),
            Pn::Float(value) => out.write_str(&float_text(*value)),
            Pn::String(text) => quote(out, text),
        }
    }

    fn write_json(&self, out: &mut String, indent: Option<usize>) {
        match self {
            Pn::Call(name, elements) => {
                let name = Pn::String((*name).into());
                wrap(out, "^", indent, std::iter::once(&name).chain(elements));
            }
            Pn::List(elements) => array(out, indent, elements.iter()),
            Pn::Map(entries) => {
                let keys: Vec<Pn> = entries.iter().map(|(key, _)| Pn::String(key.clone())).collect();
                wrap(out, "#", indent, keys.iter().zip(entries).flat_map(|(key, (_, value))| [key, value]));
            }
            Pn::Nil => out.push_str("null"),
            Pn::Boolean(value) => out.push_str(if *value { "true" } else { "false" }),
            Pn::Integer(value) => out.push_str(&value.to_string()),
            Pn::Float(value) => out.push_str(&float_text(*value)),
            Pn::String(text) => json_string(out, text),
        }
    }
}

fn separate(out: &mut dyn Write, indent: Option<usize>, blank: bool) -> fmt::Result {
    match indent {
        Some(depth) => write!(out, "\n{:1$}", "", depth * 2),
        None if blank => out.write_char(' '),
        None => Ok(()),
    }
}

fn quote(out: &mut dyn Write, text: &str) -> fmt::Result {
    out.write_char('"')?;
    for c in text.chars() {
        match c {
            '\t' => out.write_str("\\t")?,
            '\n' => out.write_str("\\n")?,
            '\r' => out.write_str("\\r")?,
            '"' => out.write_str("\\\"")?,
            '\\' => out.write_str("\\\\")?,
            c if c < ' ' => write!(out, "\\o{:03o}", u32::from(c))?,
            c => out.write_char(c)?,
        }
    }
    out.write_char('"')
}

/// Writes `{"key": [elements…]}`.
fn wrap<'a>(out: &mut String, key: &str, indent: Option<usize>, elements: impl Iterator<Item = &'a Pn>) {
    let inner = indent.map(|depth| depth + 1);
    out.push('{');
    line(out, inner);
    json_string(out, key);
    out.push_str(if indent.is_some() { ": " } else { ":" });
    array(out, inner, elements);
    line(out, indent);
    out.push('}');
}

fn array<'a>(out: &mut String, indent: Option<usize>, elements: impl Iterator<Item = &'a Pn>) {
    let inner = indent.map(|depth| depth + 1);
    let mut elements = elements.peekable();
    if elements.peek().is_none() {
        return out.push_str("[]");
    }
    out.push('[');
    while let Some(element) = elements.next() {
        line(out, inner);
        element.write_json(out, inner);
        if elements.peek().is_some() {
            out.push(',');
        }
    }
    line(out, indent);
    out.push(']');
}

fn line(out: &mut String, indent: Option<usize>) {
    if let Some(depth) = indent {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', depth * 2));
    }
}

fn json_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
