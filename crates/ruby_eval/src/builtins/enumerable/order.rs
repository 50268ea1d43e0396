//! Methods of `Enumerable` that compare elements.

use std::cmp::Ordering;
use std::rc::Rc;

use super::least::ranked;
use super::{Flow, Ranking, elements, fold, packed};
use crate::builtins::support::{block_or_enumerator, merge_sort, order_by};
use crate::native::{Call, NativeMethod, between, exactly};
use crate::stop::Result;
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("sort", 0, sort),
    exactly("sort_by", 0, sort_by),
    between("min", 0, 1, |vm, call| extreme(vm, call, Ordering::Less)),
    between("max", 0, 1, |vm, call| extreme(vm, call, Ordering::Greater)),
    exactly("minmax", 0, minmax),
    between("min_by", 0, 1, |vm, call| extreme_by(vm, call, Ordering::Less)),
    between("max_by", 0, 1, |vm, call| extreme_by(vm, call, Ordering::Greater)),
    exactly("minmax_by", 0, minmax_by),
];

fn sort(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let mut all = elements(vm, call.this)?;
    merge_sort(vm, &mut all, &mut |vm, a, b| order_by(vm, call.block, a, b))?;
    Ok(Value::array(all))
}

fn sort_by(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    block_or_enumerator!(vm, call);
    let sorted = sorted_by(vm, call)?;
    Ok(Value::array(sorted))
}

/// The elements, sorted by the results of the block for them.
pub(in crate::builtins) fn sorted_by(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<Vec<Value>> {
    let block = Rc::clone(call.needed_block()?);
    let mut keyed = fold(vm, call.this, Vec::new(), move |vm, keyed, values| {
        let value = packed(values);
        let key = vm.yield_to(&block, std::slice::from_ref(&value))?;
        vm.world.allocate(32)?;
        keyed.push((key, value));
        Ok(Flow::More)
    })?;
    merge_sort(vm, &mut keyed, &mut |vm, a, b| order_by(vm, None, &a.0, &b.0))?;
    Ok(keyed.into_iter().map(|(_, value)| value).collect())
}

fn extreme(vm: &mut Vm<'_>, call: &Call<'_>, wanted: Ordering) -> Result {
    if let Some(count) = call.argument(0).filter(|it| !it.is_nil()) {
        return ranked(vm, call, count, Ranking { by: false, greatest: wanted == Ordering::Greater });
    }
    let block = call.block.cloned();
    // Arrays compare in the other direction, which shows in errors.
    let best_first = matches!(call.this, Value::Array(_)) && block.is_none();
    let best = fold(vm, call.this, None, move |vm, best: &mut Option<Value>, values| {
        let value = packed(values);
        if match best {
            None => true,
            Some(best) if best_first => order_by(vm, None, best, &value)?.reverse() == wanted,
            Some(best) => order_by(vm, block.as_ref(), &value, best)? == wanted,
        } {
            *best = Some(value);
        }
        Ok(Flow::More)
    })?;
    Ok(best.unwrap_or(Value::Nil))
}

/// `[…].max` and `[…].min` of a literal.
pub(in crate::builtins) fn extreme_of_literal(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let wanted = if call.name.name().starts_with("max") { Ordering::Greater } else { Ordering::Less };
    let Value::Array(array) = call.this else { return Ok(Value::Nil) };
    let mut items = array.snapshot().into_iter();
    let Some(mut best) = items.next() else { return Ok(Value::Nil) };
    for item in items {
        if order_by(vm, None, &item, &best)? == wanted {
            best = item;
        }
    }
    Ok(best)
}

fn extreme_by(vm: &mut Vm<'_>, call: &Call<'_>, wanted: Ordering) -> Result {
    let block = Rc::clone(block_or_enumerator!(vm, call));
    if let Some(count) = call.argument(0).filter(|it| !it.is_nil()) {
        return ranked(vm, call, count, Ranking { by: true, greatest: wanted == Ordering::Greater });
    }
    let best = fold(vm, call.this, None, move |vm, best: &mut Option<(Value, Value)>, values| {
        let value = packed(values);
        let key = vm.yield_to(&block, std::slice::from_ref(&value))?;
        if match best {
            None => true,
            Some((best, _)) => order_by(vm, None, &key, best)? == wanted,
        } {
            *best = Some((key, value));
        }
        Ok(Flow::More)
    })?;
    Ok(best.map_or(Value::Nil, |(_, value)| value))
}

/// The least and the greatest value so far, each with its key.
#[derive(Default)]
struct Extremes {
    least: Option<(Value, Value)>,
    greatest: Option<(Value, Value)>,
    /// The first of a pair of elements, which are compared with each other first.
    waiting: Option<(Value, Value)>,
}

impl Extremes {
    fn add(
        &mut self,
        item: (Value, Value),
        compare: &mut dyn FnMut(&Value, &Value) -> Result<Ordering>,
    ) -> Result<()> {
        let Some(first) = self.waiting.take() else {
            self.waiting = Some(item);
            return Ok(());
        };
        match compare(&first.0, &item.0)? {
            Ordering::Greater => self.update(item, first, compare),
            Ordering::Less => self.update(first, item, compare),
            Ordering::Equal => self.update(first.clone(), first, compare),
        }
    }

    fn update(
        &mut self,
        low: (Value, Value),
        high: (Value, Value),
        compare: &mut dyn FnMut(&Value, &Value) -> Result<Ordering>,
    ) -> Result<()> {
        match &self.least {
            Some(least) if compare(&low.0, &least.0)? != Ordering::Less => {}
            _ => self.least = Some(low),
        }
        match &self.greatest {
            Some(greatest) if compare(&high.0, &greatest.0)? != Ordering::Greater => {}
            _ => self.greatest = Some(high),
        }
        Ok(())
    }

    fn finish(mut self, compare: &mut dyn FnMut(&Value, &Value) -> Result<Ordering>) -> Result {
        if let Some(last) = self.waiting.take() {
            self.update(last.clone(), last, compare)?;
        }
        let value = |it: Option<(Value, Value)>| it.map_or(Value::Nil, |(_, value)| value);
        Ok(Value::array(vec![value(self.least), value(self.greatest)]))
    }
}

/// `minmax`
pub(in crate::builtins) fn minmax(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = call.block.cloned();
    let extremes = fold(vm, call.this, Extremes::default(), move |vm, extremes, values| {
        let value = packed(values);
        extremes.add((value.clone(), value), &mut |a, b| order_by(vm, block.as_ref(), a, b))?;
        Ok(Flow::More)
    })?;
    extremes.finish(&mut |a, b| order_by(vm, call.block, a, b))
}

fn minmax_by(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let block = Rc::clone(block_or_enumerator!(vm, call));
    let extremes = fold(vm, call.this, Extremes::default(), move |vm, extremes, values| {
        let value = packed(values);
        let key = vm.yield_to(&block, std::slice::from_ref(&value))?;
        extremes.add((key, value), &mut |a, b| order_by(vm, None, a, b))?;
        Ok(Flow::More)
    })?;
    extremes.finish(&mut |a, b| order_by(vm, None, a, b))
}
