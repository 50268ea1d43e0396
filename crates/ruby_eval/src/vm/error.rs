//! Exceptions.

use std::rc::Rc;

use marotte_pcore::regexp::{Options, Regexp};

use marotte_text::Str;

use super::Vm;
use crate::stop::{Result, Stop, unsupported};
use crate::value::{Class, Data, Object, RegexpObject};
use crate::{Symbol, Value};

/// The state of an exception. Its message is in it and not in an instance variable, as in Ruby.
#[derive(Clone, Debug, Default)]
pub struct Exception {
    /// The message; `nil` if it was created without one: the message is then the name of the class.
    pub message: Option<Value>,
    /// Lines such as `path:12:in 'name'`.
    pub backtrace: Vec<String>,
    /// The exception that was being handled when this one was raised.
    pub cause: Option<Value>,
    /// The object that lacks a method or constant, or has no such key.
    pub receiver: Option<Value>,
    /// The name of the method, variable or constant; the key that is missing; the value of `StopIteration`.
    pub name: Option<Value>,
}

impl Data for Exception {
    fn copy(&self) -> Option<Box<dyn Data>> {
        Some(Box::new(self.clone()))
    }
}

/// The exception classes that built-in methods raise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorClass {
    /// `ArgumentError`
    Argument,
    /// `TypeError`
    Type,
    /// `NameError`
    Name,
    /// `NoMethodError`
    NoMethod,
    /// `FrozenError`
    Frozen,
    /// `IndexError`
    Index,
    /// `KeyError`
    Key,
    /// `RangeError`
    Range,
    /// `FloatDomainError`
    FloatDomain,
    /// `ZeroDivisionError`
    ZeroDivision,
    /// `StopIteration`
    StopIteration,
    /// `RegexpError`
    Regexp,
    /// `RuntimeError`
    Runtime,
    /// `LocalJumpError`
    LocalJump,
    /// `UncaughtThrowError`
    UncaughtThrow,
    /// `EncodingError`
    Encoding,
    /// `NotImplementedError`
    NotImplemented,
}

impl ErrorClass {
    /// The name of the class.
    pub fn name(self) -> &'static str {
        match self {
            ErrorClass::Argument => "ArgumentError",
            ErrorClass::Type => "TypeError",
            ErrorClass::Name => "NameError",
            ErrorClass::NoMethod => "NoMethodError",
            ErrorClass::Frozen => "FrozenError",
            ErrorClass::Index => "IndexError",
            ErrorClass::Key => "KeyError",
            ErrorClass::Range => "RangeError",
            ErrorClass::FloatDomain => "FloatDomainError",
            ErrorClass::ZeroDivision => "ZeroDivisionError",
            ErrorClass::StopIteration => "StopIteration",
            ErrorClass::Regexp => "RegexpError",
            ErrorClass::Runtime => "RuntimeError",
            ErrorClass::LocalJump => "LocalJumpError",
            ErrorClass::UncaughtThrow => "UncaughtThrowError",
            ErrorClass::Encoding => "EncodingError",
            ErrorClass::NotImplemented => "NotImplementedError",
        }
    }
}

