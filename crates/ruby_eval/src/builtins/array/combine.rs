//! Products, combinations and permutations.

use std::rc::Rc;

use super::array_arguments;
use crate::builtins::support::{block_or_enumerator, charge, push, this_array};
use crate::native::{Call, NativeMethod, at_least, between, exactly};
use crate::stop::Result;
use crate::vm::ErrorClass;
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    at_least("product", 0, product),
    exactly("combination", 1, |vm, call| choose(vm, call, Choice { ordered: false, repeated: false })),
    between("permutation", 0, 1, |vm, call| choose(vm, call, Choice { ordered: true, repeated: false })),
    exactly("repeated_combination", 1, |vm, call| {
        choose(vm, call, Choice { ordered: false, repeated: true })
    }),
    exactly("repeated_permutation", 1, |vm, call| choose(vm, call, Choice { ordered: true, repeated: true })),
];

fn product(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let mut lists = vec![this_array(call)?.snapshot()];
    lists.extend(array_arguments(vm, call)?);
    if call.block.is_none() {
        let size = lists.iter().try_fold(1_usize, |size, it| size.checked_mul(it.len()));
        match size {
            Some(size) if size <= (i64::MAX as usize) / 8 => {
                charge(vm, size.saturating_mul(lists.len() + 4))?;
            }
            _ if lists.iter().any(Vec::is_empty) => {}
            _ => return vm.raise(ErrorClass::Range, "too big to product"),
        }
    }
    let mut all = Vec::new();
    let mut indexes = vec![0; lists.len()];
    while !lists.iter().any(Vec::is_empty) {
        vm.world.spend(1)?;
        vm.world.allocate(16 * lists.len())?;
        let tuple = lists.iter().zip(&indexes).filter_map(|(list, index)| list.get(*index).cloned());
        let tuple = Value::array(tuple.collect());
        match call.block {
            Some(block) => drop(vm.yield_to(block, &[tuple])?),
            None => push(vm, &mut all, tuple)?,
        }
        let mut place = lists.len();
        let carried = loop {
            let Some(before) = place.checked_sub(1) else { break true };
            place = before;
            indexes[place] += 1;
            if indexes[place] < lists[place].len() {
                break false;
            }
            indexes[place] = 0;
        };
        if carried {
            break;
        }
    }
    Ok(if call.block.is_some() { call.this.clone() } else { Value::array(all) })
}

/// The kind of tuples that are enumerated.
#[derive(Clone, Copy)]
struct Choice {
    /// Whether tuples of the same elements in another order are distinct.
    ordered: bool,
    /// Whether an element may occur several times.
    repeated: bool,
}

fn choose(vm: &mut Vm<'_>, call: &Call<'_>, choice: Choice) -> Result {
    let block = Rc::clone(block_or_enumerator!(vm, call));
    let items = this_array(call)?.snapshot();
    let size = match call.argument(0) {
        None | Some(Value::Nil) if choice.ordered && !choice.repeated => Some(items.len()),
        None => Some(items.len()),
        Some(it) => usize::try_from(vm.expect_integer(it)?).ok(),
    };
    let Some(size) = size else { return Ok(call.this.clone()) };
    if (!choice.repeated && size > items.len()) || (items.is_empty() && size > 0) {
        return Ok(call.this.clone());
    }
    charge(vm, size)?;
    let mut chosen: Vec<usize> = Vec::new();
    let mut used = vec![false; items.len()];
    let mut next = Some(0);
    // A depth-first search: `next` is the first index to try at the current position; None if the position is
    // exhausted.
    loop {
        vm.world.spend(1)?;
        if chosen.len() == size {
            vm.world.allocate(16 * size + 32)?;
            let tuple = chosen.iter().filter_map(|it| items.get(*it).cloned()).collect();
            vm.yield_to(&block, &[Value::array(tuple)])?;
            next = None;
        }
        let candidate = next
            .and_then(|from| (from..items.len()).find(|it| !choice.ordered || choice.repeated || !used[*it]));
        match candidate {
            Some(index) => {
                used[index] = true;
                chosen.push(index);
                next = Some(match (choice.ordered, choice.repeated) {
                    (true, _) => 0,
                    (false, true) => index,
                    (false, false) => index + 1,
                });
            }
            None => {
                let Some(last) = chosen.pop() else { return Ok(call.this.clone()) };
                used[last] = false;
                next = Some(last + 1);
            }
        }
    }
}
