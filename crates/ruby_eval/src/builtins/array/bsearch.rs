//! Binary search in arrays.

use crate::builtins::support::{block_or_enumerator, this_array};
use crate::native::{Call, NativeMethod, exactly};
use crate::stop::Result;
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("bsearch", 0, |vm, call| {
        block_or_enumerator!(vm, call);
        let array = this_array(call)?;
        Ok(index(vm, call)?.and_then(|it| array.get(it)).unwrap_or(Value::Nil))
    }),
    exactly("bsearch_index", 0, |vm, call| {
        block_or_enumerator!(vm, call);
        Ok(Value::from(index(vm, call)?.and_then(|it| i64::try_from(it).ok())))
    }),
];

/// The direction in which a binary search continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::builtins) enum Search {
    /// The current element is the result.
    Here,
    /// The element satisfies the condition; the first that does is here or further left.
    Satisfied,
    /// Further left.
    Left,
    /// Further right.
    Right,
}

/// The direction in which a binary search continues after this result of its block.
pub(in crate::builtins) fn found_by(vm: &mut Vm<'_>, answer: &Value) -> Result<Search> {
    let number = match answer {
        Value::Bool(true) => return Ok(Search::Satisfied),
        Value::Nil | Value::Bool(false) => return Ok(Search::Right),
        other if vm.is_a(other, "Numeric") => other,
        other => {
            let class = vm.class_of(other).display_name();
            return vm
                .type_error(format!("wrong argument type {class} (must be numeric, true, false or nil)"));
        }
    };
    Ok(match vm.compare_or_fail(number, &Value::Integer(0))? {
        std::cmp::Ordering::Less => Search::Left,
        std::cmp::Ordering::Equal => Search::Here,
        std::cmp::Ordering::Greater => Search::Right,
    })
}

fn index(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<Option<usize>> {
    let array = this_array(call)?;
    let block = call.needed_block()?;
    let (mut low, mut high, mut satisfied) = (0, array.len(), false);
    while low < high {
        let middle = low + (high - low) / 2;
        let answer = vm.yield_to(block, &[array.get(middle).unwrap_or(Value::Nil)])?;
        match found_by(vm, &answer)? {
            Search::Here => return Ok(Some(middle)),
            Search::Satisfied => (high, satisfied) = (middle, true),
            Search::Left => high = middle,
            Search::Right => low = middle + 1,
        }
    }
    Ok(satisfied.then_some(low))
}
