//! Search in strings: `include?`, `index`, `start_with?`, `match`, `partition`.

use std::rc::Rc;

use super::characters::Characters;
use super::{compatible, find, find_last, from_end, integer, made, text_of, this};
use crate::builtins::regexp;
use crate::native::{Call, NativeMethod, at_least, between, exactly};
use crate::stop::Result;
use crate::value::{MatchData, RegexpObject, StringObject};
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("include?", 1, includes),
    between("index", 1, 2, index),
    between("rindex", 1, 2, last_index),
    at_least("start_with?", 0, starts_with),
    at_least("end_with?", 0, ends_with),
    exactly("=~", 1, position),
    between("match", 1, 2, match_),
    between("match?", 1, 2, is_match),
    exactly("partition", 1, partition),
    exactly("rpartition", 1, last_partition),
];

/// The byte position of a text at an offset or later.
fn position_of(
    vm: &mut Vm<'_>,
    this: &StringObject,
    text: &StringObject,
    start: usize,
) -> Result<Option<usize>> {
    compatible(vm, this, text)?;
    let (bytes, needle) = (this.bytes(), text.bytes());
    vm.world.spend(bytes.len() / 64)?;
    if Characters::of(&needle, text.encoding()).is_broken() && text.encoding() == this.encoding() {
        return Ok(None);
    }
    Ok(find(Characters::of(&bytes, this.encoding()), &needle, start))
}

fn includes(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let text = vm.expect_string(call.required(0))?;
    Ok(Value::Bool(position_of(vm, this, &text, 0)?.is_some()))
}

/// The index of the character at a byte position.
fn character_index(this: &StringObject, position: Option<usize>) -> Value {
    position.map_or(Value::Nil, |it| integer(Characters::of(&this.bytes(), this.encoding()).index(it)))
}

fn index(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let start = match call.argument(1) {
        Some(start) => Some(vm.expect_integer(start)?),
        None => None,
    };
    let text = match call.required(0) {
        Value::Regexp(_) => None,
        other => Some(vm.expect_string(other)?),
    };
    let start = match start {
        None => Some(0),
        Some(start) => {
            let bytes = this.bytes();
            let characters = Characters::of(&bytes, this.encoding());
            match start < 0 {
                true => from_end(start, characters.count()),
                false => usize::try_from(start).ok(),
            }
            .and_then(|it| characters.offset(it))
        }
    };
    let Some(start) = start else {
        if text.is_none() {
            vm.set_last_match(None);
        }
        return Ok(Value::Nil);
    };
    let position = match (call.required(0), text) {
        (Value::Regexp(regexp), _) => regexp::matched(vm, regexp, this, start)?.map(|it| whole(&it).start),
        (_, Some(text)) => position_of(vm, this, &text, start)?,
        (_, None) => None,
    };
    Ok(character_index(this, position))
}

fn whole(found: &MatchData) -> std::ops::Range<usize> {
    found.groups.first().cloned().flatten().unwrap_or(0..0)
}

fn last_index(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let start = match call.argument(1) {
        Some(start) => Some(vm.expect_integer(start)?),
        None => None,
    };
    let text = match call.required(0) {
        Value::Regexp(_) => None,
        other => Some(vm.expect_string(other)?),
    };
    let start = match start {
        None => Some(this.bytes().len()),
        Some(start) => {
            let bytes = this.bytes();
            let characters = Characters::of(&bytes, this.encoding());
            let index = match start < 0 {
                true => from_end(start, characters.count()),
                false => usize::try_from(start).ok(),
            };
            index.map(|it| characters.offset(it).unwrap_or(bytes.len()))
        }
    };
    let Some(start) = start else {
        if text.is_none() {
            vm.set_last_match(None);
        }
        return Ok(Value::Nil);
    };
    let position = match (call.required(0), text) {
        (Value::Regexp(regexp), _) => last_match(vm, regexp, this, start)?.map(|it| whole(&it).start),
        (_, Some(text)) => last_position_of(vm, this, &text, start)?,
        (_, None) => None,
    };
    Ok(character_index(this, position))
}

/// The byte position of the last occurrence of a text that starts at an offset or earlier.
fn last_position_of(
    vm: &mut Vm<'_>,
    this: &StringObject,
    text: &StringObject,
    start: usize,
) -> Result<Option<usize>> {
    compatible(vm, this, text)?;
    let (bytes, needle) = (this.bytes(), text.bytes());
    vm.world.spend(bytes.len() / 64)?;
    if Characters::of(&needle, text.encoding()).is_broken() && text.encoding() == this.encoding() {
        return Ok(None);
    }
    Ok(find_last(Characters::of(&bytes, this.encoding()), &needle, start))
}

