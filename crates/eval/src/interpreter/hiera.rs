//! The interpreter as the outside of Hiera: answers with variables of the looking-up scope, functions and types;
//! everything else is forwarded to the requests.

use marotte_diagnostics::issues;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use marotte_hiera::explain::Selection;
use marotte_hiera::{
    DataSource, ErrorKind, Fault, FunctionAnswer, FunctionCall, Hiera, LookupError, LookupHost, Query,
    Variable,
};
use marotte_hir::ExprId;
use marotte_pcore::dialect::Dialect;
use marotte_pcore::format::interpolated;
use marotte_pcore::mismatch::assert_assignable;
use marotte_pcore::ops::Strictness;
use marotte_pcore::print::writing_in;
use marotte_pcore::types::{LOOKUP_CONTEXT, Type};
use marotte_pcore::value::{Hash, Object, Unknown, UnknownSource, Value};
use marotte_text::Str;

use super::call::Function;
use super::data_trace::DataTrace;
use super::{Block, Env, Evaluated, Interpreter};
use crate::catalog::{ReadSource, TraceKind};
use crate::ruby::NotEvaluated;
use crate::{Effect, EvaluationError, Extension, Level, Log, Origin, ReadError, RubyCall, Unwind};

/// The key under which data defines the options for looking up other keys.
const LOOKUP_OPTIONS: &str = "lookup_options";

/// The caches of data lookups while a program runs.
#[derive(Default)]
pub(crate) struct Data {
    hiera: Rc<Hiera>,
    /// The contexts of the running functions, innermost last, with their numbers.
    running: Vec<(Arc<Object>, usize)>,
    /// The caches of the functions' contexts, by the number of the context.
    caches: HashMap<usize, Hash>,
    /// The results of functions for files, by path.
    files: HashMap<Str, Value>,
    /// The warnings that were emitted, none of which is repeated.
    said: HashSet<String>,
}

/// The place of a lookup.
struct Lookup<'i, 'w, 'e> {
    interpreter: &'i mut Interpreter<'w>,
    env: &'i Env<'e>,
    at: ExprId,
    /// The unknown value that it needed, if any.
    unknown: Option<Arc<Unknown>>,
}

