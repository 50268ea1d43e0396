//! The interpreter as the host of Ruby code.

use marotte_diagnostics::issues;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use marotte_catalog::Reference;
use marotte_hiera::Format;
use marotte_hiera::data::parse;
use marotte_hir::ExprId;
use marotte_pcore::ops::Strictness;
use marotte_pcore::value::{Hash, Value};
use marotte_ruby_eval::host::{CatalogOperation, PathKind};
use marotte_ruby_eval::program::Program;
use marotte_ruby_eval::puppet::FunctionDefinition;
use marotte_ruby_eval::value::Proc;
use marotte_ruby_eval::{Host, HostError};
use marotte_text::{LineIndex, Str};

use super::block::{GivenBlock, RubyBlock};
use super::dispatch::Choice;
use super::outcome;
use crate::catalog::{DefinitionKind, ResourceId, ResourceKind};
use crate::effect::{Effect, Level, Log};
use crate::functions::epp::INLINE;
use crate::interpreter::{Block, Env, Interpreter};
use crate::{Origin, Place, ReadError, RubyFile, Unwind};

type Answer<T = Value> = Result<T, HostError>;

/// The interpreter during a call of Ruby code.
pub(super) struct RubyHost<'a, 'w> {
    interpreter: &'a mut Interpreter<'w>,
    env: &'a Env<'a>,
    /// The call.
    at: ExprId,
    /// The lambda passed to the call.
    given: Option<&'a GivenBlock<'a>>,
}

impl<'a, 'w> RubyHost<'a, 'w> {
    pub(super) fn new(
        interpreter: &'a mut Interpreter<'w>,
        env: &'a Env<'a>,
        at: ExprId,
        given: Option<&'a GivenBlock<'a>>,
    ) -> RubyHost<'a, 'w> {
        RubyHost { interpreter, env, at, given }
    }

    /// Calls a function from a scope of the call.
    fn call_within(
        &mut self,
        name: &str,
        arguments: Vec<Value>,
        block: Option<&Block<'_>>,
        is_global: bool,
    ) -> Answer {
        let top = Rc::clone(&self.interpreter.top);
        let global = Env { frame: None, scope: &top, own_frames: 0, ..*self.env };
        let env = if is_global { &global } else { self.env };
        let result = self.interpreter.call_function(env, self.at, name, arguments, block, "Function Call");
        result.map_err(|unwind| match unwind {
            // The catalog goes on without the value.
            Unwind::Error(error) if error.is_unanswered && self.interpreter.catalog.is_some() => {
                HostError::Unsupported(error.message)
            }
            unwind => unwound(unwind),
        })
    }
}

/// Converts an unwinding of the interpreter for Ruby code: errors can be rescued, everything else passes through.
fn unwound(unwind: Unwind) -> HostError {
    match unwind {
        Unwind::Error(error)
            if !error.is_unanswered
                && (error.issue == issues::RUNTIME_ERROR || error.issue == issues::UNKNOWN_FUNCTION) =>
        {
            // The place of the error would be lost; Ruby code shows the message.
            HostError::Raise { class: "Puppet::ParseError".to_owned(), message: error.message.clone() }
        }
        Unwind::Error(error) if !error.is_unanswered && error.issue == issues::LOOKUP_ERROR => {
            HostError::Raise { class: outcome::LOOKUP_ERROR.to_owned(), message: error.message.clone() }
        }
        Unwind::Undecided(it) => HostError::Unknown(it.by),
        other => HostError::Unwind(Box::new(other)),
    }
}

fn refused(error: ReadError) -> HostError {
    HostError::Unsupported(error.0)
}

/// A known value.
fn known(value: Value) -> Answer {
    match value.unknown() {
        Some(by) => Err(HostError::Unknown(by)),
        None => Ok(value),
    }
}

impl Host for RubyHost<'_, '_> {
    fn time_left(&self) -> Option<Duration> {
        self.interpreter.budget().time_left()
    }

    fn check_size(&mut self, value: &Value) -> Answer<()> {
        let (extent, limit) = (value.extent(), self.interpreter.settings.limits.value_size);
        let (issue, message) = if let Err(error) = extent.check_nesting() {
            (issues::VALUE_NESTING_LIMIT, error.to_string())
        } else if extent.size() > limit && !matches!(value, Value::String(_)) {
            let message =
                format!("a value that is larger than {limit} bytes, if all is counted as often as it occurs");
            (issues::VALUE_SIZE_LIMIT, message)
        } else {
            return Ok(());
        };
        Err(HostError::Unwind(Box::new(self.interpreter.fail(self.env, self.at, issue, message))))
    }

