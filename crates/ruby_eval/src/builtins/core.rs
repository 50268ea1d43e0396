//! `BasicObject`, `Object`, `Kernel`, and the modules that nearly all classes include.

use crate::native::NativeClass;

/// `Kernel`
pub(super) static KERNEL: NativeClass = NativeClass { name: "Kernel", ..NativeClass::EMPTY };

/// `Comparable`
pub(super) static COMPARABLE: NativeClass = NativeClass { name: "Comparable", ..NativeClass::EMPTY };

/// `Enumerable`
pub(super) static ENUMERABLE: NativeClass = NativeClass { name: "Enumerable", ..NativeClass::EMPTY };

/// `BasicObject`
pub(super) static BASIC_OBJECT: NativeClass = NativeClass { name: "BasicObject", ..NativeClass::EMPTY };

/// `Object`
pub(super) static OBJECT: NativeClass = NativeClass {
    name: "Object",
    superclass: Some("BasicObject"),
    includes: &["Kernel"],
    ..NativeClass::EMPTY
};
