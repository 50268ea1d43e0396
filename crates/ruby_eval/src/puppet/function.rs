//! Functions of the 4.x API: `Puppet::Functions.create_function(:name) do … end`.
//!
//! A file's block is the body of a class whose instances are functions. `dispatch` fills a builder with the signature of a
//! method; the host chooses among the signatures by the types of arguments, and calls [`FunctionDefinition::invoke`].

use std::cell::RefCell;
use std::rc::Rc;

use marotte_pcore::value::Value as PuppetValue;
use marotte_ruby::function::{Block, Count, Dispatch, Injection, Parameter};
use marotte_text::Str;

use super::opaque::Opaque;
use super::{scope, symbol_default};
use crate::native::{Call, NativeClass, NativeMethod, at_least, between, exactly};
use crate::stop::{Result, unsupported};
use crate::symbol::names;
use crate::value::{Class, ClassKind, Data, MethodBody, Object, Proc};
use crate::{Symbol, Value, Vm, World};

/// A function of the 4.x API.
#[derive(Debug)]
pub struct FunctionDefinition {
    /// The name with its name space.
    pub name: Str,
    /// The signatures, in the order in which they are tried.
    pub dispatches: Vec<Dispatch>,
    /// Type aliases that its types may name, each as `NAME = TYPE`.
    pub local_types: Vec<Str>,
    class: Rc<Class>,
    /// The names of the methods of the signatures, in their order.
    methods: Vec<Symbol>,
    /// The object whose methods are called, and the number of doubts when it was made.
    instance: RefCell<Option<(Rc<Object>, u32)>>,
}

/// The state of the object of a function.
#[derive(Debug)]
struct Instance {
    /// Whether calls of which not everything is known may have set variables of it.
    may_have_more: bool,
}

impl Data for Instance {}

/// Whether an object is that of a function, and may have instance variables that are not known.
pub(crate) fn may_have_more(object: &Object) -> bool {
    object.data_as::<Instance>().is_some_and(|it| it.may_have_more)
}

impl FunctionDefinition {
    /// A number that no other definition has, in any evaluation.
    pub fn id(&self) -> u32 {
        self.class.id
    }

    /// Calls the method of the signature at an index with the arguments that it accepted, and `block`.
    ///
    /// # Errors
    /// If the method raises an exception.
    pub fn invoke(
        &self,
        vm: &mut Vm<'_>,
        index: usize,
        arguments: &[PuppetValue],
        block: Option<&Rc<Proc>>,
    ) -> Result<PuppetValue> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(vm.import(argument)?);
        }
        let instance = self.instance(vm)?;
        let result = self.invoke_on(vm, &instance, index, values, block)?;
        vm.export_result(&result)
    }

    /// The object whose methods are called. Its variables live as long as the evaluation, unless one of them is in doubt.
    fn instance(&self, vm: &Vm<'_>) -> Result {
        let initialize = vm.world.lookup(&self.class, names::INITIALIZE);
        if initialize.is_some_and(|it| !matches!(it.method.body, MethodBody::Native(_))) {
            return unsupported("initialize of a function");
        }
        let doubts = vm.world.doubts.get();
        let mut instance = self.instance.borrow_mut();
        if let Some((object, made)) = &*instance
            && *made == doubts
        {
            return Ok(Value::Object(Rc::clone(object)));
        }
        let object = Object::new(Rc::clone(&self.class), Instance { may_have_more: doubts > 0 });
        *instance = Some((Rc::clone(&object), doubts));
        Ok(Value::Object(object))
    }

    /// Whether the function replaces the method `call`, which gets all arguments before a signature is chosen.
    pub fn has_own_call(&self, world: &World) -> bool {
        let found = world.lookup(&self.class, names::CALL);
        found.is_some_and(|it| !matches!(it.method.body, MethodBody::Native(_)))
    }

    /// Calls the function's own method `call` with the calling scope and all arguments.
    ///
    /// # Errors
    /// If the method raises an exception.
    pub fn invoke_call(
        &self,
        vm: &mut Vm<'_>,
        arguments: &[PuppetValue],
        block: Option<&Rc<Proc>>,
    ) -> Result<PuppetValue> {
        let mut given = vec![scope::current(vm)];
        for argument in arguments {
            given.push(vm.import(argument)?);
        }
        let instance = self.instance(vm)?;
        let result = vm.send_for_any(&instance, names::CALL, &given, None, block)?;
        vm.export_result(&result)
    }

    fn invoke_on(
        &self,
        vm: &mut Vm<'_>,
        instance: &Value,
        index: usize,
        arguments: Vec<Value>,
        block: Option<&Rc<Proc>>,
    ) -> Result {
        let (Some(dispatch), Some(method)) = (self.dispatches.get(index), self.methods.get(index)) else {
            return unsupported("such a signature");
        };
        if dispatch.injected.is_empty() {
            return vm.send_for_any(instance, *method, &arguments, None, block);
        }
        let mut given = Vec::with_capacity(arguments.len() + dispatch.injected.len());
        for injection in &dispatch.injected {
            match injection {
                Injection::Scope => given.push(scope::current(vm)),
                Injection::Cache => {
                    vm.check_kept_state(Symbol::new("cache_param"))?;
                    given.push(vm.puppet_cache());
                }
                Injection::ScriptCompiler | Injection::CatalogCompiler | Injection::Compiler => {
                    return unsupported("a function that is given the compiler");
                }
            }
        }
        given.extend(arguments);
        vm.send_for_any(instance, *method, &given, None, block)
    }
}

