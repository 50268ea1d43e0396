//! Equality and order of values.

use std::cmp::Ordering;
use std::rc::Rc;

use num_bigint::BigInt;

use super::Vm;
use crate::Value;
use crate::stop::Result;
use crate::value::Key;

impl Vm<'_> {
    /// Evaluates `left == right`.
    ///
    /// # Errors
    /// If a method in Ruby raises an exception.
    pub fn equal(&mut self, left: &Value, right: &Value) -> Result<bool> {
        match (left, right) {
            (Value::Object(_), _) => Ok(self.call(left, "==", std::slice::from_ref(right))?.is_truthy()),
            (_, Value::Object(_)) => self.check_is_known(right).map(|()| false),
            (Value::Array(a), Value::Array(b)) => {
                if Rc::ptr_eq(a, b) {
                    return Ok(true);
                }
                if a.len() != b.len() {
                    return Ok(false);
                }
                let (a, b) = (a.snapshot(), b.snapshot());
                self.equal_parts([left, right], |vm| {
                    for (a, b) in a.iter().zip(&b) {
                        vm.world.spend(1)?;
                        if !vm.equal(a, b)? {
                            return Ok(false);
                        }
                    }
                    Ok(true)
                })
            }
            (Value::Hash(a), Value::Hash(b)) => {
                if Rc::ptr_eq(a, b) {
                    return Ok(true);
                }
                if a.len() != b.len() {
                    return Ok(false);
                }
                self.equal_parts([left, right], |vm| {
                    for (key, value) in a.snapshot() {
                        vm.world.spend(1)?;
                        let Some(other) = b.get(&key) else { return Ok(false) };
                        if !vm.equal(&value, &other)? {
                            return Ok(false);
                        }
                    }
                    Ok(true)
                })
            }
            (Value::Range(a), Value::Range(b)) => self.equal_parts([left, right], |vm| {
                Ok(a.exclusive == b.exclusive && vm.equal(&a.begin, &b.begin)? && vm.equal(&a.end, &b.end)?)
            }),
            _ => Ok(match compare_numbers(left, right) {
                Some(order) => order == Ordering::Equal,
                None => Key::new(left) == Key::new(right),
            }),
        }
    }

    /// Compares the parts of two values. If they contain themselves, what is being compared counts as equal.
    fn equal_parts(
        &mut self,
        values: [&Value; 2],
        compare: impl FnOnce(&mut Self) -> Result<bool>,
    ) -> Result<bool> {
        Ok(self.guarded_pair("==", values, compare)?.unwrap_or(true))
    }

    /// Evaluates `left <=> right`: None if the values cannot be compared.
    ///
    /// # Errors
    /// If a method in Ruby raises an exception.
    pub fn compare(&mut self, left: &Value, right: &Value) -> Result<Option<Ordering>> {
        self.check_is_known(right)?;
        match (left, right) {
            (Value::String(a), Value::String(b)) => Ok(Some(a.bytes().as_slice().cmp(b.bytes().as_slice()))),
            (Value::Symbol(a), Value::Symbol(b)) => Ok(Some(a.name().as_bytes().cmp(b.name().as_bytes()))),
            (Value::Array(a), Value::Array(b)) => {
                let (a, b) = (a.snapshot(), b.snapshot());
                let different = self.guarded_pair("<=>", [left, right], |vm| {
                    for (a, b) in a.iter().zip(&b) {
                        vm.world.spend(1)?;
                        match vm.compare(a, b)? {
                            Some(Ordering::Equal) => {}
                            other => return Ok(Some(other)),
                        }
                    }
                    Ok(None)
                })?;
                Ok(different.flatten().unwrap_or_else(|| Some(a.len().cmp(&b.len()))))
            }
            (Value::Object(_), _) => match self.call(left, "<=>", std::slice::from_ref(right))? {
                Value::Integer(order) => Ok(Some(order.cmp(&0))),
                _ => Ok(None),
            },
            (Value::Integer(_) | Value::BigInteger(_) | Value::Float(_), _) => {
                Ok(compare_numbers(left, right))
            }
            _ => Ok(self.equal(left, right)?.then_some(Ordering::Equal)),
        }
    }

    /// Evaluates `left <=> right` where both must be comparable, as in `sort` and `max`.
    ///
    /// # Errors
    /// `ArgumentError` if they are not.
    pub fn compare_or_fail(&mut self, left: &Value, right: &Value) -> Result<Ordering> {
        match self.compare(left, right)? {
            Some(order) => Ok(order),
            None => self.not_comparable(left, right),
        }
    }

    /// Raises `ArgumentError` for values that cannot be compared.
    ///
    /// # Errors
    /// Always.
    pub fn not_comparable<T>(&mut self, left: &Value, right: &Value) -> Result<T> {
        let (left, right) = (self.class_of(left).display_name(), self.compared_name(right)?);
        self.argument_error(format!("comparison of {left} with {right} failed"))
    }

    /// The name of the right side in messages of failed comparisons: special constants and floats are inspected.
    pub(crate) fn compared_name(&mut self, value: &Value) -> Result<String> {
        match value {
            Value::Nil | Value::Bool(_) | Value::Integer(_) | Value::Float(_) | Value::Symbol(_) => {
                self.inspect(value)
            }
            _ => Ok(self.class_of(value).display_name()),
        }
    }

    /// Evaluates `pattern === value`, as `case` does.
    ///
    /// # Errors
    /// If a method in Ruby raises an exception.
    pub fn case_equal(&mut self, pattern: &Value, value: &Value) -> Result<bool> {
        match pattern {
            Value::Nil
            | Value::Bool(_)
            | Value::Integer(_)
            | Value::BigInteger(_)
            | Value::Float(_)
            | Value::Symbol(_)
            | Value::String(_)
            | Value::Array(_)
            | Value::Hash(_) => self.equal(pattern, value),
            _ => Ok(self.call(pattern, "===", std::slice::from_ref(value))?.is_truthy()),
        }
    }
}

/// The order of two numbers; None if one of them is not a number, or not comparable (`NaN`).
pub fn compare_numbers(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Integer(a), Value::Integer(b)) => Some(a.cmp(b)),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Float(a), _) => compare_float(*a, &to_big(right)?),
        (_, Value::Float(b)) => compare_float(*b, &to_big(left)?).map(Ordering::reverse),
        _ => Some(to_big(left)?.cmp(&to_big(right)?)),
    }
}

/// An integer of any size.
pub fn to_big(value: &Value) -> Option<BigInt> {
    match value {
        Value::Integer(it) => Some(BigInt::from(*it)),
        Value::BigInteger(it) => Some(BigInt::clone(it)),
        _ => None,
    }
}

/// Compares exactly, as Ruby does: the float is not rounded to an integer, nor the integer to a float.
fn compare_float(float: f64, integer: &BigInt) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    if float.is_infinite() {
        return Some(if float > 0.0 { Ordering::Greater } else { Ordering::Less });
    }
    let whole = float.trunc();
    let order = crate::vm::convert::float_to_big(whole)?.cmp(integer);
    Some(order.then(float.partial_cmp(&whole).unwrap_or(Ordering::Equal)))
}
