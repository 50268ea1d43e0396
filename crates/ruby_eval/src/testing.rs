//! Test support: evaluates Ruby code and formats its value as text.

use std::rc::Rc;

use marotte_pcore::value::{Unknown, UnknownSource, Value as PuppetValue};

use crate::program::Program;
use crate::puppet::opaque;
use crate::stop::Stop;
use crate::{Host, Symbol, Vm, World};

/// A host that provides nothing.
struct NoHost;

impl Host for NoHost {}

/// The `inspect` of the value of Ruby code; `Class: message` of the exception that it raises; `not known: …` for
/// features that are not implemented; `syntax error: …`.
pub fn eval(code: &str) -> String {
    eval_with(code, &mut NoHost)
}

/// The same as [`eval`] with a host.
pub fn eval_with(code: &str, host: &mut dyn Host) -> String {
    let program = match Program::parse("(eval)", code.as_bytes()) {
        Ok(program) => program,
        Err(error) => return format!("syntax error: {}", error.message),
    };
    let mut vm = Vm::new(Rc::new(World::new()), host);
    let result = vm.run(&program).and_then(|value| vm.inspect(&value));
    match result {
        Ok(text) => text,
        Err(stop) => describe(&mut vm, *stop),
    }
}

/// The same as [`eval`] where `$unknown` is an unknown value. `unknown` if the result depends on it.
pub fn eval_with_unknown(code: &str) -> String {
    let program = match Program::parse("(eval)", code.as_bytes()) {
        Ok(program) => program,
        Err(error) => return format!("syntax error: {}", error.message),
    };
    let host = &mut NoHost;
    let mut vm = Vm::new(Rc::new(World::new()), host);
    let unknown = PuppetValue::Unknown(Unknown::new(UnknownSource::RubyObject));
    let value = opaque::wrap(&mut vm, unknown);
    vm.world.globals.borrow_mut().insert(Symbol::new("$unknown"), value);
    let result = vm.run(&program).and_then(|value| vm.inspect(&value));
    match result {
        Ok(text) => text,
        Err(stop) => describe(&mut vm, *stop),
    }
}

/// Renders an ERB template: returns its text, or an error in the form of [`eval`].
pub fn render(template: &str) -> String {
    let program = match Program::template("(erb)", template.as_bytes()) {
        Ok(program) => program,
        Err(error) => return format!("syntax error: {}: {}", error.line, error.message),
    };
    let host = &mut NoHost;
    let mut vm = Vm::new(Rc::new(World::new()), host);
    let object = Rc::clone(&vm.world.object);
    let this = crate::Value::Object(crate::value::Object::new(object, ()));
    match vm.render(&program, &this) {
        Ok(text) => text.lossy(),
        Err(stop) => describe(&mut vm, *stop),
    }
}

fn describe(vm: &mut Vm<'_>, stop: Stop) -> String {
    match stop {
        Stop::Raise(exception) => {
            let class = vm.class_of(&exception).without_singletons().display_name();
            let message = vm.call(&exception, "message", &[]).and_then(|it| vm.to_s(&it));
            match message {
                Ok(message) => format!("{class}: {}", message.lossy()),
                Err(_) => format!("{class}: (its message fails)"),
            }
        }
        Stop::Unsupported(it) => format!("not known: {}", it.construct),
        Stop::Exhausted(message) => format!("exhausted: {message}"),
        Stop::Host(_) => "left to the host".to_owned(),
        Stop::Unknown(_) => "unknown".to_owned(),
        other => format!("left by {other:?}"),
    }
}
