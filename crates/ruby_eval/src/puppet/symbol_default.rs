//! Symbols as defaults of lookups: `call_function('lookup', 'key', { 'default_value' => :none })`. Puppet values don't
//! include symbols, and lookups return their default unchanged, so a placeholder text represents the symbol during the
//! call.

use crate::{Symbol, Value};

/// The placeholder for the default. Unicode noncharacters don't occur in data.
const MARK: &str = "\u{fdd0}the default\u{fdd1}";

/// Replaces the symbol that is the default in the arguments of a lookup, and returns it, too. None if there is none.
pub(super) fn without_symbol(function: &str, arguments: &[Value]) -> Option<(Vec<Value>, Symbol)> {
    let mut given = arguments.to_vec();
    let index = match function {
        "hiera" => 1,
        "lookup" if given.len() == 4 && given[1].is_nil() => 3,
        "lookup" => return in_options(given),
        _ => return None,
    };
    let default = given.get_mut(index)?;
    let symbol = own_symbol(default)?;
    *default = Value::from(MARK);
    Some((given, symbol))
}

/// The same for a default in the hash of options, the last argument. Lookups with a declared type are left unchanged.
fn in_options(mut given: Vec<Value>) -> Option<(Vec<Value>, Symbol)> {
    let Value::Hash(options) = given.last()? else { return None };
    let mut symbol = None;
    let mut entries = Vec::new();
    for (key, value) in options.snapshot() {
        let Value::String(name) = &key else { return None };
        match &*name.text()? {
            "value_type" => return None,
            "default_value" => {
                symbol = Some(own_symbol(&value)?);
                entries.push((key.clone(), Value::from(MARK)));
            }
            _ => entries.push((key.clone(), value)),
        }
    }
    *given.last_mut()? = Value::hash(entries);
    Some((given, symbol?))
}

/// Returns a symbol that has no Puppet counterpart.
fn own_symbol(value: &Value) -> Option<Symbol> {
    match value {
        Value::Symbol(it) if !matches!(&*it.name(), "undef" | "default") => Some(*it),
        _ => None,
    }
}

/// Whether the result of such a lookup is the placeholder of its default.
pub(super) fn is_default(result: &Value) -> bool {
    matches!(result, Value::String(it) if it.bytes().as_slice() == MARK.as_bytes())
}
