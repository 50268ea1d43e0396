//! Workflow commands of GitHub Actions, which become annotations of the changed lines.

use std::io;
use std::sync::Arc;

use crate::sources::positions;
use crate::{Diagnostic, Level, Sources, printable};

pub(super) fn write(
    diagnostics: &[Arc<Diagnostic>],
    sources: &dyn Sources,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    for diagnostic in diagnostics {
        let command = if diagnostic.level == Level::Error { "error" } else { "warning" };
        let (start, end) = positions(sources, diagnostic.file, diagnostic.range);
        let path = property(sources.path(diagnostic.file));
        let path = printable::colored(&path);
        write!(out, "::{command} title=marotte ({}),file={path}", diagnostic.rule)?;
        write!(out, ",line={},endLine={}", start.line, end.line)?;
        // The runner rejects columns of a range that spans several lines.
        if start.line == end.line {
            write!(out, ",col={},endColumn={}", start.column, end.column)?;
        }
        let path = sources.path(diagnostic.file);
        let text = format!("{path}:{}:{}: {}", start.line, start.column, diagnostic.text());
        writeln!(out, "::{}", printable::colored(&data(&text)))?;
    }
    Ok(())
}

/// Escapes the characters that would end the command.
fn data(text: &str) -> String {
    escape(text, &[])
}

/// Escapes the characters that would end a property.
fn property(text: &str) -> String {
    escape(text, &[':', ','])
}

/// The runner decodes only the escapes of `%`, line ends, and in properties `:` and `,`; other control characters become
/// visible symbols.
fn escape(text: &str, more: &[char]) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '%' | '\r' | '\n' => out.push_str(&format!("%{:02X}", u32::from(character))),
            _ if more.contains(&character) => out.push_str(&format!("%{:02X}", u32::from(character))),
            _ => match printable::substitute(character) {
                Some(shown) => out.push_str(&shown),
                None => out.push(character),
            },
        }
    }
    out
}
