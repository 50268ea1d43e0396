//! `Symbol`

use std::rc::Rc;

use super::string::{case, inspected, made, successor, symbol_text};
use crate::native::{Call, NativeClass, NativeMethod, at_least, between, exactly, refused};
use crate::stop::{Result, unsupported};
use crate::value::{Encoding, Proc, ProcBody, StringObject};
use crate::{Symbol, Value, Vm};

/// `Symbol`
pub(super) static SYMBOL: NativeClass = NativeClass {
    name: "Symbol",
    superclass: Some("Object"),
    includes: &["Comparable"],
    methods: &[METHODS],
    singleton_methods: &[&[refused("all_symbols")]],
    ..NativeClass::EMPTY
};

const METHODS: &[NativeMethod] = &[
    exactly("to_s", 0, to_s),
    exactly("id2name", 0, to_s),
    exactly("name", 0, name),
    exactly("to_sym", 0, |_, call| Ok(call.this.clone())),
    exactly("to_proc", 0, |_, call| {
        Ok(Value::Proc(Rc::new(Proc { body: ProcBody::Symbol(this(call)?), is_lambda: true })))
    }),
    exactly("inspect", 0, |vm, call| made(vm, inspected_symbol(this(call)?), Encoding::Utf8)),
    exactly("==", 1, equal),
    exactly("===", 1, equal),
    exactly("hash", 0, |vm, call| vm.hash_of(call.this)),
    exactly("<=>", 1, as_string),
    exactly("casecmp", 1, as_string),
    exactly("casecmp?", 1, as_string),
    between("[]", 1, 2, forwarded),
    between("slice", 1, 2, forwarded),
    exactly("length", 0, forwarded),
    exactly("size", 0, forwarded),
    exactly("empty?", 0, forwarded),
    exactly("encoding", 0, forwarded),
    at_least("start_with?", 0, forwarded),
    at_least("end_with?", 0, forwarded),
    exactly("=~", 1, forwarded),
    between("match", 1, 2, forwarded),
    between("match?", 1, 2, forwarded),
    at_least("upcase", 0, |vm, call| cased(vm, call, case::Case::Upper)),
    at_least("downcase", 0, |vm, call| cased(vm, call, case::Case::Lower)),
    at_least("capitalize", 0, |vm, call| cased(vm, call, case::Case::Capital)),
    at_least("swapcase", 0, |vm, call| cased(vm, call, case::Case::Swapped)),
    exactly("succ", 0, next),
    exactly("next", 0, next),
];

fn this(call: &Call<'_>) -> Result<Symbol> {
    match call.this {
        Value::Symbol(it) => Ok(*it),
        _ => unsupported(format!("Symbol#{} of another object", call.name)),
    }
}

fn string(symbol: Symbol) -> Value {
    Value::String(Rc::new(symbol_text(symbol)))
}

fn to_s(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let text = symbol_text(this(call)?);
    let bytes = text.bytes().clone();
    made(vm, bytes, text.encoding())
}

fn name(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let text = symbol_text(this(call)?);
    text.freeze();
    Ok(Value::String(Rc::new(text)))
}

fn equal(_: &mut Vm<'_>, call: &Call<'_>) -> Result {
    Ok(Value::Bool(call.this.is_identical(call.required(0))))
}

/// Calls the method of the name with the text of the other symbol; `nil` if the argument is not a symbol.
fn as_string(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match call.required(0) {
        Value::Symbol(other) => {
            let name = string(this(call)?);
            vm.send(&name, call.name, &[string(*other)], None, None)
        }
        _ => Ok(Value::Nil),
    }
}

/// Calls the method of the name.
fn forwarded(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    vm.send(&string(this(call)?), call.name, call.arguments, None, call.block)
}

/// The symbol of a text.
fn interned(vm: &mut Vm<'_>, bytes: Vec<u8>) -> Result {
    let text = StringObject::new(bytes, Encoding::Utf8);
    Ok(Value::Symbol(super::string::symbol(vm, &text)?))
}

fn cased(vm: &mut Vm<'_>, call: &Call<'_>, case: case::Case) -> Result {
    let ascii = case::is_ascii_only(vm, call.arguments, case)?;
    let bytes = case::cased(vm, &symbol_text(this(call)?), case, ascii)?;
    interned(vm, bytes)
}

fn next(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let bytes = successor(&symbol_text(this(call)?))?;
    interned(vm, bytes)
}

/// The symbol as a literal.
pub(crate) fn inspected_symbol(symbol: Symbol) -> String {
    let name = symbol.name();
    match is_simple(&name) {
        true => format!(":{name}"),
        false => format!(":{}", inspected(&symbol_text(symbol))),
    }
}

/// Whether a symbol of this name is written without quotes.
fn is_simple(name: &str) -> bool {
    const OPERATORS: &[&str] = &[
        "!", "!=", "!~", "%", "&", "*", "**", "+", "+@", "-", "-@", "/", "<", "<<", "<=", "<=>", "==", "===",
        "=~", ">", ">=", ">>", "[]", "[]=", "^", "`", "|", "~",
    ];
    const GLOBALS: &str = "~*$?!@/\\;,.=:<>\"&`'+0_";
    if OPERATORS.contains(&name) {
        return true;
    }
    if let Some(global) = name.strip_prefix('$') {
        let mut chars = global.chars();
        return match (chars.next(), chars.next(), chars.next()) {
            (Some(sign), None, _) if GLOBALS.contains(sign) => true,
            (Some('-'), Some(letter), None) => is_identifier_part(letter),
            (Some('1'..='9'), ..) => global.bytes().all(|it| it.is_ascii_digit()),
            _ => is_identifier(global),
        };
    }
    if let Some(variable) = name.strip_prefix("@@").or_else(|| name.strip_prefix('@')) {
        return is_identifier(variable);
    }
    let stem = match name.strip_suffix('=') {
        Some(stem) => return is_identifier(stem),
        None => name.strip_suffix(['?', '!']).unwrap_or(name),
    };
    is_identifier(stem)
}

fn is_identifier_part(it: char) -> bool {
    it.is_ascii_alphanumeric() || it == '_' || !it.is_ascii()
}

fn is_identifier(name: &str) -> bool {
    !name.starts_with(|it: char| it.is_ascii_digit())
        && !name.is_empty()
        && name.chars().all(is_identifier_part)
}
