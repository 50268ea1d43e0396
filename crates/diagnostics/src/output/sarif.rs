//! SARIF 2.1.0, for code scanning services.

use std::io;
use std::sync::Arc;

use marotte_text::TextRange;
use serde_json::{Value, json};

use super::{fingerprints, json};
use crate::rules::{RULES, Rule};
use crate::sources::positions;
use crate::{Diagnostic, FileId, Fix, Level, Sources};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

pub(super) fn write(
    diagnostics: &[Arc<Diagnostic>],
    sources: &dyn Sources,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let rules: Vec<&Rule> = RULES
        .iter()
        .copied()
        .filter(|rule| diagnostics.iter().any(|diagnostic| diagnostic.rule == *rule))
        .collect();
    let results: Vec<Value> = diagnostics
        .iter()
        .zip(fingerprints(diagnostics, sources))
        .map(|(diagnostic, fingerprint)| result(diagnostic, &fingerprint, &rules, sources))
        .collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "marotte",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|rule| metadata(rule)).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    writeln!(out, "{}", json::printable(serde_json::to_string_pretty(&log)?))
}

fn metadata(rule: &Rule) -> Value {
    json!({
        "id": rule.name,
        "shortDescription": { "text": rule.summary },
        "help": { "text": rule.page, "markdown": rule.page },
        "defaultConfiguration": { "level": level(rule.level) },
    })
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Ignore => "none",
        Level::Warning => "warning",
        Level::Error => "error",
    }
}

fn result(diagnostic: &Diagnostic, fingerprint: &str, rules: &[&Rule], sources: &dyn Sources) -> Value {
    let mut result = json!({
        "ruleId": diagnostic.rule.name,
        "level": level(diagnostic.level),
        "message": { "text": diagnostic.text() },
        "locations": [{ "physicalLocation": location(diagnostic.file, diagnostic.range, sources) }],
        "partialFingerprints": { "marotte/v1": fingerprint },
    });
    if let Some(at) = rules.iter().position(|rule| *rule == diagnostic.rule) {
        result["ruleIndex"] = json!(at);
    }
    if !diagnostic.related.is_empty() {
        let related = diagnostic.related.iter().enumerate().map(|(at, other)| {
            json!({
                "id": at,
                "message": { "text": other.message },
                "physicalLocation": location(other.file, other.range, sources),
            })
        });
        result["relatedLocations"] = related.collect();
    }
    if let Some(fix) = &diagnostic.fix {
        result["fixes"] = json!([sarif_fix(fix, diagnostic.file, sources)]);
    }
    result
}

fn sarif_fix(fix: &Fix, file: FileId, sources: &dyn Sources) -> Value {
    let replacements = fix.edits.iter().map(|edit| {
        json!({
            "deletedRegion": region(file, edit.range, sources),
            "insertedContent": { "text": edit.text },
        })
    });
    json!({
        "description": { "text": fix.title },
        "artifactChanges": [{
            "artifactLocation": { "uri": uri(sources.path(file)) },
            "replacements": replacements.collect::<Vec<_>>(),
        }],
    })
}

fn location(file: FileId, range: TextRange, sources: &dyn Sources) -> Value {
    json!({
        "artifactLocation": { "uri": uri(sources.path(file)) },
        "region": region(file, range, sources),
    })
}

fn region(file: FileId, range: TextRange, sources: &dyn Sources) -> Value {
    let (start, end) = positions(sources, file, range);
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    })
}

/// A path as a URI reference: absolute paths get a scheme, and special characters are percent-encoded.
fn uri(path: &str) -> String {
    let mut out = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte))
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