    fn variable(&mut self, name: &str) -> Answer<Option<Value>> {
        match self.interpreter.find_variable_or_unknown(self.env, name) {
            Some(Value::Unknown(by)) => Err(HostError::Unknown(by)),
            Some(value) => {
                self.interpreter.note_named_read(self.env, name, self.at, &value);
                Ok(Some(value))
            }
            None => Ok(None),
        }
    }

    fn missing_variable(&mut self, name: &str) -> Answer<()> {
        let built_in = matches!(name, "module_name" | "caller_module_name");
        if built_in || name.bytes().all(|it| it.is_ascii_digit()) {
            return Ok(());
        }
        match self.interpreter.settings.strict {
            Strictness::Error => {
                let message = format!("Undefined variable '{name}'; ");
                Err(HostError::Raise { class: "ArgumentError".to_owned(), message })
            }
            Strictness::Warning | Strictness::Off => Ok(()),
        }
    }

    fn set_variable(&mut self, name: &str, value: Value) -> Answer<()> {
        self.interpreter.note_change();
        let is_set = match name.strip_prefix("::") {
            Some(name) => {
                self.interpreter.requests.variable(name).is_none() && self.interpreter.top.set(name, value)
            }
            None if self.env.frame.is_some() => {
                return Err(HostError::Unsupported("setting a variable in a function or lambda".to_owned()));
            }
            None => self.env.scope.set(name, value),
        };
        if is_set {
            return Ok(());
        }
        let name = name.trim_start_matches("::");
        let message = format!("Cannot reassign variable '${name}'");
        Err(HostError::Raise { class: "Puppet::ParseError".to_owned(), message })
    }

    fn replace_values(&mut self, changes: &[(Value, Value)]) -> Answer<()> {
        self.interpreter.note_change();
        self.interpreter.replace_changed(self.env, changes);
        Ok(())
    }

    fn note_changed_texts(&mut self, texts: Vec<Str>) {
        self.interpreter.changed_texts.extend(texts);
    }

    fn variables(&mut self, is_recursive: bool) -> Answer<Vec<(String, Value)>> {
        match self.interpreter.all_variables(self.env, is_recursive) {
            Some(all) => Ok(all.into_iter().map(|(name, value)| (name.to_string(), value)).collect()),
            None => Err(HostError::Unsupported(
                "all variables of the scope, some of which are not known".to_owned(),
            )),
        }
    }

    fn call_function(
        &mut self,
        name: &str,
        arguments: Vec<Value>,
        block: Option<&Rc<Proc>>,
        is_global: bool,
    ) -> Answer {
        let Some(proc) = block else { return self.call_within(name, arguments, None, is_global) };
        // A lambda that is only handed on.
        if let Some(given) = self.given.filter(|it| Rc::ptr_eq(&it.proc, proc)) {
            return self.call_within(name, arguments, Some(given.block), is_global);
        }
        let (Some(takes), Some(arity)) = (proc.takes(), proc.arity()) else {
            return Err(HostError::Unsupported(format!("such a block for {name}()")));
        };
        let function = Str::from(name);
        let block = RubyBlock { proc: Rc::clone(proc), given: self.given, function, takes, arity };
        let since = self.interpreter.changes_in_place();
        let block = Block::ruby(*self.env, self.at, block, since);
        self.call_within(name, arguments, Some(&block), is_global)
    }

    fn has_function(&mut self, name: &str) -> bool {
        // One that can't be loaded exists, and the call says why.
        !matches!(self.interpreter.function(self.env, self.at, name), Ok(None))
    }

    fn choose_dispatch(&mut self, function: &FunctionDefinition, arguments: &[Value]) -> Answer<usize> {
        match self.interpreter.choose_dispatch(function, arguments, None).map_err(unwound)? {
            Choice::Index(index) => Ok(index),
            Choice::Undecided(by) => Err(HostError::Unknown(by)),
            Choice::Unreadable => {
                Err(HostError::Unsupported(format!("the types of the parameters of {}", function.name)))
            }
        }
    }

    fn has_type(&mut self, name: &str) -> bool {
        self.interpreter.is_definition(name).unwrap_or(false)
    }

    fn call_member(&mut self, object: &Value, name: &str, arguments: Vec<Value>) -> Answer {
        let result = self.interpreter.call_member(self.env, self.at, object, name, &arguments, None);
        result.map_err(unwound)
    }

