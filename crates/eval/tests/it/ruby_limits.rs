//! Functions and templates in Ruby that call themselves through Puppet code, or return what is too large for it.

use std::sync::Arc;

use marotte_eval::{DataSource, Interpreter, ProgramError, Requests, RubyFile, Settings, Unit, UnitSource};
use marotte_hir::lower;
use marotte_ruby_eval::program::Program;
use marotte_syntax::{Mode, parse};

use crate::ruby_function::{self, Nowhere};

/// The body of a function `m::f`.
struct Outside(&'static str);

impl DataSource for Outside {}

impl Requests for Outside {
    fn is_ruby_function(&self, name: &str) -> bool {
        name == ruby_function::NAME
    }

    fn ruby_program(&self, file: RubyFile<'_>) -> Result<Option<Arc<Program>>, ProgramError> {
        ruby_function::program(file, self.0)
    }
}

/// The issue of the error with which a program ends that calls the function, if it fails.
fn issue(body: &'static str, program: &str) -> Option<&'static str> {
    let parsed = parse(program, Mode::default());
    assert!(parsed.errors.is_empty(), "{program}: {:?}", parsed.errors);
    let source = UnitSource::Text("ruby".into(), program.into());
    let unit = Unit { lowered: Arc::new(lower(&parsed.program)), source };
    let (outside, mut nowhere) = (Outside(body), Nowhere);
    let mut interpreter = Interpreter::new(Settings::default(), &outside, &mut nowhere);
    interpreter.run_unit(&unit).err().map(|it| it.issue.name)
}

#[test]
fn calls_through_puppet_code_are_counted() {
    let bodies = [
        "call_function('m::f')",
        "call_function('inline_template', '<%= scope.call_function(\"m::f\", []) %>')",
        "[1].each { call_function('m::f') }",
    ];
    for body in bodies {
        assert_eq!(issue(body, "m::f()"), Some("call-depth-limit"), "{body}");
    }
}

#[test]
fn results_are_bounded() {
    let bodies = [
        "a = [1]; 60.times { a = [a, a] }; a",
        "a = [1]; 60.times { a = [a, a] }; Marshal.load(Marshal.dump(a))",
        "a = 1; 60.times { a = { 'x' => a, 'y' => a } }; a",
    ];
    for body in bodies {
        assert_eq!(issue(body, "$r = m::f()"), Some("value-size-limit"), "{body}");
    }
}

/// The calls of a program share its budget.
#[test]
fn steps_of_ruby_code_count_as_steps() {
    let body = "900_000.times { }; 1";
    assert_eq!(issue(body, "m::f()"), None);
    assert_eq!(issue(body, "Integer[1, 100].each |$it| { m::f() }"), Some("step-limit"));
}