/// The state of a class while `create_function` runs its block.
#[derive(Clone, Debug, Default)]
struct Building {
    dispatches: Vec<Dispatch>,
    local_types: Vec<Str>,
}

/// The state of a dispatch builder.
#[derive(Clone, Debug)]
struct Builder {
    dispatch: Dispatch,
    accepts_more: bool,
}

impl Data for Builder {}

impl Data for Building {}

/// The name of the constant in which a class of a function keeps what its block declares.
const BUILDING: &str = "@__building";

/// The name of the variable in which a class of a function keeps the function's name.
const FUNCTION_NAME: &str = "@func_name";

fn create_function(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let name = vm.to_s(call.required(0))?.lossy();
    let base = match call.argument(1) {
        Some(Value::Class(class)) => Rc::clone(class),
        Some(_) => return unsupported("create_function with such a base class"),
        None => Rc::clone(vm.world.class("Puppet::Functions::Function")),
    };
    if !base.is_a(vm.world.class("Puppet::Functions::Function")) {
        return vm.argument_error("Functions must be based on Puppet::Pops::Functions::Function.");
    }
    let block = call.needed_block()?;
    let class = Class::new("", ClassKind::Class, Some(base), None);
    let building = Object::new(Rc::clone(&vm.world.object), Building::default());
    class.variables.borrow_mut().insert(BUILDING.into(), Value::Object(Rc::clone(&building)));
    class.variables.borrow_mut().insert(FUNCTION_NAME.into(), Value::string(name.clone()));
    let value = Value::Class(Rc::clone(&class));
    vm.send(&value, Symbol::new("class_eval"), &[], None, Some(block))?;
    let mut built = building.data_as::<Building>().map(|it| it.clone()).unwrap_or_default();
    if built.dispatches.is_empty() {
        let simple = name.rsplit("::").next().unwrap_or_default();
        match default_dispatch(vm, &class, simple)? {
            Some(dispatch) => built.dispatches.push(dispatch),
            None => {
                return vm.argument_error(format!(
                    "Function Load Error for function '{name}': Function Creation Error, cannot create a default dispatcher for function '{simple}', no method with this name found"
                ));
            }
        }
    }
    let name = Str::from(name);
    let definition = FunctionDefinition {
        name: name.clone(),
        methods: built.dispatches.iter().map(|it| Symbol::new(&it.method)).collect(),
        dispatches: built.dispatches,
        local_types: built.local_types,
        class,
        instance: RefCell::default(),
    };
    vm.world.puppet.functions.borrow_mut().insert(name, Rc::new(definition));
    Ok(value)
}

/// The signature of a function without `dispatch`: any arguments, as many as the method takes.
fn default_dispatch(vm: &mut Vm<'_>, class: &Rc<Class>, method: &str) -> Result<Option<Dispatch>> {
    let Some(parameters) = vm.method_parameters(class, Symbol::new(method))? else { return Ok(None) };
    let mut dispatch = empty(method, false);
    for (kind, name) in parameters {
        let count = match kind.as_str() {
            "req" => Count::Required,
            "opt" => Count::Optional,
            "rest" => Count::Repeated,
            // Keywords and blocks are ignored.
            _ => continue,
        };
        dispatch.parameters.push(Parameter { name: name.into(), parameter_type: Some("Any".into()), count });
    }
    Ok(Some(dispatch))
}

fn empty(method: &str, mismatch: bool) -> Dispatch {
    Dispatch {
        method: method.into(),
        parameters: Vec::new(),
        block: None,
        return_type: None,
        mismatch,
        injected: Vec::new(),
    }
}

