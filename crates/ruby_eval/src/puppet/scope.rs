//! `Puppet::Parser::Scope`, the catalog and the compiler, as far as functions and templates use them. The scope is
//! always that of the call that the host evaluates.

use std::rc::Rc;
use std::sync::Arc;

use marotte_pcore::types::TypeKind;
use marotte_pcore::value::{Unknown, UnknownSource, Value as PuppetValue};

use super::opaque::Opaque;
use super::{legacy, resource};
use crate::host::CatalogOperation;
use crate::native::{Call, NativeClass, NativeMethod, at_least, between, exactly};
use crate::stop::{Result, unsupported};
use crate::value::{Data, Object};
use crate::{HostError, Stop, Symbol, Value, Vm};

/// The state of a scope.
#[derive(Clone, Copy, Debug)]
enum Scope {
    /// The scope of the call that the host evaluates.
    Calling,
    /// The top scope.
    Top,
}

impl Data for Scope {}

/// The scope of the call that the host evaluates.
pub(crate) fn current(vm: &mut Vm<'_>) -> Value {
    scope(vm, Scope::Calling)
}

/// The top scope, in which functions of the 4.x API run unless they request another.
pub(crate) fn top(vm: &mut Vm<'_>) -> Value {
    scope(vm, Scope::Top)
}

fn scope(vm: &mut Vm<'_>, which: Scope) -> Value {
    let place = which as usize;
    if let Some(known) = &vm.scopes[place] {
        return known.clone();
    }
    let class = Rc::clone(vm.world.class("Puppet::Parser::Scope"));
    let scope = Value::Object(Object::new(class, which));
    vm.scopes[place] = Some(scope.clone());
    scope
}

/// The text of a scope: `Scope(Class[Ntp])`.
///
/// # Errors
/// If the resource that it belongs to is not known.
pub(crate) fn described(vm: &mut Vm<'_>, scope: &Value) -> Result<String> {
    if is_top(scope) {
        return Ok("Scope(Class[main])".to_owned());
    }
    let answer = vm.host.catalog(CatalogOperation::ScopeResource);
    let found = vm.answered(answer)?;
    let resource = resource::declared(vm, &found)?;
    Ok(format!("Scope({})", vm.to_s(&resource)?.lossy()))
}

/// Whether a value is a scope.
pub(crate) fn is_scope(value: &Value) -> bool {
    matches!(value, Value::Object(it) if it.data_as::<Scope>().is_some())
}

/// Whether a scope is the top scope.
pub(crate) fn is_top(scope: &Value) -> bool {
    match scope {
        Value::Object(it) => it.data_as::<Scope>().is_some_and(|it| matches!(*it, Scope::Top)),
        _ => false,
    }
}

/// The unknown value, if a value is one that may be `undef`.
fn may_be_undef(value: &PuppetValue) -> Option<Arc<Unknown>> {
    match value {
        PuppetValue::Unknown(by) if !by.is_truthy() => Some(Arc::clone(by)),
        _ => None,
    }
}

/// The name of a variable as the host finds it from a scope.
fn variable_name(scope: &Value, name: &str) -> String {
    match is_top(scope) && !name.contains("::") {
        true => format!("::{name}"),
        false => name.to_owned(),
    }
}

