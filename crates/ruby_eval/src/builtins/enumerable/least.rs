//! `min(n)`, `max(n)`, `min_by(n)`, `max_by(n)`: the selection of CRuby, which decides the order of elements that compare
//! equal.

use std::cmp::Ordering;
use std::rc::Rc;

use super::{Flow, fold, packed};
use crate::builtins::support::{merge_sort, order_by};
use crate::native::Call;
use crate::stop::Result;
use crate::value::Proc;
use crate::{Value, Vm};

/// The kind of selection.
#[derive(Clone, Copy)]
pub(in crate::builtins) struct Ranking {
    /// Whether elements are compared by the results of the block for them.
    pub by: bool,
    /// Whether the greatest elements are selected.
    pub greatest: bool,
}

/// A selection in progress: elements with their keys.
struct Selection {
    ranking: Ranking,
    block: Option<Rc<Proc>>,
    wanted: usize,
    buffer: Vec<(Value, Value)>,
    limit: Option<Value>,
}

/// The `count` least or greatest elements, sorted.
pub(in crate::builtins) fn ranked(
    vm: &mut Vm<'_>,
    call: &Call<'_>,
    count: &Value,
    ranking: Ranking,
) -> Result {
    let number = vm.expect_integer(count)?;
    let Ok(wanted) = usize::try_from(number) else {
        return vm.argument_error(format!("negative size ({number})"));
    };
    if wanted == 0 {
        return Ok(Value::array(Vec::new()));
    }
    if wanted > (i64::MAX as usize) / 4 / if ranking.by { 2 } else { 1 } {
        return vm.argument_error("too big size");
    }
    let block = call.block.cloned();
    let selection = Selection { ranking, block, wanted, buffer: Vec::new(), limit: None };
    let mut selection = fold(vm, call.this, selection, |vm, selection, values| {
        vm.world.allocate(32)?;
        selection.add(vm, packed(values))?;
        Ok(Flow::More)
    })?;
    selection.filter(vm)?;
    let mut found = std::mem::take(&mut selection.buffer);
    merge_sort(vm, &mut found, &mut |vm, a, b| selection.compare(vm, &a.0, &b.0))?;
    let mut found: Vec<Value> = found.into_iter().map(|(_, value)| value).collect();
    if ranking.greatest {
        found.reverse();
    }
    Ok(Value::array(found))
}

impl Selection {
    fn compare(&self, vm: &mut Vm<'_>, left: &Value, right: &Value) -> Result<Ordering> {
        let block = if self.ranking.by { None } else { self.block.as_ref() };
        order_by(vm, block, left, right)
    }

    /// The order in which selected elements come first.
    fn rank(&self, vm: &mut Vm<'_>, left: &Value, right: &Value) -> Result<Ordering> {
        let order = self.compare(vm, left, right)?;
        Ok(if self.ranking.greatest { order.reverse() } else { order })
    }

    fn add(&mut self, vm: &mut Vm<'_>, value: Value) -> Result<()> {
        let key = match (&self.block, self.ranking.by) {
            (Some(block), true) => vm.yield_to(&Rc::clone(block), std::slice::from_ref(&value))?,
            _ => value.clone(),
        };
        if let Some(limit) = &self.limit
            && self.rank(vm, &key, &limit.clone())? != Ordering::Less
        {
            return Ok(());
        }
        self.buffer.push((key, value));
        if self.buffer.len() == self.wanted * 4 {
            self.filter(vm)?;
        }
        Ok(())
    }

    /// Keeps the selected elements of the buffer by quickselect.
    fn filter(&mut self, vm: &mut Vm<'_>) -> Result<()> {
        let wanted = self.wanted;
        if self.buffer.len() <= wanted {
            return Ok(());
        }
        let (mut left, mut right) = (0, self.buffer.len() - 1);
        let mut store;
        loop {
            self.buffer.swap(left + (right - left) / 2, right);
            let pivot = self.buffer[right].0.clone();
            let mut pivots = 1;
            store = left;
            let mut index = left;
            while index + pivots <= right {
                let key = self.buffer[index].0.clone();
                match self.rank(vm, &key, &pivot)? {
                    Ordering::Equal => {
                        self.buffer.swap(index, right - pivots);
                        pivots += 1;
                        continue;
                    }
                    Ordering::Less => {
                        self.buffer.swap(index, store);
                        store += 1;
                    }
                    Ordering::Greater => {}
                }
                index += 1;
            }
            let (mut low, mut high) = (store, right);
            while high + pivots > right && high > low {
                self.buffer.swap(low, high);
                low += 1;
                high -= 1;
            }
            if store <= wanted && wanted <= store + pivots {
                break;
            }
            if wanted < store {
                right = store - 1;
            } else {
                left = store + pivots;
            }
        }
        self.limit = self.buffer.get(store).map(|(key, _)| key.clone());
        self.buffer.truncate(wanted);
        Ok(())
    }
}
