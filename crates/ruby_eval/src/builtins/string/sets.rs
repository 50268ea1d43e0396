//! Sets of characters, `a-z` and `^0-9`: `tr`, `delete`, `squeeze`, `count`.

use std::rc::Rc;

use super::characters::Characters;
use super::{changeable, changed, compatible, integer, invalid, made, this};
use crate::native::{Call, NativeMethod, at_least, exactly};
use crate::stop::{Result, unsupported};
use crate::value::{Encoding, StringObject};
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    exactly("tr", 2, |vm, call| copy(vm, call, |vm, call| translated(vm, call, false))),
    exactly("tr_s", 2, |vm, call| copy(vm, call, |vm, call| translated(vm, call, true))),
    at_least("delete", 1, |vm, call| copy(vm, call, deleted)),
    at_least("squeeze", 0, |vm, call| copy(vm, call, squeezed)),
    exactly("tr!", 2, |vm, call| change(vm, call, |vm, call| translated(vm, call, false))),
    exactly("tr_s!", 2, |vm, call| change(vm, call, |vm, call| translated(vm, call, true))),
    at_least("delete!", 1, |vm, call| change(vm, call, deleted)),
    at_least("squeeze!", 0, |vm, call| change(vm, call, squeezed)),
    at_least("count", 1, count),
];

/// An operation on sets; returns the bytes of the result, None if no character is affected.
type Operation = fn(&mut Vm<'_>, &Call<'_>) -> Result<Option<Vec<u8>>>;

fn copy(vm: &mut Vm<'_>, call: &Call<'_>, operation: Operation) -> Result {
    let this = this(call)?;
    match operation(vm, call)? {
        Some(bytes) => made(vm, bytes, this.encoding()),
        None => made(vm, this.bytes().clone(), this.encoding()),
    }
}

fn change(vm: &mut Vm<'_>, call: &Call<'_>, operation: Operation) -> Result {
    let this = changeable(vm, call)?;
    let bytes = operation(vm, call)?;
    let is_changed = bytes.is_some();
    if let Some(bytes) = bytes {
        vm.world.allocate(bytes.len())?;
        this.change(|it| *it = bytes);
    }
    Ok(changed(call, is_changed))
}

/// A set of characters in source order.
struct Set {
    /// The first and last character of each range.
    ranges: Vec<(u32, u32)>,
    /// Whether it starts with `^`, and so contains all characters but these.
    negated: bool,
}

/// Code points that are not characters.
const SURROGATES: (u32, u32) = (0xD800, 0xDFFF);

/// The number of characters of a range.
fn size((first, last): (u32, u32)) -> u32 {
    let all = last - first + 1;
    if first < SURROGATES.0 && last > SURROGATES.1 { all - 0x800 } else { all }
}

impl Set {
    fn parse(vm: &mut Vm<'_>, text: &StringObject) -> Result<Set> {
        let bytes = text.bytes();
        let codes: Option<Vec<u32>> = Characters::of(&bytes, text.encoding()).codes().collect();
        let Some(codes) = codes else { return invalid(vm, text.encoding()) };
        let (negated, mut rest) = match &codes[..] {
            [94, rest @ ..] if !rest.is_empty() => (true, rest),
            all => (false, all),
        };
        let (backslash, dash) = (u32::from(b'\\'), u32::from(b'-'));
        let mut ranges = Vec::new();
        while let [first, after @ ..] = rest {
            let (first, after) = match after {
                [escaped, after @ ..] if *first == backslash => (*escaped, after),
                _ => (*first, after),
            };
            let (last, after) = match after {
                [sign, last, after @ ..] if *sign == dash => (*last, after),
                _ => (first, after),
            };
            if first > last {
                let shown = |it: u32| char::from_u32(it).unwrap_or('?');
                let message = match first < 0x80 {
                    true => format!(
                        "invalid range \"{}-{}\" in string transliteration",
                        shown(first),
                        shown(last)
                    ),
                    false => "invalid range in string transliteration".to_owned(),
                };
                return vm.argument_error(message);
            }
            ranges.push((first, last));
            rest = after;
        }
        Ok(Set { ranges, negated })
    }

    fn contains(&self, code: u32) -> bool {
        self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&code)) != self.negated
    }

    /// The number of characters before the last occurrence of a character.
    fn position(&self, code: u32) -> Option<u32> {
        let at = self.ranges.iter().rposition(|(first, last)| (*first..=*last).contains(&code))?;
        let (before, rest) = self.ranges.split_at(at);
        let before = before.iter().map(|it| size(*it)).sum::<u32>();
        let (first, _) = *rest.first()?;
        Some(before + size((first, code)) - 1)
    }

    /// The character at a position, or the last one.
    fn at(&self, position: u32) -> Option<u32> {
        let mut left = position;
        for (first, last) in &self.ranges {
            let size = size((*first, *last));
            if left < size {
                let code = first + left;
                let skips = *first < SURROGATES.0 && code >= SURROGATES.0;
                return Some(if skips { code + 0x800 } else { code });
            }
            left -= size;
        }
        self.ranges.last().map(|it| it.1)
    }
}

