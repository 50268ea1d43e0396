//! Blocks on their way between Puppet and Ruby: lambdas that functions in Ruby call, and blocks of Ruby code that functions of
//! Puppet call.

use std::rc::Rc;

use marotte_hir::ExprId;
use marotte_pcore::value::Value;
use marotte_ruby_eval::value::Proc;
use marotte_text::Str;

use super::NotEvaluated;
use crate::Extension;
use crate::interpreter::{Block, Env, Evaluated, Interpreter};

/// A lambda that the call of a function in Ruby was given, while the call is under way.
pub(crate) struct GivenBlock<'a> {
    /// The number of the call among all of the evaluation, by which the lambda is known.
    pub(super) number: usize,
    /// The lambda.
    pub(super) block: &'a Block<'a>,
    /// The block that Ruby code has for it.
    pub(super) proc: Rc<Proc>,
}

/// A block of Ruby code that a function is given.
pub(crate) struct RubyBlock<'a> {
    /// The block.
    pub(super) proc: Rc<Proc>,
    /// The lambda that the code around the block was given.
    pub(super) given: Option<&'a GivenBlock<'a>>,
    /// The name of the function that is given the block.
    pub(super) function: Str,
    /// The least and the greatest number of arguments, as the reference counts them. None is any number.
    pub(super) takes: (u64, Option<u64>),
    /// Ruby's `arity`.
    pub(super) arity: i64,
}

impl RubyBlock<'_> {
    /// The least and the greatest number of arguments. None is any number.
    pub(crate) fn takes(&self) -> (u64, Option<u64>) {
        self.takes
    }

    /// The number of arguments. None if that depends.
    pub(crate) fn fixed_arity(&self) -> Option<usize> {
        usize::try_from(self.arity).ok()
    }
}

/// The block of Ruby code that calls the lambda of the call with a number.
pub(super) fn lambda(number: usize) -> Rc<Proc> {
    Proc::native(move |vm, arguments| {
        vm.apply_changes()?;
        let mut given = Vec::with_capacity(arguments.len());
        for argument in arguments {
            given.push(vm.export(argument)?);
        }
        let answer = vm.host.call_block(number, given);
        let value = vm.answered(answer)?;
        vm.import(&value)
    })
}

impl Interpreter<'_> {
    /// Calls a block of Ruby code. The result is unknown if the code cannot be evaluated.
    pub(crate) fn call_ruby_block(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        block: &RubyBlock<'_>,
        arguments: &[Value],
    ) -> Evaluated {
        if let Some(by) = arguments.iter().find_map(Value::unknown) {
            return Ok(Value::Unknown(by));
        }
        let outcome = self.in_ruby_within(env, id, block.given, |vm| {
            let mut given = Vec::with_capacity(arguments.len());
            for argument in arguments {
                given.push(vm.import(argument)?);
            }
            let value = vm.yield_to(&block.proc, &given)?;
            vm.export(&value)
        })?;
        match outcome.answer()? {
            Ok(value) => Ok(value),
            Err(NotEvaluated::Unknown(by)) => Ok(Value::Unknown(by)),
            Err(NotEvaluated::Unsupported(reason) | NotEvaluated::Invalid(reason)) => {
                self.unanswered(env, id, Extension::Block { function: &block.function }, reason)
            }
            Err(NotEvaluated::Absent) => Ok(Value::Undef),
        }
    }
}
