//! Templates in ERB.

use marotte_diagnostics::{issues, rules};
use std::sync::Arc;

use marotte_hir::ExprId;
use marotte_pcore::value::Value;
use marotte_ruby_eval::program::Program;

use super::outcome::{Outcome, Raised};
use super::{Answer, NotEvaluated};
use crate::interpreter::{Env, Evaluated, Interpreter};
use crate::{EvaluationError, Extension, RubyFile, Unwind};

impl Interpreter<'_> {
    /// Renders a template file.
    ///
    /// # Errors
    /// If the template raises an exception; the message has its line.
    pub(crate) fn render_erb_file(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        name: &str,
        path: &str,
    ) -> Evaluated<Answer> {
        let program = match self.templates.get(path) {
            Some(known) => Arc::clone(known),
            None => match self.ruby_program(RubyFile::Template(path)) {
                Ok(Some(program)) => {
                    self.templates.insert(path.into(), Arc::clone(&program));
                    program
                }
                Ok(None) => return Ok(Err(NotEvaluated::Absent)),
                Err(reason) => return Ok(Err(reason)),
            },
        };
        self.render_program(env, id, &program, Some(path), |raised| failure(name, path, raised))
    }

    /// Renders a template in the top scope, for hosts: `name` is the path in messages.
    ///
    /// # Errors
    /// If the template raises an exception, or needs a feature that is not implemented. An error in the template itself has
    /// its line ([`OtherPlaces::line`](crate::OtherPlaces::line)).
    pub fn render_erb_template(&mut self, name: &str, text: &str) -> Result<Value, EvaluationError> {
        let program = Program::template(name, text.as_bytes())
            .map_err(|error| at_line(EvaluationError::new(rules::SYNTAX_ERROR, error.message), error.line))?;
        let before = self.effects_so_far();
        let mut line = None;
        let rendered = self.in_top_scope(|it, env| {
            let at = ExprId::FIRST;
            let answer = it.render_program(env, at, &program, Some(name), |raised| {
                match raised.place.as_ref().filter(|(path, _)| path == name) {
                    Some((_, number)) => {
                        line = Some(*number);
                        raised.message
                    }
                    None => failure(name, name, raised),
                }
            })?;
            let has_begun = it.effects_so_far() != before;
            let asked = Extension::InlineTemplate { name: Some(name), text, has_begun };
            it.or_outside(env, at, answer, asked, None)
        });
        match rendered.map_err(Unwind::into_error).map_err(|error| match line {
            Some(line) => at_line(error, line),
            None => error,
        })? {
            Ok(value) => Ok(value),
            Err(NotEvaluated::Unsupported(reason) | NotEvaluated::Invalid(reason)) => {
                Err(EvaluationError::runtime(format!("{name}: {reason}")))
            }
            Err(NotEvaluated::Absent) => Err(EvaluationError::runtime(format!("{name} cannot be evaluated"))),
            Err(NotEvaluated::Unknown(by)) => Err(EvaluationError::new(
                issues::UNKNOWN_VALUE,
                format!("{name} needs the value of {by}, which is not known"),
            )),
        }
    }

    /// Renders a template given as text.
    ///
    /// # Errors
    /// If the template raises an exception.
    pub(crate) fn render_erb_text(&mut self, env: &Env<'_>, id: ExprId, text: &str) -> Evaluated<Answer> {
        let program = match self.inline_templates.get(text) {
            Some(program) => Arc::clone(program),
            None => match Program::template("(erb)", text.as_bytes()) {
                Ok(program) => {
                    let program = Arc::new(program);
                    self.inline_templates.insert(text.into(), Arc::clone(&program));
                    program
                }
                Err(error) => {
                    let message = format!("Failed to parse inline template: {error}");
                    return Err(EvaluationError::runtime(message).into());
                }
            },
        };
        self.render_program(env, id, &program, None, |raised| {
            format!("Failed to parse inline template: {}", raised.message)
        })
    }

    fn render_program(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        program: &Program,
        path: Option<&str>,
        failure: impl FnOnce(Raised) -> String,
    ) -> Evaluated<Answer> {
        let outcome = self.in_ruby(env, id, None, |vm, _| vm.render_template(program, path))?;
        match outcome {
            Outcome::Value(text) => Ok(Ok(Value::String(text.into()))),
            Outcome::Raised(raised) => Err(EvaluationError::runtime(failure(raised)).into()),
            Outcome::NotEvaluated(reason) => Ok(Err(reason)),
        }
    }
}

/// An error at a line of a template, and at no expression.
fn at_line(mut error: EvaluationError, line: u32) -> EvaluationError {
    error.place = None;
    error.others_mut().line = Some(line);
    error
}

/// The message of an exception in a template.
pub(super) fn failure(name: &str, path: &str, raised: Raised) -> String {
    let (path, line) = match raised.place {
        Some((path, line)) => (path, line.to_string()),
        None => (path.to_owned(), String::new()),
    };
    let detail = raised.message;
    format!("Failed to parse template {name}:\n  Filepath: {path}\n  Line: {line}\n  Detail: {detail}\n")
}