fn dispatch(vm: &mut Vm<'_>, call: &Call<'_>, mismatch: bool) -> Result {
    let method = vm.to_s(call.required(0))?.lossy();
    let block = call.needed_block()?;
    let class = Rc::clone(vm.world.class("Puppet::Functions::DispatcherBuilder"));
    let builder = Object::new(class, Builder { dispatch: empty(&method, mismatch), accepts_more: true });
    vm.send(&Value::Object(Rc::clone(&builder)), Symbol::new("instance_eval"), &[], None, Some(block))?;
    let Some(built) = builder.data_as::<Builder>().map(|it| it.dispatch.clone()) else {
        return unsupported("such a dispatch");
    };
    with_building(call.this, |it| it.dispatches.push(built))
}

fn with_building(class: &Value, change: impl FnOnce(&mut Building)) -> Result {
    let building = match class {
        Value::Class(class) => class.variables.borrow().get(&Symbol::new(BUILDING)).cloned(),
        _ => None,
    };
    if let Some(Value::Object(object)) = building
        && let Some(mut building) = object.data_as_mut::<Building>()
    {
        change(&mut building);
        return Ok(Value::Nil);
    }
    unsupported("a signature outside of create_function")
}

fn with_builder<T>(call: &Call<'_>, change: impl FnOnce(&mut Builder) -> T) -> Result<T> {
    if let Value::Object(object) = call.this
        && let Some(mut builder) = object.data_as_mut::<Builder>()
    {
        return Ok(change(&mut builder));
    }
    unsupported("a parameter outside of dispatch")
}

/// The text of a type that is given as text or as a type.
fn type_text(vm: &mut Vm<'_>, value: &Value) -> Result<Str> {
    match value {
        Value::String(it) => Ok(it.lossy().into()),
        Value::Object(it) if it.data_as::<Opaque>().is_some() => Ok(vm.to_s(value)?.lossy().into()),
        _ => vm.argument_error("Parameter 'type' must be a String reference to a Puppet Data Type."),
    }
}

fn parameter(vm: &mut Vm<'_>, call: &Call<'_>, count: Count) -> Result {
    let text = type_text(vm, call.required(0))?;
    let Value::Symbol(name) = call.required(1) else {
        return vm.argument_error("Parameter name argument must be a Symbol.");
    };
    let refused = with_builder(call, |builder| {
        let parameters = &mut builder.dispatch.parameters;
        let after_optional = parameters.iter().any(|it| it.count == Count::Optional);
        if builder.dispatch.block.is_some() {
            return Some("Parameters cannot be added after a block parameter");
        }
        if !builder.accepts_more {
            return Some("Parameters cannot be added after a repeated parameter");
        }
        match count {
            Count::Required if after_optional => {
                return Some("A required parameter cannot be added after an optional parameter");
            }
            Count::RequiredRepeated if after_optional => {
                return Some("A required repeated parameter cannot be added after an optional parameter");
            }
            Count::Repeated | Count::RequiredRepeated => builder.accepts_more = false,
            Count::Required | Count::Optional => {}
        }
        parameters.push(Parameter { name: name.name(), parameter_type: Some(text), count });
        None
    })?;
    match refused {
        Some(message) => vm.argument_error(message),
        None => Ok(Value::Nil),
    }
}

fn block_parameter(vm: &mut Vm<'_>, call: &Call<'_>, optional: bool) -> Result {
    let (block_type, name) = match call.arguments {
        [] => ("Callable".into(), Str::from("block")),
        [Value::Symbol(name)] => ("Callable".into(), name.name()),
        [block_type, Value::Symbol(name)] => (type_text(vm, block_type)?, name.name()),
        _ => return vm.argument_error("Expected block_param name to be a Symbol"),
    };
    let block = Block { name, block_type: Some(block_type), optional };
    if with_builder(call, |it| it.dispatch.block.replace(block))?.is_some() {
        return vm.argument_error("Attempt to redefine block");
    }
    Ok(Value::Nil)
}

/// Adds an injected parameter, which the method gets in addition to the arguments. It comes first: signatures in which
/// it follows a parameter are rejected.
fn inject(call: &Call<'_>, injection: Injection) -> Result {
    let is_first = with_builder(call, |it| {
        it.dispatch.injected.push(injection);
        it.dispatch.parameters.is_empty()
    })?;
    if is_first { Ok(Value::Nil) } else { unsupported("scope_param after other parameters") }
}

/// `Puppet::Functions`
pub(crate) static FUNCTIONS: NativeClass = NativeClass {
    name: "Puppet::Functions",
    singleton_methods: &[&[
        between("create_function", 1, 2, create_function),
        between("create_loaded_function", 2, 3, |_, _| unsupported("create_loaded_function")),
    ]],
    ..NativeClass::EMPTY
};