    fn call_block(&mut self, number: usize, arguments: Vec<Value>) -> Answer {
        match self.given.filter(|it| it.number == number) {
            Some(given) => known(self.interpreter.call_block(given.block, &arguments).map_err(unwound)?),
            None => Err(HostError::Unsupported("a lambda that is called by another function".to_owned())),
        }
    }

    fn parse_type(&mut self, text: &str) -> Answer {
        self.interpreter.parse_type(text).map(Value::Type).map_err(unwound)
    }

    fn parse_hocon(&mut self, text: &str) -> Answer {
        match parse(Format::Hocon, text) {
            Ok(document) => Ok(document.value),
            // The library may read what is refused here.
            Err(_) => Err(HostError::Unsupported("such a document in HOCON".to_owned())),
        }
    }

    fn path_kind(&mut self, path: &str) -> Answer<PathKind> {
        self.interpreter.requests.path_kind(path).map_err(refused)
    }

    fn read_file(&mut self, path: &str) -> Answer<Option<Vec<u8>>> {
        match self.interpreter.requests.find_file("", path).map_err(refused)? {
            Some(path) => self.interpreter.requests.read_file(&path).map(Some).map_err(refused),
            None => Ok(None),
        }
    }

    fn find_file(&mut self, folder: &str, name: &str) -> Answer<Option<String>> {
        let found = self.interpreter.requests.find_file(folder, name).map_err(refused)?;
        Ok(found.map(|it| it.to_string()))
    }

    fn module_directory(&mut self, name: &str) -> Option<String> {
        self.interpreter.requests.module_directory(name).map(|it| it.to_string())
    }

    fn ruby_file(&mut self, name: &str) -> Answer<Option<Arc<Program>>> {
        let program = self.interpreter.evaluated_program(RubyFile::Library(name));
        program.map_err(|error| HostError::Unsupported(error.message()))
    }

    fn reads_places(&mut self, path: &str) {
        self.interpreter.requests.reads_ruby_places(path);
    }

    fn setting(&mut self, name: &str) -> Answer {
        if name == "strict" {
            return Ok(Value::from(match self.interpreter.settings.strict {
                Strictness::Off => "off",
                Strictness::Warning => "warning",
                Strictness::Error => "error",
            }));
        }
        match self.interpreter.requests.setting(name) {
            Some(value) => known(value),
            None => Err(HostError::Unsupported(format!("the setting {name}"))),
        }
    }

    fn effects(&mut self) -> u64 {
        let (changes, size) = self.interpreter.effects_so_far();
        // Neither number ever decreases, so that their sum changes with each effect.
        changes + size as u64
    }

    fn now(&mut self) -> Option<i128> {
        Some(self.interpreter.requests.now().nanoseconds())
    }

    fn log(&mut self, level: &str, message: &str) {
        let level = match level {
            "debug" => Level::Debug,
            "info" => Level::Info,
            "notice" => Level::Notice,
            "err" => Level::Err,
            "alert" => Level::Alert,
            "emerg" => Level::Emerg,
            "crit" => Level::Crit,
            _ => Level::Warning,
        };
        let log = Log {
            level,
            message: message.to_owned(),
            issue: None,
            place: Some(self.env.place(self.at)),
            scope: None,
        };
        self.interpreter.emit(Effect::Log(log));
    }

    fn puppet_stack(&mut self) -> Answer<Vec<(String, i64)>> {
        self.interpreter.calls.iter().rev().map(|it| self.frame(it)).collect()
    }

    fn catalog(&mut self, operation: CatalogOperation) -> Answer {
        if self.interpreter.catalog.is_none() {
            return Err(HostError::Unsupported("the catalog, of which there is none here".to_owned()));
        }
        match operation {
            CatalogOperation::FindResource { type_name, title } => self.find_resource(&type_name, &title),
            CatalogOperation::Classes => {
                let state = self.interpreter.state().map_err(unwound)?;
                if let Some(by) = state.doubts.may_be_declared_of("Class") {
                    return Err(HostError::Unknown(Arc::clone(by)));
                }
                Ok(Value::Array(state.classes.iter().cloned().map(Value::String).collect()))
            }
            CatalogOperation::Node(name) => {
                let node = self.interpreter.requests.node();
                match name.as_str() {
                    "name" => Ok(Value::String(node.name)),
                    "environment" => Ok(Value::String(node.environment)),
                    _ => Err(HostError::Unsupported(format!("{name} of the node"))),
                }
            }
            CatalogOperation::Resources => self.all_resources(),
            CatalogOperation::Tags => Err(HostError::Unsupported("the tags of the scope".to_owned())),
            CatalogOperation::ScopeResource => self.scope_resource(),
            CatalogOperation::ScopeSource => self.scope_source(),
        }
    }
}

