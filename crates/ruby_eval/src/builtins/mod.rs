//! The classes of Ruby's core and standard library, one file for each class or tight family.
//!
//! A file describes its class as a [`NativeClass`] with tables of methods; [`CLASSES`] lists them all.

mod core;

use crate::native::NativeClass;

/// All built-in classes and modules. A superclass, an included module and a module around a class come before it.
pub static CLASSES: &[&NativeClass] =
    &[&core::KERNEL, &core::COMPARABLE, &core::ENUMERABLE, &core::BASIC_OBJECT, &core::OBJECT];
