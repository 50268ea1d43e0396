//! The JSON output of `marotte why`.

use marotte_diagnostics::Sources as _;
use marotte_host::{Findings, ProjectDatabase};
use marotte_impact::Shown;
use serde_json::{Value, json};

use super::steps::Step;
use super::{Answer, WITHHELD, place};

/// Writes an explanation as one object.
pub(super) fn written(answer: &Answer, db: &ProjectDatabase, findings: &mut Findings<'_>) -> String {
    let mut steps =
        |steps: &[Step]| -> Vec<Value> { steps.iter().map(|it| step(it, db, findings)).collect() };
    let attributes: Vec<Value> = answer
        .attributes
        .iter()
        .map(|it| {
            let value = match &it.value {
                Some(Shown::Value(text)) => json!({ "value": &**text }),
                Some(Shown::Sensitive) => json!({ "sensitive": true }),
                Some(Shown::Withheld(what)) => json!({ "withheld": &**what }),
                Some(Shown::Unknown(why)) => json!({ "unknown": &**why }),
                None => json!({ "withheld": WITHHELD }),
            };
            json!({ "name": it.name, "value": value, "steps": steps(&it.steps) })
        })
        .collect();
    let whole = json!({
        "version": 1,
        "node": answer.node,
        "resource": answer.resource.to_string(),
        "declared": steps(&answer.declared),
        "attributes": attributes,
        "incoming": steps(&answer.incoming),
        "incomplete": answer.is_incomplete,
        "cut": answer.is_cut,
    });
    format!("{whole:#}\n")
}

fn step(step: &Step, db: &ProjectDatabase, findings: &mut Findings<'_>) -> Value {
    let mut object = json!({ "step": step.kind, "message": step.message, "depth": step.depth });
    if let Some((file, range, _)) = place(step, db, findings) {
        let at = findings.line_index(file).position(range.start());
        object["file"] = findings.path(file).into();
        object["line"] = at.line.into();
        object["column"] = at.column.into();
    }
    object
}
