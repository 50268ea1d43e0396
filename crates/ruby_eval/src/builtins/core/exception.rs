//! `Exception` and the exceptions of the language.

use std::rc::Rc;

use crate::native::{Call, NativeClass, NativeMethod, at_least, between, exactly, refused};
use crate::stop::{Result, unsupported};
use crate::symbol::names;
use crate::value::{Object, Proc};
use crate::vm::Exception;
use crate::{Value, Vm};

/// `Exception`
static EXCEPTION: NativeClass = NativeClass {
    name: "Exception",
    superclass: Some("Object"),
    methods: &[METHODS],
    singleton_methods: &[&[
        at_least("new", 0, new).with_keywords(),
        at_least("exception", 0, |vm, call| {
            vm.send(call.this, names::NEW, call.arguments, call.keywords, call.block)
        })
        .with_keywords(),
    ]],
    ..NativeClass::EMPTY
};

macro_rules! exceptions {
    ($($constant:ident $name:literal < $superclass:literal;)*) => {
        $(static $constant: NativeClass = NativeClass {
            name: $name,
            superclass: Some($superclass),
            ..NativeClass::EMPTY
        };)*
        /// All exceptions.
        pub(in crate::builtins) static CLASSES: &[&NativeClass] =
            &[&EXCEPTION, &NAME, &KEY_METHODS_HOLDER, $(&$constant),*, &KEY_METHODS, &STOP_METHODS, &FROZEN_METHODS,
              &SYSTEM_CALL_METHODS, &EXIT_METHODS, &UNCAUGHT_METHODS, &NO_METHOD_METHODS];
    };
}

/// `StandardError` and `NameError` come first, as others inherit from them.
static KEY_METHODS_HOLDER: NativeClass = NativeClass {
    name: "NameError",
    superclass: Some("StandardError"),
    methods: &[NAME_METHODS],
    ..NativeClass::EMPTY
};
static NAME: NativeClass =
    NativeClass { name: "StandardError", superclass: Some("Exception"), ..NativeClass::EMPTY };

exceptions! {
    SCRIPT "ScriptError" < "Exception";
    LOAD "LoadError" < "ScriptError";
    NOT_IMPLEMENTED "NotImplementedError" < "ScriptError";
    SYNTAX "SyntaxError" < "ScriptError";
    NO_MEMORY "NoMemoryError" < "Exception";
    SECURITY "SecurityError" < "Exception";
    SIGNAL "SignalException" < "Exception";
    INTERRUPT "Interrupt" < "SignalException";
    EXIT "SystemExit" < "Exception";
    STACK "SystemStackError" < "Exception";
    ARGUMENT "ArgumentError" < "StandardError";
    UNCAUGHT "UncaughtThrowError" < "ArgumentError";
    ENCODING "EncodingError" < "StandardError";
    FIBER "FiberError" < "StandardError";
    IO "IOError" < "StandardError";
    EOF "EOFError" < "IOError";
    INDEX "IndexError" < "StandardError";
    KEY "KeyError" < "IndexError";
    STOP "StopIteration" < "IndexError";
    CLOSED "ClosedQueueError" < "StopIteration";
    LOCAL_JUMP "LocalJumpError" < "StandardError";
    NO_METHOD "NoMethodError" < "NameError";
    RANGE "RangeError" < "StandardError";
    FLOAT_DOMAIN "FloatDomainError" < "RangeError";
    REGEXP "RegexpError" < "StandardError";
    RUNTIME "RuntimeError" < "StandardError";
    FROZEN "FrozenError" < "RuntimeError";
    SYSTEM_CALL "SystemCallError" < "StandardError";
    THREAD "ThreadError" < "StandardError";
    TYPE "TypeError" < "StandardError";
    ZERO_DIVISION "ZeroDivisionError" < "StandardError";
    NO_PATTERN "NoMatchingPatternError" < "StandardError";
    NO_PATTERN_KEY "NoMatchingPatternKeyError" < "NoMatchingPatternError";
}

static KEY_METHODS: NativeClass = NativeClass {
    name: "KeyError",
    superclass: Some("IndexError"),
    methods: &[&[
        at_least("initialize", 0, initialize_name).with_keywords(),
        exactly("key", 0, key),
        exactly("receiver", 0, receiver),
    ]],
    ..NativeClass::EMPTY
};

static STOP_METHODS: NativeClass = NativeClass {
    name: "StopIteration",
    superclass: Some("IndexError"),
    methods: &[&[exactly("result", 0, name_of)]],
    ..NativeClass::EMPTY
};

static FROZEN_METHODS: NativeClass = NativeClass {
    name: "FrozenError",
    superclass: Some("RuntimeError"),
    methods: &[&[
        at_least("initialize", 0, initialize_name).with_keywords(),
        exactly("receiver", 0, receiver),
    ]],
    ..NativeClass::EMPTY
};

static UNCAUGHT_METHODS: NativeClass = NativeClass {
    name: "UncaughtThrowError",
    superclass: Some("ArgumentError"),
    methods: &[&[exactly("tag", 0, name_of)]],
    ..NativeClass::EMPTY
};

static NO_METHOD_METHODS: NativeClass = NativeClass {
    name: "NoMethodError",
    superclass: Some("NameError"),
    methods: &[&[exactly("args", 0, |_, _| unsupported("NoMethodError#args"))]],
    ..NativeClass::EMPTY
};

static SYSTEM_CALL_METHODS: NativeClass = NativeClass {
    name: "SystemCallError",
    superclass: Some("StandardError"),
    singleton_methods: &[&[refused("new")]],
    ..NativeClass::EMPTY
};