/// `Puppet::Pops::Functions::Function`
pub(crate) static BASE_FUNCTION: NativeClass = NativeClass {
    name: "Puppet::Pops::Functions::Function",
    superclass: Some("Object"),
    methods: &[&FUNCTION_METHODS],
    ..NativeClass::EMPTY
};

/// `Puppet::Functions::Function`
pub(crate) static FUNCTION: NativeClass = NativeClass {
    name: "Puppet::Functions::Function",
    superclass: Some("Puppet::Pops::Functions::Function"),
    singleton_methods: &[&[
        exactly("dispatch", 1, |vm, call| dispatch(vm, call, false)),
        exactly("argument_mismatch", 1, |vm, call| dispatch(vm, call, true)),
        exactly("local_types", 0, |vm, call| {
            let block = call.needed_block()?;
            let class = Rc::clone(vm.world.class("Puppet::Functions::LocalTypeAliasesBuilder"));
            let builder = Object::new(class, Building::default());
            let value = Value::Object(Rc::clone(&builder));
            vm.send(&value, Symbol::new("instance_eval"), &[], None, Some(block))?;
            let types = builder.data_as::<Building>().map(|it| it.local_types.clone()).unwrap_or_default();
            with_building(call.this, |it| it.local_types.extend(types))
        }),
        exactly("dispatcher", 0, |vm, call| {
            let Value::Class(class) = call.this else { return unsupported("such a dispatcher") };
            let name =
                class.variables.borrow().get(&Symbol::new(FUNCTION_NAME)).cloned().unwrap_or(Value::Nil);
            let dispatcher = Rc::clone(vm.world.class("Puppet::Pops::Functions::Dispatcher"));
            let object = Object::new(dispatcher, ());
            object.set_variable("@name".into(), name);
            Ok(Value::Object(object))
        }),
        exactly("name", 0, |_, call| match call.this {
            Value::Class(class) => {
                Ok(class.variables.borrow().get(&Symbol::new(FUNCTION_NAME)).cloned().unwrap_or(Value::Nil))
            }
            _ => Ok(Value::Nil),
        }),
    ]],
    ..NativeClass::EMPTY
};

/// `Puppet::Pops::Functions::Dispatcher`
pub(crate) static DISPATCHER: NativeClass = NativeClass {
    name: "Puppet::Pops::Functions::Dispatcher",
    superclass: Some("Object"),
    methods: &[&[exactly("dispatch", 3, |vm, call| {
        let Value::Object(this) = call.this else { return unsupported("such a dispatcher") };
        let name = this.variable("@name".into()).unwrap_or(Value::Nil);
        let name = vm.to_s(&name)?.lossy();
        let Some(definition) = vm.world.puppet.function(&name) else {
            return unsupported("the dispatcher of a function that is being defined");
        };
        let arguments = vm.expect_array(call.required(2))?.snapshot();
        let mut exported = Vec::with_capacity(arguments.len());
        for argument in &arguments {
            // A scope only matches `Any`, like an unset value of Puppet.
            exported.push(match scope::is_scope(argument) {
                true => PuppetValue::Undef,
                false => vm.export(argument)?,
            });
        }
        let chosen = vm.host.choose_dispatch(&definition, &exported);
        let index = vm.answered(chosen)?;
        match definition.dispatches.get(index) {
            Some(dispatch) if !dispatch.mismatch => {
                definition.invoke_on(vm, call.required(0), index, arguments, call.block)
            }
            _ => unsupported("such a signature"),
        }
    })]],
    ..NativeClass::EMPTY
};

/// `Puppet::Functions::InternalFunction`
pub(crate) static INTERNAL_FUNCTION: NativeClass = NativeClass {
    name: "Puppet::Functions::InternalFunction",
    superclass: Some("Puppet::Functions::Function"),
    methods: &[&[at_least("call_function_with_scope", 2, |vm, call| {
        let name = vm.to_s(call.required(1))?.lossy();
        vm.call_puppet_function(&name, &call.arguments[2..], call.block, scope::is_top(call.required(0)))
    })]],
    ..NativeClass::EMPTY
};

/// Raises the error of `call_function` in a function of the 4.x API, which names this function.
fn unknown_function(vm: &mut Vm<'_>, call: &Call<'_>, name: &str) -> Result {
    let class = vm.real_class_of(call.this);
    let own = class.variables.borrow().get(&Symbol::new(FUNCTION_NAME)).cloned();
    match own {
        Some(own) => {
            let own = vm.to_s(&own)?.lossy();
            vm.argument_error(format!("Function {own}(): Unknown function: '{name}'"))
        }
        None => unsupported("the name of a function"),
    }
}