impl Vm<'_> {
    /// Converts an answer of the host for Ruby code: errors of the host become exceptions or end the evaluation.
    ///
    /// # Errors
    /// The error of the host.
    pub fn answered<T>(&mut self, answer: std::result::Result<T, HostError>) -> Result<T> {
        match answer {
            Ok(value) => Ok(value),
            Err(HostError::Raise { class, message }) => self.raise_named(&class, message),
            Err(HostError::Unwind(control)) => Err(Box::new(Stop::Host(control))),
            Err(HostError::Unknown(by)) => Err(Box::new(Stop::Unknown(by))),
            Err(HostError::Unsupported(construct)) => unsupported(construct),
        }
    }

    /// The value of a variable as the host finds it. None if it is not set.
    ///
    /// # Errors
    /// If it is not known.
    pub(crate) fn variable(&mut self, name: &str) -> Result<Option<Value>> {
        let value = match self.host.variable(name) {
            Err(HostError::Unknown(by)) => Some(PuppetValue::Unknown(by)),
            answer => self.answered(answer)?,
        };
        value.map(|it| self.import(&it)).transpose()
    }

    /// The variables of the calling scope that are not `undef`, and unless `is_recursive` is false those of the scopes
    /// around it.
    ///
    /// # Errors
    /// If they are not known, which includes that one may be `undef`.
    pub(crate) fn variables_that_are_set(
        &mut self,
        is_recursive: bool,
    ) -> Result<Vec<(String, PuppetValue)>> {
        let answer = self.host.variables(is_recursive);
        let variables = self.answered(answer)?;
        match variables.iter().find_map(|(_, value)| may_be_undef(value)) {
            Some(by) => Err(Box::new(Stop::Unknown(by))),
            None => Ok(variables),
        }
    }

    /// Ends the evaluation if a value may be `nil`.
    pub(super) fn check_is_set(&self, value: &Value) -> Result<()> {
        let unknown = match value {
            Value::Object(it) => it.data_as::<Opaque>().and_then(|it| may_be_undef(it.value())),
            _ => None,
        };
        match unknown {
            Some(by) => Err(Box::new(Stop::Unknown(by))),
            None => Ok(()),
        }
    }

    /// The Ruby form of an argument of a function of the 3.x API: a reference to a resource is a `Puppet::Resource`.
    pub(crate) fn import_legacy(&mut self, value: &PuppetValue) -> Result {
        if !super::convert::is_reference(value) {
            return self.import(value);
        }
        let PuppetValue::Type(it) = value else { return self.import(value) };
        match it.resolved().kind() {
            TypeKind::Resource(it) => {
                let name = it.type_name.as_deref().unwrap_or_default().to_owned();
                let title = it.title.as_deref().unwrap_or_default().to_owned();
                Ok(resource::reference(self, &name, &title))
            }
            TypeKind::Class(Some(name)) => Ok(resource::reference(self, "Class", name)),
            _ => self.import(value),
        }
    }

    /// The hash that functions with `cache_param` share during one evaluation.
    pub(crate) fn puppet_cache(&mut self) -> Value {
        let name = Symbol::new("$__puppet_cache");
        let mut globals = self.world.globals.borrow_mut();
        globals.entry(name).or_insert_with(|| Value::hash([])).clone()
    }
}

fn look_up(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let Value::String(name) = call.required(0) else {
        let (shown, class) = (vm.inspect(call.required(0))?, vm.class_of(call.required(0)).display_name());
        return vm.raise_named(
            "Puppet::ParseError",
            format!("Scope variable name {shown} is a {class}, not a string"),
        );
    };
    let name = name.lossy();
    match vm.variable(&variable_name(call.this, &name))? {
        Some(value) => Ok(value),
        None => {
            let tag = Value::symbol("undefined_variable");
            if vm.catches(&tag) && !always_exists(&name) {
                let value = reason_of_missing(vm, &name)?;
                return Err(Box::new(Stop::Throw { tag, value }));
            }
            let answer = vm.host.missing_variable(&name);
            vm.answered(answer)?;
            Ok(Value::Nil)
        }
    }
}

/// Whether a variable of this name is never reported as missing.
fn always_exists(name: &str) -> bool {
    matches!(name, "module_name" | "caller_module_name") || name.bytes().all(|it| it.is_ascii_digit())
}

/// The reason why a variable is missing, which `catch` returns. Not known for a variable of a class.
fn reason_of_missing(vm: &mut Vm<'_>, name: &str) -> Result {
    match name.trim_start_matches("::").contains("::") {
        true => vm.import(&PuppetValue::Unknown(Unknown::new(UnknownSource::RubyObject))),
        false => Ok(Value::Nil),
    }
}