static EXIT_METHODS: NativeClass = NativeClass {
    name: "SystemExit",
    superclass: Some("Exception"),
    singleton_methods: &[&[refused("new")]],
    ..NativeClass::EMPTY
};

static NAME_METHODS: &[NativeMethod] = &[
    at_least("initialize", 0, initialize_name).with_keywords(),
    exactly("name", 0, name_of),
    exactly("receiver", 0, receiver),
];

static METHODS: &[NativeMethod] = &[
    between("initialize", 0, 1, |_, call| {
        change(call.this, |it| it.message = call.argument(0).cloned());
        Ok(Value::Nil)
    }),
    exactly("to_s", 0, to_s),
    exactly("message", 0, |vm, call| {
        let text = vm.send(call.this, names::TO_S, &[], None, None)?;
        vm.to_s(&text).map(Value::String)
    }),
    at_least("detailed_message", 0, |_, _| unsupported("Exception#detailed_message")),
    at_least("full_message", 0, |_, _| unsupported("Exception#full_message")),
    exactly("inspect", 0, inspect),
    exactly("backtrace", 0, |_, call| {
        let lines = read(call.this, |it| it.backtrace.clone()).unwrap_or_default();
        Ok(match lines.is_empty() {
            true => Value::Nil,
            false => Value::array(lines.into_iter().map(Value::string).collect()),
        })
    }),
    exactly("set_backtrace", 1, |vm, call| {
        let lines = match call.required(0) {
            Value::Nil => Vec::new(),
            Value::Array(it) => {
                let mut lines = Vec::new();
                for line in it.snapshot() {
                    lines.push(vm.expect_string(&line)?.lossy());
                }
                lines
            }
            other => vec![vm.expect_string(other)?.lossy()],
        };
        change(call.this, |it| it.backtrace = lines);
        Ok(call.required(0).clone())
    }),
    exactly("cause", 0, |_, call| Ok(read(call.this, |it| it.cause.clone()).flatten().unwrap_or(Value::Nil))),
    between("exception", 0, 1, |vm, call| {
        let Some(message) = call.argument(0).filter(|it| !it.is_identical(call.this)) else {
            return Ok(call.this.clone());
        };
        let copy = vm.call(call.this, "clone", &[])?;
        change(&copy, |it| it.message = Some(message.clone()));
        Ok(copy)
    }),
    exactly("==", 1, |vm, call| {
        let other = call.required(0);
        if call.this.is_identical(other) {
            return Ok(Value::Bool(true));
        }
        if !Rc::ptr_eq(&vm.class_of(call.this), &vm.class_of(other)) {
            return Ok(Value::Bool(false));
        }
        let (left, right) = (vm.call(call.this, "message", &[])?, vm.call(other, "message", &[])?);
        let (a, b) = (vm.call(call.this, "backtrace", &[])?, vm.call(other, "backtrace", &[])?);
        Ok(Value::Bool(vm.equal(&left, &right)? && vm.equal(&a, &b)?))
    }),
];

fn read<T>(this: &Value, read: impl FnOnce(&Exception) -> T) -> Option<T> {
    let Value::Object(object) = this else { return None };
    object.data_as::<Exception>().map(|it| read(&it))
}

fn change(this: &Value, change: impl FnOnce(&mut Exception)) {
    if let Value::Object(object) = this
        && let Some(mut data) = object.data_as_mut::<Exception>()
    {
        change(&mut data);
    }
}

fn new(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let Value::Class(class) = call.this else { return unsupported("Exception.new") };
    let exception = Value::Object(Object::new(Rc::clone(class), Exception::default()));
    let block: Option<&Rc<Proc>> = call.block;
    vm.send(&exception, names::INITIALIZE, call.arguments, call.keywords, block)?;
    Ok(exception)
}

/// `NameError.new(message, name, receiver: …)` and its like.
fn initialize_name(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    if call.arguments.len() > 3 {
        return vm.wrong_number(call.arguments.len(), "0..3");
    }
    let (receiver, key) = (call.keyword("receiver"), call.keyword("key"));
    change(call.this, |it| {
        it.message = call.argument(0).cloned();
        it.name = key.or_else(|| call.argument(1).cloned());
        it.receiver = receiver;
    });
    Ok(Value::Nil)
}

fn name_of(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    Ok(read(call.this, |it| it.name.clone()).flatten().unwrap_or(Value::Nil))
}

fn key(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match read(call.this, |it| it.name.clone()).flatten() {
        Some(value) => Ok(value),
        None => unsupported("KeyError#key"),
    }
}

fn receiver(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match read(call.this, |it| it.receiver.clone()).flatten() {
        Some(value) => Ok(value),
        // Built-in methods do not record it everywhere.
        None => unsupported(format!("{}#receiver", vm.real_class_of(call.this).display_name())),
    }
}

fn to_s(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match read(call.this, |it| it.message.clone()).flatten() {
        Some(Value::Nil) | None => Ok(Value::string(vm.real_class_of(call.this).display_name())),
        Some(message) => vm.to_s(&message).map(Value::String),
    }
}

fn inspect(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let class = vm.real_class_of(call.this).display_name();
    let text = vm.send(call.this, names::TO_S, &[], None, None)?;
    let text = vm.to_s(&text)?.lossy();
    Ok(Value::string(match text.is_empty() {
        true => class,
        false => format!("#<{class}: {text}>"),
    }))
}
