//! Iteration over ranges.

use std::rc::Rc;

use super::is_integer;
use crate::builtins::enumerable::{Flow, Step};
use crate::stop::{Result, unsupported};
use crate::value::{Range, StringObject};
use crate::vm::{compare_numbers, to_big};
use crate::{Symbol, Value, Vm};

/// Iterates over the elements of a range.
///
/// # Errors
/// `TypeError` if its begin has no successor.
pub(in crate::builtins) fn each(vm: &mut Vm<'_>, range: &Rc<Range>, step: &mut Step<'_>) -> Result<()> {
    match (&range.begin, &range.end) {
        (Value::Integer(begin), Value::Integer(end)) => {
            let mut value = *begin;
            while value < *end || (!range.exclusive && value == *end) {
                vm.world.spend(1)?;
                if step(vm, &[Value::Integer(value)])? == Flow::Enough {
                    break;
                }
                let Some(next) = value.checked_add(1) else { break };
                value = next;
            }
            Ok(())
        }
        (begin, end) if is_integer(begin) => integers(vm, range, end, step),
        (Value::String(begin), Value::String(end)) => strings(vm, begin, end, range.exclusive, step),
        (Value::Symbol(begin), Value::Symbol(end)) => {
            let text = |name: &Symbol| match Value::string(name.name().as_str()) {
                Value::String(it) => it,
                _ => Rc::new(StringObject::new(Vec::new(), crate::value::Encoding::Utf8)),
            };
            strings(vm, &text(begin), &text(end), range.exclusive, &mut |vm, values| match values {
                [Value::String(it)] => {
                    let symbol = Value::symbol(&it.lossy());
                    step(vm, &[symbol])
                }
                _ => Ok(Flow::Enough),
            })
        }
        (begin, _) if !vm.responds_to(begin, "succ") => {
            let class = vm.class_of(begin).display_name();
            vm.type_error(format!("can't iterate from {class}"))
        }
        (Value::Symbol(_), _) => unsupported("endless ranges of symbols"),
        (begin, end) => successors(vm, begin, end, range.exclusive, step),
    }
}

/// Iterates over integers of any size, up to an end that is a number or missing.
fn integers(vm: &mut Vm<'_>, range: &Rc<Range>, end: &Value, step: &mut Step<'_>) -> Result<()> {
    let Some(mut number) = to_big(&range.begin) else { return Ok(()) };
    loop {
        vm.world.spend(1)?;
        let value = Value::big(number.clone());
        if !end.is_nil() {
            let order = match compare_numbers(&value, end) {
                Some(order) => order,
                None if matches!(end, Value::Float(_)) => return Ok(()),
                None => return unsupported("a range of numbers with another end"),
            };
            if order.is_gt() || (order.is_eq() && range.exclusive) {
                return Ok(());
            }
        }
        if step(vm, &[value])? == Flow::Enough {
            return Ok(());
        }
        number += 1;
    }
}

/// Iterates over values by `succ`.
fn successors(
    vm: &mut Vm<'_>,
    begin: &Value,
    end: &Value,
    exclusive: bool,
    step: &mut Step<'_>,
) -> Result<()> {
    let mut value = begin.clone();
    loop {
        vm.world.spend(1)?;
        let last = match end.is_nil() {
            true => false,
            false => match vm.compare(&value, end)? {
                Some(order) if order.is_lt() => false,
                Some(order) if order.is_eq() && !exclusive => true,
                _ => return Ok(()),
            },
        };
        if step(vm, &[value.clone()])? == Flow::Enough || last {
            return Ok(());
        }
        value = vm.call(&value, "succ", &[])?;
    }
}

/// Iterates over strings as `String#upto` does.
fn strings(
    vm: &mut Vm<'_>,
    begin: &Rc<StringObject>,
    end: &Rc<StringObject>,
    exclusive: bool,
    step: &mut Step<'_>,
) -> Result<()> {
    let (first, last) = (begin.bytes().clone(), end.bytes().clone());
    if let ([first], [last]) = (first.as_slice(), last.as_slice())
        && first.is_ascii()
        && last.is_ascii()
    {
        for byte in *first..=*last {
            if exclusive && byte == *last {
                break;
            }
            if step(vm, &[Value::string(char::from(byte))])? == Flow::Enough {
                break;
            }
        }
        return Ok(());
    }
    let digits = |bytes: &[u8]| !bytes.is_empty() && bytes.iter().all(u8::is_ascii_digit);
    if digits(&first) && digits(&last) {
        let number = |text: &StringObject| text.lossy().parse::<i64>().ok();
        let (Some(from), Some(to)) = (number(begin), number(end)) else {
            return unsupported("ranges of long texts of digits");
        };
        let width = first.len();
        for value in from..=to {
            vm.world.spend(1)?;
            if exclusive && value == to {
                break;
            }
            if step(vm, &[Value::string(format!("{value:0width$}"))])? == Flow::Enough {
                break;
            }
        }
        return Ok(());
    }
    if first > last || (exclusive && first == last) {
        return Ok(());
    }
    let beyond = vm.call(&Value::String(Rc::clone(end)), "succ", &[])?;
    let mut value = vm.call(&Value::String(Rc::clone(begin)), "dup", &[])?;
    let end = Value::String(Rc::clone(end));
    while !vm.equal(&value, &beyond)? {
        vm.world.spend(1)?;
        let is_last = vm.equal(&value, &end)?;
        if exclusive && is_last {
            break;
        }
        let next = if is_last { None } else { Some(vm.call(&value, "succ", &[])?) };
        if step(vm, &[value])? == Flow::Enough {
            break;
        }
        let Some(next) = next else { break };
        let length = match &next {
            Value::String(text) => text.bytes().len(),
            _ => 0,
        };
        if (exclusive && vm.equal(&next, &end)?) || length > last.len() || length == 0 {
            break;
        }
        value = next;
    }
    Ok(())
}