fn set_variable(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let name = vm.expect_string(call.required(0))?.lossy();
    if name.contains("::") {
        return unsupported("setting a variable whose name has a namespace");
    }
    if matches!(name.as_str(), "trusted" | "facts" | "server_facts") {
        let message = format!("Attempt to assign to a reserved variable name: '{name}'");
        return vm.raise_named("Puppet::ParseError", message);
    }
    vm.apply_changes()?;
    let value = vm.export_kept(call.required(1))?;
    let answer = vm.host.set_variable(&variable_name(call.this, &name), value);
    vm.answered(answer)?;
    Ok(call.required(1).clone())
}

fn find_resource(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let (name, title) = resource::type_and_title(vm, call.arguments)?;
    resource::find(vm, &name, &title)
}

fn node_property(vm: &mut Vm<'_>, name: &str) -> Result {
    let answer = vm.host.catalog(CatalogOperation::Node(name.to_owned()));
    let value = vm.answered(answer)?;
    vm.import(&value)
}

/// An object of a class that only represents a part of the scope.
fn part(vm: &mut Vm<'_>, class: &str) -> Result {
    let class = Rc::clone(vm.world.class(class));
    Ok(Value::Object(Object::new(class, ())))
}

/// Whether a variable is set and not `undef` (`include?`).
fn is_set(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let name = vm.to_s(call.required(0))?.lossy();
    let value = vm.variable(&variable_name(call.this, &name))?;
    Ok(Value::Bool(value.is_some_and(|it| !matches!(it, Value::Nil))))
}

static METHODS: [NativeMethod; 23] = [
    between("lookupvar", 1, 2, look_up),
    between("[]", 1, 2, look_up),
    exactly("include?", 1, is_set),
    exactly("exist?", 1, |vm, call| {
        let name = vm.to_s(call.required(0))?.lossy();
        Ok(Value::Bool(vm.variable(&variable_name(call.this, &name))?.is_some()))
    }),
    between("setvar", 2, 3, set_variable),
    exactly("[]=", 2, set_variable),
    between("to_hash", 0, 2, |vm, call| {
        if is_top(call.this) {
            return unsupported("all variables of the top scope");
        }
        if call.argument(1).is_some_and(Value::is_truthy) {
            return unsupported("to_hash of a scope with variables that are undef");
        }
        let is_recursive = call.argument(0).is_none_or(Value::is_truthy);
        let mut entries = Vec::new();
        for (name, value) in vm.variables_that_are_set(is_recursive)? {
            entries.push((Value::string(name), vm.import(&value)?));
        }
        Ok(Value::hash(entries))
    }),
    exactly("call_function", 2, |vm, call| {
        let name = vm.to_s(call.required(0))?.lossy();
        // The arguments are spread, as with the splat operator.
        let arguments = match call.required(1) {
            Value::Array(it) => it.snapshot(),
            Value::Hash(it) => {
                it.snapshot().into_iter().map(|(key, value)| Value::array(vec![key, value])).collect()
            }
            Value::Nil => Vec::new(),
            other => vec![other.clone()],
        };
        vm.call_puppet_function(&name, &arguments, call.block, is_top(call.this))
    }),
    between("findresource", 1, 2, find_resource),
    exactly("find_global_scope", 0, |vm, _| Ok(top(vm))),
    exactly("catalog", 0, |vm, _| part(vm, "Puppet::Resource::Catalog")),
    exactly("compiler", 0, |vm, _| part(vm, "Puppet::Parser::Compiler")),
    exactly("environment", 0, |vm, _| part(vm, "Puppet::Node::Environment")),
    exactly("resource", 0, |vm, call| {
        if is_top(call.this) {
            return unsupported("the resource of the top scope");
        }
        let answer = vm.host.catalog(CatalogOperation::ScopeResource);
        let found = vm.answered(answer)?;
        resource::declared(vm, &found)
    }),
    exactly("source", 0, |vm, call| {
        if is_top(call.this) {
            return unsupported("the source of the top scope");
        }
        let answer = vm.host.catalog(CatalogOperation::ScopeSource);
        match vm.answered(answer)? {
            PuppetValue::Array(parts) => match &parts[..] {
                [kind, name] => source(vm, kind, name),
                _ => unsupported("the source of a scope"),
            },
            _ => unsupported("the source of a scope"),
        }
    }),
    exactly("tags", 0, |vm, _| {
        let answer = vm.host.catalog(CatalogOperation::Tags);
        let tags = vm.answered(answer)?;
        vm.import(&tags)
    }),
    exactly("class_scope", 1, |_, _| unsupported("the scope of a class")),
    exactly("known_resource_types", 0, |_, _| unsupported("known_resource_types")),
    exactly("lookupdefaults", 1, |_, _| unsupported("lookupdefaults")),
    exactly("to_s", 0, |_, _| unsupported("the text of a scope")),
    exactly("inspect", 0, |_, _| unsupported("the text of a scope")),
    at_least("method_missing", 1, |vm, call| {
        let name = vm.to_s(call.required(0))?.lossy();
        match name.strip_prefix("function_") {
            Some(function) => legacy::call_by_method(vm, call.this, function, &call.arguments[1..]),
            None => unsupported(format!("Puppet::Parser::Scope#{name}")),
        }
    }),
    between("respond_to?", 1, 2, |vm, call| {
        let name = vm.to_s(call.required(0))?.lossy();
        match name.strip_prefix("function_") {
            Some(function) => legacy::responds(vm, function),
            None => unsupported("respond_to? of a scope"),
        }
    }),
];

