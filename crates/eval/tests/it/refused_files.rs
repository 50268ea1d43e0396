//! Files that may not be read: what depends on them is unknown in a catalog, and an error elsewhere, which no code can
//! rescue.

use std::sync::Arc;

use marotte_catalog::NativeType;
use marotte_eval::{
    DataSource, Interpreter, Manifest, ProgramError, ReadError, Requests, RubyFile, Settings, Unit,
    UnitSource,
};
use marotte_hir::lower;
use marotte_ruby_eval::program::Program;
use marotte_syntax::{Mode, parse};
use marotte_text::Str;

use crate::ruby_function::{self, Nowhere};

/// The body of a function `m::f`, or a manifest, where no file may be read.
struct Closed(&'static str);

impl DataSource for Closed {}

impl Requests for Closed {
    fn is_ruby_function(&self, name: &str) -> bool {
        name == ruby_function::NAME
    }

    fn ruby_program(&self, file: RubyFile<'_>) -> Result<Option<Arc<Program>>, ProgramError> {
        ruby_function::program(file, self.0)
    }

    fn main_manifests(&self) -> Result<Vec<Manifest>, ReadError> {
        let lowered = Arc::new(lower(&parse(self.0, Mode::default()).program));
        Ok(vec![Manifest { path: "site.pp".into(), lowered }])
    }

    fn native_type(&self, name: &str) -> Result<Option<Arc<NativeType>>, ReadError> {
        let namevars = Some(vec!["name".into()]);
        let known = NativeType { titles_are_known: true, namevars, ..NativeType::unknown(name) };
        Ok(matches!(name, "notify" | "stage").then(|| Arc::new(known)))
    }

    fn find_file(&self, _: &str, name: &str) -> Result<Option<Str>, ReadError> {
        Err(ReadError(format!("reading '{name}' is not allowed")))
    }
}

#[test]
fn a_refusal_is_not_rescued() {
    for body in [
        "call_function('find_file', '/x') rescue 'caught'",
        "begin; call_function('file', '/y', '/x'); rescue StandardError; 'caught'; end",
        "call_function('inline_template', '<%= scope.function_file([\"/x\"]) rescue 1 %>')",
        "call_function('template', '/x') rescue 'caught'",
    ] {
        let program = "m::f()";
        let parsed = parse(program, Mode::default());
        let source = UnitSource::Text("ruby".into(), program.into());
        let unit = Unit { lowered: Arc::new(lower(&parsed.program)), source };
        let (outside, mut nowhere) = (Closed(body), Nowhere);
        let mut interpreter = Interpreter::new(Settings::default(), &outside, &mut nowhere);
        let error = interpreter.run_unit(&unit).err().map(|it| it.message).unwrap_or_default();
        assert!(error.contains("is not allowed"), "{body}: {error}");
    }
}

#[test]
fn a_catalog_goes_on_without_the_file() {
    for manifest in [
        "if find_file('/x') { notify { 'there': } } notify { 'other': }",
        "notify { 'other': message => file('/x') }",
        "notify { 'other': message => binary_file('/x') }",
        "notify { 'other': message => template('/x') }",
        "notify { 'other': message => epp('/x.epp') }",
        "notify { 'other': message => inline_template('<%= scope.function_file([\"/x\"]) rescue 1 %>') }",
    ] {
        let (outside, mut nowhere) = (Closed(manifest), Nowhere);
        let mut interpreter = Interpreter::new(Settings::default(), &outside, &mut nowhere);
        let compiled = interpreter.compile();
        let errors: Vec<&str> = compiled.errors.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(errors, [""; 0], "{manifest}");
        let reasons: Vec<&str> = compiled.gaps.iter().filter_map(|it| it.reason.as_deref()).collect();
        assert!(reasons.iter().any(|it| it.contains("is not allowed")), "{manifest}: {reasons:?}");
    }
}
