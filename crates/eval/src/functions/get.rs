//! `get`, `getvar`: the value at the end of a dotted path (E20).

use marotte_pcore::value::{Integer, Value};
use marotte_text::Str;

use super::dig::dig;
use super::{Body, Builtin, Call, Effects, Names, Overload, Unknowns};
use crate::interpreter::Evaluated;

/// `get`.
pub(super) static GET: Builtin = Builtin {
    name: "get",
    doc: "Returns the nested value at a path: `get({a => [1, 2]}, 'a.1')` is `2`.\n\n\
          The keys and indices of the path are separated by dots; a key with a dot in it is written in quotes. If a value does \
          not exist, the result is the third argument, or `undef`. If the path leads into a value that is neither an array nor a \
          hash, the lambda is called with an `Error`, and its value is the result.",
    unknowns: Unknowns::Parts,
    overloads: &[Overload {
        parameters: "Any $value, String $dotted_string, Any $default_value = undef",
        block: Some("Optional[Callable[1, 1]]"),
        returns: None,
        body: Body::Run(|call| {
            let (value, path, default) = (call.take(0), call.take(1), call.take(2));
            get(call, value, path.as_str().unwrap_or_default(), default)
        }),
    }],
    ..Builtin::base()
};

/// `getvar`.
pub(super) static GETVAR: Builtin = Builtin {
    name: "getvar",
    doc: "The value of a variable by its name, or a nested value at a path: `getvar('facts.os.family')`.\n\n\
          The name is written without `$`; for the path, the second argument and the lambda, see `get`.",
    effects: Effects::Scope,
    names: Some(Names::Variable),
    unknowns: Unknowns::Parts,
    overloads: &[
        Overload {
            parameters: r"Pattern[/\A(?:::)?(?:[a-z]\w*::)*[a-z_]\w*(?:\.|\Z)/] $get_string, Any $default_value = undef",
            block: Some("Optional[Callable[1, 1]]"),
            returns: None,
            body: Body::Run(getvar),
        },
        Overload {
            parameters: "String $get_string, Any $default_value = undef",
            block: Some("Optional[Callable]"),
            returns: None,
            body: Body::Refuse(|_| "The given string does not start with a valid variable name".to_owned()),
        },
    ],
    ..Builtin::base()
};

fn getvar(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let (given, default) = (call.take(0), call.take(1));
    let given = given.as_str().unwrap_or_default();
    let (name, path) = given.split_once('.').unwrap_or((given, ""));
    match call.interpreter.find_variable_or_unknown(call.env, name) {
        Some(value) => get(call, value, path, default),
        None => Ok(default),
    }
}

fn get(call: &mut Call<'_, '_, '_>, value: Value, path: &str, default: Value) -> Evaluated {
    match value {
        Value::Undef => return Ok(default),
        value if path.is_empty() => return Ok(value),
        // The value may be `undef`, so the result is unknown.
        Value::Unknown(it) => {
            return call.interpreter.unknown_call(call.env, call.at, it.computed(), call.block);
        }
        _ => {}
    }
    let Some(keys) = keys(path) else { return call.fail("Syntax error in dotted-navigation string") };
    if !matches!(value, Value::Array(_) | Value::Hash(_)) {
        // `dig` reports the kind of the value.
        let arguments = std::iter::once(value).chain(keys).collect();
        return call.call_function("dig", arguments, None);
    }
    match dig(call.dialect(), value, &keys) {
        Ok(Value::Undef) => Ok(default),
        Ok(Value::Unknown(by)) => call.interpreter.unknown_call(call.env, call.at, by, call.block),
        Ok(found) => Ok(found),
        Err(error) if call.block.is_some() => call.call_block(&[error.value()]),
        Err(error) => call.fail(error.to_string()),
    }
}

/// The keys between the dots of a path; None if it is malformed.
fn keys(path: &str) -> Option<Vec<Value>> {
    let mut keys = Vec::new();
    let mut rest = path;
    loop {
        let (key, behind) = match quoted(rest) {
            Some((key, behind)) => (Value::String(key.into()), behind),
            None => {
                let end = rest.find(['\'', '"', '.']).unwrap_or(rest.len());
                let (key, behind) = rest.split_at_checked(end)?;
                if key.is_empty() {
                    return None;
                }
                (plain(key.trim_matches(|it: char| it.is_ascii_whitespace() || it == '\0')), behind)
            }
        };
        keys.push(key);
        match behind.strip_prefix('.') {
            Some(next) => rest = next,
            None if behind.is_empty() => return Some(keys),
            None => return None,
        }
    }
}

/// Splits off a leading quoted string, ignoring blanks around it, and returns the rest as well.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let blank = |it: char| it.is_ascii_whitespace();
    let text = text.trim_start_matches(blank);
    let quote = text.chars().next().filter(|it| matches!(it, '\'' | '"'))?;
    let (inner, behind) = text.get(1..)?.split_once(quote)?;
    (!inner.is_empty()).then(|| (inner, behind.trim_start_matches(blank)))
}

/// Parses a key without quotes, which may be a number.
fn plain(key: &str) -> Value {
    let digits = key.strip_prefix(':').unwrap_or(key);
    let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    if unsigned.is_empty() || !unsigned.bytes().all(|it| it.is_ascii_digit()) {
        return Value::String(Str::from(key));
    }
    if digits != key {
        // The reference takes it for a number, and reads zero.
        return Value::from(0);
    }
    match digits.parse::<num_bigint::BigInt>() {
        Ok(number) => Value::Integer(Integer::from(number)),
        Err(_) => Value::String(Str::from(key)),
    }
}
