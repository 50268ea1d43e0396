//! Exceptions.

use std::rc::Rc;

use super::Vm;
use crate::stop::{Result, Stop};
use crate::value::{Class, Data, Object};
use crate::{Symbol, Value};

/// The state of an exception. Its message is in it and not in an instance variable, as in Ruby.
#[derive(Clone, Debug, Default)]
pub struct Exception {
    /// The message; `nil` if it was made without one: it is then the name of the class.
    pub message: Option<Value>,
    /// Lines such as `path:12:in 'name'`.
    pub backtrace: Vec<String>,
    /// The exception that was being handled when this one was raised.
    pub cause: Option<Value>,
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
        Err(Box::new(Stop::Raise(exception)))
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
        let receiver = self.described(receiver)?;
        self.raise(ErrorClass::NoMethod, format!("undefined method `{name}' for {receiver}"))
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
