//! `Comparable`.

use std::cmp::Ordering;

use crate::Value;
use crate::native::{Call, NativeClass, between, exactly};
use crate::stop::{Result, unsupported};
use crate::vm::Vm;

/// `Comparable`
pub(in crate::builtins) static COMPARABLE: NativeClass = NativeClass {
    name: "Comparable",
    methods: &[&[
        exactly("==", 1, |vm, call| {
            if call.this.is_identical(call.required(0)) {
                return Ok(Value::Bool(true));
            }
            let order = vm.call(call.this, "<=>", call.arguments)?;
            Ok(Value::Bool(order_of(vm, &order)? == Some(Ordering::Equal)))
        }),
        exactly("<", 1, |vm, call| Ok(Value::Bool(order(vm, call.this, call.required(0))?.is_lt()))),
        exactly("<=", 1, |vm, call| Ok(Value::Bool(order(vm, call.this, call.required(0))?.is_le()))),
        exactly(">", 1, |vm, call| Ok(Value::Bool(order(vm, call.this, call.required(0))?.is_gt()))),
        exactly(">=", 1, |vm, call| Ok(Value::Bool(order(vm, call.this, call.required(0))?.is_ge()))),
        exactly("between?", 2, |vm, call| {
            Ok(Value::Bool(
                order(vm, call.this, call.required(0))?.is_ge()
                    && order(vm, call.this, call.required(1))?.is_le(),
            ))
        }),
        between("clamp", 1, 2, clamp),
    ]],
    ..NativeClass::EMPTY
};

fn order_of(vm: &mut Vm<'_>, order: &Value) -> Result<Option<Ordering>> {
    Ok(match order {
        Value::Nil => None,
        Value::Integer(it) => Some(it.cmp(&0)),
        Value::Float(_) | Value::BigInteger(_) => crate::vm::compare_numbers(order, &Value::Integer(0)),
        _ => vm.compare(order, &Value::Integer(0))?,
    })
}

fn order(vm: &mut Vm<'_>, left: &Value, right: &Value) -> Result<Ordering> {
    let order = vm.call(left, "<=>", std::slice::from_ref(right))?;
    match order_of(vm, &order)? {
        Some(order) => Ok(order),
        None => vm.not_comparable(left, right),
    }
}

fn clamp(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let (low, high) = match (call.required(0), call.argument(1)) {
        (Value::Range(range), None) => {
            if range.exclusive && !range.end.is_nil() {
                return vm.argument_error("cannot clamp with an exclusive range");
            }
            (range.begin.clone(), range.end.clone())
        }
        (other, None) => {
            let class = vm.conversion_name(other);
            return vm.type_error(format!("wrong argument type {class} (expected Range)"));
        }
        (low, Some(high)) => (low.clone(), high.clone()),
    };
    if !low.is_nil() && !high.is_nil() && order(vm, &low, &high)?.is_gt() {
        return vm.argument_error("min argument must be less than or equal to max argument");
    }
    if !low.is_nil() && order(vm, call.this, &low)?.is_lt() {
        return Ok(low);
    }
    if !high.is_nil() && order(vm, call.this, &high)?.is_gt() {
        return Ok(high);
    }
    match call.this {
        Value::Class(_) => unsupported("Comparable#clamp of a class"),
        this => Ok(this.clone()),
    }
}
