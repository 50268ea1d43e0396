//! Operations that the methods of several collections share.

use std::cmp::Ordering;
use std::rc::Rc;

use crate::native::Call;
use crate::stop::{Result, unsupported};
use crate::value::{ArrayObject, HashObject, Proc, Range};
use crate::vm::ErrorClass;
use crate::{Symbol, Value, Vm};

/// The bytes that one element of a collection is charged for.
pub(super) const ELEMENT: usize = size_of::<Value>();

/// Creates an enumerator for a method that was called without its block.
pub(super) fn enumerator(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    enumerator_of(vm, call.this, call.name, call.arguments)
}

/// Creates an enumerator over the values that a method yields.
pub(super) fn enumerator_of(vm: &mut Vm<'_>, this: &Value, name: Symbol, arguments: &[Value]) -> Result {
    Ok(vm.enumerator(this, name, arguments))
}

/// The block of a call; without one, returns from the method with an enumerator.
macro_rules! block_or_enumerator {
    ($vm:expr, $call:expr) => {
        match $call.block {
            Some(block) => block,
            None => return $crate::builtins::support::enumerator($vm, $call),
        }
    };
}
pub(super) use block_or_enumerator;

/// Charges for a new collection of this many elements.
pub(super) fn charge(vm: &Vm<'_>, elements: usize) -> Result<()> {
    vm.world.spend(elements / 8)?;
    vm.world.allocate(elements.saturating_mul(ELEMENT))
}

/// A new array, charged for.
pub(super) fn new_array(vm: &Vm<'_>, items: Vec<Value>) -> Result {
    charge(vm, items.len())?;
    Ok(Value::array(items))
}

/// Appends to a new collection, and charges for it.
pub(super) fn push(vm: &Vm<'_>, items: &mut Vec<Value>, item: Value) -> Result<()> {
    vm.world.allocate(ELEMENT)?;
    items.push(item);
    Ok(())
}

/// The receiver of a method of `Array`.
pub(super) fn this_array(call: &Call<'_>) -> Result<Rc<ArrayObject>> {
    match call.this {
        Value::Array(it) => Ok(Rc::clone(it)),
        _ => unsupported(format!("Array#{} of another object", call.name)),
    }
}

