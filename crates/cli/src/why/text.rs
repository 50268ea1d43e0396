//! Explanations for people: each step with the code.

use std::fmt::Write as _;
use std::io;

use marotte_diagnostics::output::{self, Color, Format};
use marotte_diagnostics::{Diagnostic, Level, printable};
use marotte_host::{Findings, ProjectDatabase};

use super::steps::Step;
use super::{Answer, WITHHELD, place};

/// Writes an explanation.
pub(super) fn written(
    answer: &Answer,
    db: &ProjectDatabase,
    findings: &mut Findings<'_>,
    color: Color,
) -> io::Result<String> {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(out, "{} of {}\n", answer.resource, answer.node);
    for step in &answer.declared {
        write_step(step, db, findings, color, &mut out)?;
    }
    for it in &answer.attributes {
        let _ = match &it.value {
            Some(value) => writeln!(out, "{} => {}\n", it.name, printable::text(&value.to_string())),
            None => writeln!(out, "{} => ({WITHHELD})\n", it.name),
        };
        for step in &it.steps {
            write_step(step, db, findings, color, &mut out)?;
        }
    }
    for step in &answer.incoming {
        write_step(step, db, findings, color, &mut out)?;
    }
    if answer.is_incomplete {
        out.push_str("The catalog is INCOMPLETE: there may be more to it.\n");
    }
    if answer.is_cut {
        out.push_str("Not everything was recorded, because there is too much.\n");
    }
    Ok(out)
}

fn write_step(
    step: &Step,
    db: &ProjectDatabase,
    findings: &mut Findings<'_>,
    color: Color,
    out: &mut String,
) -> io::Result<()> {
    let indent = "  ".repeat(step.depth);
    let Some((file, range, is_hidden)) = place(step, db, findings) else {
        let message = printable::line(&step.message);
        let _ = writeln!(out, "{indent}note[{}]: {message}\n", step.kind);
        return Ok(());
    };
    let mut shown = Diagnostic::new(step.kind, Level::Ignore, file, range, step.message.clone());
    shown.conceals = is_hidden;
    let mut text = Vec::new();
    output::write(Format::Full, &[shown.into()], &*findings, color, &mut text)?;
    for line in String::from_utf8_lossy(&text).lines() {
        let _ = writeln!(out, "{}", format!("{indent}{line}").trim_end());
    }
    if !out.ends_with("\n\n") {
        out.push('\n');
    }
    Ok(())
}
