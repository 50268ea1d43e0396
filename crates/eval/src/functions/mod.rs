//! The built-in functions: one file each, or one per closely related family.
//!
//! A function is declared by its name, its documentation, and overloads whose parameters are written in Puppet's own
//! notation: the type system checks arguments against them, and `marotte explain function` prints them.

mod abs;
mod annotate;
mod any_all;
mod assert_type;
mod call;
mod catalog;
mod chop;
mod compare;
mod control;
mod convert_to;
mod data_files;
mod defined;
mod description;
mod dig;
mod digest;
mod each;
mod empty;
pub(crate) mod epp;
mod erb;
mod fail;
mod files;
mod filter;
mod flatten;
mod fqdn_rand;
mod generate;
mod get;
mod group_by;
mod hiera;
mod import;
mod index;
mod iteration;
mod join;
mod keys_values;
mod legacy;
mod length;
mod letter_case;
mod logging;
mod lookup;
mod map;
mod matching;
mod max_min;
mod new;
mod number;
mod order;
mod partition;
pub(crate) mod puppetdb_query;
mod reduce;
mod registry;
mod regsubst;
mod reverse_each;
mod rounding;
mod scanf;
mod shellquote;
mod signature;
mod slice;
mod sort;
mod split;
mod sprintf;
mod step;
mod strftime;
mod strip;
mod text;
mod then_lest;
mod tree_each;
mod type_of;
mod unique;
mod unknown;
mod unwrap;
mod versioncmp;
mod with;

pub use description::{
    Body, Builtin, Effects, LambdaArguments, Leaves, Names, Overload, ResultType, Unknowns,
};
pub(crate) use legacy::{Arity, kind, too_few_or_many};
pub use registry::{ALL, builtin};

use marotte_diagnostics::Rule;
use marotte_hir::ExprId;
use marotte_pcore::dialect::Dialect;
use marotte_pcore::infer::infer_set;
use marotte_pcore::mismatch;
use marotte_pcore::relation::{assignable, instance_of};
use marotte_pcore::types::{CallableType, Size, Type, TypeKind};
use marotte_pcore::value::Value;

use crate::interpreter::{Block, Env, Evaluated, Interpreter, argument_types};
use crate::{EvaluationError, Extension, Place, Unwind};
use signature::Compiled;

/// A call of a function.
pub struct Call<'c, 'w, 'e> {
    /// The function's name.
    pub(crate) name: &'static str,
    pub(crate) interpreter: &'c mut Interpreter<'w>,
    /// The environment of the call.
    pub(crate) env: &'c Env<'e>,
    /// The expression of the call.
    pub(crate) at: ExprId,
    /// The arguments in order, with splats unfolded.
    pub(crate) arguments: Vec<Value>,
    /// The lambda of the call.
    pub(crate) block: Option<&'c Block<'e>>,
}

impl<'c, 'e> Call<'c, '_, 'e> {
    /// The dialect of the program.
    pub(crate) fn dialect(&self) -> &'static Dialect {
        self.interpreter.dialect()
    }

    /// The place of the call.
    pub(crate) fn place(&self) -> Place {
        self.env.place(self.at)
    }

    /// Returns an argument; `undef` if it was not given.
    pub(crate) fn argument(&self, index: usize) -> &Value {
        self.arguments.get(index).unwrap_or(&Value::Undef)
    }

    /// Takes an argument out of the call; `undef` if it was not given.
    pub(crate) fn take(&mut self, index: usize) -> Value {
        self.arguments.get_mut(index).map(|it| std::mem::replace(it, Value::Undef)).unwrap_or(Value::Undef)
    }

    /// Returns the text of an argument that the overload declares as a string; empty if it was not given.
    pub(crate) fn text(&self, index: usize) -> &str {
        self.argument(index).as_str().unwrap_or_default()
    }

    /// Returns a value that a decision depends on; ends the evaluation of the call if it is unknown.
    pub(crate) fn decided(&self, value: Value) -> Evaluated {
        self.interpreter.decided(self.env, self.at, value)
    }

    /// Whether a value is true, for a decision; ends the evaluation of the call if it is unknown.
    pub(crate) fn is_true(&mut self, value: Value) -> Evaluated<bool> {
        let value = self.decided(value)?;
        Ok(self.interpreter.is_true(&value))
    }

    /// An error about the call.
    pub(crate) fn fail<T>(&self, message: impl Into<String>) -> Evaluated<T> {
        Err(EvaluationError::runtime(message).into())
    }

    /// Warns that this way to call the function is deprecated; only once, regardless of the number of calls.
    pub(crate) fn deprecated(&mut self, issue: &'static Rule, message: &str) {
        let place = self.place();
        self.interpreter.warn_once(issue, message, place);
    }

    /// Calls the lambda. Returns `undef` if there is none, which the overloads rule out.
    pub(crate) fn call_block(&mut self, arguments: &[Value]) -> Evaluated {
        match self.block {
            Some(block) => self.interpreter.call_block(block, arguments),
            None => Ok(Value::Undef),
        }
    }

    /// Renders a template in ERB.
    pub(crate) fn render_erb(&mut self, asked: Extension<'_>) -> Evaluated {
        self.interpreter.render_erb(self.env, self.at, asked)
    }

    /// Calls another function by its name.
    pub(crate) fn call_function(
        &mut self,
        name: &str,
        arguments: Vec<Value>,
        block: Option<&Block<'e>>,
    ) -> Evaluated {
        self.interpreter.call_function(self.env, self.at, name, arguments, block, "Function Call")
    }
}

