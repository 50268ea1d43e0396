//! The human-readable output of `marotte why`: each step with its code.

use std::fmt::Write as _;
use std::io;

use marotte_diagnostics::output::Color;
use marotte_diagnostics::rules::Subject;
use marotte_diagnostics::{Diagnostic, Group, Level, Rule, printable, render};
use marotte_host::{Findings, ProjectDatabase};

use super::steps::Step;
use super::{Answer, WITHHELD, place};

/// Writes an explanation for people.
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

/// The rule in whose form steps are rendered, each with its own kind as the name.
static STEP: Rule = Rule {
    name: "step",
    level: Level::Ignore,
    summary: "",
    issue: None,
    since: "",
    page: "",
    subject: Subject::Evaluation,
    group: Group::Evaluation,
};

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
    let mut shown = Diagnostic::new(&STEP, Level::Ignore, file, range, step.message.clone());
    shown.conceals = is_hidden;
    let mut text = Vec::new();
    render::render_as(step.kind, &shown, &*findings, color, &mut text)?;
    for line in String::from_utf8_lossy(&text).lines() {
        let _ = writeln!(out, "{}", format!("{indent}{line}").trim_end());
    }
    if !out.ends_with("\n\n") {
        out.push('\n');
    }
    Ok(())
}
