//! Random templates, and the reference's output for them: docs/oracle.md describes the record.

use std::sync::Arc;

use marotte_eval::{EvaluationError, Interpreter, NoRequests, Settings, Unit, UnitSource};
use marotte_hir::lower;
use marotte_pcore::value::Value;
use marotte_syntax::{Mode, parse};
use marotte_tests::workspace;

/// Returns the value of a program.
fn run(interpreter: &mut Interpreter<'_>, program: &str) -> Result<Value, EvaluationError> {
    let lowered = Arc::new(lower(&parse(program, Mode::default()).program));
    interpreter.run_unit(&Unit { lowered, source: UnitSource::Text("program".into(), program.into()) })
}

/// Renders a template with some variables. `None` if there is an error, or if the result isn't a text.
fn rendered(variables: &str, template: &str) -> Option<String> {
    let mut effects = Vec::new();
    let mut interpreter = Interpreter::new(Settings::default(), &NoRequests, &mut effects);
    run(&mut interpreter, variables).expect("the variables");
    interpreter.define("template", template.into());
    match run(&mut interpreter, "inline_epp($template)") {
        Ok(Value::String(text)) => Some(text.to_string()),
        _ => None,
    }
}

#[test]
fn templates_render_as_in_the_reference() {
    let record = workspace::read(&workspace::root().join("tests/oracle/templates.json")).expect("the record");
    let rows: Vec<serde_json::Value> = serde_json::from_str(&record).expect("JSON");
    let (head, rows) = rows.split_first().expect("a head");
    let variables = head[2].as_str().expect("variables");
    let mut wrong = Vec::new();
    for row in rows {
        let (template, expected) = (row[0].as_str().expect("a template"), row[1].as_str());
        let found = rendered(variables, template);
        if found.as_deref() != expected {
            wrong.push(format!("{template:?}\n    gives {found:?}\n    and not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
    assert!(rows.len() > 1_000 && rows.iter().filter(|row| row[1].is_string()).count() > rows.len() / 2);
}
