//! What functions make of arguments that are not known.

use marotte_pcore::types::TypeKind;
use marotte_pcore::value::Value;

use super::{Builtin, Call, Reach};
use crate::interpreter::Evaluated;

/// What a function of the language makes of arguments that are not known, or have parts that are not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// It takes all, and only hands values on or shows them.
    Anything,
    /// It takes what has unknown parts, as it does nothing with them but handing them on.
    Parts,
    /// Its value depends on all of its arguments.
    Known,
    /// It does something to the catalog that depends on all of its arguments.
    Decides,
}

fn takes(call: &Call<'_, '_, '_>, builtin: &Builtin) -> Takes {
    match builtin.name {
        "alert" | "crit" | "debug" | "emerg" | "err" | "info" | "notice" | "warning" | "fail" | "next"
        | "return" | "assert_type" => Takes::Anything,
        "all" | "annotate" | "any" | "call" | "create_resources" | "dig" | "each" | "empty" | "epp"
        | "filter" | "get" | "getvar" | "group_by" | "inline_epp" | "keys" | "length" | "lest" | "lookup"
        | "map" | "partition" | "reduce" | "reverse_each" | "size" | "slice" | "step" | "then" | "values"
        | "with" => Takes::Parts,
        "unwrap" => match call.argument(0) {
            Value::Sensitive(_) => Takes::Anything,
            _ => Takes::Known,
        },
        "new" => match call.argument(0) {
            Value::Type(it)
                if matches!(it.resolved().kind(), TypeKind::Sensitive(_) | TypeKind::Object(_)) =>
            {
                Takes::Anything
            }
            _ => Takes::Known,
        },
        "tagged" => Takes::Known,
        _ if builtin.reach == Reach::Catalog => Takes::Decides,
        _ => Takes::Known,
    }
}

impl Builtin {
    /// Calls the function, unless what it gives or does depends on arguments that are not known.
    pub(crate) fn call_if_known(&self, call: Call<'_, '_, '_>) -> Evaluated {
        if !call.arguments.iter().any(Value::has_unknown) {
            return self.call(call);
        }
        let itself = |it: &Value| matches!(it, Value::Unknown(_)).then(|| it.unknown()).flatten();
        let takes = takes(&call, self);
        let by = match takes {
            Takes::Anything => None,
            Takes::Parts => call.arguments.iter().find_map(itself),
            Takes::Known | Takes::Decides => call.arguments.iter().find_map(Value::unknown),
        };
        let Some(by) = by else { return self.call(call) };
        if takes == Takes::Decides
            || self.reach == Reach::Catalog && self.name != "tagged"
            || self.name == "call"
        {
            return Err(call.interpreter.undecided(call.env, call.at, by));
        }
        call.interpreter.unknown_call(call.env, call.at, by, call.block)
    }
}