/// `Puppet::Parser::Scope`
pub(crate) static SCOPE: NativeClass = NativeClass {
    name: "Puppet::Parser::Scope",
    superclass: Some("Object"),
    includes: &["Puppet::Parser::Functions"],
    methods: &[crate::builtins::lib::LOGGING, &METHODS],
    ..NativeClass::EMPTY
};

/// The kind and the name of the class or defined type that a scope belongs to.
#[derive(Debug)]
struct Source {
    kind: Symbol,
    name: String,
}

impl Data for Source {}

fn source(vm: &mut Vm<'_>, kind: &PuppetValue, name: &PuppetValue) -> Result {
    let text = |it: &PuppetValue| it.as_str().unwrap_or_default().to_owned();
    let class = Rc::clone(vm.world.class("Puppet::Resource::Type"));
    Ok(Value::Object(Object::new(class, Source { kind: Symbol::new(&text(kind)), name: text(name) })))
}

fn of_source(call: &Call<'_>, part: impl FnOnce(&Source) -> Value) -> Result {
    match call.this {
        Value::Object(it) => match it.data_as::<Source>() {
            Some(source) => Ok(part(&source)),
            None => unsupported("such a Puppet::Resource::Type"),
        },
        _ => unsupported("such a Puppet::Resource::Type"),
    }
}

/// `Puppet::Resource::Type`, the code that a scope belongs to.
pub(crate) static RESOURCE_TYPE: NativeClass = NativeClass {
    name: "Puppet::Resource::Type",
    superclass: Some("Object"),
    methods: &[&[
        exactly("name", 0, |_, call| of_source(call, |it| Value::string(it.name.clone()))),
        exactly("type", 0, |_, call| of_source(call, |it| Value::Symbol(it.kind))),
    ]],
    ..NativeClass::EMPTY
};

/// All resources of the catalog so far.
fn all_resources(vm: &mut Vm<'_>) -> Result<Vec<Value>> {
    let answer = vm.host.catalog(CatalogOperation::Resources);
    match vm.answered(answer)? {
        PuppetValue::Array(all) => all.iter().map(|it| resource::declared(vm, it)).collect(),
        _ => unsupported("the resources of the catalog"),
    }
}

