//! Calls of code written in Puppet: binds the parameters, runs the statements, checks the result.

use marotte_diagnostics::issues;
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::HashSet;
use marotte_hir::ExprId;
use marotte_hir::body::{FrameId, Lambda, Parameter};
use marotte_pcore::dialect::StringsAsParameters;
use marotte_pcore::mismatch;
use marotte_pcore::ops::number_in;
use marotte_pcore::relation::instance_of;
use marotte_pcore::types::{CallableType, Size, TupleType, Type, TypeKind};
use marotte_pcore::value::Value;

use super::assign::refuse_reserved;
use super::types::denotes_type;
use super::unknown::Leaves;
use super::{Env, Evaluated, Frame, Interpreter};
use crate::catalog::TraceKind;
use crate::{Code, EvaluationError, Place, Unwind};

/// The evaluated signature of a function, lambda or template.
#[derive(Debug)]
pub(crate) struct Signature {
    /// The types of the parameters, and the permitted number of arguments.
    pub(crate) parameters: TupleType,
    /// Whether a parameter has a type other than `Any`.
    is_typed: bool,
    /// Whether two parameters have the same name, which is allowed for lambdas.
    repeats: bool,
    pub(crate) returns: Option<Type>,
    /// The form of the signature in messages.
    pub(crate) shown: mismatch::Signature,
}

impl Signature {
    /// Whether it accepts these arguments.
    pub(crate) fn accepts(&self, it: &Interpreter<'_>, arguments: &[Value]) -> bool {
        self.parameters.size_range().contains(arguments.len())
            && (!self.is_typed
                || arguments.iter().enumerate().all(|(index, value)| {
                    self.parameters
                        .type_at(index)
                        .is_none_or(|wanted| instance_of(it.dialect(), wanted, value))
                }))
    }

    /// Returns the signature of code that accepts this number of arguments of any types.
    pub(crate) fn untyped(size: Size) -> Signature {
        let count = size.max.unwrap_or(1).max(1);
        let types = (0..count).map(|_| Type::any()).collect();
        let parameters = TupleType { types, size: Some(size) };
        let callable = CallableType { parameters: Some(parameters.clone()), block: None, returns: None };
        let shown = mismatch::Signature { callable, parameter_names: Vec::new(), block_name: None };
        Signature { parameters, is_typed: false, repeats: false, returns: None, shown }
    }

    /// Returns the type of the signature.
    pub(crate) fn callable(&self) -> Type {
        TypeKind::Callable(self.shown.callable.clone()).into()
    }
}

/// The maximal number of cached signatures of lambdas and templates.
const REMEMBERED_SIGNATURES: usize = 10_000;

/// The name of lambdas and templates in messages.
const LAMBDA: &str = "lambda";

/// A function, lambda or template that can be called.
pub(crate) struct Closure<'e> {
    /// The name of the called code in messages.
    pub(crate) name: &'e str,
    pub(crate) code: &'e Code,
    pub(crate) parameters: &'e [Parameter],
    pub(crate) return_type: Option<ExprId>,
    pub(crate) statements: &'e [ExprId],
    pub(crate) frame: FrameId,
    /// Whether parameters are bound by name, so that some without a default may follow others with one.
    by_name: bool,
}

impl<'e> Closure<'e> {
    /// Creates the closure of a lambda.
    pub(crate) fn lambda(code: &'e Code, lambda: &'e Lambda) -> Closure<'e> {
        Closure {
            name: LAMBDA,
            code,
            parameters: &lambda.parameters,
            return_type: lambda.return_type,
            statements: &lambda.statements,
            frame: lambda.frame,
            by_name: false,
        }
    }

    /// Creates the closure of a body with a frame of its own: a function.
    pub(crate) fn body(name: &'e str, code: &'e Code) -> Option<Closure<'e>> {
        Some(Closure {
            name,
            code,
            parameters: &code.body.parameters,
            return_type: code.body.return_type,
            statements: &code.body.statements,
            frame: code.body.frame?,
            by_name: false,
        })
    }

    /// Creates the closure of a template.
    pub(crate) fn template(code: &'e Code) -> Option<Closure<'e>> {
        Some(Closure { by_name: true, ..Closure::body(LAMBDA, code)? })
    }

    /// The callee as messages about its arguments name it.
    fn callee(&self) -> mismatch::Callee<'e> {
        match self.name {
            LAMBDA => mismatch::Callee::Block,
            name => mismatch::Callee::Named(name),
        }
    }

    /// The slot of a parameter: slots are in order, but parameters of the same name share one.
    fn slot(&self, signature: &Signature, index: usize) -> usize {
        let named = || self.code.body.frame(self.frame).slot(&self.parameters.get(index)?.name);
        if signature.repeats { named().unwrap_or(index) } else { index }
    }

    /// Creates the frame for a call, inside the frames of the calling place.
    pub(crate) fn new_frame(&self, outer: Option<&'e Frame<'e>>) -> Frame<'e> {
        Frame::new(self.name, &self.code.body.frame(self.frame).names, outer)
    }
}

