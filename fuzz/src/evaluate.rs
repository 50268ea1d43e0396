//! Programs and templates, evaluated under limits.

use std::sync::Arc;

use marotte_eval::{Effect, Effects, Interpreter, Limits, NoRequests, Settings, Unit, UnitSource};
use marotte_hir::lower;
use marotte_pcore::format::interpolated;
use marotte_pcore::value::Value;
use marotte_syntax::{Mode, parse};

/// Counts effects, and forgets them.
struct Sink(u64);

impl Effects for Sink {
    fn emit(&mut self, _: Effect) {
        self.0 += 1;
    }
}

/// Evaluates bytes that are a program: nothing panics, and what it takes is bounded.
pub fn evaluate(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    run(&text, Vec::new(), bytes.len().is_multiple_of(2));
}

/// Renders bytes that are a template, with a few variables: the same holds. A template of text alone gives that text.
pub fn render(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let variables = vec![
        ("template", Value::from(&*text)),
        ("x", Value::from(42)),
        ("list", Value::Array([Value::from("one"), Value::Undef, Value::from(2)].into())),
    ];
    let rendered = run("inline_epp($template)", variables, bytes.len().is_multiple_of(2));
    // Marks of byte order are refused, as in the reference.
    let is_refused = || !parse(&text, Mode { template: true, ..Mode::default() }).errors.is_empty();
    if !text.contains("<%") && !text.contains("%>") && !is_refused() {
        assert_eq!(rendered.as_deref(), Some(&*text), "text alone");
    }
}

/// The text of a program's value. None if it ends with an error, or can't be read.
fn run(program: &str, variables: Vec<(&str, Value)>, strict_variables: bool) -> Option<String> {
    let parsed = parse(program, Mode::default());
    if parsed.errors.iter().any(|it| !it.kind.is_warning()) {
        return None;
    }
    let lowered = Arc::new(lower(&parsed.program));
    let settings = Settings {
        strict_variables,
        limits: Limits {
            call_depth: 100,
            string_size: 1 << 20,
            collection_size: 10_000,
            value_size: 1 << 20,
            iterations: 10_000,
            copies: 1_000_000,
            ..Limits::default()
        },
        ..Settings::default()
    };
    let dialect = settings.dialect;
    let mut sink = Sink(0);
    let mut interpreter = Interpreter::new(settings, &NoRequests, &mut sink);
    for (name, value) in variables {
        interpreter.define(name, value);
    }
    let unit = Unit { lowered, source: UnitSource::Text("program".into(), program.into()) };
    match interpreter.run_unit(&unit) {
        // Its text is part of what must not fail.
        Ok(value) => Some(interpolated(dialect, &value)),
        Err(error) => {
            assert!(!error.to_string().is_empty(), "an error without words");
            None
        }
    }
}
