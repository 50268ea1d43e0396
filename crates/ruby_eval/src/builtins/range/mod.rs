//! `Range`

mod access;
mod compare;
mod each;
mod search;
mod sequence;
mod step;

pub(super) use each::each;
pub(super) use sequence::{SEQUENCE, new as sequence};

use std::rc::Rc;

use crate::native::{Call, NativeClass, NativeMethod, between};
use crate::stop::{Result, unsupported};
use crate::value::Range;
use crate::{Value, Vm};

/// `Range`
pub(super) static RANGE: NativeClass = NativeClass {
    name: "Range",
    superclass: Some("Object"),
    includes: &["Enumerable"],
    methods: &[access::METHODS, compare::METHODS, step::METHODS, search::METHODS],
    singleton_methods: &[CLASS_METHODS],
    ..NativeClass::EMPTY
};

const CLASS_METHODS: &[NativeMethod] = &[between("new", 2, 3, |vm, call| {
    match call.this {
        Value::Class(class) if Rc::ptr_eq(class, vm.world.class("Range")) => {}
        _ => return unsupported("subclasses of Range"),
    }
    let exclusive = call.argument(2).is_some_and(Value::is_truthy);
    new(vm, call.required(0).clone(), call.required(1).clone(), exclusive)
})];

/// A new range.
///
/// # Errors
/// `ArgumentError` if the ends cannot be compared.
pub(crate) fn new(vm: &mut Vm<'_>, begin: Value, end: Value, exclusive: bool) -> Result {
    let simple = matches!((&begin, &end), (Value::Integer(_), Value::Integer(_)));
    if !simple && !begin.is_nil() && !end.is_nil() {
        let comparable = match vm.call(&begin, "<=>", std::slice::from_ref(&end)) {
            Ok(order) => !order.is_nil(),
            Err(stop) if matches!(*stop, crate::Stop::Raise(_)) => false,
            Err(stop) => return Err(stop),
        };
        if !comparable {
            return vm.argument_error("bad value for range");
        }
    }
    Ok(Value::Range(Rc::new(Range { begin, end, exclusive })))
}

/// The receiver of a method of `Range`.
fn this_range(call: &Call<'_>) -> Result<Rc<Range>> {
    match call.this {
        Value::Range(it) => Ok(Rc::clone(it)),
        _ => unsupported(format!("Range#{} of another object", call.name)),
    }
}

fn is_integer(value: &Value) -> bool {
    matches!(value, Value::Integer(_) | Value::BigInteger(_))
}

fn is_number(value: &Value) -> bool {
    is_integer(value) || matches!(value, Value::Float(_))
}