impl Builtin {
    /// The overloads with their parsed types.
    pub(crate) fn compiled(&self) -> &[Compiled] {
        self.compiled.get_or_init(|| signature::compile(self))
    }

    /// Whether a call may change the catalog, depending on its arguments.
    pub(crate) fn may_change_catalog(&self) -> bool {
        self.effects == Effects::ChangesCatalog || self.evaluates_code
    }

    /// Whether its arguments end up in a message.
    pub fn shows_arguments(&self) -> bool {
        self.effects == Effects::Logs || self.result == ResultType::Never(Leaves::Program)
    }

    /// Returns the overloads with an implementation, without those that only reject arguments.
    fn accepting(&self) -> impl Iterator<Item = &Compiled> {
        let all = self.compiled().iter().zip(self.overloads);
        all.filter(|(_, overload)| matches!(overload.body, Body::Run(_))).map(|(compiled, _)| compiled)
    }

    /// The types of its overloads.
    pub fn callables(&self) -> impl Iterator<Item = CallableType> {
        self.accepting().map(Compiled::callable)
    }

    /// The arities of its overloads: the number of arguments, and whether a lambda is optional (None for no lambda).
    /// Checks that functions of the 3.x API do themselves are not included.
    pub fn shapes(&self) -> impl Iterator<Item = (Size, Option<bool>)> {
        self.accepting().map(|compiled| {
            let may_be_left_out = |it: &Type| instance_of(Dialect::puppet8(), it, &Value::Undef);
            (compiled.signature.parameters.size_range(), compiled.block.as_ref().map(may_be_left_out))
        })
    }

    /// Calls the function, with the first overload that accepts the arguments.
    pub(crate) fn call(&self, mut call: Call<'_, '_, '_>) -> Evaluated {
        let block = match call.block {
            // The lambda's type is only computed if needed.
            Some(block) => Some(call.interpreter.block_signature(block)?),
            None => None,
        };
        let compiled = self.compiled();
        let found = compiled.iter().zip(self.overloads).find(|(compiled, _)| {
            compiled.signature.accepts(call.interpreter, &call.arguments)
                && match (&compiled.block, &block) {
                    (None, given) => given.is_none(),
                    (Some(wanted), None) => instance_of(call.dialect(), wanted, &Value::Undef),
                    (Some(wanted), Some(given)) => assignable(call.dialect(), wanted, &given.callable()),
                }
        });
        let Some((compiled, overload)) = found else {
            let shown: Vec<_> = self.accepting().map(Compiled::shown).collect();
            let mut types: Vec<Type> =
                call.arguments.iter().map(|it| infer_set(call.dialect(), it)).collect();
            types.extend(block.map(|it| it.callable()));
            let callee = mismatch::Callee::Named(self.name);
            let message =
                mismatch::describe_signatures(call.dialect(), callee, &shown, &argument_types(types));
            return call.fail(message);
        };
        let result = match &overload.body {
            Body::Run(run) => run(&mut call),
            Body::Refuse(say) => {
                let message = format!("'{}' {}", self.name, say(&call));
                return call.fail(message);
            }
        };
        let result = match result {
            // `next` outside of a lambda ends the function.
            Err(Unwind::Next(it)) if self.effects != Effects::ControlFlow => it.0,
            result => result?,
        };
        match &compiled.signature.returns {
            Some(returns)
                if !matches!(returns.kind(), TypeKind::Any)
                    && !instance_of(call.dialect(), returns, &result) =>
            {
                let subject = format!("value returned from function '{}'", self.name);
                match mismatch::assert_instance_of(call.dialect(), &subject, returns, &result) {
                    Ok(()) => Ok(result),
                    Err(wrong) => call.fail(wrong.to_string()),
                }
            }
            _ => Ok(result),
        }
    }
}
