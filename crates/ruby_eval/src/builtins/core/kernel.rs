//! Functions of `Kernel`.

use std::rc::Rc;

use crate::native::{Call, NativeMethod, at_least, between, exactly};
use crate::program::Program;
use crate::stop::{Result, Stop, unsupported};
use crate::symbol::names;
use crate::value::Object;
use crate::vm::Exception;
use crate::{Value, Vm};

/// Functions that can be called everywhere.
pub(super) static FUNCTIONS: &[NativeMethod] = &[
    at_least("puts", 0, puts),
    at_least("print", 0, print),
    at_least("p", 0, p),
    at_least("pp", 0, p),
    at_least("warn", 0, warn).with_keywords(),
    between("raise", 0, 3, raise).with_keywords(),
    between("fail", 0, 3, raise).with_keywords(),
    exactly("loop", 0, loop_),
    exactly("lambda", 0, |vm, call| match call.block {
        Some(block) => Ok(Value::Proc(Rc::clone(block))),
        None => vm.argument_error("tried to create Proc object without a block"),
    }),
    exactly("proc", 0, |vm, call| match call.block {
        Some(block) => Ok(Value::Proc(Rc::clone(block))),
        None => vm.argument_error("tried to create Proc object without a block"),
    }),
    exactly("block_given?", 0, |vm, _| {
        Ok(Value::Bool(vm.stack.last().is_some_and(|it| it.context.frame.block.is_some())))
    }),
    between("catch", 0, 1, catch),
    between("throw", 1, 2, throw),
    exactly("String", 1, string),
    exactly("require", 1, require),
    exactly("require_relative", 1, require_relative),
    exactly("__method__", 0, |vm, _| {
        let frame = vm.stack.last().map(|it| Rc::clone(&it.context.frame));
        // The code of a template runs in a method of its wrapper.
        if frame.as_ref().is_some_and(|it| {
            it.method.is_none() && matches!(&it.self_value, Value::Object(it) if it.data().reads_scope())
        }) {
            return Ok(Value::symbol("result"));
        }
        let method = frame.and_then(|it| it.method.clone());
        Ok(method.map_or(Value::Nil, |(name, _)| Value::Symbol(name)))
    }),
    exactly("__dir__", 0, |vm, _| {
        let path = vm.stack.last().map(|it| it.context.frame.code.source.path.clone()).unwrap_or_default();
        let (directory, _) = path.rsplit_once('/').unwrap_or((".", ""));
        Ok(Value::string(if directory.is_empty() { "/" } else { directory }))
    }),
    between("caller", 0, 2, |_, _| unsupported("caller")),
];

/// Writes to the log of the host, as there is no standard output.
fn log(vm: &mut Vm<'_>, text: &str) {
    vm.host.log("stdout", text);
}

fn puts(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    for argument in call.arguments {
        let text = match argument {
            Value::Array(it) => {
                let mut lines = Vec::new();
                for item in it.snapshot() {
                    lines.push(vm.to_s(&item)?.lossy());
                }
                lines.join("\n")
            }
            _ => vm.to_s(argument)?.lossy(),
        };
        log(vm, &text);
    }
    Ok(Value::Nil)
}

fn print(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    for argument in call.arguments {
        let text = vm.to_s(argument)?.lossy();
        log(vm, &text);
    }
    Ok(Value::Nil)
}

fn p(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    for argument in call.arguments {
        let text = vm.inspect(argument)?;
        log(vm, &text);
    }
    Ok(match call.arguments {
        [] => Value::Nil,
        [one] => one.clone(),
        many => Value::array(many.to_vec()),
    })
}

fn warn(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    for argument in call.arguments {
        let text = vm.to_s(argument)?.lossy();
        vm.host.log("stderr", &text);
    }
    Ok(Value::Nil)
}