/// The receiver of a method of `Array` that changes it.
pub(super) fn changed_array(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<Rc<ArrayObject>> {
    vm.ensure_not_frozen(call.this)?;
    this_array(call)
}

/// The receiver of a method of `Hash`.
pub(super) fn this_hash(call: &Call<'_>) -> Result<Rc<HashObject>> {
    match call.this {
        Value::Hash(it) => Ok(Rc::clone(it)),
        _ => unsupported(format!("Hash#{} of another object", call.name)),
    }
}

/// The receiver of a method of `Hash` that changes it.
pub(super) fn changed_hash(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<Rc<HashObject>> {
    vm.ensure_not_frozen(call.this)?;
    this_hash(call)
}

/// An argument that is an array or converts to one, if it does.
pub(super) fn try_array(vm: &mut Vm<'_>, value: &Value) -> Result<Option<Rc<ArrayObject>>> {
    match value {
        Value::Array(it) => Ok(Some(Rc::clone(it))),
        Value::Object(_) if vm.responds_to(value, "to_ary") => match vm.call(value, "to_ary", &[])? {
            Value::Array(it) => Ok(Some(it)),
            Value::Nil => Ok(None),
            other => wrong_conversion(vm, value, "Array", "to_ary", &other),
        },
        _ => Ok(None),
    }
}

/// An argument that must be an array or convert to one.
pub(super) fn array_argument(vm: &mut Vm<'_>, value: &Value) -> Result<Rc<ArrayObject>> {
    match try_array(vm, value)? {
        Some(it) => Ok(it),
        None => vm.no_conversion(value, "Array"),
    }
}

/// An argument that must be a hash or convert to one.
pub(super) fn hash_argument(vm: &mut Vm<'_>, value: &Value) -> Result<Rc<HashObject>> {
    match value {
        Value::Object(_) if vm.responds_to(value, "to_hash") => match vm.call(value, "to_hash", &[])? {
            Value::Hash(it) => Ok(it),
            other => wrong_conversion(vm, value, "Hash", "to_hash", &other),
        },
        _ => vm.expect_hash(value),
    }
}

fn wrong_conversion<T>(vm: &mut Vm<'_>, value: &Value, into: &str, by: &str, made: &Value) -> Result<T> {
    let (class, made) = (vm.class_of(value).display_name(), vm.class_of(made).display_name());
    vm.type_error(format!("can't convert {class} to {into} ({class}#{by} gives {made})"))
}

/// Makes a value a key. Rejects collections that are nested too deeply or contain themselves.
pub(crate) fn ensure_key(vm: &mut Vm<'_>, value: &Value) -> Result<()> {
    nested_key(vm, value, 0)
}

fn nested_key(vm: &mut Vm<'_>, value: &Value, depth: usize) -> Result<()> {
    if depth > 100 {
        return unsupported("deeply nested collections as keys");
    }
    match value {
        Value::Array(array) => {
            vm.world.spend(array.len())?;
            let mut index = 0;
            while let Some(item) = array.get(index) {
                index += 1;
                nested_key(vm, &item, depth + 1)?;
            }
            Ok(())
        }
        Value::Hash(hash) => {
            vm.world.spend(hash.len())?;
            for (key, value) in hash.snapshot() {
                nested_key(vm, &key, depth + 1)?;
                nested_key(vm, &value, depth + 1)?;
            }
            Ok(())
        }
        Value::Range(range) => {
            nested_key(vm, &range.begin, depth + 1)?;
            nested_key(vm, &range.end, depth + 1)
        }
        Value::Object(object) => {
            vm.check_is_known(value)?;
            vm.prepare_key(object)
        }
        _ => Ok(()),
    }
}

/// The position of an index that may count from the end; none before the start.
pub(super) fn position(index: i64, length: usize) -> Option<usize> {
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    usize::try_from(if index < 0 { index.checked_add(length)? } else { index }).ok()
}

/// The result for a range that lies outside of a collection.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outside {
    /// No result.
    Nothing,
    /// `RangeError`; the end may lie beyond the end of the collection.
    Error,
}

/// The start and length that a range selects of a collection of this length.
pub(crate) fn span(
    vm: &mut Vm<'_>,
    range: &Rc<Range>,
    length: usize,
    outside: Outside,
) -> Result<Option<(usize, usize)>> {
    let begin = if range.begin.is_nil() { 0 } else { vm.expect_integer(&range.begin)? };
    let (end, exclusive) = match range.end.is_nil() {
        true => (-1, false),
        false => (vm.expect_integer(&range.end)?, range.exclusive),
    };
    let size = i64::try_from(length).unwrap_or(i64::MAX);
    let start = if begin < 0 { begin.saturating_add(size) } else { begin };
    if start < 0 || (outside == Outside::Nothing && start > size) {
        if outside == Outside::Nothing {
            return Ok(None);
        }
        let range = vm.inspect(&Value::Range(Rc::clone(range)))?;
        return vm.raise(ErrorClass::Range, format!("{range} out of range"));
    }
    let mut end = if end < 0 { end.saturating_add(size) } else { end };
    if !exclusive {
        end = end.saturating_add(1);
    }
    if outside == Outside::Nothing {
        end = end.min(size);
    }
    let count = end.saturating_sub(start).max(0);
    Ok(Some((usize::try_from(start).unwrap_or(0), usize::try_from(count).unwrap_or(0))))
}

/// Converts the result of the block of a comparison to an order.
pub(crate) fn order_of(vm: &mut Vm<'_>, answer: &Value, left: &Value, right: &Value) -> Result<Ordering> {
    match answer {
        Value::Integer(it) => Ok(it.cmp(&0)),
        Value::BigInteger(it) => Ok(it.sign().cmp(&num_bigint::Sign::NoSign)),
        Value::Nil => vm.not_comparable(left, right),
        _ => {
            let zero = Value::Integer(0);
            if vm.call(answer, ">", std::slice::from_ref(&zero))?.is_truthy() {
                return Ok(Ordering::Greater);
            }
            let less = vm.call(answer, "<", std::slice::from_ref(&zero))?.is_truthy();
            Ok(if less { Ordering::Less } else { Ordering::Equal })
        }
    }
}

/// The order of two values by a block, or by `<=>`.
pub(super) fn order_by(
    vm: &mut Vm<'_>,
    block: Option<&Rc<Proc>>,
    left: &Value,
    right: &Value,
) -> Result<Ordering> {
    vm.world.spend(1)?;
    match block {
        None => vm.compare_or_fail(left, right),
        Some(block) => {
            let answer = vm.yield_to(block, &[left.clone(), right.clone()])?;
            order_of(vm, &answer, left, right)
        }
    }
}

/// Sorts as CRuby does on Linux, where `qsort_r` is a merge sort: stable, and with the same comparisons in the same
/// order, which determines errors and the pairs that a block sees.
pub(crate) fn merge_sort<T: Clone>(
    vm: &mut Vm<'_>,
    items: &mut [T],
    compare: &mut dyn FnMut(&mut Vm<'_>, &T, &T) -> Result<Ordering>,
) -> Result<()> {
    if items.len() <= 1 {
        return Ok(());
    }
    let middle = items.len() / 2;
    let (left, right) = items.split_at_mut(middle);
    merge_sort(vm, left, compare)?;
    merge_sort(vm, right, compare)?;
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut lefts, mut rights) = (left.iter().peekable(), right.iter().peekable());
    while let (Some(a), Some(b)) = (lefts.peek(), rights.peek()) {
        match compare(vm, a, b)? {
            Ordering::Greater => merged.extend(rights.next().cloned()),
            _ => merged.extend(lefts.next().cloned()),
        }
    }
    merged.extend(lefts.cloned());
    merged.extend(rights.cloned());
    items.clone_from_slice(&merged);
    Ok(())
}

/// A keyword argument of a hash of options, or of keyword arguments. Other names raise `ArgumentError`.
pub(super) fn only_keyword(vm: &mut Vm<'_>, call: &Call<'_>, name: &str) -> Result<Option<Value>> {
    let Some(keywords) = call.keywords else { return Ok(None) };
    for key in keywords.keys() {
        if !key.is_identical(&Value::symbol(name)) {
            let key = vm.inspect(&key)?;
            return vm.argument_error(format!("unknown keyword: {key}"));
        }
    }
    Ok(call.keyword(name))
}

/// A number of elements that must not be negative.
pub(super) fn count_argument(vm: &mut Vm<'_>, value: &Value, message: &str) -> Result<usize> {
    let count = vm.expect_integer(value)?;
    match usize::try_from(count) {
        Ok(count) => Ok(count),
        Err(_) => vm.argument_error(message),
    }
}
