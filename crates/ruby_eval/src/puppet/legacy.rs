//! Functions of the 3.x API: `Puppet::Parser::Functions.newfunction(:name) do |arguments| … end`. Their blocks become
//! methods of scopes.

use std::rc::Rc;

use marotte_pcore::value::Value as PuppetValue;
use marotte_text::Str;

use super::opaque::Opaque;
use super::scope;
use crate::native::{Call, NativeClass, NativeMethod, at_least, between, exactly};
use crate::stop::{Result, unsupported};
use crate::value::{Method, MethodBody, Visibility};
use crate::{Symbol, Value, Vm};

/// A function of the 3.x API.
#[derive(Debug)]
pub struct LegacyDefinition {
    /// The name.
    pub name: Str,
    /// The number of arguments; `-n` means at least `n - 1` of them.
    pub arity: i64,
    /// Whether it has a value. The value of a statement is `undef`.
    pub is_rvalue: bool,
    /// The method of scopes that is its block.
    method: Symbol,
}

impl LegacyDefinition {
    /// Calls the function with arguments converted as required by the 3.x API, except for references, which are
    /// `Puppet::Resource` objects there.
    ///
    /// # Errors
    /// If the function raises an exception.
    pub fn invoke(&self, vm: &mut Vm<'_>, arguments: &[PuppetValue]) -> Result<PuppetValue> {
        let mut given = Vec::with_capacity(arguments.len());
        for argument in arguments {
            given.push(vm.import_legacy(argument)?);
        }
        let scope = scope::current(vm);
        let result = self.call(vm, &scope, Value::array(given))?;
        vm.export_result(&result)
    }

    pub(super) fn call(&self, vm: &mut Vm<'_>, scope: &Value, arguments: Value) -> Result {
        let result = vm.send_for_any(scope, self.method, &[arguments], None, None)?;
        Ok(if self.is_rvalue { result } else { Value::Nil })
    }

    /// The message for a wrong number of arguments.
    fn refusal(&self, given: usize) -> Option<String> {
        let name = &self.name;
        match usize::try_from(self.arity) {
            Ok(arity) if given != arity => {
                Some(format!("{name}(): Wrong number of arguments given ({given} for {arity})"))
            }
            Ok(_) => None,
            Err(_) => {
                let least = usize::try_from(-(self.arity + 1)).unwrap_or(0);
                (given < least).then(|| {
                    format!("{name}(): Wrong number of arguments given ({given} for minimum {least})")
                })
            }
        }
    }
}

/// The name of the method of scopes that is the block of a function.
fn method_name(function: &str) -> String {
    format!("real_function_{function}")
}

fn new_function(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let name = vm.to_s(call.required(0))?.lossy();
    let block = Rc::clone(call.needed_block()?);
    let option = |name: &str| call.keyword(name).filter(|it| !it.is_nil());
    let arity = match option("arity") {
        Some(arity) => vm.expect_integer(&arity)?,
        None => -1,
    };
    let is_rvalue = match option("type") {
        None => false,
        Some(Value::Symbol(it)) if it.name() == "statement" => false,
        Some(Value::Symbol(it)) if it.name() == "rvalue" => true,
        Some(other) => {
            let shown = vm.inspect(&other)?;
            return vm.raise_named("Puppet::DevError", format!("Invalid statement type {shown}"));
        }
    };
    let scopes = Rc::clone(vm.world.class("Puppet::Parser::Scope"));
    let method = Method { body: MethodBody::Proc(block), visibility: Visibility::Public };
    let method_name = Symbol::new(&method_name(&name));
    scopes.methods.borrow_mut().insert(method_name, method);
    vm.world.methods_changed();
    let name = Str::from(name);
    let definition = LegacyDefinition { name: name.clone(), arity, is_rvalue, method: method_name };
    vm.world.puppet.legacy.borrow_mut().insert(name, Rc::new(definition));
    Ok(Value::Nil)
}

/// Evaluates `scope.function_NAME([…])`: calls a function of the 3.x API. Others have no such method.
pub(crate) fn call_by_method(vm: &mut Vm<'_>, scope: &Value, name: &str, arguments: &[Value]) -> Result {
    let Some(Value::Array(given)) = arguments.first() else {
        return vm.argument_error(
            "custom functions must be called with a single array that contains the arguments. For example, function_example([1]) instead of function_example(1)",
        );
    };
    // Puppet's own counterparts precede those of modules.
    if ONLY_4X.binary_search(&name).is_ok() {
        let message = "can only be called using the 4.x function API. See Scope#call_function";
        return vm.raise_named("Puppet::ParseError", format!("{name}() {message}"));
    }
    if vm.world.puppet.legacy_function(name).is_none() {
        load(vm, name)?;
    }
    if let Some(definition) = vm.world.puppet.legacy_function(name) {
        if let Some(message) = definition.refusal(given.len()) {
            return vm.argument_error(message);
        }
        return definition.call(vm, scope, arguments[0].clone());
    }
    if !OWN.contains(&name) {
        let method = Symbol::new(&format!("function_{name}"));
        let described = scope::described(vm, scope)?;
        let message = format!("undefined method `{method}' for {described}:Puppet::Parser::Scope");
        return vm.raise_no_method(scope, method, message);
    }
    let given = given.snapshot();
    if name == "realize" && has_reference(&given) {
        // The collector looks for a resource by its text, with quotes, and fails at the end of the compilation.
        return unsupported("function_realize of a reference");
    }
    let result = vm.call_puppet_function(name, &given, None, scope::is_top(scope))?;
    Ok(if STATEMENTS.contains(&name) { Value::Nil } else { result })
}

