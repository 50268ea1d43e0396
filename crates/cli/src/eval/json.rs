//! An evaluation as one JSON object.

use marotte_catalog::rich_data::rich_data;
use marotte_diagnostics::Sources;
use marotte_diagnostics::headline::headlines;
use marotte_diagnostics::output::{self, Color, Format};
use marotte_eval::{Interpreter, Log};
use marotte_host::Findings;
use marotte_pcore::infer::infer;
use marotte_pcore::print::{short_in, writing_in};
use marotte_pcore::value::Value;
use serde_json::json;

use crate::evaluation::{Logs, Shown};
use crate::failure::Failure;

/// Creates the object: value, its text and type, messages, findings. Without a value, the first three are null.
pub(super) fn object(
    value: Option<&Value>,
    interpreter: &Interpreter<'_>,
    messages: &Logs<'_>,
    findings: &mut Findings<'_>,
) -> Result<serde_json::Value, Failure> {
    let logs = messages.take();
    for log in &logs {
        findings.warning(log);
    }
    let mut diagnostics = Vec::new();
    let sources: &dyn Sources = findings;
    output::write(Format::Json, &headlines(findings.diagnostics()), sources, Color::Never, &mut diagnostics)?;
    let diagnostics: serde_json::Value =
        serde_json::from_slice(&diagnostics).map_err(|error| Failure::Message(error.to_string()))?;
    let dialect = interpreter.dialect();
    Ok(json!({
        "value": value.map(|it| writing_in(dialect, || rich_data(it))),
        "string": value.map(|it| interpreter.text(it)),
        "type": value.map(|it| short_in(dialect, &infer(dialect, it))),
        "logs": logs.iter().map(|it| log(it, findings)).collect::<Vec<_>>(),
        "diagnostics": diagnostics,
    }))
}

fn log(log: &Log, findings: &mut Findings<'_>) -> serde_json::Value {
    let shown = Shown::new(log, findings);
    json!({
        "level": log.level.name(),
        "message": log.message,
        "issue": log.issue.map(|it| it.name),
        "file": shown.file,
        "line": shown.line,
        "column": shown.column,
    })
}