impl Interpreter<'_> {
    /// The state of data lookups. Explanations of lookups are enabled there.
    pub fn hiera(&self) -> &Rc<Hiera> {
        &self.data.hiera
    }

    /// Looks up keys in Hiera data.
    pub(crate) fn lookup(
        &mut self,
        env: &Env<'_>,
        at: ExprId,
        query: &Query<'_>,
    ) -> Evaluated<Option<Value>> {
        let key = query.names.first().cloned().unwrap_or_default();
        self.look_up(env, at, &key, |hiera, outside| hiera.lookup(outside, query))
    }

    /// Looks up a declared parameter of a class (G12): `name` is `class::parameter`. None if data does not have it.
    pub(crate) fn lookup_class_parameter(
        &mut self,
        env: &Env<'_>,
        at: ExprId,
        name: &str,
    ) -> Evaluated<Option<Value>> {
        self.look_up(env, at, name, |hiera, outside| hiera.class_parameter(outside, name))
    }

    /// Runs a lookup; the result is unknown if the lookup needed an unknown value.
    fn look_up(
        &mut self,
        env: &Env<'_>,
        at: ExprId,
        key: &str,
        look: impl FnOnce(&Hiera, &mut Lookup<'_, '_, '_>) -> Result<Option<Value>, Fault<Unwind>>,
    ) -> Evaluated<Option<Value>> {
        // A lookup that data functions start is a part of the one around it.
        if !self.is_tracing() || self.data.hiera.is_explaining() {
            return Ok(self.ask(env, at, look)?.unwrap_or_else(|by| Some(Value::Unknown(by))));
        }
        self.data.hiera.explain(Selection::default());
        let (found, reads) = self.reading(|it| it.ask(env, at, look));
        let steps = self.data.hiera.explained().unwrap_or_default();
        let found = found?.unwrap_or_else(|by| Some(Value::Unknown(by)));
        let (data, value) = (Arc::new(DataTrace::of(key, &steps)), found.clone().unwrap_or(Value::Undef));
        let kind = TraceKind::Data(data);
        if let Some(trace) = self.trace(env, kind, &env.place(at), &value, &reads.unwrap_or_default()) {
            self.note_source(env, key, at, &value, ReadSource::Set(trace));
        }
        Ok(found)
    }

    /// Asks Hiera; returns the unknown value instead if Hiera needed one. Errors that follow from an unknown value are
    /// dropped.
    fn ask<T>(
        &mut self,
        env: &Env<'_>,
        at: ExprId,
        ask: impl FnOnce(&Hiera, &mut Lookup<'_, '_, '_>) -> Result<T, Fault<Unwind>>,
    ) -> Evaluated<Result<T, Arc<Unknown>>> {
        let hiera = Rc::clone(&self.data.hiera);
        let mut outside = Lookup { interpreter: self, env, at, unknown: None };
        let answer = ask(&hiera, &mut outside);
        match (outside.unknown, answer) {
            (Some(by), _) => Ok(Err(by)),
            (None, Err(Fault::Host(Unwind::Undecided(it)))) => Ok(Err(it.by)),
            (None, answer) => answer.map(Ok).map_err(unwind),
        }
    }

    /// Whether the environment has data configured by version 5 of `hiera.yaml`.
    pub(crate) fn has_environment_data(&mut self, env: &Env<'_>, at: ExprId) -> Evaluated<bool> {
        let hiera = Rc::clone(&self.data.hiera);
        let mut outside = Lookup { interpreter: self, env, at, unknown: None };
        hiera.has_environment_data(&mut outside).map_err(unwind)
    }

    /// Decrypts a value of a file whose values may be encrypted.
    pub(crate) fn decrypt_data(
        &mut self,
        env: &Env<'_>,
        at: ExprId,
        path: &str,
        key: &str,
        options: &Hash,
        value: &Value,
    ) -> Evaluated {
        let decrypted =
            self.ask(env, at, |hiera, outside| hiera.decrypt(outside, path, key, options, value))?;
        Ok(decrypted.unwrap_or_else(Value::Unknown))
    }

    /// Warns of a problem in data.
    pub(crate) fn warn_of_data(&mut self, message: String) {
        let log = Log { level: Level::Warning, message, issue: None, place: None, scope: None };
        self.emit(Effect::Log(log));
    }

    /// The result for a data function that can't be evaluated: in a catalog, its value is unknown.
    fn refused_data(&mut self, env: &Env<'_>, at: ExprId, cause: Arc<Unknown>, refused: ReadError) -> Unwind {
        let place = match &*env.code.origin {
            Origin::Internal => env.scope.container.get().and_then(|it| it.source.place.clone()),
            _ => None,
        };
        let place = place.unwrap_or_else(|| env.place(at));
        match &mut self.catalog {
            None => EvaluationError::runtime(format!("{}: {}", cause, refused.0)).into(),
            Some(state) => {
                state.gaps.ask(&cause, refused.0, &place);
                self.undecided(env, at, cause)
            }
        }
    }

    /// Looks up keys in the top scope, for a host.
    ///
    /// # Errors
    /// If data, its configuration or the value is invalid.
    pub fn lookup_data(&mut self, query: &Query<'_>) -> Result<Option<Value>, EvaluationError> {
        writing_in(self.dialect(), || {
            self.in_top_scope(|it, env| it.lookup(env, ExprId::FIRST, query)).map_err(Unwind::into_error)
        })
    }

    /// Looks up a parameter of a class in the top scope, for a host.
    ///
    /// # Errors
    /// If data or its configuration is invalid.
    pub fn lookup_parameter(&mut self, name: &str) -> Result<Option<Value>, EvaluationError> {
        writing_in(self.dialect(), || {
            let found = self.in_top_scope(|it, env| it.lookup_class_parameter(env, ExprId::FIRST, name));
            found.map_err(Unwind::into_error)
        })
    }

    /// Parses a type, for a host.
    ///
    /// # Errors
    /// If the text is not a type.
    pub fn read_type(&mut self, text: &str) -> Result<Type, EvaluationError> {
        writing_in(self.dialect(), || self.parse_type(text).map_err(Unwind::into_error))
    }

    /// Calls a member of the context of a data function (G15).
    pub(super) fn call_context(
        &mut self,
        env: &Env<'_>,
        at: ExprId,
        context: &Arc<Object>,
        name: &str,
        arguments: &[Value],
        block: Option<&Block<'_>>,
    ) -> Evaluated {
        let running = self.data.running.iter().rev().find(|(it, _)| Arc::ptr_eq(it, context));
        let Some(number) = running.map(|(_, number)| *number) else {
            let message = "a context is used after the function that it belongs to has ended".to_owned();
            return Err(self.fail_during(env, at, "Method call", message));
        };
        let argument = |index: usize| arguments.get(index).cloned().unwrap_or(Value::Undef);
        Ok(match name {
            "environment_name" => self.requests.variable("environment").unwrap_or(Value::Undef),
            "not_found" => return Err(Unwind::NotFound(Box::new(env.place(at)))),
            "explain" => {
                if let Some(block) = block.filter(|_| self.data.hiera.is_explaining()) {
                    let text = self.call_block(block, &[])?;
                    let text = interpolated(self.dialect(), &text);
                    self.data.hiera.remark(|| text);
                }
                Value::Undef
            }
            "interpolate" => {
                let text = argument(0);
                let interpolated = self.ask(env, at, |hiera, outside| hiera.interpolate(outside, &text))?;
                interpolated.unwrap_or_else(Value::Unknown)
            }
            "cache" => {
                self.data.caches.entry(number).or_default().insert(argument(0), argument(1));
                argument(1)
            }
            "cache_all" => {
                let cache = self.data.caches.entry(number).or_default();
                if let Value::Hash(entries) = argument(0) {
                    for (key, value) in entries.iter() {
                        cache.insert(key.clone(), value.clone());
                    }
                }
                Value::Undef
            }
            "cache_has_key" => self.cached(number, &argument(0)).is_some().into(),
            "cached_value" => self.cached(number, &argument(0)).unwrap_or(Value::Undef),
            "cached_entries" => {
                let entries: Vec<_> = match self.data.caches.get(&number) {
                    Some(cache) => cache.iter().map(|(key, value)| [key.clone(), value.clone()]).collect(),
                    None => Vec::new(),
                };
                let Some(block) = block else {
                    return Ok(Value::Array(entries.into_iter().map(|it| Value::Array(it.into())).collect()));
                };
                for entry in entries {
                    if block.fixed_arity() == Some(2) {
                        self.call_block(block, &entry)?;
                    } else {
                        self.call_block(block, &[Value::Array(entry.into())])?;
                    }
                }
                Value::Undef
            }
            _ => self.cached_file_data(&argument(0), block)?,
        })
    }

    fn cached(&self, context: usize, key: &Value) -> Option<Value> {
        self.data.caches.get(&context)?.get(key).cloned()
    }

    /// The text of a file, or the result of a lambda for it; computed once.
    fn cached_file_data(&mut self, path: &Value, block: Option<&Block<'_>>) -> Evaluated {
        let path: Str = path.as_str().unwrap_or_default().into();
        if let Some(known) = self.data.files.get(&path) {
            return Ok(known.clone());
        }
        let bytes = self.requests.read_file(&path).map_err(EvaluationError::from)?;
        let text = String::from_utf8(bytes)
            .map_err(|_| EvaluationError::runtime(format!("'{path}' is not UTF-8")))?;
        let mut value = Value::String(text.into());
        if let Some(block) = block {
            value = self.call_block(block, &[value])?;
        }
        self.data.files.insert(path, value.clone());
        Ok(value)
    }
}

/// Converts an error of a lookup to an unwinding.
fn unwind(fault: Fault<Unwind>) -> Unwind {
    match fault {
        Fault::Host(unwind) => unwind,
        Fault::Lookup(error) => {
            let LookupError { kind, message, place, .. } = *error;
            let issue = match kind {
                ErrorKind::Issue(issue) => issues::declared(issue),
                ErrorKind::Lookup => issues::LOOKUP_ERROR,
                _ => issues::RUNTIME_ERROR,
            };
            let place = match place {
                Some((path, Some(line))) => format!(" (file: {path}, line: {line})"),
                Some((path, None)) => format!(" (file: {path})"),
                None => String::new(),
            };
            EvaluationError::new(issue, message + &place).into()
        }
    }
}

impl LookupHost for Lookup<'_, '_, '_> {
    type Error = Unwind;

    fn dialect(&self) -> &'static Dialect {
        self.interpreter.dialect()
    }

    fn data(&self) -> &dyn DataSource {
        self.interpreter.requests
    }

    fn strict(&self) -> Strictness {
        self.interpreter.settings.strict
    }

    fn calling_class(&mut self) -> Option<Str> {
        let mut container = self.env.scope.container.get();
        while let Some(it) = container {
            if it.source.is_class() {
                return Some(it.source.name.to_lowercase()).filter(|it: &Str| !it.is_empty());
            }
            container = it.parent.as_ref().and_then(|it| it.container.get());
        }
        None
    }

    fn variable(&mut self, name: &str) -> Variable {
        match self.interpreter.find_variable_or_unknown(self.env, name) {
            Some(value) => {
                self.unknown = self.unknown.take().or_else(|| value.unknown());
                Variable::Value(value)
            }
            None => Variable::Missing(String::new()),
        }
    }

    fn call(&mut self, call: FunctionCall<'_>) -> Result<FunctionAnswer, Fault<Unwind>> {
        let FunctionCall { name, mut arguments, context, module, kind, level, key, returns } = call;
        let function = self.interpreter.function(self.env, self.at, name).map_err(Fault::Host)?;
        match &function {
            Some(Function::Code(code)) => {
                if let Some(own) = &code.2.returns {
                    let subject = format!("Return type of '{kind}' function named '{name}'");
                    assert_assignable(self.dialect(), &subject, &returns, own)
                        .map_err(|wrong| LookupError::other(wrong.to_string()))?;
                }
            }
            Some(Function::Builtin(_)) => {}
            Some(Function::Ruby) => {}
            // It comes with PuppetDB, as `puppetdb_query` does.
            None if name == "puppetdb_lookup_key" && self.interpreter.catalog.is_some() => {
                let reason = "it is a back end of PuppetDB, which is not implemented".to_owned();
                let reason = NotEvaluated::Unsupported(reason);
                return self.not_evaluated(name, kind, level, key, reason);
            }
            None => return Ok(FunctionAnswer::NoFunction),
        }
        if let Some(context) = context {
            let module = module.map_or(Value::Undef, Value::from);
            let object = Object { object_type: LOOKUP_CONTEXT.clone(), attributes: [module].into() };
            let object = Arc::new(object);
            arguments.push(Value::Object(Arc::clone(&object)));
            self.interpreter.data.running.push((object, context));
        }
        let is_ruby = matches!(function, Some(Function::Ruby));
        let result = match is_ruby {
            true => self.interpreter.run_ruby_backend(self.env, self.at, name, &arguments),
            false => self
                .interpreter
                .call_function(self.env, self.at, name, arguments.clone(), None, "Function Call")
                .map(Ok),
        };
        if context.is_some() {
            self.interpreter.data.running.pop();
        }
        let result = match result {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(reason)) => {
                return self.not_evaluated(name, kind, level, key, reason);
            }
            Err(unwind) => Err(unwind),
        };
        match result {
            // Then it is not even known whether the level has the key.
            Ok(Value::Unknown(by)) => Err(Fault::Host(self.interpreter.undecided(self.env, self.at, by))),
            Ok(value) => Ok(FunctionAnswer::Value(value)),
            Err(Unwind::NotFound(_)) => Ok(FunctionAnswer::NotFound),
            Err(unwind) => Err(Fault::Host(unwind)),
        }
    }

    fn parse_type(&mut self, text: &str) -> Result<Type, String> {
        self.interpreter.parse_type(text).map_err(|unwind| unwind.into_error().message)
    }

    fn convert(&mut self, to: &Type, arguments: &[Value]) -> Result<Value, String> {
        let arguments: Vec<Value> =
            [Value::Type(to.clone())].into_iter().chain(arguments.iter().cloned()).collect();
        let result =
            self.interpreter.call_function(self.env, self.at, "new", arguments, None, "Function Call");
        result.map_err(|unwind| unwind.into_error().message)
    }

    fn spend(&mut self, steps: u64, bytes: usize) -> Result<(), Fault<Unwind>> {
        let spent = self.interpreter.spend(steps).and_then(|()| self.interpreter.allocate(bytes));
        spent.map_err(Fault::Host)
    }

    fn warn(&mut self, message: String) {
        self.interpreter.warn_of_data(message);
    }

    fn warn_once(&mut self, message: String) {
        if !self.interpreter.is_quiet && self.interpreter.data.said.insert(message.clone()) {
            self.warn(message);
        }
    }
}

