//! Descriptions of built-in functions: everything that is known of a function, for the interpreter, inference, rules,
//! documentation and editors.

use std::mem::ManuallyDrop;
use std::sync::OnceLock;

use marotte_pcore::value::Value;

use super::Call;
use super::signature::Compiled;
use crate::interpreter::Evaluated;

/// A built-in function.
///
/// Descriptions mention only what differs from [`Builtin::base`].
pub struct Builtin {
    /// The name of the function.
    pub name: &'static str,
    /// The documentation: a first line as summary, then the details.
    pub doc: &'static str,
    /// The effects and dependencies that it has in addition to computing its result from its arguments.
    pub effects: Effects,
    /// Whether it evaluates code or templates that its arguments name or contain, and has the effects of that code.
    pub evaluates_code: bool,
    /// The things that its arguments name. None if they are values like any other.
    pub names: Option<Names>,
    /// The advice to those who call it, if it is deprecated: "use `lookup`".
    pub replacement: Option<&'static str>,
    /// The known type of its results. Calls do not check it, unlike the types that overloads declare.
    pub result: ResultType,
    /// The arguments that it passes to its lambda.
    pub lambda: LambdaArguments,
    /// The unknown values among its arguments with which it can be called.
    pub unknowns: Unknowns,
    /// Type aliases that the overloads use, as `type Name = …` lines.
    pub types: &'static str,
    /// The overloads: the first one that accepts the arguments is called.
    pub overloads: &'static [Overload],
    /// The parsed overloads; filled on first use. Descriptions are never dropped; without drop glue, they can be based on
    /// another.
    pub compiled: ManuallyDrop<OnceLock<Vec<Compiled>>>,
}

impl Builtin {
    /// The base of all descriptions: a pure function of which nothing else is known.
    pub(crate) const fn base() -> Builtin {
        Builtin {
            name: "",
            doc: "",
            effects: Effects::Pure,
            evaluates_code: false,
            names: None,
            replacement: None,
            result: ResultType::Unknown,
            lambda: LambdaArguments::Unknown,
            unknowns: Unknowns::Nothing,
            types: "",
            overloads: &[],
            compiled: ManuallyDrop::new(OnceLock::new()),
        }
    }
}

/// The effects and dependencies of a function in addition to computing its result from its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effects {
    /// None: it is pure.
    Pure,
    /// The function ends the enclosing block, function or iteration.
    ControlFlow,
    /// The function reads or sets variables of the calling scope, or depends on which names are defined.
    Scope,
    /// The function writes log messages.
    Logs,
    /// The function reads files, settings, facts or the clock.
    Reads,
    /// The function runs commands.
    Runs,
    /// The function reads the catalog.
    ReadsCatalog,
    /// The function changes the catalog.
    ChangesCatalog,
}

/// The things that the arguments of a function name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    /// Each argument names classes.
    Classes,
    /// The first argument names a resource type; the second has titles and attributes.
    ResourceType,
    /// Each argument refers to resources.
    Resources,
    /// The first argument is a key of data.
    DataKey,
    /// Each argument is the path of a file in a module's folder `files`.
    Files,
    /// Each argument is the path of a file in a module's folder `templates`.
    Templates,
    /// The first argument is the path of a template in EPP, whose extension may be omitted.
    EppTemplate,
    /// Each argument is the path of a template in ERB.
    ErbTemplates,
    /// The first argument is the name of a variable, or a path into its value.
    Variable,
    /// Each argument is the name of a definition or a variable, or refers to resources.
    Definitions,
    /// The first argument is the name of a function.
    Function,
}

/// The known type of the results of a function, for all calls that return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultType {
    /// Nothing is known of the results.
    Unknown,
    /// A type, in Puppet's notation.
    Is(&'static str),
    /// The first type if the first argument is a string, otherwise the second type.
    ForString(&'static str, &'static str),
    /// The function never returns.
    Never(Leaves),
    /// The result of the lambda.
    Lambda,
    /// An array of results of the lambda.
    ArrayOfLambda,
    /// The first argument, if there is a lambda.
    Iterated,
    /// An array of elements of the first argument, if that is an array.
    Elements,
    /// The same for an array; a hash of entries of the first argument, if that is a hash.
    Selected,
    /// An array of keys of the first argument, a hash.
    Keys,
    /// An array of values of the first argument, a hash.
    Values,
    /// The result of the lambda. Without one, the value that the first argument hides, if it is `Sensitive`, or else the argument
    /// itself.
    Unwrapped,
    /// An instance of the type that is the first argument, if there is no lambda.
    Asserted,
    /// An instance of the type that the arguments of a lookup request.
    LookedUp,
}

/// The construct that a function leaves if it never returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaves {
    /// The program: evaluation fails.
    Program,
    /// The enclosing function, class, or defined type.
    Body,
    /// The enclosing lambda, if there is one.
    Lambda,
}

/// The arguments that a function passes to its lambda.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LambdaArguments {
    /// Nothing is known of them, or the function takes no lambda.
    Unknown,
    /// The arguments of the call.
    Arguments,
    /// The first argument, which is not `undef`.
    NotUndef,
    /// An element of the first argument.
    Elements,
    /// An element of the first argument; for a lambda with two parameters index and element, or key and value.
    ElementsOrPairs,
    /// An element of the first argument, or a value of it if it is a hash; for a lambda with two parameters index and element,
    /// or key and value.
    ValuesOrPairs,
    /// The value that the first argument hides, if it is `Sensitive`, or else the argument itself.
    Unwrapped,
    /// A result of the lambda, or the start value, and an element of the first argument.
    Accumulated,
}

/// The unknown values among the arguments with which a function can be called.
#[derive(Clone, Copy)]
pub enum Unknowns {
    /// Any unknown value: the function only passes it on, or shows it.
    Anything,
    /// Values with unknown parts: the function only passes the parts on.
    Parts,
    /// None: the result or the effect depends on all arguments.
    Nothing,
    /// Those that the function returns for the first argument.
    ByFirst(fn(&Value) -> Unknowns),
}

/// A form in which a function can be called.
pub struct Overload {
    /// The parameters in Puppet's notation: `Integer $from, Optional[Integer] $to = undef, Any *$rest`.
    pub parameters: &'static str,
    /// The type of the lambda: `Callable[1, 1]`; `Optional[…]` if a call may omit it. None if the overload takes no
    /// lambda.
    pub block: Option<&'static str>,
    /// The declared type of the result, if there is one.
    pub returns: Option<&'static str>,
    /// The implementation of the overload.
    pub body: Body,
}

/// The implementation of an overload.
pub enum Body {
    /// A Rust function that computes the result.
    Run(for<'c> fn(&mut Call<'c, '_, '_>) -> Evaluated),
    /// Returns an error message for these arguments, a better one than their types could provide.
    Refuse(for<'c> fn(&Call<'c, '_, '_>) -> String),
}