/// The sets of arguments: characters must be in all of them.
fn sets(vm: &mut Vm<'_>, call: &Call<'_>, this: &StringObject) -> Result<Vec<Set>> {
    let mut sets = Vec::with_capacity(call.arguments.len());
    for argument in call.arguments {
        let text = vm.expect_string(argument)?;
        compatible(vm, this, &text)?;
        sets.push(Set::parse(vm, &text)?);
    }
    Ok(sets)
}

/// Calls a function with each character and its code.
fn each_code(
    vm: &mut Vm<'_>,
    this: &StringObject,
    sets: usize,
    mut each: impl FnMut(&[u8], u32),
) -> Result<()> {
    let bytes = this.bytes();
    vm.world.spend(bytes.len() * (sets + 1) / 16)?;
    let characters = Characters::of(&bytes, this.encoding());
    if characters.is_broken() && sets == 0 && this.encoding() == Encoding::Ascii {
        return unsupported("String#squeeze of a string that is not valid in US-ASCII");
    }
    if characters.is_broken() {
        return invalid(vm, this.encoding());
    }
    for (character, code) in characters.iter().zip(characters.codes()) {
        each(character, code.unwrap_or_default());
    }
    Ok(())
}

fn deleted(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<Option<Vec<u8>>> {
    let this = this(call)?;
    if this.bytes().is_empty() {
        return Ok(None);
    }
    let sets = sets(vm, call, this)?;
    let mut out = Vec::with_capacity(this.bytes().len());
    each_code(vm, this, sets.len(), |character, code| {
        if !sets.iter().all(|it| it.contains(code)) {
            out.extend_from_slice(character);
        }
    })?;
    Ok((out.len() < this.bytes().len()).then_some(out))
}

fn squeezed(vm: &mut Vm<'_>, call: &Call<'_>) -> Result<Option<Vec<u8>>> {
    let this = this(call)?;
    let sets = sets(vm, call, this)?;
    let mut out = Vec::with_capacity(this.bytes().len());
    let mut last = None;
    each_code(vm, this, sets.len(), |character, code| {
        if last != Some(code) || !sets.iter().all(|it| it.contains(code)) {
            out.extend_from_slice(character);
        }
        last = Some(code);
    })?;
    Ok((out.len() < this.bytes().len()).then_some(out))
}

fn count(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let this = this(call)?;
    let sets = sets(vm, call, this)?;
    let mut count = 0;
    each_code(vm, this, sets.len(), |_, code| {
        count += usize::from(sets.iter().all(|it| it.contains(code)));
    })?;
    Ok(integer(count))
}

fn translated(vm: &mut Vm<'_>, call: &Call<'_>, squeeze: bool) -> Result<Option<Vec<u8>>> {
    let this = this(call)?;
    let from = vm.expect_string(call.required(0))?;
    let to = vm.expect_string(call.required(1))?;
    if this.bytes().is_empty() {
        return Ok(None);
    }
    if to.bytes().is_empty() {
        return deleted(vm, &Call { arguments: &[Value::String(from)], ..*call });
    }
    compatible(vm, this, &from)?;
    compatible(vm, this, &to)?;
    let from = Set::parse(vm, &from)?;
    let to = Rc::new(plain(vm, &to)?);
    let is_utf8 = this.encoding() == Encoding::Utf8;
    let mut out = Vec::with_capacity(this.bytes().len());
    let mut last = None;
    let mut any = false;
    // `tr_s` takes codes from 256 on as members of the complement only if such a code is in the set.
    let is_narrow = squeeze && from.ranges.iter().all(|it| it.1 < 256);
    each_code(vm, this, 1, |character, code| {
        let new = match from.negated {
            true if is_narrow && code >= 256 => None,
            true => from.contains(code).then(|| to.at(u32::MAX)).flatten(),
            false => from.position(code).and_then(|it| to.at(it)),
        };
        let Some(new) = new else {
            last = None;
            out.extend_from_slice(character);
            return;
        };
        any = true;
        if squeeze && last == Some(new) {
            return;
        }
        last = Some(new);
        match char::from_u32(new) {
            Some(it) if is_utf8 || it.is_ascii() => {
                out.extend_from_slice(it.encode_utf8(&mut [0; 4]).as_bytes());
            }
            _ => out.push(u8::try_from(new).unwrap_or(b'?')),
        }
    })?;
    vm.world.allocate(out.len())?;
    Ok(any.then_some(out))
}

/// The characters that others are translated to, among which `^` is not special.
fn plain(vm: &mut Vm<'_>, text: &StringObject) -> Result<Set> {
    let bytes = text.bytes();
    if !bytes.starts_with(b"^") {
        return Set::parse(vm, text);
    }
    // An escaped sign is the sign itself.
    let escaped = [b"\\", bytes.as_slice()].concat();
    Set::parse(vm, &StringObject::new(escaped, text.encoding()))
}
