//! Functions that are written in Ruby: they are not run, but their arguments are checked as they declare them.

use std::sync::Arc;

use marotte_hir::ExprId;
use marotte_pcore::infer::infer_set;
use marotte_pcore::mismatch::{self, Callee, describe_signatures};
use marotte_pcore::relation::{assignable, instance_of};
use marotte_pcore::types::{CallableType, Size, TupleType, Type};
use marotte_pcore::value::Value;
use marotte_ruby::function::{Dispatch, Sets};

use super::{Block, Env, Evaluated, Interpreter, argument_types};
use crate::functions::too_few_or_many;
use crate::{EvaluationError, Extension, RubyFunction, RubySignature};

/// A way to call a function, with its types.
struct Overload<'f> {
    dispatch: &'f Dispatch,
    shown: mismatch::Signature,
    parameters: TupleType,
}

impl Interpreter<'_> {
    /// Calls a function that is written in Ruby.
    pub(super) fn call_ruby(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        name: &str,
        function: &RubyFunction,
        arguments: &[Value],
        block: Option<&Block<'_>>,
    ) -> Evaluated {
        match &function.signature {
            RubySignature::Dispatches(declared) => self.check_dispatches(declared, arguments, block)?,
            RubySignature::Arity(arity) => {
                if let Some(message) = too_few_or_many(name, *arity, arguments.len()) {
                    return Err(EvaluationError::runtime(message).into());
                }
            }
            RubySignature::Unknown => {}
        }
        let answer = self.extension(env, id, Extension::Function { name, arguments })?;
        let Value::Unknown(by) = answer else { return Ok(answer) };
        // The lambda, which is not called, might have done something.
        if function.may_declare || function.sets != Sets::Nothing || block.is_some() {
            return Err(self.undecided(env, id, by));
        }
        Ok(Value::Unknown(match self.result_type(&function.signature, arguments) {
            Some(known) => by.typed(known),
            None => by,
        }))
    }

    /// The type of a function's result: those of the signatures that may accept its arguments. None if one says none.
    fn result_type(&mut self, signature: &RubySignature, arguments: &[Value]) -> Option<Type> {
        let RubySignature::Dispatches(declared) = signature else { return None };
        let mut types = Vec::new();
        for it in declared.dispatches.iter().filter(|it| !it.mismatch) {
            let (min, max) = it.arguments();
            let count = arguments.len() as u64;
            if count >= min && max.is_none_or(|max| count <= max) {
                types.push(self.parse_type(it.return_type.as_ref()?).ok()?);
            }
        }
        (!types.is_empty()).then(|| Type::variant(types))
    }

    /// Refuses arguments that no signature of a function accepts. Where a type can't be read, nothing is refused.
    fn check_dispatches(
        &mut self,
        function: &Arc<marotte_ruby::function::Function>,
        arguments: &[Value],
        block: Option<&Block<'_>>,
    ) -> Evaluated<()> {
        let overloads: Option<Vec<Overload<'_>>> =
            function.dispatches.iter().map(|it| self.overload(it)).collect();
        let Some(overloads) = overloads.filter(|it| !it.is_empty()) else { return Ok(()) };
        let block = block.map(|it| self.block_signature(it)).transpose()?;
        let accepts = |it: &Overload<'_>| {
            it.parameters.size_range().contains(arguments.len())
                && arguments.iter().enumerate().all(|(index, value)| {
                    it.parameters
                        .type_at(index)
                        .is_none_or(|wanted| instance_of(self.dialect(), wanted, value))
                })
                && match (&it.shown.callable.block, &block) {
                    (None, given) => given.is_none(),
                    (Some(wanted), None) => instance_of(self.dialect(), wanted, &Value::Undef),
                    (Some(wanted), Some(given)) => assignable(self.dialect(), wanted, &given.callable()),
                }
        };
        // One that only words the refusal refuses nothing that may be accepted once it is known.
        let accepted = |it: &Overload<'_>| !it.dispatch.mismatch || arguments.iter().any(Value::has_unknown);
        if overloads.iter().find(|it| accepts(it)).is_some_and(accepted) {
            return Ok(());
        }
        let types = arguments.iter().map(|it| infer_set(self.dialect(), it));
        let types: Vec<Type> = types.chain(block.map(|it| it.callable())).collect();
        let shown: Vec<_> =
            overloads.into_iter().filter(|it| !it.dispatch.mismatch).map(|it| it.shown).collect();
        let callee = Callee::Named(&function.name);
        let message = describe_signatures(self.dialect(), callee, &shown, &argument_types(types));
        Err(EvaluationError::runtime(message).into())
    }

    /// A signature with its types. None if one can't be read.
    fn overload<'f>(&mut self, dispatch: &'f Dispatch) -> Option<Overload<'f>> {
        let mut types = Vec::new();
        for it in &dispatch.parameters {
            types.push(self.parse_type(it.parameter_type.as_ref()?).ok()?);
        }
        let (min, max) = dispatch.arguments();
        let block = match &dispatch.block {
            None => None,
            Some(it) => {
                let wanted = self.parse_type(it.block_type.as_ref()?).ok()?;
                Some(if it.optional { Type::optional(wanted) } else { wanted })
            }
        };
        let parameters = TupleType { types: types.into(), size: Some(Size { min, max }) };
        let callable = CallableType { parameters: Some(parameters.clone()), block, returns: None };
        let shown = mismatch::Signature {
            callable,
            parameter_names: dispatch.parameters.iter().map(|it| it.name.clone()).collect(),
            block_name: dispatch.block.as_ref().map(|it| it.name.clone()),
        };
        Some(Overload { dispatch, shown, parameters })
    }
}
