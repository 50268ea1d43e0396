//! Small helpers shared by the libraries.

use std::rc::Rc;

use crate::stop::Result;
use crate::value::{Encoding, Object, StringObject};
use crate::{Value, Vm};

/// A new string in `US-ASCII`.
pub(super) fn ascii(text: impl Into<String>) -> Value {
    Value::String(Rc::new(StringObject::new(text.into().into_bytes(), Encoding::Ascii)))
}

/// A new string of bytes in an encoding.
pub(super) fn encoded(bytes: Vec<u8>, encoding: Encoding) -> Value {
    Value::String(Rc::new(StringObject::new(bytes, encoding)))
}

/// The bytes of an argument that must be a string, charged to the budget.
pub(super) fn bytes_of(vm: &mut Vm<'_>, value: &Value) -> Result<Vec<u8>> {
    let string = vm.expect_string(value)?;
    let bytes = string.bytes();
    vm.world.spend(bytes.len() / 8)?;
    vm.world.allocate(bytes.len())?;
    Ok(bytes.clone())
}

/// The text of an argument that must be a string; invalid bytes are replaced.
pub(super) fn text_of(vm: &mut Vm<'_>, value: &Value) -> Result<String> {
    Ok(String::from_utf8_lossy(&bytes_of(vm, value)?).into_owned())
}

/// The class on which a method is called, for methods such as `new`.
pub(super) fn class_of_call(vm: &Vm<'_>, this: &Value) -> Rc<crate::value::Class> {
    match this {
        Value::Class(class) => Rc::clone(class),
        other => vm.class_of(other),
    }
}

/// A new object of the class on which `new` is called.
pub(super) fn new_object(vm: &Vm<'_>, this: &Value, data: impl crate::value::Data) -> Value {
    Value::Object(Object::new(class_of_call(vm, this), data))
}
