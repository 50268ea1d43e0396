//! Methods that are written in Rust, and the description of built-in classes.

use std::fmt;
use std::rc::Rc;

use crate::stop::{Result, unsupported};
use crate::value::{HashObject, Proc};
use crate::{Symbol, Value, Vm};

/// A method that is written in Rust.
pub struct NativeMethod {
    /// The name.
    pub name: &'static str,
    /// The minimal number of positional arguments.
    pub least: usize,
    /// The maximal number of positional arguments; None for any number.
    pub most: Option<usize>,
    /// Whether it takes keyword arguments. If not, they arrive as one hash after the positional arguments.
    pub keywords: bool,
    /// Whether it only says that it is not implemented.
    pub is_refused: bool,
    /// The code.
    pub body: fn(&mut Vm<'_>, &Call<'_>) -> Result,
}

impl fmt::Debug for NativeMethod {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "NativeMethod({})", self.name)
    }
}

/// A method that takes exactly `count` arguments.
pub const fn exactly(
    name: &'static str,
    count: usize,
    body: fn(&mut Vm<'_>, &Call<'_>) -> Result,
) -> NativeMethod {
    NativeMethod { name, least: count, most: Some(count), keywords: false, is_refused: false, body }
}

/// A method that takes `least` to `most` arguments.
pub const fn between(
    name: &'static str,
    least: usize,
    most: usize,
    body: fn(&mut Vm<'_>, &Call<'_>) -> Result,
) -> NativeMethod {
    NativeMethod { name, least, most: Some(most), keywords: false, is_refused: false, body }
}

/// A method that takes `least` arguments or more.
pub const fn at_least(
    name: &'static str,
    least: usize,
    body: fn(&mut Vm<'_>, &Call<'_>) -> Result,
) -> NativeMethod {
    NativeMethod { name, least, most: None, keywords: false, is_refused: false, body }
}

/// A method of real Ruby that is known, but not implemented.
pub const fn refused(name: &'static str) -> NativeMethod {
    NativeMethod { name, least: 0, most: None, keywords: false, is_refused: true, body: refuse }
}

/// Ends the evaluation, because the method that was called is not implemented.
pub(crate) fn refuse(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let receiver = match call.this {
        Value::Class(it) => format!("{}.", it.display_name()),
        other => format!("{}#", vm.class_of(other).display_name()),
    };
    unsupported(format!("{receiver}{}", call.name))
}

impl NativeMethod {
    /// The same method with keyword arguments.
    pub const fn with_keywords(mut self) -> NativeMethod {
        self.keywords = true;
        self
    }
}

impl fmt::Debug for NativeClass {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "NativeClass({})", self.name)
    }
}

/// The function that computes the value of a constant when the constant is first read.
pub type NativeConstant = fn(&mut Vm<'_>) -> Result;

/// A built-in class or module.
pub struct NativeClass {
    /// Its name, with the modules that it is in: `Puppet::Pops::Types`.
    pub name: &'static str,
    /// Its superclass; None for modules.
    pub superclass: Option<&'static str>,
    /// The modules that it includes, in the order of `include` statements.
    pub includes: &'static [&'static str],
    /// Methods of instances. A later table entry of the same name replaces an earlier one.
    pub methods: &'static [&'static [NativeMethod]],
    /// Methods of the class itself.
    pub singleton_methods: &'static [&'static [NativeMethod]],
    /// Constants in it that are values.
    pub constants: &'static [(&'static str, NativeConstant)],
}

impl NativeClass {
    /// A module without methods: the rest of a description, `..NativeClass::EMPTY`.
    pub const EMPTY: NativeClass = NativeClass {
        name: "",
        superclass: None,
        includes: &[],
        methods: &[],
        singleton_methods: &[],
        constants: &[],
    };
}

/// A call of a method that is written in Rust. The number of arguments has been checked.
pub struct Call<'a> {
    /// The receiver.
    pub this: &'a Value,
    /// The name by which it was called.
    pub name: Symbol,
    /// Positional arguments.
    pub arguments: &'a [Value],
    /// Keyword arguments, for methods that take them.
    pub keywords: Option<&'a Rc<HashObject>>,
    /// The block.
    pub block: Option<&'a Rc<Proc>>,
}

impl<'a> Call<'a> {
    /// A positional argument, if it was given.
    pub fn argument(&self, index: usize) -> Option<&'a Value> {
        self.arguments.get(index)
    }

    /// A required positional argument, which exists since the number of arguments has been checked; `nil` otherwise.
    pub fn required(&self, index: usize) -> &'a Value {
        self.arguments.get(index).unwrap_or(&Value::Nil)
    }

    /// A keyword argument.
    pub fn keyword(&self, name: &str) -> Option<Value> {
        self.keywords.and_then(|it| it.get_symbol(name))
    }

    /// The block of a call that requires one; for methods that support enumerators instead, use [`Vm::enumerator`].
    ///
    /// # Errors
    /// If there is no block: the call is not supported.
    pub fn needed_block(&self) -> Result<&'a Rc<Proc>> {
        match self.block {
            Some(block) => Ok(block),
            None => unsupported(format!("`{}` without a block", self.name)),
        }
    }
}