impl RubyHost<'_, '_> {
    /// The file and line of a call, or of a program, which is on line 0.
    fn frame(&self, call: &Place) -> Answer<(String, i64)> {
        let unknown = || HostError::Unsupported("the line of a call of Puppet code".to_owned());
        let Some(expr) = call.expr else {
            return match &*call.origin {
                Origin::File { path, .. } => Ok((path.to_string(), 0)),
                Origin::Text { .. } => Ok(("unknown".to_owned(), 0)),
                Origin::Internal => Err(unknown()),
            };
        };
        match &*call.origin {
            Origin::File { path, definition } => {
                let line = self.interpreter.requests.line_of(path, *definition, expr).ok_or_else(unknown)?;
                Ok((path.to_string(), line.into()))
            }
            Origin::Text { name, text, map } => {
                let file = if name.as_str() == INLINE { INLINE } else { "unknown" };
                let place = map.place(expr).ok_or_else(unknown)?;
                let lines = LineIndex::new(text);
                let line = |offset| i64::from(lines.position(offset).line);
                match line(place.range.start()) == line(place.range.end()) {
                    true => Ok((file.to_owned(), line(place.anchor))),
                    false => Err(unknown()),
                }
            }
            Origin::Internal => Err(unknown()),
        }
    }

    fn find_resource(&mut self, type_name: &str, title: &str) -> Answer {
        let reference = Reference::new(type_name, title);
        let Some(id) = self.interpreter.find_resource(&reference).map_err(unwound)? else {
            return match self.interpreter.may_exist(&reference) {
                Some(by) => Err(HostError::Unknown(by)),
                None => Ok(Value::Undef),
            };
        };
        self.described(id)
    }

    /// All resources so far, in order of declaration.
    fn all_resources(&mut self) -> Answer {
        let state = self.interpreter.state().map_err(unwound)?;
        if let Some(by) = state.doubts.may_be_incomplete() {
            return Err(HostError::Unknown(Arc::clone(by)));
        }
        let all: Vec<ResourceId> = state.resources().map(|(id, _)| id).collect();
        let described: Answer<Vec<Value>> = all.into_iter().map(|id| self.described(id)).collect();
        Ok(Value::Array(described?.into()))
    }

    /// The resource whose body contains the call.
    fn scope_resource(&mut self) -> Answer {
        let container = self.env.scope.container.get().or_else(|| self.interpreter.top.container.get());
        let Some(id) = container.map(|it| it.resource) else {
            return Err(HostError::Unsupported("the resource of such a scope".to_owned()));
        };
        self.described(id)
    }

    /// The class or defined type whose body contains the call.
    fn scope_source(&mut self) -> Answer {
        let source = self.env.scope.container.get().map(|it| Rc::clone(&it.source));
        match source {
            Some(it) if matches!(it.kind, DefinitionKind::Define) => Ok(named_source("definition", &it.name)),
            Some(it) if it.is_class() && !matches!(&*it.name, "" | "main") => {
                Ok(named_source("hostclass", &it.name))
            }
            _ => Err(HostError::Unsupported("the source of such a scope".to_owned())),
        }
    }

    /// Describes a resource for Ruby code.
    fn described(&mut self, id: ResourceId) -> Answer {
        let state = self.interpreter.state().map_err(unwound)?;
        let instance = state.resource(id);
        let parameters = match &instance.open {
            Some(by) => Value::Unknown(Arc::clone(by)),
            None => {
                let known = instance.parameters.iter();
                let known = known.map(|(name, it)| (Value::String(name.clone()), it.value.clone()));
                Value::Hash(Arc::new(known.collect()))
            }
        };
        let from_title: Hash = match &instance.kind {
            ResourceKind::Native(_) => {
                instance.from_title.iter().cloned().map(|(name, it)| (Value::String(name), it)).collect()
            }
            _ => {
                [(Value::from("name"), Value::String(instance.reference.title.clone()))].into_iter().collect()
            }
        };
        let entries: [(Value, Value); 4] = [
            ("type".into(), Value::String(instance.reference.type_name.clone())),
            ("title".into(), Value::String(instance.reference.title.clone())),
            ("parameters".into(), parameters),
            ("from_title".into(), Value::Hash(Arc::new(from_title))),
        ];
        Ok(Value::Hash(Arc::new(entries.into_iter().collect())))
    }
}

fn named_source(kind: &str, name: &Str) -> Value {
    Value::Array([Value::from(kind), Value::String(name.clone())].into_iter().collect())
}
