//! JUnit XML: a suite per file, a failed case per finding.

use std::io;
use std::sync::Arc;

use crate::sources::positions;
use crate::{Diagnostic, Sources, printable};

pub(super) fn write(
    diagnostics: &[Arc<Diagnostic>],
    sources: &dyn Sources,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    if diagnostics.is_empty() {
        // Servers treat a report without cases as a failed run.
        writeln!(out, r#"<testsuites name="marotte" tests="1" failures="0" errors="0">"#)?;
        writeln!(out, r#"  <testsuite name="marotte" tests="1" failures="0" errors="0">"#)?;
        writeln!(out, r#"    <testcase name="no findings" classname="marotte"/>"#)?;
        writeln!(out, "  </testsuite>")?;
        return writeln!(out, "</testsuites>");
    }
    let count = diagnostics.len();
    writeln!(out, r#"<testsuites name="marotte" tests="{count}" failures="{count}" errors="0">"#)?;
    for of_file in diagnostics.chunk_by(|a, b| a.file == b.file) {
        let count = of_file.len();
        let path = escape(sources.path(of_file[0].file));
        writeln!(out, r#"  <testsuite name="{path}" tests="{count}" failures="{count}" errors="0">"#)?;
        for diagnostic in of_file {
            let (start, _) = positions(sources, diagnostic.file, diagnostic.range);
            let (line, column) = (start.line, start.column);
            let (rule, level) = (diagnostic.rule, diagnostic.level);
            let message = escape(&diagnostic.message);
            let details: String = diagnostic.details().map(|it| format!("\n{}", escape(it))).collect();
            writeln!(out, r#"    <testcase name="{rule}" classname="{path}" file="{path}" line="{line}">"#)?;
            writeln!(
                out,
                r#"      <failure type="{level}" message="{message}">{path}:{line}:{column}: {level}[{rule}] {message}{details}</failure>"#
            )?;
            writeln!(out, "    </testcase>")?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

/// Escapes text for an attribute or an element. XML cannot represent most control characters; they become visible symbols.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in printable::line(text).chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(character),
        }
    }
    out
}
