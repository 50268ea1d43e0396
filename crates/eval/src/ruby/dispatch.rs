//! Overload resolution for functions of the 4.x API, by the types of the arguments.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use marotte_hir::ExprId;
use marotte_pcore::dialect::Dialect;
use marotte_pcore::infer::infer_set;
use marotte_pcore::mismatch::{self, Callee, describe_signatures};
use marotte_pcore::relation::{assignable, instance_of};
use marotte_pcore::types::{CallableType, Size, TupleType, Type};
use marotte_pcore::value::{Unknown, Value};
use marotte_ruby::function::{Declares, Dispatch, Function, Sets};
use marotte_ruby_eval::puppet::FunctionDefinition;
use marotte_text::{Str, normalized};

use super::NotEvaluated;
use crate::functions::too_few_or_many;
use crate::interpreter::{Block, Env, Evaluated, Interpreter, argument_types, known_instance};
use crate::{EvaluationError, Extension, RubyCall, RubyFile, RubySignature};

/// A signature with its parsed types.
pub(crate) struct Overload {
    shown: mismatch::Signature,
    parameters: TupleType,
    /// Whether it only words the error for such arguments.
    is_mismatch: bool,
    /// The type of the result, parsed when a result is first checked.
    returns: OnceCell<Type>,
}

/// Whether a value, or an unknown one of a known type, may be an instance of a type.
fn may_be_instance(dialect: &Dialect, wanted: &Type, value: &Value) -> bool {
    match value {
        Value::Unknown(by) if by.bytes().is_none() => {
            by.known_type().is_none_or(|it| known_instance(dialect, it, wanted) != Some(false))
        }
        _ => instance_of(dialect, wanted, value),
    }
}

/// The result of overload resolution, if a signature may accept the arguments.
pub(super) enum Choice {
    /// The index of the signature that accepts the arguments.
    Index(usize),
    /// Several signatures may accept them, because of an unknown value.
    Undecided(Arc<Unknown>),
    /// A type cannot be parsed.
    Unreadable,
}

