//! Sorting and shuffling arrays.

use crate::builtins::enumerable::sorted_by;
use crate::builtins::random::Generator;
use crate::builtins::support::{
    block_or_enumerator, changed_array, charge, count_argument, merge_sort, only_keyword, order_by,
    this_array,
};
use crate::native::{Call, NativeMethod, between, exactly};
use crate::stop::Result;
use crate::vm::ErrorClass;
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("sort!", 0, |vm, call| {
        let array = changed_array(vm, call)?;
        let mut items = array.snapshot();
        charge(vm, items.len())?;
        merge_sort(vm, &mut items, &mut |vm, a, b| order_by(vm, call.block, a, b))?;
        array.change(|it| *it = items);
        Ok(call.this.clone())
    }),
    exactly("sort_by!", 0, |vm, call| {
        block_or_enumerator!(vm, call);
        let array = changed_array(vm, call)?;
        let items = sorted_by(vm, call)?;
        array.change(|it| *it = items);
        Ok(call.this.clone())
    }),
    exactly("shuffle", 0, |vm, call| {
        let items = this_array(call)?.snapshot();
        charge(vm, items.len())?;
        Ok(Value::array(shuffled(vm, call, items)?))
    })
    .with_keywords(),
    exactly("shuffle!", 0, |vm, call| {
        let array = changed_array(vm, call)?;
        let items = shuffled(vm, call, array.snapshot())?;
        array.change(|it| *it = items);
        Ok(call.this.clone())
    })
    .with_keywords(),
    between("sample", 0, 1, sample).with_keywords(),
];

fn shuffled(vm: &mut Vm<'_>, call: &Call<'_>, mut items: Vec<Value>) -> Result<Vec<Value>> {
    let random = only_keyword(vm, call, "random")?;
    let generator = Generator::of_argument(vm, random.as_ref())?;
    let mut left = items.len();
    while left > 0 {
        vm.world.spend(1)?;
        let other = below(vm, &generator, left)?;
        left -= 1;
        if other < items.len() {
            items.swap(left, other);
        }
    }
    Ok(items)
}

/// A random index below a limit.
fn below(vm: &mut Vm<'_>, generator: &Generator, limit: usize) -> Result<usize> {
    let index = generator.limited(vm, u64::try_from(limit).unwrap_or(u64::MAX).saturating_sub(1))?;
    Ok(usize::try_from(index).unwrap_or(0))
}

fn sample(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let random = only_keyword(vm, call, "random")?;
    let generator = Generator::of_argument(vm, random.as_ref())?;
    let items = this_array(call)?.snapshot();
    let length = items.len();
    let Some(count) = call.argument(0) else {
        let index = if length < 2 { 0 } else { below(vm, &generator, length)? };
        return Ok(items.get(index).cloned().unwrap_or(Value::Nil));
    };
    let count = count_argument(vm, count, "negative sample number")?.min(length);
    charge(vm, length)?;
    let chosen = match count {
        0 => Vec::new(),
        1..=10 => few(vm, &generator, length, count)?,
        _ => many(vm, &generator, length, count)?,
    };
    Ok(Value::array(chosen.into_iter().filter_map(|it| items.get(it).cloned()).collect()))
}

/// Few different indexes: each random number counts the indexes that are not chosen yet.
fn few(vm: &mut Vm<'_>, generator: &Generator, length: usize, count: usize) -> Result<Vec<usize>> {
    let mut chosen = Vec::new();
    let mut sorted: Vec<usize> = Vec::new();
    let numbers: Result<Vec<usize>> = (0..count).map(|it| below(vm, generator, length - it)).collect();
    for mut index in numbers? {
        let mut place = 0;
        while sorted.get(place).is_some_and(|it| index >= *it) {
            index += 1;
            place += 1;
        }
        sorted.insert(place, index);
        chosen.push(index);
    }
    Ok(chosen)
}

/// Many different indexes, by the first steps of a shuffle.
fn many(vm: &mut Vm<'_>, generator: &Generator, length: usize, count: usize) -> Result<Vec<usize>> {
    let mut all: Vec<usize> = (0..length).collect();
    for index in 0..count {
        vm.world.spend(1)?;
        let other = below(vm, generator, length - index)? + index;
        if other >= all.len() {
            return vm.raise(ErrorClass::Runtime, "modified during sample");
        }
        all.swap(index, other);
    }
    all.truncate(count);
    Ok(all)
}
