//! Upper and lower case.

use super::{changeable, changed, made, put, this};
use crate::native::{Call, NativeMethod, at_least};
use crate::stop::{Result, unsupported};
use crate::value::{Encoding, StringObject};
use crate::{Value, Vm};

pub(super) const METHODS: &[NativeMethod] = &[
    at_least("upcase", 0, |vm, call| copy(vm, call, Case::Upper)),
    at_least("downcase", 0, |vm, call| copy(vm, call, Case::Lower)),
    at_least("capitalize", 0, |vm, call| copy(vm, call, Case::Capital)),
    at_least("swapcase", 0, |vm, call| copy(vm, call, Case::Swapped)),
    at_least("upcase!", 0, |vm, call| change(vm, call, Case::Upper)),
    at_least("downcase!", 0, |vm, call| change(vm, call, Case::Lower)),
    at_least("capitalize!", 0, |vm, call| change(vm, call, Case::Capital)),
    at_least("swapcase!", 0, |vm, call| change(vm, call, Case::Swapped)),
];

/// The case that letters get.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    Upper,
    Lower,
    Capital,
    Swapped,
}

fn copy(vm: &mut Vm<'_>, call: &Call<'_>, case: Case) -> Result {
    let this = this(call)?;
    let ascii = is_ascii_only(vm, call.arguments, case)?;
    let bytes = cased(vm, this, case, ascii)?;
    made(vm, bytes, this.encoding())
}

fn change(vm: &mut Vm<'_>, call: &Call<'_>, case: Case) -> Result {
    let this = changeable(vm, call)?;
    let ascii = is_ascii_only(vm, call.arguments, case)?;
    let bytes = cased(vm, this, case, ascii)?;
    Ok(changed(call, put(vm, this, bytes)?))
}

/// Whether the options leave letters beyond ASCII alone.
pub(crate) fn is_ascii_only(vm: &mut Vm<'_>, options: &[Value], case: Case) -> Result<bool> {
    let name = match options {
        [] => return Ok(false),
        [_, _, _, ..] => return vm.argument_error("too many options"),
        [Value::Symbol(name), ..] => name.name(),
        _ => return vm.argument_error("invalid option"),
    };
    match (&*name, options.len()) {
        ("ascii", 1) => Ok(true),
        ("ascii" | "fold", 2) => vm.argument_error("too many options"),
        ("turkic" | "lithuanian", _) => unsupported(format!("the option :{name} of the case of letters")),
        ("fold", _) if case == Case::Lower => unsupported("String#downcase(:fold)"),
        ("fold", _) => vm.argument_error("option :fold only allowed for downcasing"),
        _ => vm.argument_error("invalid option"),
    }
}

/// The bytes of a string in a case.
pub(crate) fn cased(vm: &mut Vm<'_>, string: &StringObject, case: Case, ascii: bool) -> Result<Vec<u8>> {
    let bytes = string.bytes();
    vm.world.spend(bytes.len() / 16)?;
    if ascii || bytes.is_ascii() || string.encoding() != Encoding::Utf8 {
        return Ok(ascii_cased(&bytes, case));
    }
    let Ok(text) = std::str::from_utf8(&bytes) else { return vm.argument_error("input string invalid") };
    match unicode_cased(text, case) {
        Some(text) => Ok(text.into_bytes()),
        None => unsupported("the title case of a letter beyond ASCII"),
    }
}

fn ascii_cased(bytes: &[u8], case: Case) -> Vec<u8> {
    match case {
        Case::Upper => bytes.to_ascii_uppercase(),
        Case::Lower => bytes.to_ascii_lowercase(),
        Case::Capital => {
            let mut bytes = bytes.to_ascii_lowercase();
            bytes.iter_mut().take(1).for_each(|it| it.make_ascii_uppercase());
            bytes
        }
        Case::Swapped => {
            let swap = |it: &u8| match it.is_ascii_lowercase() {
                true => it.to_ascii_uppercase(),
                false => it.to_ascii_lowercase(),
            };
            bytes.iter().map(swap).collect()
        }
    }
}

/// The text in a case; none if a letter has a title case that is neither itself nor its upper case.
fn unicode_cased(text: &str, case: Case) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    match case {
        Case::Upper => text.chars().for_each(|it| out.extend(it.to_uppercase())),
        Case::Lower => text.chars().for_each(|it| out.extend(it.to_lowercase())),
        Case::Capital => {
            let mut chars = text.chars();
            if let Some(first) = chars.next() {
                if has_title_case(first) {
                    return None;
                }
                out.extend(first.to_uppercase());
            }
            chars.for_each(|it| out.extend(it.to_lowercase()));
        }
        Case::Swapped => {
            for it in text.chars() {
                if has_title_case(it) && !matches!(it, '\u{10D0}'..='\u{10FF}' | 'ß') {
                    return None;
                }
                match it.to_lowercase().eq([it]) {
                    true => out.extend(it.to_uppercase()),
                    false => out.extend(it.to_lowercase()),
                }
            }
        }
    }
    Some(out)
}

/// Whether the title case of a letter may differ from its upper case.
fn has_title_case(letter: char) -> bool {
    !letter.is_ascii()
        && (letter.to_uppercase().count() > 1
            || matches!(letter, '\u{1C4}'..='\u{1CC}' | '\u{1F1}'..='\u{1F3}' | '\u{10D0}'..='\u{10FF}')
            || matches!(letter, '\u{1F80}'..='\u{1FFF}'))
}

/// The text with its case folded; none if a letter folds to several, or not to its lower case.
pub(crate) fn folded(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    for it in text.chars() {
        let simple = it.is_ascii()
            || it.to_uppercase().count() == 1
                && it.to_lowercase().count() == 1
                && it.to_uppercase().flat_map(char::to_lowercase).eq(it.to_lowercase())
                && !matches!(it, 'ẞ' | '\u{13A0}'..='\u{13FF}' | '\u{AB70}'..='\u{ABBF}');
        if !simple {
            return None;
        }
        out.extend(it.to_lowercase());
    }
    Some(out)
}
