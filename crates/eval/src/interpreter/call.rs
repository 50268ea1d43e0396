use marotte_diagnostics::{issues, rules};
use std::rc::Rc;

use marotte_hir::ExprId;
use marotte_hir::body::{Call, Callee, Expr, LambdaId, MethodCall};
use marotte_pcore::infer::infer_set;
use marotte_pcore::mismatch::{Callee as Called, describe_signatures};
use marotte_pcore::ops::has_member;
use marotte_pcore::types::{Size, TupleType, Type, TypeKind};
use marotte_pcore::value::Value;

pub(crate) use super::block::Block;
use super::{Env, Evaluated, Interpreter, Signature};
use crate::functions::{self, Builtin};
use crate::{Code, EvaluationError, Place, Unwind};

/// Combines the types of arguments into one type: a `Tuple` of that size.
pub(crate) fn argument_types(types: Vec<Type>) -> Type {
    let size = Some(Size::exactly(types.len()));
    TypeKind::Tuple(TupleType { types: types.into(), size }).into()
}

/// A function that was found by name.
#[derive(Clone)]
pub(crate) enum Function {
    /// A built-in function.
    Builtin(&'static Builtin),
    /// A function written in Puppet.
    Code(Rc<(String, Code, Signature)>),
    /// A function written in Ruby.
    Ruby,
}

impl Interpreter<'_> {
    /// Evaluates `name(…)` or `Type(…)` (B16, B17).
    pub(super) fn call(&mut self, env: &Env<'_>, id: ExprId, call: &Call) -> Evaluated {
        let (name, first): (&str, _) = match &call.callee {
            Callee::Function(name) => (name, None),
            Callee::Type(it) => ("new", Some(self.eval(env, *it)?)),
            Callee::Other(it) => {
                let message =
                    "Illegal expression. This is unacceptable as function name in a Function Call".to_owned();
                return Err(self.fail(env, *it, rules::ILLEGAL_EXPRESSION, message));
            }
        };
        let arguments = |it: &mut Self| {
            let mut arguments: Vec<Value> = first.into_iter().collect();
            arguments.append(&mut it.unfold(env, &call.arguments)?);
            Ok(arguments)
        };
        self.calling(arguments, |it, arguments| {
            it.call_named(env, id, name, arguments, call.lambda, "Function Call")
        })
    }

    /// Evaluates `receiver.name(…)` (B18, B23).
    pub(super) fn method_call(&mut self, env: &Env<'_>, id: ExprId, call: &MethodCall) -> Evaluated {
        let receiver = |it: &mut Self| it.unfold(env, std::slice::from_ref(&call.receiver));
        self.calling(receiver, |it, receiver| it.call_on(env, id, call, receiver))
    }

    /// Calls a function or a member on a receiver that has been evaluated.
    fn call_on(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        call: &MethodCall,
        mut arguments: Vec<Value>,
    ) -> Evaluated {
        if let Some(receiver) = arguments.first()
            && has_member(receiver, &call.name)
        {
            let receiver = receiver.clone();
            let given = self.unfold(env, &call.arguments)?;
            let since = self.changes_in_place();
            let block = call.lambda.map(|it| Block::new(*env, id, env.code.body.lambda(it), since));
            return self.call_member(env, id, &receiver, &call.name, &given, block.as_ref());
        }
        let since = self.changes_in_place();
        arguments.append(&mut self.unfold(env, &call.arguments)?);
        let arguments = self.settled_all(since, arguments)?;
        self.call_named(env, id, &call.name, arguments, call.lambda, "Method call")
    }

    fn call_named(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        name: &str,
        arguments: Vec<Value>,
        lambda: Option<LambdaId>,
        label: &'static str,
    ) -> Evaluated {
        let block = lambda.map(|it| Block::new(*env, id, env.code.body.lambda(it), self.changes_in_place()));
        self.calls.push(env.place(id));
        let result = self.call_function(env, id, name, arguments, block.as_ref(), label);
        self.calls.pop();
        result
    }

    /// Evaluates the code of a program outside of definitions, which is a frame of its own in the stack of Puppet code.
    pub(crate) fn in_program<T>(&mut self, code: &Code, run: impl FnOnce(&mut Self) -> T) -> T {
        self.calls.push(Place { origin: code.origin.clone(), expr: None });
        let result = run(self);
        self.calls.pop();
        result
    }

    /// Calls a function by its name.
    pub(crate) fn call_function(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        name: &str,
        arguments: Vec<Value>,
        block: Option<&Block<'_>>,
        label: &'static str,
    ) -> Evaluated {
        let function = self.function(env, id, name)?;
        let result = match &function {
            Some(Function::Builtin(builtin)) => {
                let call =
                    functions::Call { name: builtin.name, interpreter: self, env, at: id, arguments, block };
                builtin.call_if_known(call)
            }
            Some(Function::Code(function)) => {
                let (name, code, signature) = &**function;
                let arguments = self.numbers_for(signature, &arguments);
                if block.is_some() || !signature.accepts(self, &arguments) {
                    self.rejected(name, signature, &arguments, block)
                } else {
                    let place = env.place(id);
                    self.call_function_code(name, code, signature, &arguments, &place)
                }
            }
            Some(Function::Ruby) => self.call_ruby(env, id, name, &arguments, block),
            None => {
                return Err(self.fail(
                    env,
                    id,
                    issues::UNKNOWN_FUNCTION,
                    format!("Unknown function: '{name}'."),
                ));
            }
        };
        // Errors raised by functions are placed at the call.
        result.map_err(|unwind| match unwind {
            Unwind::Error(mut error) if error.place.is_none() => {
                error.place = Some(env.place(id));
                if error.issue == issues::RUNTIME_ERROR {
                    error.during.get_or_insert(label);
                }
                Unwind::Error(error)
            }
            other => other,
        })
    }

    /// The error that a function does not accept these arguments, or this lambda.
    fn rejected(
        &mut self,
        name: &str,
        signature: &Signature,
        arguments: &[Value],
        block: Option<&Block<'_>>,
    ) -> Evaluated {
        let block = block.map(|it| self.block_signature(it)).transpose()?;
        let types = arguments.iter().map(|it| infer_set(self.dialect(), it));
        let types: Vec<Type> = types.chain(block.map(|it| it.callable())).collect();
        let (callee, shown) = (Called::Named(name), std::slice::from_ref(&signature.shown));
        let message = describe_signatures(self.dialect(), callee, shown, &argument_types(types));
        Err(EvaluationError::runtime(message).into())
    }

    /// The name of the expression's kind in messages.
    pub(crate) fn label(expr: &Expr) -> &'static str {
        match expr {
            Expr::Binary(binary) => binary.op.label(),
            Expr::Access { .. } => "'[]' expression",
            Expr::Minus(_) => "Unary Minus",
            Expr::Call(_) => "Function Call",
            Expr::MethodCall(_) => "Method call",
            Expr::Reference(_) => "Type-Name",
            Expr::Interpolated(_) => "Double Quoted String",
            Expr::Variable(_) => "Variable",
            Expr::Hash(_) => "Hash Expression",
            Expr::Array(_) => "Array Expression",
            _ => "expression",
        }
    }
}