impl Vm<'_> {
    /// Raises an exception of a built-in class.
    ///
    /// # Errors
    /// Always.
    pub fn raise<T>(&mut self, class: ErrorClass, message: impl Into<String>) -> Result<T> {
        self.raise_named(class.name(), message)
    }

    /// Raises an exception of a built-in class by the name of the class, `Puppet::ParseError`.
    ///
    /// # Errors
    /// Always.
    pub fn raise_named<T>(&mut self, class: &str, message: impl Into<String>) -> Result<T> {
        let class = Rc::clone(self.world.class(class));
        let exception = self.new_exception(class, Some(Value::string(message)));
        self.raise_value(exception)
    }

    /// Raises an exception object; adds the backtrace if it was not raised before.
    ///
    /// # Errors
    /// Always.
    pub fn raise_value<T>(&mut self, exception: Value) -> Result<T> {
        if let Value::Object(object) = &exception {
            let cause = self.handled.last().filter(|it| !it.is_identical(&exception)).cloned();
            let backtrace = self.backtrace();
            // Lines of a backtrace are texts, which take much longer to make than a step.
            self.world.spend(16 * (backtrace.len() + 1))?;
            if let Some(mut data) = object.data_as_mut::<Exception>() {
                if data.backtrace.is_empty() {
                    data.backtrace = backtrace;
                }
                if data.cause.is_none() {
                    data.cause = cause;
                }
            }
        }
        Err(Box::new(Stop::Raise(exception)))
    }

    /// Raises `NameError` or one of its subclasses.
    ///
    /// # Errors
    /// Always.
    pub(crate) fn raise_name<T>(
        &mut self,
        class: &str,
        receiver: &Value,
        name: Symbol,
        message: impl Into<String>,
    ) -> Result<T> {
        let class = Rc::clone(self.world.class(class));
        let exception = self.new_exception(class, Some(Value::string(message)));
        if let Value::Object(object) = &exception
            && let Some(mut data) = object.data_as_mut::<Exception>()
        {
            data.receiver = Some(receiver.clone());
            data.name = Some(Value::Symbol(name));
        }
        self.raise_value(exception)
    }

    /// Raises `NoMethodError` with a message.
    ///
    /// # Errors
    /// Always.
    pub(crate) fn raise_no_method<T>(
        &mut self,
        receiver: &Value,
        name: Symbol,
        message: String,
    ) -> Result<T> {
        self.raise_name("NoMethodError", receiver, name, message)
    }

    /// The places of the active calls, innermost first: `path:12:in 'name'`.
    pub(crate) fn backtrace(&mut self) -> Vec<String> {
        let mut line = self.line;
        let mut paths: Vec<Str> = Vec::new();
        let mut lines = Vec::new();
        for activation in self.stack.iter().rev().take(100) {
            let frame = &activation.context.frame;
            let name = match &frame.method {
                Some((name, _)) => name.name(),
                None => frame.code.name.name(),
            };
            let path = &frame.code.source.path;
            if !paths.contains(path) {
                paths.push(path.clone());
            }
            let number = line.number();
            lines.push(match activation.context.block {
                Some(_) => format!("{path}:{number}:in `block in {name}'"),
                None => format!("{path}:{number}:in `{name}'"),
            });
            line = activation.caller_line;
        }
        for path in &paths {
            self.host.reads_places(path);
        }
        lines
    }

    /// A new exception.
    pub fn new_exception(&mut self, class: Rc<Class>, message: Option<Value>) -> Value {
        Value::Object(Object::new(class, Exception { message, ..Exception::default() }))
    }

    /// Raises `ArgumentError`.
    ///
    /// # Errors
    /// Always.
    pub fn argument_error<T>(&mut self, message: impl Into<String>) -> Result<T> {
        self.raise(ErrorClass::Argument, message)
    }

    /// Raises `TypeError`.
    ///
    /// # Errors
    /// Always.
    pub fn type_error<T>(&mut self, message: impl Into<String>) -> Result<T> {
        self.raise(ErrorClass::Type, message)
    }

    /// Raises `NoMethodError` for a receiver that lacks a method.
    ///
    /// # Errors
    /// Always.
    pub fn no_method<T>(&mut self, receiver: &Value, name: Symbol) -> Result<T> {
        let described = self.described(receiver)?;
        self.raise_no_method(receiver, name, format!("undefined method `{name}' for {described}"))
    }

    /// Raises `FrozenError` if a value is frozen.
    ///
    /// # Errors
    /// If it is.
    pub fn ensure_not_frozen(&mut self, value: &Value) -> Result<()> {
        if !self.is_frozen(value) {
            return Ok(());
        }
        let (class, inspected) = (self.class_of(value).display_name(), self.inspect(value)?);
        self.raise(ErrorClass::Frozen, format!("can't modify frozen {class}: {inspected}"))
    }

    /// Compiles a regular expression at run time.
    ///
    /// # Errors
    /// `RegexpError` if it is not one; not supported if it cannot be matched here.
    pub(crate) fn new_regexp(&mut self, source: String, options: Options) -> Result {
        crate::builtins::regexp::charge_compilation(self, &source)?;
        match Regexp::with_options(&source, options) {
            Ok(regexp) => Ok(Value::Regexp(Rc::new(RegexpObject::new(regexp, source, options)))),
            Err(error) => unsupported(format!("the regular expression /{source}/: {error}")),
        }
    }

    /// Whether a value cannot be changed.
    pub fn is_frozen(&self, value: &Value) -> bool {
        match value {
            Value::String(it) => it.is_frozen(),
            Value::Array(it) => it.is_frozen(),
            Value::Hash(it) => it.is_frozen(),
            Value::Object(it) => it.is_frozen(),
            Value::Match(_) | Value::Proc(_) | Value::Class(_) => false,
            _ => true,
        }
    }
}
