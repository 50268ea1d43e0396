//! `path:line:column: level[rule] message`, as editors and `grep` users know it.

use std::io;
use std::sync::Arc;

use crate::render::Color;
use crate::sources::positions;
use crate::{Diagnostic, Level, Sources, printable};

const BOLD: &str = "\x1b[1m";
const BOLD_RED: &str = "\x1b[1;31m";
const BOLD_YELLOW: &str = "\x1b[1;33m";
const RESET: &str = "\x1b[0m";

pub(super) fn write(
    diagnostics: &[Arc<Diagnostic>],
    sources: &dyn Sources,
    color: Color,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    for diagnostic in diagnostics {
        let (start, _) = positions(sources, diagnostic.file, diagnostic.range);
        let level_color = if diagnostic.level == Level::Error { BOLD_RED } else { BOLD_YELLOW };
        let (bold, level_color, reset) = match color {
            Color::Always => (BOLD, level_color, RESET),
            Color::Never => ("", "", ""),
        };
        let path = printable::line(sources.path(diagnostic.file));
        let hint = diagnostic.hint().map(|it| format!("; {}", printable::line(it))).unwrap_or_default();
        writeln!(
            out,
            "{bold}{path}{reset}:{}:{}: {level_color}{}[{}]{reset} {}{hint}",
            start.line,
            start.column,
            diagnostic.level,
            diagnostic.rule,
            printable::line(&diagnostic.message)
        )?;
    }
    Ok(())
}
