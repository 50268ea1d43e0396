//! Programs, evaluated under limits.

use std::sync::Arc;

use marotte_eval::{Effect, Effects, Interpreter, Limits, NoRequests, Settings, Unit, UnitSource};
use marotte_hir::lower;
use marotte_pcore::format::interpolated;
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
    let parsed = parse(&text, Mode::default());
    if parsed.errors.iter().any(|it| !it.kind.is_warning()) {
        return;
    }
    let lowered = Arc::new(lower(&parsed.program));
    let settings = Settings {
        strict_variables: bytes.len().is_multiple_of(2),
        limits: Limits {
            call_depth: 100,
            string_size: 1 << 20,
            collection_size: 10_000,
            value_size: 1 << 20,
            iterations: 10_000,
            copies: 1_000_000,
        },
        ..Settings::default()
    };
    let dialect = settings.dialect;
    let mut sink = Sink(0);
    let mut interpreter = Interpreter::new(settings, &NoRequests, &mut sink);
    let unit = Unit { lowered, source: UnitSource::Text("program".into(), text.as_ref().into()) };
    match interpreter.run_unit(&unit) {
        Ok(value) => {
            // Its text is part of what must not fail.
            let _ = interpolated(dialect, &value);
        }
        Err(error) => assert!(!error.to_string().is_empty(), "an error without words"),
    }
}
