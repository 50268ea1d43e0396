//! What the tests of functions in Ruby share.

use std::sync::Arc;

use marotte_eval::{Effect, Effects, ProgramError, RubyFile};
use marotte_ruby_eval::program::Program;

/// Discards effects.
pub(crate) struct Nowhere;

impl Effects for Nowhere {
    fn emit(&mut self, _: Effect) {}
}

/// The only function in Ruby.
pub(crate) const NAME: &str = "m::f";

/// The program of the function, which has this body.
pub(crate) fn program(file: RubyFile<'_>, body: &str) -> Result<Option<Arc<Program>>, ProgramError> {
    let RubyFile::Function(NAME) = file else { return Ok(None) };
    let text = format!("Puppet::Functions.create_function(:'m::f') do\ndef f\n{body}\nend\nend");
    let program = Program::parse("f.rb", text.as_bytes());
    program.map(|it| Some(Arc::new(it))).map_err(|it| ProgramError::Invalid(it.message))
}
