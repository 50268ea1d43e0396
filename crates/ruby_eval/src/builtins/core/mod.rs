//! The classes of the language itself: `Object`, `Module`, `Proc`, exceptions and their like.

mod binding;
mod comparable;
mod enumerator;
mod exception;
mod kernel;
mod load_path;
mod module;
mod module_methods;
mod nil;
mod object;
mod procs;
mod structs;

use crate::native::NativeClass;

/// `Enumerable`
pub(super) static ENUMERABLE: NativeClass = NativeClass { name: "Enumerable", ..NativeClass::EMPTY };

/// `BasicObject`
pub(super) static BASIC_OBJECT: NativeClass =
    NativeClass { name: "BasicObject", methods: &[object::BASIC], ..NativeClass::EMPTY };

/// `Kernel`
pub(super) static KERNEL: NativeClass = NativeClass {
    name: "Kernel",
    methods: &[
        object::METHODS,
        object::REFLECTION,
        procs::METHOD_OF,
        enumerator::MAKERS,
        kernel::FUNCTIONS,
        binding::FUNCTIONS,
    ],
    singleton_methods: &[kernel::FUNCTIONS],
    ..NativeClass::EMPTY
};

/// `Object`
pub(super) static OBJECT: NativeClass = NativeClass {
    name: "Object",
    superclass: Some("BasicObject"),
    includes: &["Kernel"],
    ..NativeClass::EMPTY
};

pub(super) use binding::BINDING;
pub(super) use comparable::COMPARABLE;
pub(super) use enumerator::{ENUMERATOR, YIELDER, call_of};
pub(super) use exception::CLASSES as EXCEPTIONS;
pub(super) use load_path::LOAD_PATH;
pub(crate) use load_path::load_path;
pub(super) use module::{CLASS, MODULE};
pub(super) use nil::{FALSE, NIL, TRUE};
pub(super) use procs::{METHOD, PROC, UNBOUND_METHOD, parameters_of};
pub(crate) use structs::Members as StructMembers;
pub(super) use structs::STRUCT;