impl Interpreter<'_> {
    /// Returns the signature of a lambda or template from the cache, unless its types are computed and may differ at
    /// each call.
    pub(super) fn same_signature(
        &mut self,
        env: &Env<'_>,
        closure: &Closure<'_>,
    ) -> Evaluated<Rc<Signature>> {
        let key = (Arc::as_ptr(&closure.code.body), closure.frame);
        if let Some((_, signature)) = self.signatures.get(&key) {
            return Ok(signature.clone());
        }
        let signature = Rc::new(self.signature(env, closure)?);
        let mut types = closure.parameters.iter().filter_map(|it| it.type_expr).chain(closure.return_type);
        if self.defining == 0 && types.all(|it| denotes_type(closure.code, it)) {
            if self.signatures.len() == REMEMBERED_SIGNATURES {
                self.signatures.clear();
            }
            self.signatures.insert(key, (closure.code.body.clone(), signature.clone()));
        }
        Ok(signature)
    }

    /// Calls a function written in Puppet: only the top scope encloses it (C6).
    pub(crate) fn call_function_code(
        &mut self,
        name: &str,
        code: &Code,
        signature: &Signature,
        arguments: &[Value],
        place: &Place,
    ) -> Evaluated {
        /// The cost of a call, in steps of expressions.
        const CALL: u64 = 8;
        let Some(closure) = Closure::body(name, code) else { return Ok(Value::Undef) };
        self.spend(CALL)?;
        let top = Rc::clone(&self.top);
        let env = Env { code, frame: None, scope: &top, own_frames: 0 };
        let captures = top.replace_captures(None);
        let result = self.deeper(
            || place.clone(),
            |it| {
                stacker::maybe_grow(super::STACK_LEFT, super::STACK_MORE, || {
                    it.call_closure(&env, &closure, signature, arguments)
                })
            },
        );
        top.replace_captures(captures);
        match result {
            // The type of the result is not checked here, as in the reference.
            Err(Unwind::Return(it)) => Ok(it.0),
            // `break` ends the iteration that calls the lambda around the call.
            Err(Unwind::Undecided(it)) => {
                it.beyond(|left| Leaves { iteration: left.iteration, ..Leaves::default() })
            }
            result => result,
        }
    }

    /// Evaluates the signature of a function's body. None if it has an error, or the body is not a function's.
    pub(crate) fn declared(&mut self, env: &Env<'_>) -> Option<Signature> {
        let closure = Closure::body("function", env.code)?;
        self.signature(env, &closure).ok()
    }

    /// Evaluates the signature of a function or lambda.
    pub(crate) fn signature(&mut self, env: &Env<'_>, closure: &Closure<'_>) -> Evaluated<Signature> {
        let mut types = Vec::with_capacity(closure.parameters.len());
        let mut size = Size::ZERO;
        let mut optional = false;
        for parameter in closure.parameters {
            let declared = match parameter.type_expr {
                Some(id) => self.eval_type(env, id)?,
                None => Type::any(),
            };
            let (it, count) = match declared.kind() {
                TypeKind::Array(element, size) if parameter.captures_rest => {
                    (element.clone(), size.unwrap_or(Size::ANY))
                }
                _ if parameter.captures_rest => (declared, Size::ANY),
                _ if parameter.default.is_some() => (declared, Size { min: 0, max: Some(1) }),
                _ => (declared, Size::exactly(1)),
            };
            types.push(it);
            if count.min == 0 {
                optional = true;
            } else if optional && !closure.by_name {
                let message = format!(
                    "Parameter ${} is required but appears after optional parameters",
                    parameter.name
                );
                return Err(self.fail(env, parameter.at, issues::REQUIRED_PARAMETER_AFTER_OPTIONAL, message));
            }
            size.min = size.min.saturating_add(count.min);
            size.max = size.max.and_then(|max| max.checked_add(count.max?));
        }
        let returns = closure.return_type.map(|id| self.eval_type(env, id)).transpose()?;
        let is_typed = types.iter().any(|it| !matches!(it.kind(), TypeKind::Any));
        let mut names = HashSet::default();
        let repeats = !closure.parameters.iter().all(|it| names.insert(&it.name));
        let parameters = TupleType { types: types.into(), size: Some(size) };
        let callable =
            CallableType { parameters: Some(parameters.clone()), block: None, returns: returns.clone() };
        let shown = mismatch::Signature {
            callable,
            parameter_names: closure.parameters.iter().map(|it| it.name.clone()).collect(),
            block_name: None,
        };
        Ok(Signature { parameters, is_typed, repeats, returns, shown })
    }

    /// Calls a function or lambda from the place that encloses it.
    pub(crate) fn call_closure(
        &mut self,
        env: &Env<'_>,
        closure: &Closure<'_>,
        signature: &Signature,
        arguments: &[Value],
    ) -> Evaluated {
        let frame = closure.new_frame(env.frame);
        let inner =
            Env { code: closure.code, frame: Some(&frame), scope: env.scope, own_frames: env.own_frames + 1 };
        self.bind(&inner, closure, signature, arguments)?;
        self.run(&inner, closure, signature)
    }

    /// Runs the statements of a call whose parameters are bound.
    pub(crate) fn run(&mut self, inner: &Env<'_>, closure: &Closure<'_>, signature: &Signature) -> Evaluated {
        let result = match self.statements(inner, closure.statements) {
            Err(Unwind::Next(it)) => it.0,
            Err(Unwind::Undecided(it)) => it.beyond(|left| Leaves { block: false, ..left })?,
            result => result?,
        };
        self.check_result(closure.name, signature, result)
    }

    fn check_result(&mut self, name: &str, signature: &Signature, result: Value) -> Evaluated {
        let Some(returns) = &signature.returns else { return Ok(result) };
        match mismatch::assert_instance_of(
            self.dialect(),
            &format!("value returned from {name}"),
            returns,
            &result,
        ) {
            Ok(()) => Ok(result),
            Err(wrong) => Err(EvaluationError::runtime(wrong.to_string()).into()),
        }
    }

    /// The arguments, with strings converted to the numbers that parameters require, in dialects that do so (X78).
    pub(super) fn numbers_for<'a>(&self, signature: &Signature, arguments: &'a [Value]) -> Cow<'a, [Value]> {
        if self.strings_are_texts() || !signature.is_typed {
            return Cow::Borrowed(arguments);
        }
        let number =
            |(index, value): (usize, &Value)| self.number_for(signature.parameters.type_at(index)?, value);
        let given = arguments.iter().enumerate();
        Cow::Owned(given.map(|(index, it)| number((index, it)).unwrap_or_else(|| it.clone())).collect())
    }

    /// Whether strings are never converted to the numbers that parameters require (X78).
    pub(crate) fn strings_are_texts(&self) -> bool {
        self.dialect().evaluation.strings_as_parameters == StringsAsParameters::AreTexts
    }

    /// The number that a string is for a parameter whose type requires a number, in dialects that convert it (X78).
    pub(crate) fn number_for(&self, wanted: &Type, value: &Value) -> Option<Value> {
        let dialect = self.dialect();
        let text = value.as_str().filter(|_| !self.strings_are_texts())?;
        let number = (!instance_of(dialect, wanted, value)).then(|| number_in(text)).flatten()?;
        instance_of(dialect, wanted, &number).then_some(number)
    }

    /// Binds parameters from positional arguments (C39–C42).
    fn bind(
        &mut self,
        inner: &Env<'_>,
        closure: &Closure<'_>,
        signature: &Signature,
        arguments: &[Value],
    ) -> Evaluated<()> {
        let Some(frame) = inner.frame else { return Ok(()) };
        let arguments = &*self.numbers_for(signature, arguments);
        let mut defaulted = false;
        let mut finals: Option<Vec<Value>> = None;
        for (index, parameter) in closure.parameters.iter().enumerate() {
            let rest = arguments.get(index..).unwrap_or_default();
            let value = match (rest, parameter.default) {
                ([Value::Undef], Some(default)) if parameter.captures_rest => {
                    defaulted = true;
                    in_array(self.parameter_default(inner, closure, index, default)?)
                }
                ([], Some(default)) => {
                    defaulted = true;
                    let value = self.parameter_default(inner, closure, index, default)?;
                    if parameter.captures_rest { in_array(value) } else { value }
                }
                (rest, _) if parameter.captures_rest => Value::Array(rest.into()),
                ([given, ..], _) => given.clone(),
                ([], None) => {
                    let message = format!("Parameter ${} is required but no value was given", parameter.name);
                    return Err(self.fail(inner, parameter.at, issues::MISSING_REQUIRED_PARAMETER, message));
                }
            };
            refuse_reserved(&parameter.name)?;
            // A name has one value, the last (X142).
            let later = closure.parameters.get(index + 1..).unwrap_or_default();
            if !signature.repeats || later.iter().all(|it| it.name != parameter.name) {
                let slot = closure.slot(signature, index);
                if self.is_tracing() {
                    self.trace_parameter(inner, closure, parameter, slot, &value);
                }
                frame.set(slot, value);
            }
        }
        if defaulted || signature.repeats {
            let mut values = Vec::new();
            for (index, parameter) in closure.parameters.iter().enumerate() {
                match frame.get(closure.slot(signature, index)) {
                    Some(Value::Array(rest)) if parameter.captures_rest => {
                        values.extend(rest.iter().cloned())
                    }
                    value => values.push(value.unwrap_or(Value::Undef)),
                }
            }
            finals = Some(values);
        }
        // Like the reference, check only as many arguments as there are parameters, unless the last one captures the rest.
        let captures = closure.parameters.last().is_some_and(|it| it.captures_rest);
        let count = if captures { arguments.len() } else { arguments.len().min(closure.parameters.len()) };
        let arguments = finals.as_deref().unwrap_or(&arguments[..count]);
        if signature.accepts(self, arguments) {
            return Ok(());
        }
        let given = Value::Array(arguments.into());
        let given = marotte_pcore::infer::infer_set(self.dialect(), &given);
        let shown = std::slice::from_ref(&signature.shown);
        let message = mismatch::describe_signatures(self.dialect(), closure.callee(), shown, &given);
        Err(EvaluationError::runtime(message).into())
    }

    /// Records the provenance of a parameter of a call.
    fn trace_parameter(
        &self,
        inner: &Env<'_>,
        closure: &Closure<'_>,
        parameter: &Parameter,
        slot: usize,
        value: &Value,
    ) {
        let kind = match closure.name {
            LAMBDA => TraceKind::BlockParameter,
            name => TraceKind::FunctionParameter(name.into()),
        };
        let trace = self.trace(inner, kind, &inner.place(parameter.at), value, &self.argument_reads());
        if let (Some(frame), Some(trace)) = (inner.frame, trace) {
            frame.keep_trace(slot, trace);
        }
    }

    /// Evaluates the default of a parameter. Parameters to its right can't be read, nothing can be assigned, and the
    /// captures of its matches end with it (C39).
    pub(crate) fn parameter_default(
        &mut self,
        inner: &Env<'_>,
        closure: &Closure<'_>,
        index: usize,
        default: ExprId,
    ) -> Evaluated {
        let Some(frame) = inner.frame else { return Ok(Value::Undef) };
        let captures = inner.scope.captures();
        let before =
            frame.parameters.replace(Some(super::scope::Binding { count: closure.parameters.len(), index }));
        let result = self.eval(inner, default);
        frame.parameters.set(before);
        inner.scope.replace_captures(captures);
        result
    }
}

fn in_array(value: Value) -> Value {
    match value {
        Value::Array(_) => value,
        value => Value::Array([value].into()),
    }
}
