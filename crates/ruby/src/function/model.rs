//! The data model of functions in Ruby.

use marotte_text::Str;
use serde::{Deserialize, Serialize};

/// The functions that a file declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Functions {
    /// The functions of the 4.x API, in source order.
    pub functions: Vec<Function>,
    /// The functions of the 3.x API, in source order.
    pub legacy: Vec<LegacyFunction>,
    /// Whether the lists are complete. If not, the file may declare others.
    pub complete: bool,
}

/// A function (of the 4.x API).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Function {
    /// The name with its namespace: `stdlib::ensure`.
    pub name: Str,
    /// The comment above it, without comment signs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc: Option<Str>,
    /// The signatures, in the order in which they are tried.
    pub dispatches: Vec<Dispatch>,
    /// Type aliases that its types may refer to, each as `NAME = TYPE`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub local_types: Vec<Str>,
    /// Whether all dispatches are listed and everything in them is known. If not, other arguments may be accepted.
    #[serde(default = "complete", skip_serializing_if = "is_complete")]
    pub complete: bool,
}

/// A signature of a function. Types are texts in Puppet's notation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dispatch {
    /// The method that is called.
    pub method: Str,
    /// The parameters, in order. Required ones come first; only the last may take several arguments.
    pub parameters: Vec<Parameter>,
    /// The block that is given to it, if it takes one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<Block>,
    /// The type of the result. `None` if it isn't declared, or is unknown, in which case the function is not complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub return_type: Option<Str>,
    /// Whether the method words the error for such arguments (`argument_mismatch`), rather than accepting them.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mismatch: bool,
    /// The values that the method gets in addition to the arguments.
    #[serde(default, skip_serializing_if = "is_default")]
    pub injected: Vec<Injection>,
}

impl Dispatch {
    /// The minimal and maximal number of arguments; None for any number.
    pub fn arguments(&self) -> (u64, Option<u64>) {
        let counts = || self.parameters.iter().map(|it| it.count);
        let is_required = |it: &Count| matches!(it, Count::Required | Count::RequiredRepeated);
        let is_repeated = |it: &Count| matches!(it, Count::Repeated | Count::RequiredRepeated);
        let min = counts().filter(is_required).count() as u64;
        (min, (!counts().any(|it| is_repeated(&it))).then_some(self.parameters.len() as u64))
    }
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// The name. Empty if it is unknown.
    pub name: Str,
    /// The type. `None` if it is unknown.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub parameter_type: Option<Str>,
    /// The number of arguments it takes.
    pub count: Count,
}

/// The number of arguments a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Count {
    /// Exactly one argument.
    Required,
    /// At most one argument.
    Optional,
    /// Any number of arguments.
    Repeated,
    /// At least one argument.
    RequiredRepeated,
}

/// The block (lambda) that a function takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// The name. Empty if it is unknown.
    pub name: Str,
    /// The type: `Callable` or one with brackets. `None` if it is unknown.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub block_type: Option<Str>,
    /// Whether it is optional.
    #[serde(default, skip_serializing_if = "is_default")]
    pub optional: bool,
}

/// A value that a function's method gets in addition to the arguments (of internal functions).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Injection {
    /// `scope_param`
    Scope,
    /// `script_compiler_param`
    ScriptCompiler,
    /// `cache_param`
    Cache,
    /// `compiler_param`
    CatalogCompiler,
    /// `pal_compiler_param`
    Compiler,
}

/// A function of the 3.x API. It takes any arguments; only their number is checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LegacyFunction {
    /// The name of the function.
    pub name: Str,
    /// The kind. `None` if it is unknown.
    pub kind: Option<LegacyKind>,
    /// The number of arguments; `-n` means at least `n - 1` of them. `None` if it is unknown.
    pub arity: Option<i64>,
    /// The least number of arguments that its own code accepts, regardless of its arity.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub least: u64,
    /// The greatest number of arguments that its own code accepts; None for any number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<u64>,
    /// The documentation, without its indentation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doc: Option<Str>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl LegacyFunction {
    /// Whether everything about it is known.
    pub fn complete(&self) -> bool {
        self.kind.is_some() && self.arity.is_some()
    }
}

/// The kind of a function of the 3.x API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LegacyKind {
    /// A statement; its value is `undef`.
    Statement,
    /// A function with a value.
    Rvalue,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn complete() -> bool {
    true
}

fn is_complete(complete: &bool) -> bool {
    *complete
}