/// `Puppet::Resource::Catalog`
pub(crate) static CATALOG: NativeClass = NativeClass {
    name: "Puppet::Resource::Catalog",
    superclass: Some("Object"),
    methods: &[&[
        exactly("classes", 0, |vm, _| {
            let answer = vm.host.catalog(CatalogOperation::Classes);
            let classes = vm.answered(answer)?;
            vm.import(&classes)
        }),
        exactly("resources", 0, |vm, _| all_resources(vm).map(Value::array)),
        between("resource", 1, 2, find_resource),
        exactly("tags", 0, |_, _| unsupported("the tags of the catalog")),
        exactly("environment", 0, |vm, _| node_property(vm, "environment")),
    ]],
    ..NativeClass::EMPTY
};

/// `Puppet::Parser::Compiler`
pub(crate) static COMPILER: NativeClass = NativeClass {
    name: "Puppet::Parser::Compiler",
    superclass: Some("Object"),
    methods: &[&[
        exactly("catalog", 0, |vm, _| part(vm, "Puppet::Resource::Catalog")),
        exactly("environment", 0, |vm, _| part(vm, "Puppet::Node::Environment")),
        exactly("loaders", 0, |vm, _| part(vm, "Puppet::Pops::Loaders")),
        exactly("node", 0, |vm, _| part(vm, "Puppet::Node")),
        // Those that the compiler has added to the catalog itself are not among them.
        exactly("resources", 0, |vm, _| {
            let mut all = all_resources(vm)?;
            all.retain(|it| !resource::is_one_of(it, &[("Stage", "main"), ("Class", "Settings")]));
            Ok(Value::array(all))
        }),
        exactly("topscope", 0, |_, _| unsupported("the top scope of the compiler")),
    ]],
    ..NativeClass::EMPTY
};

/// `Puppet::Node`
pub(crate) static NODE: NativeClass = NativeClass {
    name: "Puppet::Node",
    superclass: Some("Object"),
    methods: &[&[
        exactly("name", 0, |vm, _| node_property(vm, "name")),
        exactly("environment", 0, |vm, _| part(vm, "Puppet::Node::Environment")),
        exactly("facts", 0, |_, _| unsupported("the facts of a node")),
    ]],
    ..NativeClass::EMPTY
};

/// `Puppet::Node::Environment`
pub(crate) static ENVIRONMENT: NativeClass = NativeClass {
    name: "Puppet::Node::Environment",
    superclass: Some("Object"),
    methods: &[&[
        exactly("name", 0, |vm, _| {
            let name = node_property(vm, "environment")?;
            Ok(Value::symbol(&vm.to_s(&name)?.lossy()))
        }),
        exactly("to_s", 0, |vm, _| node_property(vm, "environment")),
    ]],
    ..NativeClass::EMPTY
};

/// `Puppet::Pops::Loaders`
pub(crate) static LOADERS: NativeClass = NativeClass {
    name: "Puppet::Pops::Loaders",
    superclass: Some("Object"),
    methods: &[&[exactly("private_environment_loader", 0, |vm, _| part(vm, "Puppet::Pops::Loader::Loader"))]],
    ..NativeClass::EMPTY
};

/// `Puppet::Pops::Loader::Loader`, as far as it tells whether a function exists.
pub(crate) static LOADER: NativeClass = NativeClass {
    name: "Puppet::Pops::Loader::Loader",
    superclass: Some("Object"),
    methods: &[&[exactly("load", 2, |vm, call| {
        let kind = vm.expect_name(call.required(0))?;
        if kind.name() != "function" {
            return unsupported(format!("loading a {kind}"));
        }
        let name = vm.to_s(call.required(1))?.lossy();
        match vm.host.has_function(&name) {
            true => part(vm, "Puppet::Functions::Function"),
            false => Ok(Value::Nil),
        }
    })]],
    ..NativeClass::EMPTY
};