impl Interpreter<'_> {
    /// Renders a template in ERB. The result is unknown if the template cannot be evaluated.
    pub(crate) fn render_erb(&mut self, env: &Env<'_>, id: ExprId, asked: Extension<'_>) -> Evaluated {
        let before = self.effects_so_far();
        let changed = self.changed_values.len();
        let answer = match asked {
            Extension::Template { name, path, .. } => self.render_erb_file(env, id, name, path)?,
            Extension::InlineTemplate { text, .. } => self.render_erb_text(env, id, text)?,
            Extension::Function { .. }
            | Extension::Block { .. }
            | Extension::Command { .. }
            | Extension::Query => {
                return self.unanswered(env, id, asked, asked.refusal());
            }
        };
        let has_begun = self.effects_so_far() != before;
        let asked = match asked {
            Extension::Template { name, path, .. } => Extension::Template { name, path, has_begun },
            Extension::InlineTemplate { name, text, .. } => {
                Extension::InlineTemplate { name, text, has_begun }
            }
            other => other,
        };
        let answer = self.or_outside(env, id, answer, asked, None)?;
        // A worker has no answer if the code changes values.
        if answer.is_err() && self.catalog.is_some() {
            let program = match asked {
                Extension::Template { path, .. } => match self.templates.get(path) {
                    Some(known) => Some(Arc::clone(known)),
                    None => self.requests.ruby_program(RubyFile::Template(path)).ok().flatten(),
                },
                Extension::InlineTemplate { text, .. } => self.inline_templates.get(text).cloned(),
                _ => None,
            };
            let by = match &answer {
                Err(NotEvaluated::Unknown(by)) => Arc::clone(by),
                _ => asked.unknown(),
            };
            self.doubt_values(env, program.as_deref(), &[], changed, &asked.unknown());
            if program.is_some_and(|it| self.doubt_program(env, &it, &by))
                && let Some(state) = &mut self.catalog
            {
                state.gaps.skip(&by, &env.place(id));
            }
        }
        self.changed_values.truncate(changed);
        match answer {
            Ok(text) => Ok(text),
            Err(NotEvaluated::Unknown(by)) => Ok(Value::Unknown(by.text())),
            Err(NotEvaluated::Unsupported(reason) | NotEvaluated::Invalid(reason)) => {
                self.unanswered(env, id, asked, reason)
            }
            Err(NotEvaluated::Absent) => self.unanswered(env, id, asked, asked.refusal()),
        }
    }

    /// Calls a function written in Ruby. The result is unknown if the function cannot be evaluated.
    pub(crate) fn call_ruby(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        name: &str,
        arguments: &[Value],
        block: Option<&Block<'_>>,
    ) -> Evaluated {
        let name = &*normalized(name);
        let before = self.effects_so_far();
        let changed = self.changed_values.len();
        let reason = match self.run_ruby_function(env, id, name, arguments, block)? {
            Ok(value) => {
                self.changed_values.truncate(changed);
                return Ok(value);
            }
            Err(reason) => reason,
        };
        if let Some(world) = &self.ruby {
            world.doubt_kept_state();
        }
        let has_begun = self.effects_so_far() != before;
        let Some(function) = self.requests.ruby_function(name) else {
            let asked = Extension::Function { name, arguments, call: RubyCall::default() };
            return self.unanswered(env, id, asked, asked.refusal());
        };
        match &function.signature {
            RubySignature::Dispatches(declared) => self.check_dispatches(declared, arguments, block)?,
            RubySignature::Arity(arity) => {
                if let Some(message) = too_few_or_many(name, *arity, arguments.len()) {
                    return Err(EvaluationError::runtime(message).into());
                }
            }
            RubySignature::Unknown => {}
        }
        let answer = match self.function_outside(env, id, name, arguments, block, reason, has_begun)? {
            Ok(value) => value,
            Err(NotEvaluated::Unknown(by)) => Value::Unknown(by),
            Err(reason) => {
                let asked = Extension::Function { name, arguments, call: RubyCall::default() };
                let reason = match reason {
                    NotEvaluated::Unsupported(reason) | NotEvaluated::Invalid(reason) => reason,
                    _ => asked.refusal(),
                };
                self.unanswered(env, id, asked, reason)?
            }
        };
        let Value::Unknown(by) = answer else { return Ok(answer) };
        if self.catalog.is_some() {
            let program = self.program_of_function(name);
            self.doubt_values(env, program.as_deref(), arguments, changed, &by);
        }
        // The lambda, which is not called, might have had effects.
        if function.declares == Declares::Anything || function.sets != Sets::Nothing || block.is_some() {
            return Err(self.undecided(env, id, by));
        }
        if let Declares::Through(_) = &function.declares
            && self.doubt_function(env, name, &by)
            && let Some(state) = &mut self.catalog
        {
            state.gaps.skip(&by, &env.place(id));
        }
        Ok(Value::Unknown(match self.result_type(&function.signature, arguments) {
            Some(known) => by.typed(known),
            None => by,
        }))
    }

    /// The type of a function's result, joined from the signatures that may accept its arguments. None if one has no
    /// type.
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

    /// Chooses the signature of a function that accepts some arguments.
    ///
    /// # Errors
    /// If no signature accepts them.
    pub(super) fn choose_dispatch(
        &mut self,
        function: &FunctionDefinition,
        arguments: &[Value],
        block: Option<&Block<'_>>,
    ) -> Evaluated<Choice> {
        let Some(overloads) = self.overloads_of(function) else { return Ok(Choice::Unreadable) };
        let chosen = self.choose_overload(&function.name, &overloads, arguments, block)?;
        chosen.map_err(|message| EvaluationError::runtime(message).into())
    }

    /// The signatures of a function, whose types are parsed once, as in the reference, which does so when it loads the
    /// function. None if one cannot be parsed.
    fn overloads_of(&mut self, function: &FunctionDefinition) -> Option<Rc<[Overload]>> {
        if let Some(known) = self.overloads.get(&function.id()) {
            return Some(Rc::clone(known));
        }
        let overloads = self.with_local_types(&function.local_types, |it| it.parsed(&function.dispatches))?;
        let overloads: Rc<[Overload]> = overloads.into();
        self.overloads.insert(function.id(), Rc::clone(&overloads));
        Some(overloads)
    }

    /// The signatures with their types. None if one cannot be parsed, or there is none.
    fn parsed(&mut self, dispatches: &[Dispatch]) -> Option<Vec<Overload>> {
        let overloads: Option<Vec<Overload>> = dispatches.iter().map(|it| self.overload(it)).collect();
        overloads.filter(|it| !it.is_empty())
    }

    /// Chooses the signature of a function whose declaration was read from its file.
    pub(super) fn choose_declared(
        &mut self,
        function: &Function,
        arguments: &[Value],
        block: Option<&Block<'_>>,
    ) -> Evaluated<Choice> {
        let chosen = self.choose_among(&function.name, &function.dispatches, arguments, block)?;
        chosen.map_err(|message| EvaluationError::runtime(message).into())
    }

    /// Rejects arguments that no signature of a function accepts. If a type cannot be parsed, nothing is rejected.
    fn check_dispatches(
        &mut self,
        function: &Function,
        arguments: &[Value],
        block: Option<&Block<'_>>,
    ) -> Evaluated<()> {
        match self.choose_among(&function.name, &function.dispatches, arguments, block)? {
            Ok(Choice::Unreadable | Choice::Undecided(_)) => Ok(()),
            // A signature that only words the error does not reject arguments with unknown parts, which may turn out to
            // be valid.
            Ok(Choice::Index(index))
                if !function.dispatches[index].mismatch || arguments.iter().any(Value::has_unknown) =>
            {
                Ok(())
            }
            Ok(Choice::Index(_)) => {
                let Some(overloads) = self.parsed(&function.dispatches) else { return Ok(()) };
                let message = self.refusal(&function.name, &overloads, arguments, block)?;
                Err(EvaluationError::runtime(message).into())
            }
            Err(message) => Err(EvaluationError::runtime(message).into()),
        }
    }

    fn choose_among(
        &mut self,
        name: &str,
        dispatches: &[Dispatch],
        arguments: &[Value],
        block: Option<&Block<'_>>,
    ) -> Evaluated<Result<Choice, String>> {
        match self.parsed(dispatches) {
            Some(overloads) => self.choose_overload(name, &overloads, arguments, block),
            None => Ok(Ok(Choice::Unreadable)),
        }
    }

    /// Chooses the first signature that accepts some arguments, or returns the error message if none may.
    fn choose_overload(
        &mut self,
        name: &str,
        overloads: &[Overload],
        arguments: &[Value],
        block: Option<&Block<'_>>,
    ) -> Evaluated<Result<Choice, String>> {
        let given = block.map(|it| self.block_signature(it)).transpose()?;
        let accepts = |it: &Overload| {
            it.parameters.size_range().contains(arguments.len())
                && arguments.iter().enumerate().all(|(index, value)| {
                    it.parameters
                        .type_at(index)
                        .is_none_or(|wanted| may_be_instance(self.dialect(), wanted, value))
                })
                && match (&it.shown.callable.block, &given) {
                    (None, given) => given.is_none(),
                    (Some(wanted), None) => instance_of(self.dialect(), wanted, &Value::Undef),
                    (Some(wanted), Some(given)) => assignable(self.dialect(), wanted, &given.callable()),
                }
        };
        let Some(index) = overloads.iter().position(accepts) else {
            return Ok(Err(self.refusal(name, overloads, arguments, block)?));
        };
        if let Some(by) = arguments.iter().find_map(Value::unknown)
            && (overloads[index].is_mismatch || overloads[index + 1..].iter().any(accepts))
        {
            return Ok(Ok(Choice::Undecided(by)));
        }
        Ok(Ok(Choice::Index(index)))
    }

    /// The error message for arguments that no signature accepts.
    fn refusal(
        &mut self,
        name: &str,
        overloads: &[Overload],
        arguments: &[Value],
        block: Option<&Block<'_>>,
    ) -> Evaluated<String> {
        let block = block.map(|it| self.block_signature(it)).transpose()?;
        let types = arguments.iter().map(|it| infer_set(self.dialect(), it));
        let types: Vec<Type> = types.chain(block.map(|it| it.callable())).collect();
        let shown: Vec<_> =
            overloads.iter().filter(|it| !it.is_mismatch).map(|it| it.shown.clone()).collect();
        Ok(describe_signatures(self.dialect(), Callee::Named(name), &shown, &argument_types(types)))
    }

    /// Rejects a result that is not of the type that the signature at an index declares.
    pub(super) fn check_ruby_result(
        &mut self,
        function: &FunctionDefinition,
        index: usize,
        value: &Value,
    ) -> Evaluated<()> {
        let dispatch = &function.dispatches[index];
        let Some(text) = &dispatch.return_type else { return Ok(()) };
        let overloads = self.overloads.get(&function.id()).map(Rc::clone);
        let known = overloads.as_ref().and_then(|it| it.get(index));
        let parsed;
        let wanted = match known.and_then(|it| it.returns.get()) {
            Some(wanted) => wanted,
            None => {
                parsed = self.with_local_types(&function.local_types, |it| it.parse_type(text))?;
                known.map_or(&parsed, |it| it.returns.get_or_init(|| parsed.clone()))
            }
        };
        if instance_of(self.dialect(), wanted, value) {
            return Ok(());
        }
        let subject = format!("value returned from function '{}'", dispatch.method);
        let given = infer_set(self.dialect(), value);
        let message = mismatch::describe_mismatch(self.dialect(), &subject, wanted, &given);
        Err(EvaluationError::runtime(message).into())
    }

    /// Reads types in which the type aliases that a function declares for its own types are known: `NAME = TYPE`.
    fn with_local_types<T>(&mut self, declared: &[Str], read: impl FnOnce(&mut Self) -> T) -> T {
        if declared.is_empty() {
            return read(self);
        }
        let around = std::mem::take(&mut self.local_types);
        for text in declared {
            if let Some((name, text)) = text.split_once('=')
                && let Ok(it) = self.parse_type(text.trim())
            {
                self.local_types.insert(normalized(name.trim()), it);
            }
        }
        let result = read(self);
        self.local_types = around;
        result
    }

    /// A signature with its parsed types. None if one cannot be parsed.
    fn overload(&mut self, dispatch: &Dispatch) -> Option<Overload> {
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
        Some(Overload { shown, parameters, is_mismatch: dispatch.mismatch, returns: OnceCell::new() })
    }
}