/// The match that starts last, at an offset or earlier; it becomes `$~`.
fn last_match(
    vm: &mut Vm<'_>,
    regexp: &Rc<RegexpObject>,
    this: &Rc<StringObject>,
    start: usize,
) -> Result<Option<Rc<MatchData>>> {
    let found = {
        let text = text_of(vm, this, "matching")?;
        let searcher = regexp::searcher(vm, regexp, &text)?;
        let mut at = start;
        loop {
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            match regexp::search(vm, &searcher, at)? {
                Some(groups) if groups.first().cloned().flatten().is_some_and(|it| it.start == at) => {
                    break Some(groups);
                }
                _ if at == 0 => break None,
                _ => at -= 1,
            }
        }
    };
    let found = match found {
        Some(groups) => Some(Rc::new(MatchData {
            regexp: Rc::clone(regexp),
            text: regexp::frozen(vm, this)?,
            groups: groups.into_vec(),
        })),
        None => None,
    };
    vm.set_last_match(found.clone());
    Ok(found)
}

fn starts_with(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    for prefix in call.arguments {
        let found = match prefix {
            Value::Regexp(regexp) => {
                let found = regexp::matched(vm, regexp, this, 0)?.filter(|it| whole(it).start == 0);
                vm.set_last_match(found.clone());
                found.is_some()
            }
            other => {
                let prefix = vm.expect_string(other)?;
                compatible(vm, this, &prefix)?;
                this.bytes().starts_with(&prefix.bytes())
            }
        };
        if found {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn ends_with(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    for suffix in call.arguments {
        let suffix = vm.expect_string(suffix)?;
        compatible(vm, this, &suffix)?;
        if ends_with_text(this, &suffix) {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

/// Whether a string ends with a text, which starts on a boundary of characters.
pub(super) fn ends_with_text(this: &StringObject, suffix: &StringObject) -> bool {
    let (bytes, suffix) = (this.bytes(), suffix.bytes());
    bytes.ends_with(&suffix)
        && Characters::of(&bytes, this.encoding()).is_boundary(bytes.len() - suffix.len())
}

fn position(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    match call.required(0) {
        Value::Regexp(regexp) => regexp::match_position(vm, regexp, this),
        Value::String(_) => vm.type_error("type mismatch: String given"),
        other => vm.call(other, "=~", std::slice::from_ref(call.this)),
    }
}

fn match_(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let regexp = regexp::expect_regexp(vm, call.required(0))?;
    regexp::match_from(vm, &regexp, this, call)
}

fn is_match(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let regexp = regexp::expect_regexp(vm, call.required(0))?;
    regexp::is_match_from(vm, &regexp, this, call.argument(1))
}

/// The parts before, in and after a range of bytes.
fn parts(vm: &mut Vm<'_>, this: &StringObject, range: std::ops::Range<usize>) -> Result {
    let bytes = this.bytes();
    vm.world.allocate(bytes.len())?;
    let part = |range| made(vm, bytes.get(range).unwrap_or_default(), this.encoding());
    Ok(Value::array(vec![part(0..range.start)?, part(range.clone())?, part(range.end..bytes.len())?]))
}

fn partition(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let range = match call.required(0) {
        Value::Regexp(regexp) => regexp::matched(vm, regexp, this, 0)?.map(|it| whole(&it)),
        other => {
            let text = partition_text(vm, other)?;
            position_of(vm, this, &text, 0)?.map(|it| it..it + text.bytes().len())
        }
    };
    let end = this.bytes().len();
    parts(vm, this, range.unwrap_or(end..end))
}

/// The separator of `partition`, if it is not an expression.
fn partition_text(vm: &mut Vm<'_>, value: &Value) -> Result<Rc<StringObject>> {
    regexp::expect_pattern_text(vm, value)
}

fn last_partition(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let end = this.bytes().len();
    let range = match call.required(0) {
        Value::Regexp(regexp) => last_match(vm, regexp, this, end)?.map(|it| whole(&it)),
        other => {
            let text = partition_text(vm, other)?;
            last_position_of(vm, this, &text, end)?.map(|it| it..it + text.bytes().len())
        }
    };
    parts(vm, this, range.unwrap_or(0..0))
}
