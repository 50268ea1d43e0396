//! Comparison of numbers, and questions about them.

use std::cmp::Ordering;

use num_bigint::Sign;

use super::arithmetic::coerced_pair;
use super::{Number, arithmetic};
use crate::native::{Call, NativeMethod, exactly};
use crate::stop::Result;
use crate::value::Key;
use crate::vm::compare_numbers;
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("==", 1, equals),
    exactly("===", 1, equals),
    exactly("<", 1, |vm, call| relation(vm, call, |it| it == Ordering::Less)),
    exactly("<=", 1, |vm, call| relation(vm, call, |it| it != Ordering::Greater)),
    exactly(">", 1, |vm, call| relation(vm, call, |it| it == Ordering::Greater)),
    exactly(">=", 1, |vm, call| relation(vm, call, |it| it != Ordering::Less)),
    exactly("<=>", 1, |vm, call| {
        if let Some(order) = compare_numbers(call.this, call.required(0)) {
            return Ok(Value::Integer(order as i64));
        }
        match Number::of(call.required(0)) {
            Some(_) => Ok(Value::Nil),
            None => match coerced_pair(vm, call.this, call.required(0))? {
                Some((left, right)) => arithmetic::operate(vm, &left, "<=>", &right),
                None => Ok(Value::Nil),
            },
        }
    }),
    exactly("eql?", 1, |_, call| {
        let (this, other) = (call.this, call.required(0));
        Ok(Value::Bool(match (this, other) {
            (Value::Float(a), Value::Float(b)) => a == b,
            _ => Key::new(this) == Key::new(other),
        }))
    }),
    exactly("zero?", 0, |_, call| Ok(Value::Bool(is_zero(Number::this(call)?)))),
    exactly("nonzero?", 0, |_, call| {
        Ok(if is_zero(Number::this(call)?) { Value::Nil } else { call.this.clone() })
    }),
    exactly("positive?", 0, |_, call| {
        Ok(Value::Bool(match Number::this(call)? {
            Number::Small(it) => it > 0,
            Number::Big(it) => it.sign() == Sign::Plus,
            Number::Float(it) => it > 0.0,
        }))
    }),
    exactly("negative?", 0, |_, call| {
        Ok(Value::Bool(match Number::this(call)? {
            Number::Small(it) => it < 0,
            Number::Big(it) => it.sign() == Sign::Minus,
            Number::Float(it) => it < 0.0,
        }))
    }),
    exactly("integer?", 0, |_, call| Ok(Value::Bool(!matches!(call.this, Value::Float(_))))),
    exactly("finite?", 0, |_, call| {
        Ok(Value::Bool(!matches!(call.this, Value::Float(it) if !it.is_finite())))
    }),
    exactly("infinite?", 0, |_, call| {
        Ok(match call.this {
            Value::Float(it) if it.is_infinite() => Value::Integer(if *it > 0.0 { 1 } else { -1 }),
            _ => Value::Nil,
        })
    }),
];

fn is_zero(number: Number<'_>) -> bool {
    match number {
        Number::Small(it) => it == 0,
        Number::Big(_) => false,
        Number::Float(it) => it == 0.0,
    }
}

fn equals(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let other = call.required(0);
    match other {
        Value::Object(_) => {
            let answer = vm.call(other, "==", std::slice::from_ref(call.this))?;
            Ok(Value::Bool(answer.is_truthy()))
        }
        _ => Ok(Value::Bool(compare_numbers(call.this, other) == Some(Ordering::Equal))),
    }
}

fn relation(vm: &mut Vm<'_>, call: &Call<'_>, holds: fn(Ordering) -> bool) -> Result {
    let other = call.required(0);
    if Number::of(other).is_some() {
        return Ok(Value::Bool(compare_numbers(call.this, other).is_some_and(holds)));
    }
    match coerced_pair(vm, call.this, other)? {
        Some((left, right)) => vm.send(&left, call.name, &[right], None, None),
        None => vm.not_comparable(call.this, other),
    }
}
