//! Small parts of Puppet that functions use: the lookup of types, files and modules, iteration, the call stack.

use std::rc::Rc;

use marotte_pcore::value::Value as PuppetValue;

use super::{opaque, resource};
use crate::native::{NativeClass, at_least, between, exactly};
use crate::stop::unsupported;
use crate::value::{Encoding, Object, StringObject};
use crate::{Value, Vm};

/// `Puppet::Pops::Evaluator::Runtime3ResourceSupport`
pub(crate) static RESOURCE_SUPPORT: NativeClass = NativeClass {
    name: "Puppet::Pops::Evaluator::Runtime3ResourceSupport",
    singleton_methods: &[&[
        exactly("find_resource_type_or_class", 2, |vm, call| {
            let name = vm.to_s(call.required(1))?.lossy();
            find_type(vm, &name)
        }),
        exactly("find_resource_type", 2, |vm, call| {
            let name = vm.to_s(call.required(1))?.lossy();
            find_type(vm, &name)
        }),
    ]],
    ..NativeClass::EMPTY
};

/// The type or class of a name, as `findresource` takes it; `nil` if there is none.
fn find_type(vm: &mut Vm<'_>, name: &str) -> crate::stop::Result {
    let name = name.to_lowercase();
    if name == "class" || vm.host.has_type(&name) {
        return Ok(resource::type_object(vm, &name));
    }
    Ok(Value::Nil)
}

/// `Puppet::Pops::PuppetStack`
pub(crate) static PUPPET_STACK: NativeClass = NativeClass {
    name: "Puppet::Pops::PuppetStack",
    singleton_methods: &[&[
        exactly("stacktrace", 0, |vm, _| Ok(Value::array(stack(vm)?))),
        exactly("top_of_stack", 0, |vm, _| {
            let top = stack(vm)?.into_iter().next();
            Ok(top.unwrap_or_else(|| Value::array(Vec::new())))
        }),
    ]],
    ..NativeClass::EMPTY
};

/// The calls of Puppet code, each as its file and line.
fn stack(vm: &mut Vm<'_>) -> crate::stop::Result<Vec<Value>> {
    let answer = vm.host.puppet_stack();
    let frames = vm.answered(answer)?;
    vm.world.spend(frames.len() * 4)?;
    // Two arrays, a path and a number for each.
    let texts: usize = frames.iter().map(|(path, _)| path.len()).sum();
    vm.world.allocate(texts + frames.len() * (128 + 3 * size_of::<Value>()))?;
    let frame = |(path, line)| Value::array(vec![Value::string(path), Value::Integer(line)]);
    Ok(frames.into_iter().map(frame).collect())
}

/// `Puppet::Parser::Files`
pub(crate) static FILES: NativeClass = NativeClass {
    name: "Puppet::Parser::Files",
    singleton_methods: &[&[
        exactly("find_template", 2, |vm, call| found(vm, "templates", call.required(0))),
        exactly("find_file", 2, |vm, call| found(vm, "files", call.required(0))),
    ]],
    ..NativeClass::EMPTY
};

fn found(vm: &mut Vm<'_>, folder: &str, name: &Value) -> crate::stop::Result {
    let name = vm.to_s(name)?.lossy();
    let answer = vm.host.find_file(folder, &name);
    Ok(vm.answered(answer)?.into())
}

/// `Puppet::Module`
pub(crate) static MODULE: NativeClass = NativeClass {
    name: "Puppet::Module",
    superclass: Some("Object"),
    methods: &[&[
        exactly("path", 0, |_, call| match call.this {
            Value::Object(it) => Ok(it.variable("@path".into()).unwrap_or(Value::Nil)),
            _ => Ok(Value::Nil),
        }),
        exactly("name", 0, |_, call| match call.this {
            Value::Object(it) => Ok(it.variable("@name".into()).unwrap_or(Value::Nil)),
            _ => Ok(Value::Nil),
        }),
    ]],
    singleton_methods: &[&[between("find", 1, 2, |vm, call| {
        let name = vm.to_s(call.required(0))?.lossy();
        let Some(path) = vm.host.module_directory(&name) else { return Ok(Value::Nil) };
        let class = Rc::clone(vm.world.class("Puppet::Module"));
        let module = Object::new(class, ());
        module.set_variable("@path".into(), Value::string(path));
        module.set_variable("@name".into(), Value::string(name));
        Ok(Value::Object(module))
    })]],
    ..NativeClass::EMPTY
};

/// `Puppet::Pops::Types::Iterable`
pub(crate) static ITERABLE: NativeClass = NativeClass {
    name: "Puppet::Pops::Types::Iterable",
    singleton_methods: &[&[between("asserted_iterable", 2, 3, |_, call| match call.required(1) {
        Value::Array(_) | Value::Hash(_) => Ok(call.required(1).clone()),
        _ => unsupported("the iteration of such a value"),
    })]],
    ..NativeClass::EMPTY
};

