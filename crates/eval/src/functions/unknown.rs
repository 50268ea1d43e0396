//! What functions make of arguments that are not known.

use marotte_pcore::types::TypeKind;
use marotte_pcore::value::Value;

use super::{Builtin, Call, Reach};
use crate::interpreter::Evaluated;

/// What a function of the language makes of arguments that are not known, or have parts that are not.
enum Takes {
    /// It takes all, and only hands values on or shows them.
    Anything,
    /// It takes what has unknown parts, as it does nothing with them but handing them on.
    Parts,
    /// Its value, or what it does, depends on all of its arguments.
    Known,
}

fn takes(call: &Call<'_, '_, '_>) -> Takes {
    match call.name {
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
        _ => Takes::Known,
    }
}

impl Builtin {
    /// Whether the function itself can do nothing but give a value, whatever its lambda does.
    pub(crate) fn only_computes(&self) -> bool {
        match (self.reach, self.name) {
            // What the function does that `call` names is not known; `fail` ends the whole catalog. That templates only render
            // is taken for granted.
            (_, "call" | "fail") => false,
            (reach, name) => reach != Reach::Catalog || name == "tagged",
        }
    }

    /// Calls the function, unless what it gives or does depends on arguments that are not known.
    pub(crate) fn call_if_known(&self, call: Call<'_, '_, '_>) -> Evaluated {
        /// A call is worth as much as some expressions.
        const CALL: u64 = 6;
        /// What is said is written by somebody.
        const LOG: u64 = 100;
        let looks = match (takes(&call), self.reach) {
            (_, Reach::Logs) => {
                call.interpreter.spend(LOG)?;
                4
            }
            // It looks at all of them, several times: whether they are of its types, then for its result.
            (Takes::Known, _) => 8,
            (Takes::Anything | Takes::Parts, _) => 0,
        };
        call.interpreter.spend(CALL)?;
        for argument in &call.arguments {
            match argument {
                // Even its length is found out by a walk.
                Value::String(_) => call.interpreter.spend_walk(argument, 1)?,
                _ if looks > 0 => call.interpreter.spend_walk(argument, looks)?,
                _ => {}
            }
        }
        if !call.arguments.iter().any(Value::has_unknown) {
            return self.call(call);
        }
        let by = match takes(&call) {
            Takes::Anything => None,
            Takes::Parts => call.arguments.iter().find_map(Value::itself_unknown),
            Takes::Known => call.arguments.iter().find_map(Value::unknown),
        };
        let Some(by) = by else { return self.call(call) };
        match self.only_computes() {
            true => call.interpreter.unknown_call(call.env, call.at, by, call.block),
            false => Err(call.interpreter.undecided(call.env, call.at, by)),
        }
    }
}