fn raise(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let mut keywords = call.keywords.map(|it| it.snapshot()).unwrap_or_default();
    let cause_at =
        keywords.iter().position(|(key, _)| matches!(key, Value::Symbol(it) if it.name() == "cause"));
    let cause = cause_at.map(|it| keywords.remove(it).1);
    let exception = match call.arguments {
        [] => match vm.handled.last().cloned() {
            Some(handled) => handled,
            None => vm.new_error("RuntimeError", "unhandled exception"),
        },
        [message @ Value::String(_)] => {
            let class = Value::Class(Rc::clone(vm.world.class("RuntimeError")));
            vm.send(&class, names::NEW, std::slice::from_ref(message), None, None)?
        }
        [class, rest @ ..] => {
            let is_raisable = match class {
                Value::Class(it) => it.is_a(vm.world.class("Exception")),
                Value::Object(_) => vm.responds_to(class, "exception"),
                _ => false,
            };
            if !is_raisable {
                return vm.type_error("exception class/object expected");
            }
            let message = &rest[..rest.len().min(1)];
            let passed = match keywords.is_empty() {
                true => None,
                false => match Value::hash(keywords) {
                    Value::Hash(it) => Some(it),
                    _ => None,
                },
            };
            let made = vm.send(class, names::EXCEPTION, message, passed.as_ref(), None)?;
            if !vm.is_a(&made, "Exception") {
                return vm.type_error("exception object expected");
            }
            if let Some(backtrace) = rest.get(1) {
                vm.call(&made, "set_backtrace", std::slice::from_ref(backtrace))?;
            }
            made
        }
    };
    if let (Some(cause), Value::Object(object)) = (cause, &exception)
        && let Some(mut data) = object.data_as_mut::<Exception>()
    {
        data.cause = Some(cause);
    }
    vm.raise_value(exception)
}

fn loop_(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let Some(block) = call.block else { return Ok(vm.enumerator(call.this, call.name, &[])) };
    loop {
        match vm.yield_to(block, &[]).map_err(|it| *it) {
            Ok(_) => {}
            // `StopIteration` ends the loop with the value of the iterator.
            Err(Stop::Raise(exception)) if vm.is_a(&exception, "StopIteration") => {
                return vm.call(&exception, "result", &[]);
            }
            Err(other) => return Err(Box::new(other)),
        }
    }
}

fn catch(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let tag = match call.argument(0) {
        Some(tag) => tag.clone(),
        None => Value::Object(Object::new(Rc::clone(&vm.world.object), ())),
    };
    vm.world.catching.borrow_mut().push(tag.clone());
    let result = vm.yield_to(call.needed_block()?, std::slice::from_ref(&tag));
    vm.world.catching.borrow_mut().pop();
    match result.map_err(|it| *it) {
        Err(Stop::Throw { tag: thrown, value }) if thrown.is_identical(&tag) => Ok(value),
        other => other.map_err(Box::new),
    }
}

fn throw(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let tag = call.required(0).clone();
    if !vm.catches(&tag) {
        let text = vm.inspect(&tag)?;
        return vm.raise_named("UncaughtThrowError", format!("uncaught throw {text}"));
    }
    let value = call.argument(1).cloned().unwrap_or(Value::Nil);
    Err(Box::new(Stop::Throw { tag, value }))
}

fn string(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let value = call.required(0);
    match value {
        Value::String(_) => Ok(value.clone()),
        Value::Object(_) if vm.responds_to(value, "to_str") => vm.call(value, "to_str", &[]),
        _ => vm.to_s(value).map(Value::String),
    }
}

/// Libraries whose classes are built in, or not needed.
static LIBRARIES: &[&str] = &[
    "cgi/escape",
    "json/add/core",
    "json/ext",
    "openssl/digest",
    "prettyprint",
    "rubygems/version",
    "uri/generic",
    "abbrev",
    "base64",
    "benchmark",
    "bigdecimal",
    "cgi",
    "cgi/util",
    "csv",
    "date",
    "delegate",
    "digest",
    "digest/md5",
    "digest/sha1",
    "digest/sha2",
    "digest/sha256",
    "English",
    "enumerator",
    "erb",
    "etc",
    "facter",
    "fileutils",
    "find",
    "forwardable",
    "hiera",
    "ipaddr",
    "json",
    "json/pure",
    "logger",
    "net/http",
    "net/https",
    "observer",
    "open-uri",
    "open3",
    "openssl",
    "openssl/hmac",
    "optparse",
    "ostruct",
    "pathname",
    "pp",
    "prime",
    "psych",
    "puppet",
    "puppet_x",
    "racc/parser",
    "rational",
    "rbconfig",
    "resolv",
    "rexml/document",
    "ripper",
    "rubygems",
    "securerandom",
    "set",
    "shellwords",
    "singleton",
    "socket",
    "stringio",
    "strscan",
    "syslog",
    "tempfile",
    "thread",
    "time",
    "timeout",
    "tmpdir",
    "tsort",
    "uri",
    "weakref",
    "yaml",
    "zlib",
    "hiera_puppet",
    "semantic_puppet",
    "multi_json",
    "toml",
    "hocon",
    "hocon/config_factory",
    "hocon/config_error",
    "digest/bubblebabble",
    "expect",
    "fcntl",
    "getoptlong",
    "io/console",
    "io/wait",
    "matrix",
    "monitor",
    "mutex_m",
    "objspace",
    "open-uri",
    "pty",
    "pstore",
    "random/formatter",
    "readline",
    "reline",
    "rinda/rinda",
    "un",
    "win32ole",
];