/// Whether a value is a reference, or an array that contains one.
fn has_reference(values: &[Value]) -> bool {
    values.iter().any(|it| match it {
        Value::Array(it) => has_reference(&it.snapshot()),
        Value::Object(it) => it.data_as::<Opaque>().is_some(),
        _ => false,
    })
}

/// Evaluates `scope.respond_to?(:function_NAME)`: scopes have the methods of the functions that were loaded.
pub(crate) fn responds(vm: &mut Vm<'_>, name: &str) -> Result {
    if vm.world.puppet.legacy_function(name).is_some() {
        return Ok(Value::Bool(true));
    }
    let file = vm.host.ruby_file(&format!("puppet/parser/functions/{name}"));
    if OWN.contains(&name) || vm.answered(file)?.is_some() {
        return unsupported("respond_to? of a scope for a function that may have been loaded");
    }
    Ok(Value::Bool(false))
}

/// Loads the file of a function of the 3.x API, if there is one.
fn load(vm: &mut Vm<'_>, name: &str) -> Result<bool> {
    let file = vm.host.ruby_file(&format!("puppet/parser/functions/{name}"));
    match vm.answered(file)? {
        Some(program) => {
            vm.load(&program)?;
            Ok(true)
        }
        None => Ok(false),
    }
}

/// `Puppet::Parser::Functions`
pub(crate) static PARSER_FUNCTIONS: NativeClass =
    NativeClass { name: "Puppet::Parser::Functions", singleton_methods: &[&FUNCTIONS], ..NativeClass::EMPTY };

/// Functions of the 4.x API whose counterparts of the 3.x API only raise an error, in order.
const ONLY_4X: [&str; 31] = [
    "assert_type",
    "binary_file",
    "break",
    "defined",
    "dig",
    "each",
    "epp",
    "filter",
    "find_file",
    "hiera",
    "hiera_array",
    "hiera_hash",
    "hiera_include",
    "inline_epp",
    "lest",
    "lookup",
    "map",
    "match",
    "new",
    "next",
    "reduce",
    "regsubst",
    "return",
    "reverse_each",
    "slice",
    "split",
    "step",
    "strftime",
    "then",
    "type",
    "with",
];

/// The functions of the 3.x API without a value.
const STATEMENTS: [&str; 15] = [
    "contain",
    "create_resources",
    "fail",
    "include",
    "realize",
    "require",
    "tag",
    "alert",
    "crit",
    "debug",
    "emerg",
    "err",
    "info",
    "notice",
    "warning",
];

/// The functions that Puppet has of the 3.x API, though most of them only stand for those of the 4.x API.
const OWN: [&str; 60] = [
    "assert_type",
    "binary_file",
    "break",
    "contain",
    "create_resources",
    "defined",
    "dig",
    "digest",
    "each",
    "epp",
    "fail",
    "file",
    "filter",
    "find_file",
    "fqdn_rand",
    "generate",
    "hiera",
    "hiera_array",
    "hiera_hash",
    "hiera_include",
    "include",
    "inline_epp",
    "inline_template",
    "lest",
    "lookup",
    "map",
    "match",
    "md5",
    "new",
    "next",
    "realize",
    "reduce",
    "regsubst",
    "require",
    "return",
    "reverse_each",
    "scanf",
    "sha1",
    "sha256",
    "shellquote",
    "slice",
    "split",
    "sprintf",
    "step",
    "strftime",
    "tag",
    "tagged",
    "template",
    "then",
    "type",
    "versioncmp",
    "with",
    "alert",
    "crit",
    "debug",
    "emerg",
    "err",
    "info",
    "notice",
    "warning",
];

static FUNCTIONS: [NativeMethod; 5] = [
    between("newfunction", 1, 1, new_function).with_keywords(),
    between("function", 1, 2, |vm, call| {
        let name = vm.to_s(call.required(0))?.lossy();
        let is_known = vm.world.puppet.legacy_function(&name).is_some()
            || OWN.contains(&name.as_str())
            || load(vm, &name)?;
        if is_known { Ok(Value::string(format!("function_{name}"))) } else { Ok(Value::Bool(false)) }
    }),
    exactly("autoloader", 0, |vm, _| {
        let class = Rc::clone(vm.world.class("Puppet::Parser::Functions::Autoloader"));
        Ok(Value::Object(crate::value::Object::new(class, ())))
    }),
    between("rvalue?", 1, 2, |vm, call| {
        let name = vm.to_s(call.required(0))?.lossy();
        match vm.world.puppet.legacy_function(&name) {
            Some(it) => Ok(Value::Bool(it.is_rvalue)),
            None => unsupported("rvalue? of a function that was not loaded"),
        }
    }),
    between("arity", 1, 2, |vm, call| {
        let name = vm.to_s(call.required(0))?.lossy();
        match vm.world.puppet.legacy_function(&name) {
            Some(it) => Ok(Value::Integer(it.arity)),
            None => unsupported("arity of a function that was not loaded"),
        }
    }),
];

/// `Puppet::Parser::Functions.autoloader`: everything is loaded when it is called.
pub(crate) static AUTOLOADER: NativeClass = NativeClass {
    name: "Puppet::Parser::Functions::Autoloader",
    superclass: Some("Object"),
    methods: &[&[
        at_least("loadall", 0, |_, _| Ok(Value::Nil)),
        // Code that asks loads what is missing, which may be done again.
        at_least("loaded?", 1, |_, _| Ok(Value::Bool(false))),
        at_least("load", 1, |vm, call| {
            let name = vm.to_s(call.required(0))?.lossy();
            load(vm, &name).map(Value::Bool)
        }),
    ]],
    ..NativeClass::EMPTY
};
