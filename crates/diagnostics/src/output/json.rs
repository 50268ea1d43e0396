//! The JSON format: one array of objects. Lines and columns count from 1, columns in characters; ends are exclusive.

use std::io;
use std::sync::Arc;

use marotte_text::TextRange;
use serde::Serialize;

use crate::sources::positions;
use crate::{Diagnostic, FileId, Fix, Sources};

pub(super) fn write(
    diagnostics: &[Arc<Diagnostic>],
    sources: &dyn Sources,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    out.write_all(b"[")?;
    for (at, diagnostic) in diagnostics.iter().enumerate() {
        out.write_all(if at == 0 { b"\n  " } else { b",\n  " })?;
        out.write_all(object(diagnostic, sources)?.as_bytes())?;
    }
    out.write_all(if diagnostics.is_empty() { b"]\n" } else { b"\n]\n" })
}

/// Formats a finding as an object on one line.
pub(super) fn object(diagnostic: &Diagnostic, sources: &dyn Sources) -> io::Result<String> {
    Ok(printable(serde_json::to_string(&Object::new(diagnostic, sources))?))
}

/// Escapes the control characters that JSON allows in strings; they cannot occur outside of strings.
pub(super) fn printable(json: String) -> String {
    if json.chars().all(|character| !hidden(character)) {
        return json;
    }
    let mut out = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        if hidden(character) {
            out.push_str(&format!("\\u{:04x}", u32::from(character)));
        } else {
            out.push(character);
        }
    }
    out
}

fn hidden(character: char) -> bool {
    character.is_control() && !matches!(character, '\n' | '\t')
}

#[derive(Serialize)]
struct Object<'a> {
    rule: &'a str,
    level: &'a str,
    message: &'a str,
    label: Option<&'a str>,
    notes: &'a [String],
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    related: Vec<Related<'a>>,
    fix: Option<JsonFix<'a>>,
}

#[derive(Serialize)]
struct Related<'a> {
    message: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct JsonFix<'a> {
    safe: bool,
    edits: Vec<Edit<'a>>,
}

#[derive(Serialize)]
struct Edit<'a> {
    start: Place,
    end: Place,
    text: &'a str,
}

#[derive(Serialize)]
struct Place {
    line: u32,
    column: u32,
}

impl<'a> Object<'a> {
    fn new(diagnostic: &'a Diagnostic, sources: &'a dyn Sources) -> Self {
        let (start, end) = positions(sources, diagnostic.file, diagnostic.range);
        let related = diagnostic.related.iter().map(|other| {
            let (start, _) = positions(sources, other.file, other.range);
            let file = sources.path(other.file);
            Related { message: &other.message, file, line: start.line, column: start.column }
        });
        Object {
            rule: diagnostic.rule.name,
            level: diagnostic.level.name(),
            message: &diagnostic.message,
            label: diagnostic.label.as_deref(),
            notes: &diagnostic.notes,
            file: sources.path(diagnostic.file),
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            related: related.collect(),
            fix: diagnostic.fix.as_ref().map(|fix| JsonFix::new(fix, diagnostic.file, sources)),
        }
    }
}

impl<'a> JsonFix<'a> {
    fn new(fix: &'a Fix, file: FileId, sources: &dyn Sources) -> Self {
        let places = |range: TextRange| {
            let (start, end) = positions(sources, file, range);
            let place =
                |position: marotte_text::Position| Place { line: position.line, column: position.column };
            (place(start), place(end))
        };
        let edits = fix.edits.iter().map(|edit| {
            let (start, end) = places(edit.range);
            Edit { start, end, text: &edit.text }
        });
        JsonFix { safe: fix.safe, edits: edits.collect() }
    }
}
