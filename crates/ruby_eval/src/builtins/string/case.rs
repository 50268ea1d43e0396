//! Upper and lower case.

use icu_casemap::CaseMapper;
use icu_casemap::options::TitlecaseOptions;
use icu_locale_core::LanguageIdentifier;

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
    if case == Case::Swapped && text.contains(['\u{1C5}', '\u{1C8}', '\u{1CB}', '\u{1F2}']) {
        return unsupported("String#swapcase of a letter in title case");
    }
    Ok(unicode_cased(text, case).into_bytes())
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

fn unicode_cased(text: &str, case: Case) -> String {
    let mut out = String::with_capacity(text.len());
    match case {
        Case::Upper => text.chars().for_each(|it| out.extend(it.to_uppercase())),
        Case::Lower => text.chars().for_each(|it| out.extend(it.to_lowercase())),
        Case::Capital => {
            let mut chars = text.chars();
            if let Some(first) = chars.next() {
                push_capital(&mut out, first);
            }
            chars.for_each(|it| out.extend(it.to_lowercase()));
        }
        Case::Swapped => {
            for it in text.chars() {
                match it.to_lowercase().eq([it]) {
                    true => out.extend(it.to_uppercase()),
                    false => out.extend(it.to_lowercase()),
                }
            }
        }
    }
    out
}

/// Appends a letter in its title case, which Georgian does not have: there, Ruby takes the lower case for it.
fn push_capital(out: &mut String, letter: char) {
    match letter {
        _ if letter.is_ascii() => out.push(letter.to_ascii_uppercase()),
        '\u{1C90}'..='\u{1CBF}' => out.extend(letter.to_lowercase()),
        _ => out.push_str(&CaseMapper::new().titlecase_segment_with_only_case_data_to_string(
            letter.encode_utf8(&mut [0; 4]),
            &LanguageIdentifier::UNKNOWN,
            TitlecaseOptions::default(),
        )),
    }
}

/// The text with its case folded.
pub(super) fn folded(text: &str) -> String {
    CaseMapper::new().fold_string(text).into_owned()
}
