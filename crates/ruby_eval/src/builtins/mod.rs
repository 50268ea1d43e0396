//! The classes of Ruby's core and standard library, one file for each class or closely related family.
//!
//! A file describes its class as a [`NativeClass`] with tables of methods; [`CLASSES`] lists them all.

mod array;
pub(crate) mod core;
mod enumerable;
mod hash;
pub mod lib;
mod match_data;
mod number;
mod puppet;
mod random;
mod range;
pub(crate) mod regexp;
pub(crate) mod regexp_cost;
mod regexp_text;
mod set;
pub(crate) mod string;
pub(crate) mod support;
mod symbol;

use std::sync::LazyLock;

use crate::native::NativeClass;
use crate::puppet::{function, legacy, opaque, resource, runtime, scope, template, version};

/// All built-in classes and modules. A superclass, an included module and an enclosing module come before a class.
pub static CLASSES: LazyLock<Vec<&'static NativeClass>> =
    LazyLock::new(|| FAMILIES.iter().flat_map(|it| it.iter().copied()).collect());

/// The classes of each family; families on which others depend come first.
static FAMILIES: &[&[&NativeClass]] = &[
    &[&core::KERNEL, &core::COMPARABLE, &core::ENUMERABLE, &core::BASIC_OBJECT, &core::OBJECT],
    &[&core::MODULE, &core::CLASS, &core::NIL, &core::TRUE, &core::FALSE, &core::PROC, &core::METHOD],
    &[&core::UNBOUND_METHOD, &core::BINDING, &core::LOAD_PATH],
    core::EXCEPTIONS,
    &[&core::ENUMERATOR, &core::YIELDER, &range::SEQUENCE, &core::STRUCT],
    COLLECTIONS,
    TEXT,
    PUPPET,
];

/// Numbers and collections.
static COLLECTIONS: &[&NativeClass] = &[
    &enumerable::ENUMERABLE,
    &number::KERNEL,
    &number::NUMERIC,
    &number::INTEGER,
    &number::FLOAT,
    &number::MATH,
    &number::DOMAIN_ERROR,
    &array::ARRAY,
    &hash::HASH,
    &range::RANGE,
    &set::SET,
    &random::RANDOM,
];

/// Strings, symbols and regular expressions.
static TEXT: &[&NativeClass] = &[
    &string::STRING,
    &string::FORMAT,
    &string::PACK,
    &string::ENCODING,
    &string::ENCODING_ERRORS[0],
    &string::ENCODING_ERRORS[1],
    &string::ENCODING_ERRORS[2],
    &string::ENCODING_ERRORS[3],
    &symbol::SYMBOL,
    &regexp::REGEXP,
    &match_data::MATCH_DATA,
];

/// Puppet's own classes.
static PUPPET: &[&NativeClass] = &[
    &puppet::PUPPET,
    &puppet::PARSER,
    &puppet::POPS,
    &puppet::POPS_FUNCTIONS,
    &puppet::POPS_TYPES,
    &puppet::POPS_TIME,
    &puppet::POPS_LOADER,
    &puppet::POPS_EVALUATOR,
    &puppet::SEMANTIC_PUPPET,
    &legacy::PARSER_FUNCTIONS,
    &legacy::AUTOLOADER,
    &resource::RESOURCE,
    &resource::PARSER_RESOURCE,
    &resource::PARAMETER,
    &resource::RESOURCE_TYPE,
    &runtime::RESOURCE_SUPPORT,
    &runtime::PUPPET_STACK,
    &runtime::FILES,
    &runtime::MODULE,
    &runtime::ITERABLE,
    &runtime::LOOKUP_CONTEXT,
    &scope::SCOPE,
    &scope::CATALOG,
    &scope::COMPILER,
    &scope::LOADERS,
    &scope::LOADER,
    &scope::RESOURCE_TYPE,
    &scope::NODE,
    &scope::ENVIRONMENT,
    &template::TEMPLATE_WRAPPER,
    &function::FUNCTIONS,
    &function::BASE_FUNCTION,
    &function::FUNCTION,
    &function::INTERNAL_FUNCTION,
    &function::DISPATCHER,
    &runtime::KERNEL,
    &runtime::ENVIRONMENT,
    &runtime::OBJECT,
    &opaque::MISMATCH_DESCRIBER,
    &function::DISPATCHER_BUILDER,
    &function::LOCAL_TYPES,
    &opaque::ANY_TYPE,
    &opaque::RESOURCE_TYPE,
    &opaque::CLASS_TYPE,
    &opaque::SENSITIVE_TYPE,
    &opaque::SENSITIVE,
    &opaque::BINARY_TYPE,
    &opaque::BINARY,
    &opaque::TIMESPAN,
    &opaque::TIMESTAMP,
    &version::VERSION,
    &version::VALIDATION_FAILURE,
    &version::VERSION_RANGE,
    &opaque::OBJECT,
    &opaque::TYPE_PARSER,
    &opaque::TYPE_CALCULATOR,
    &opaque::STRING_CONVERTER,
    &runtime::UTIL,
];

pub(crate) use core::StructMembers;

/// The kinds and names of the parameters of a method in Ruby, as `Method#parameters` returns them.
pub(crate) fn parameters_of(entry: &crate::vm::Entry) -> Option<Vec<(String, String)>> {
    let named = |(kind, name): (&str, Option<crate::Symbol>)| {
        (kind.to_owned(), name.map(|it| it.to_string()).unwrap_or_default())
    };
    Some(core::parameters_of(entry)?.into_iter().map(named).collect())
}

/// All built-in classes and modules, those of the libraries after the others.
pub(crate) fn all() -> impl Iterator<Item = &'static NativeClass> {
    CLASSES.iter().copied().chain(lib::CLASSES.iter().flat_map(|it| it.iter()))
}