/// `Puppet::LookupContext`: the last argument of functions that are back ends of Hiera. Its methods are the host's.
pub(crate) static LOOKUP_CONTEXT: NativeClass = NativeClass {
    name: "Puppet::LookupContext",
    superclass: Some("Object"),
    methods: &[&[
        exactly("cached_file_data", 1, cached_file_data),
        at_least("method_missing", 1, |vm, call| {
            let name = vm.to_s(call.required(0))?.lossy();
            if call.block.is_some() && name != "explain" {
                return unsupported(format!("Puppet::LookupContext#{name} with a block"));
            }
            // The message of an explanation is only computed if an explanation was requested.
            if name == "explain" {
                return Ok(Value::Nil);
            }
            let object = opaque::value(call.this)?;
            let mut arguments: Vec<PuppetValue> = Vec::new();
            for argument in &call.arguments[1..] {
                arguments.push(vm.export(argument)?);
            }
            let answer = vm.host.call_member(&object, &name, arguments);
            let value = vm.answered(answer)?;
            vm.import(&value)
        }),
    ]],
    ..NativeClass::EMPTY
};

/// The text of a file, or the result of a block for it, which is computed once and shared.
fn cached_file_data(vm: &mut Vm<'_>, call: &crate::native::Call<'_>) -> crate::stop::Result {
    let path = vm.expect_string(call.required(0))?.lossy();
    if let Some(known) = vm.world.puppet.file_data.borrow().get(path.as_str()) {
        return Ok(known.clone());
    }
    let answer = vm.host.read_file(&path);
    let Some(bytes) = vm.answered(answer)? else {
        return vm
            .raise_named("Errno::ENOENT", format!("No such file or directory @ rb_file_s_stat - {path}"));
    };
    vm.world.allocate(bytes.len())?;
    let text = Value::String(Rc::new(StringObject::new(bytes, Encoding::Utf8)));
    let data = match call.block {
        Some(block) => vm.yield_to(block, &[text])?,
        None => text,
    };
    vm.world.puppet.file_data.borrow_mut().insert(path.into(), data.clone());
    Ok(data)
}

/// Functions that Puppet adds to `Kernel`: messages are not translated.
pub(crate) static KERNEL: NativeClass = NativeClass {
    name: "Kernel",
    methods: &[&[
        exactly("_", 1, |_, call| Ok(call.required(0).clone())),
        exactly("n_", 3, |vm, call| {
            let is_one = vm.equal(call.required(2), &Value::Integer(1))?;
            Ok(call.required(if is_one { 0 } else { 1 }).clone())
        }),
    ]],
    ..NativeClass::EMPTY
};

/// Environment variables that only affect messages: they are treated as unset.
const ONLY_FOR_MESSAGES: [&str; 1] = ["STDLIB_LOG_DEPRECATIONS"];

/// The class of `ENV`. The environment of the server is not known here.
pub(crate) static ENVIRONMENT: NativeClass = NativeClass {
    name: "Puppet::ServerEnvironment",
    superclass: Some("Object"),
    methods: &[&[
        exactly("[]", 1, environment_variable),
        between("fetch", 1, 2, environment_variable),
        exactly("to_s", 0, |_, _| Ok(Value::from("ENV"))),
        exactly("class", 0, |vm, _| Ok(Value::Class(Rc::clone(&vm.world.object)))),
    ]],
    ..NativeClass::EMPTY
};

fn environment_variable(vm: &mut Vm<'_>, call: &crate::native::Call<'_>) -> crate::stop::Result {
    let name = vm.to_s(call.required(0))?.lossy();
    match ONLY_FOR_MESSAGES.contains(&name.as_str()) {
        true => Ok(call.argument(1).cloned().unwrap_or(Value::Nil)),
        false => unsupported(format!("ENV['{name}']")),
    }
}

/// The constants that the runtime adds to `Object`.
pub(crate) static OBJECT: NativeClass = NativeClass {
    name: "Object",
    superclass: Some("BasicObject"),
    constants: &[("ENV", |vm| {
        let class = Rc::clone(vm.world.class("Puppet::ServerEnvironment"));
        Ok(Value::Object(Object::new(class, ())))
    })],
    ..NativeClass::EMPTY
};

/// `Puppet::Util`: pseudorandom numbers that are the same for the same seed.
pub(crate) static UTIL: NativeClass = NativeClass {
    name: "Puppet::Util",
    singleton_methods: &[&[
        exactly("deterministic_rand_int", 2, deterministic),
        exactly("deterministic_rand", 2, |vm, call| {
            let number = deterministic(vm, call)?;
            Ok(Value::String(vm.to_s(&number)?))
        }),
    ]],
    ..NativeClass::EMPTY
};

fn deterministic(vm: &mut Vm<'_>, call: &crate::native::Call<'_>) -> crate::stop::Result {
    let class = Value::Class(Rc::clone(vm.world.class("Random")));
    let random = vm.call(&class, "new", &call.arguments[..1])?;
    vm.call(&random, "rand", &call.arguments[1..])
}