fn require(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let name = vm.expect_string(call.required(0))?.lossy();
    let plain = name.strip_suffix(".rb").unwrap_or(&name);
    if let Some(texts) = written_in_ruby(plain) {
        let is_new = vm.world.loaded.borrow_mut().insert(plain.into(), Value::Nil).is_none();
        if is_new {
            load_texts(vm, plain, texts)?;
        }
        return Ok(Value::Bool(is_new));
    }
    if LIBRARIES.contains(&plain) || plain == "puppet" || plain.starts_with("puppet/") {
        return Ok(Value::Bool(vm.world.loaded.borrow_mut().insert(plain.into(), Value::Nil).is_none()));
    }
    vm.require_file(plain)
}

/// The texts of a library that is written in Ruby itself. None for other libraries.
fn written_in_ruby(name: &str) -> Option<&'static [&'static str]> {
    const CORE: &str = include_str!("../lib/ruby/deep_merge_core.rb");
    const HASH: &str = include_str!("../lib/ruby/deep_merge.rb");
    match name {
        "deep_merge" => Some(&[CORE, HASH]),
        "deep_merge/core" => Some(&[CORE]),
        _ => None,
    }
}

fn load_texts(vm: &mut Vm<'_>, name: &str, texts: &[&str]) -> Result<()> {
    for text in texts {
        match Program::parse(format!("{name}.rb"), text.as_bytes()) {
            Ok(program) => vm.load(&program)?,
            Err(_) => return unsupported(format!("require '{name}'")),
        };
    }
    Ok(())
}

fn require_relative(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let name = vm.expect_string(call.required(0))?.lossy();
    let path = vm.stack.last().map(|it| it.context.frame.code.source.path.clone()).unwrap_or_default();
    let (directory, _) = path.rsplit_once('/').unwrap_or((".", ""));
    let mut parts: Vec<&str> = match name.starts_with('/') {
        true => Vec::new(),
        false => directory.split('/').collect(),
    };
    for part in name.strip_suffix(".rb").unwrap_or(&name).split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    let full = if name.starts_with('/') { format!("/{joined}") } else { joined };
    vm.require_file(&full)
}

impl Vm<'_> {
    /// Loads a file in Ruby once.
    fn require_file(&mut self, name: &str) -> Result {
        if self.world.loaded.borrow().contains_key(name) {
            return Ok(Value::Bool(false));
        }
        let found = self.host.ruby_file(name);
        match self.answered(found)? {
            Some(program) => {
                self.world.loaded.borrow_mut().insert(name.into(), Value::Nil);
                let result = self.load(&program);
                if result.is_err() {
                    // The next `require` tries it again.
                    self.world.loaded.borrow_mut().shift_remove(name);
                }
                result.map(|_| Value::Bool(true))
            }
            None => unsupported(format!("require '{name}'")),
        }
    }

    /// Whether an active `catch` block waits for a tag.
    pub(crate) fn catches(&self, tag: &Value) -> bool {
        self.world.catching.borrow().iter().any(|it| it.is_identical(tag))
    }

    /// A new exception of a built-in class.
    pub(crate) fn new_error(&mut self, class: &str, message: &str) -> Value {
        let class = Rc::clone(self.world.class(class));
        self.new_exception(class, Some(Value::string(message)))
    }
}