impl Lookup<'_, '_, '_> {
    /// Returns the answer for a Ruby function that wasn't evaluated: the level is unknown.
    fn not_evaluated(
        &mut self,
        name: &str,
        kind: &'static str,
        level: &str,
        key: &str,
        reason: NotEvaluated,
    ) -> Result<FunctionAnswer, Fault<Unwind>> {
        let env = self.env;
        // Such functions have secrets, not options. A lookup of a key itself reports the data of the levels before it.
        if key == LOOKUP_OPTIONS && (kind != "data_hash" || self.interpreter.catalog.is_none()) {
            return Ok(FunctionAnswer::NotFound);
        }
        let refused = match reason {
            NotEvaluated::Absent => {
                let asked = Extension::Function { name, arguments: &[], call: RubyCall::default() };
                ReadError(asked.refusal())
            }
            NotEvaluated::Unsupported(reason) | NotEvaluated::Invalid(reason) => ReadError(reason),
            NotEvaluated::Unknown(by) => ReadError(format!("it needs the value of {by}, which is not known")),
        };
        let cause = Unknown::new(UnknownSource::Data { function: name.into(), kind, level: level.into() });
        Err(Fault::Host(self.interpreter.refused_data(env, self.at, cause, refused)))
    }
}

impl Interpreter<'_> {
    /// Warns of a deprecated function, once.
    pub(crate) fn function_is_deprecated(&mut self, message: String) {
        if !self.is_quiet && self.settings.strict != Strictness::Off && self.data.said.insert(message.clone())
        {
            self.warn_of_data(message);
        }
    }
}