static FUNCTION_METHODS: [NativeMethod; 3] = [
    at_least("call_function", 1, |vm, call| {
        let name = vm.to_s(call.required(0))?.lossy();
        if !vm.host.has_function(&name) && vm.world.puppet.legacy_function(&name).is_none() {
            return unknown_function(vm, call, &name);
        }
        vm.call_puppet_function(&name, &call.arguments[1..], call.block, true)
    }),
    exactly("closure_scope", 0, |vm, _| Ok(scope::top(vm))),
    exactly("loader", 0, |_, _| unsupported("the loader of a function")),
];

/// `Puppet::Functions::DispatcherBuilder`
pub(crate) static DISPATCHER_BUILDER: NativeClass = NativeClass {
    name: "Puppet::Functions::DispatcherBuilder",
    superclass: Some("Object"),
    methods: &[&[
        exactly("param", 2, |vm, call| parameter(vm, call, Count::Required)),
        exactly("required_param", 2, |vm, call| parameter(vm, call, Count::Required)),
        exactly("optional_param", 2, |vm, call| parameter(vm, call, Count::Optional)),
        exactly("repeated_param", 2, |vm, call| parameter(vm, call, Count::Repeated)),
        exactly("optional_repeated_param", 2, |vm, call| parameter(vm, call, Count::Repeated)),
        exactly("required_repeated_param", 2, |vm, call| parameter(vm, call, Count::RequiredRepeated)),
        between("block_param", 0, 2, |vm, call| block_parameter(vm, call, false)),
        between("required_block_param", 0, 2, |vm, call| block_parameter(vm, call, false)),
        between("optional_block_param", 0, 2, |vm, call| block_parameter(vm, call, true)),
        exactly("return_type", 1, |vm, call| {
            let text = type_text(vm, call.required(0))?;
            with_builder(call, |it| it.dispatch.return_type = Some(text))?;
            Ok(Value::Nil)
        }),
        exactly("scope_param", 0, |_, call| inject(call, Injection::Scope)),
        exactly("cache_param", 0, |_, call| inject(call, Injection::Cache)),
        exactly("compiler_param", 0, |_, call| inject(call, Injection::CatalogCompiler)),
        exactly("pal_compiler_param", 0, |_, call| inject(call, Injection::Compiler)),
        exactly("script_compiler_param", 0, |_, call| inject(call, Injection::ScriptCompiler)),
    ]],
    ..NativeClass::EMPTY
};

/// `Puppet::Functions::LocalTypeAliasesBuilder`
pub(crate) static LOCAL_TYPES: NativeClass = NativeClass {
    name: "Puppet::Functions::LocalTypeAliasesBuilder",
    superclass: Some("Object"),
    methods: &[&[exactly("type", 1, |vm, call| {
        let text = vm.expect_string(call.required(0))?.lossy();
        if let Value::Object(object) = call.this
            && let Some(mut building) = object.data_as_mut::<Building>()
        {
            building.local_types.push(text.into());
            return Ok(Value::Nil);
        }
        unsupported("a local type outside of local_types")
    })]],
    ..NativeClass::EMPTY
};

impl Vm<'_> {
    /// Calls a function of the Puppet language, in whatever language it is written.
    ///
    /// # Errors
    /// If the function raises an exception.
    pub(crate) fn call_puppet_function(
        &mut self,
        name: &str,
        arguments: &[Value],
        block: Option<&Rc<Proc>>,
        is_global: bool,
    ) -> Result {
        // A file may define functions that cannot be found by their names.
        if block.is_none()
            && !self.host.has_function(name)
            && let Some(definition) = self.world.puppet.legacy_function(name)
        {
            let scope = scope::current(self);
            return definition.call(self, &scope, Value::array(arguments.to_vec()));
        }
        self.apply_changes()?;
        let without = symbol_default::without_symbol(name, arguments);
        let arguments = without.as_ref().map_or(arguments, |(arguments, _)| arguments);
        let mut given = Vec::with_capacity(arguments.len());
        for argument in arguments {
            given.push(self.export(argument)?);
        }
        let answer = self.host.call_function(name, given, block, is_global);
        let result = self.answered(answer)?;
        let result = self.import(&result)?;
        match without {
            Some((_, symbol)) if symbol_default::is_default(&result) => Ok(Value::Symbol(symbol)),
            _ => Ok(result),
        }
    }
}
