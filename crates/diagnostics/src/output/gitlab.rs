//! A GitLab code quality report: the subset of Code Climate's format that GitLab reads.

use std::io;
use std::sync::Arc;

use serde_json::json;

use super::{fingerprints, json};
use crate::sources::positions;
use crate::{Diagnostic, Level, Sources};

pub(super) fn write(
    diagnostics: &[Arc<Diagnostic>],
    sources: &dyn Sources,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let issues: Vec<_> = diagnostics
        .iter()
        .zip(fingerprints(diagnostics, sources))
        .map(|(diagnostic, fingerprint)| {
            let (start, end) = positions(sources, diagnostic.file, diagnostic.range);
            json!({
                // One line is shown, so that the details are a part of it.
                "description": diagnostic.text().replace('\n', "; "),
                "check_name": diagnostic.rule.name,
                "fingerprint": fingerprint,
                "severity": if diagnostic.level == Level::Error { "major" } else { "minor" },
                "location": {
                    "path": sources.path(diagnostic.file),
                    "positions": {
                        "begin": { "line": start.line, "column": start.column },
                        "end": { "line": end.line, "column": end.column },
                    },
                },
            })
        })
        .collect();
    writeln!(out, "{}", json::printable(serde_json::to_string_pretty(&issues)?))
}
