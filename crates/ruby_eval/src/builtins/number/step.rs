//! Counting: `step`, `upto`, `downto`.

use std::rc::Rc;

use super::arithmetic::operate;
use super::{Number, this_integer};
use crate::builtins::range::sequence;
use crate::builtins::support::block_or_enumerator;
use crate::native::{Call, NativeMethod, between, exactly};
use crate::stop::{Result, unsupported};
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    between("step", 0, 2, step).with_keywords(),
    between("__step", 2, 2, step),
    exactly("upto", 1, |vm, call| count(vm, call, true)),
    exactly("downto", 1, |vm, call| count(vm, call, false)),
];

fn count(vm: &mut Vm<'_>, call: &Call<'_>, up: bool) -> Result {
    let block = Rc::clone(block_or_enumerator!(vm, call));
    this_integer(call)?;
    let (beyond, next, limit) = (if up { ">" } else { "<" }, if up { "+" } else { "-" }, call.required(0));
    let mut value = call.this.clone();
    while !operate(vm, &value, beyond, limit)?.is_truthy() {
        vm.yield_to(&block, std::slice::from_ref(&value))?;
        value = operate(vm, &value, next, &Value::Integer(1))?;
    }
    Ok(call.this.clone())
}

fn step(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let mut limit = call.argument(0).cloned();
    let mut step = call.argument(1).cloned();
    if let Some(keywords) = call.keywords {
        for key in keywords.keys() {
            let given = match &key {
                it if it.is_identical(&Value::symbol("to")) => &mut limit,
                it if it.is_identical(&Value::symbol("by")) => &mut step,
                other => {
                    let other = vm.inspect(other)?;
                    return vm.argument_error(format!("unknown keyword: {other}"));
                }
            };
            if given.is_some() {
                let name = if key.is_identical(&Value::symbol("to")) { "to" } else { "step" };
                return vm.argument_error(format!("{name} is given twice"));
            }
            *given = keywords.get(&key);
        }
    }
    let step = step.unwrap_or(Value::Integer(1));
    if matches!(step, Value::Integer(0)) || matches!(step, Value::Float(0.0)) {
        return vm.argument_error("step can't be 0");
    }
    let Some(block) = call.block else {
        let simple = limit.as_ref().is_none_or(|it| it.is_nil() || Number::of(it).is_some());
        if !simple || Number::of(&step).is_none() {
            return unsupported("Numeric#step of other objects without a block");
        }
        if call.keywords.is_some() {
            let arguments = [limit.unwrap_or(Value::Nil), step];
            return Ok(sequence(vm, call.this, "__step".into(), &arguments));
        }
        return Ok(sequence(vm, call.this, call.name, call.arguments));
    };
    let (start, Some(unit)) = (Number::this(call)?, Number::of(&step)) else {
        return unsupported("Numeric#step by another object");
    };
    let limit = limit.filter(|it| !it.is_nil());
    let end = match &limit {
        None => None,
        Some(limit) => match Number::of(limit) {
            Some(end) => Some(end),
            None => return vm.not_comparable(call.this, limit),
        },
    };
    let is_float = |it: &Number<'_>| matches!(it, Number::Float(_));
    if is_float(&start) || is_float(&unit) || end.as_ref().is_some_and(is_float) {
        let unit = unit.to_f64();
        let end = match end {
            Some(end) => end.to_f64(),
            None => f64::INFINITY.copysign(unit),
        };
        float_steps(start.to_f64(), end, unit, false, &mut |value| {
            vm.yield_to(block, &[Value::Float(value)])?;
            Ok(true)
        })?;
        return Ok(call.this.clone());
    }
    let down = operate(vm, &step, "<", &Value::Integer(0))?.is_truthy();
    let beyond = if down { "<" } else { ">" };
    let mut value = call.this.clone();
    loop {
        vm.world.spend(1)?;
        if let Some(limit) = &limit
            && operate(vm, &value, beyond, limit)?.is_truthy()
        {
            return Ok(call.this.clone());
        }
        vm.yield_to(block, std::slice::from_ref(&value))?;
        value = operate(vm, &value, "+", &step)?;
    }
}

/// The number of floats from a start to an end by steps; infinite if the end is.
pub(in crate::builtins) fn float_step_count(begin: f64, end: f64, unit: f64, exclusive: bool) -> f64 {
    if unit.is_infinite() {
        return f64::from(if unit > 0.0 { begin <= end } else { begin >= end });
    }
    if unit == 0.0 {
        return f64::INFINITY;
    }
    let count = (end - begin) / unit;
    let error = (begin.abs() + end.abs() + (end - begin).abs()) / unit.abs() * f64::EPSILON;
    let error = if error > 0.5 { 0.5 } else { error };
    if !exclusive {
        return if count < 0.0 { 0.0 } else { (count + error).floor() + 1.0 };
    }
    if count <= 0.0 {
        return 0.0;
    }
    let count = if count < 1.0 { 0.0 } else { (count - error).floor() };
    let next = (count + 1.0) * unit + begin;
    let reaches = (begin < end && next < end) || (begin > end && next > end);
    if reaches { count + 2.0 } else { count + 1.0 }
}

/// Iterates over floats by steps, each computed from the start. The visitor returns whether to continue.
pub(in crate::builtins) fn float_steps(
    begin: f64,
    end: f64,
    unit: f64,
    exclusive: bool,
    visit: &mut dyn FnMut(f64) -> Result<bool>,
) -> Result<()> {
    let count = float_step_count(begin, end, unit, exclusive);
    if unit.is_infinite() {
        if count > 0.0 {
            visit(begin)?;
        }
        return Ok(());
    }
    let mut index = 0.0;
    while index < count {
        let value = index * unit + begin;
        let beyond = if unit >= 0.0 { end < value } else { value < end };
        if !visit(if beyond && !exclusive { end } else { value })? {
            break;
        }
        index += 1.0;
    }
    Ok(())
}
