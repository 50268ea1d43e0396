//! Computations in Ruby that the built-in interpreter doesn't evaluate, but a worker or a record outside may answer.

use marotte_diagnostics::issues;
use marotte_hir::ExprId;
use marotte_pcore::value::Value;
use marotte_ruby_eval::HostError;
use marotte_text::normalized;

use super::block::{GivenBlock, lambda};
use super::dispatch::Choice;
use super::host::RubyHost;
use super::outcome::Raised;
use super::template::failure;
use super::{Answer, NotEvaluated};
use crate::functions::{Arity, Call};
use crate::interpreter::{Block, Env, Evaluated, Interpreter, spent};
use crate::{EvaluationError, Extension, NoAnswer, RubyCall, RubyFile, RubySignature, Unwind};

impl Interpreter<'_> {
    /// Calls a function that provides data for Hiera, in the interpreter or outside.
    ///
    /// # Errors
    /// If the function raises an exception.
    pub(crate) fn run_ruby_backend(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        name: &str,
        arguments: &[Value],
    ) -> Evaluated<Answer> {
        let name = &*normalized(name);
        let before = self.effects_so_far();
        match self.run_ruby_function(env, id, name, arguments, None)? {
            Ok(value) => Ok(Ok(value)),
            Err(reason) => {
                let has_begun = self.effects_so_far() != before;
                self.function_outside(env, id, name, arguments, None, reason, has_begun)
            }
        }
    }

    /// Calls a function outside that the interpreter didn't evaluate for `reason`.
    #[expect(clippy::too_many_arguments, reason = "a call has so many parts")]
    pub(super) fn function_outside(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        name: &str,
        arguments: &[Value],
        block: Option<&Block<'_>>,
        reason: NotEvaluated,
        has_begun: bool,
    ) -> Evaluated<Answer> {
        // Nothing outside can be asked about unknown values.
        if matches!(reason, NotEvaluated::Unknown(_)) || arguments.iter().any(Value::has_unknown) {
            return Ok(Err(reason));
        }
        let is_new = !matches!(self.ruby_program(RubyFile::Function(name)), Ok(None))
            || matches!(self.ruby_program(RubyFile::LegacyFunction(name)), Ok(None));
        if !is_new {
            let given = arguments.to_vec();
            let mut call = Call { name: "", interpreter: self, env, at: id, arguments: given, block: None };
            let converted = call.legacy_arguments(name, Arity::AtLeast(0))?;
            let call = RubyCall { is_legacy: true, has_begun, ..RubyCall::default() };
            let asked = Extension::Function { name, arguments: &converted, call };
            return self.or_outside(env, id, Err(reason), asked, None);
        }
        let known = self.ruby.as_ref().and_then(|world| world.puppet.function(name));
        let declared = match &known {
            Some(_) => None,
            None => self.requests.ruby_function(name).map(|it| it.signature),
        };
        // The function's own `call` gets all arguments, and may choose a signature for others.
        let has_own_call = match (&known, &self.ruby) {
            (Some(it), Some(world)) => it.has_own_call(world),
            _ => false,
        };
        let choice = match (&known, &declared) {
            (Some(definition), _) if definition.dispatches.is_empty() || has_own_call => None,
            (Some(definition), _) => Some(self.choose_dispatch(definition, arguments, block)?),
            (None, Some(RubySignature::Dispatches(function))) => {
                Some(self.choose_declared(function, arguments, block)?)
            }
            (None, _) => None,
        };
        let index = match choice {
            Some(Choice::Index(index)) => Some(index),
            _ => None,
        };
        let dispatches = match (&known, &declared) {
            (Some(definition), _) => &definition.dispatches[..],
            (None, Some(RubySignature::Dispatches(function))) => &function.dispatches[..],
            (None, _) => &[],
        };
        let dispatch = index.and_then(|it| dispatches.get(it).map(|dispatch| (it, dispatch)));
        let signature = dispatch.map(|(index, it)| (index, it.method.as_str()));
        let call = RubyCall { is_legacy: false, signature, block: None, has_begun };
        let asked = Extension::Function { name, arguments, call };
        let answer = self.or_outside(env, id, Err(reason), asked, block)?;
        let (Ok(value), Some((index, dispatch))) = (&answer, dispatch) else { return Ok(answer) };
        if dispatch.mismatch {
            let message = format!("'{name}' {}", self.text(value));
            return Err(EvaluationError::runtime(message).into());
        }
        if let Some(definition) = &known {
            self.check_ruby_result(definition, index, value)?;
        }
        Ok(answer)
    }

    /// Returns `answer`, or if it has none, the answer from outside. Lambdas of Puppet code can be called from there,
    /// blocks of Ruby code can't.
    pub(super) fn or_outside(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        answer: Answer,
        asked: Extension<'_>,
        block: Option<&Block<'_>>,
    ) -> Evaluated<Answer> {
        let reason = match answer {
            Ok(_) | Err(NotEvaluated::Unknown(_)) => return Ok(answer),
            Err(reason) => reason,
        };
        let requests = self.requests;
        let answer = match (block, asked) {
            (Some(block), _) if block.as_ruby().is_some() => return Ok(Err(reason)),
            (Some(block), Extension::Function { name, arguments, call }) => {
                self.ruby_calls += 1;
                let number = self.ruby_calls;
                let given = GivenBlock { number, block, proc: lambda(number) };
                let call = RubyCall { block: Some(number), ..call };
                let mut host = RubyHost::new(self, env, id, Some(&given));
                requests.extension(Extension::Function { name, arguments, call }, &mut host)
            }
            _ => requests.extension(asked, &mut RubyHost::new(self, env, id, None)),
        };
        match answer {
            Ok(value) => {
                if let Value::String(text) = &value {
                    self.check_size(env, id, text.len())?;
                }
                Ok(Ok(value))
            }
            Err(no_answer) => self.without_answer(env, id, asked, reason, no_answer),
        }
    }

    /// Converts the reason why there is no answer from outside.
    fn without_answer(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        asked: Extension<'_>,
        reason: NotEvaluated,
        no_answer: NoAnswer,
    ) -> Evaluated<Answer> {
        let also = |more: String| match reason {
            NotEvaluated::Unsupported(ref reason) | NotEvaluated::Invalid(ref reason) => {
                format!("{reason}; {more}")
            }
            _ => more,
        };
        Ok(Err(match no_answer {
            NoAnswer::Refused(refusal) => match reason {
                NotEvaluated::Absent => NotEvaluated::Unsupported(refusal),
                NotEvaluated::Invalid(message) => return Err(EvaluationError::runtime(message).into()),
                reason => reason,
            },
            NoAnswer::NotRecorded(message) => NotEvaluated::Unsupported(also(message)),
            NoAnswer::Ended(message) => {
                NotEvaluated::Unsupported(also(format!("in a worker of Ruby: {message}")))
            }
            NoAnswer::Unsupported(construct) | NoAnswer::Host(HostError::Unsupported(construct)) => {
                NotEvaluated::Unsupported(also(format!("in a worker of Ruby, {construct} is not supported")))
            }
            NoAnswer::Failed(failure) => {
                self.budget().check_time().map_err(spent)?;
                if self.failures.insert(failure.clone()) {
                    self.warn(issues::RUBY_WORKER, failure.clone(), env.place(id));
                }
                NotEvaluated::Unsupported(also(failure))
            }
            NoAnswer::Raised { message, place } => {
                let raised = Raised { message, place };
                let message = match asked {
                    Extension::Template { name, path, .. } => failure(name, path, raised),
                    Extension::InlineTemplate { name: Some(name), .. } => failure(name, name, raised),
                    Extension::InlineTemplate { .. } => {
                        format!("Failed to parse inline template: {}", raised.message)
                    }
                    _ => raised.message,
                };
                return Err(EvaluationError::runtime(message).into());
            }
            NoAnswer::Host(HostError::Raise { message, .. }) => {
                return Err(EvaluationError::runtime(message).into());
            }
            NoAnswer::Host(HostError::Unknown(by)) => NotEvaluated::Unknown(by),
            NoAnswer::Host(HostError::Unwind(control)) => match control.downcast::<Unwind>() {
                Ok(unwind) => return Err(*unwind),
                Err(_) => NotEvaluated::Unsupported("such control flow".to_owned()),
            },
        }))
    }
}
