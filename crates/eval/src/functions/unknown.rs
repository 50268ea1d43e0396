//! Calls of functions with unknown arguments.

use marotte_pcore::types::TypeKind;
use marotte_pcore::value::Value;

use super::{Builtin, Call, Reach};
use crate::interpreter::Evaluated;

/// The way in which a built-in function handles arguments that are unknown, or have unknown parts.
enum Takes {
    /// The function accepts any unknown value, and only passes it on or shows it.
    Anything,
    /// The function accepts values with unknown parts, since it only passes the parts on.
    Parts,
    /// The result or the effect depends on all arguments, which must be known.
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
    /// Whether the function itself only computes a value, regardless of its lambda.
    pub(crate) fn only_computes(&self) -> bool {
        match (self.reach, self.name) {
            // The effect of the function that `call` names is not known; `fail` ends the whole catalog. Templates are
            // assumed to render only.
            (_, "call" | "fail") => false,
            (reach, name) => reach != Reach::Catalog || name == "tagged",
        }
    }

    /// Calls the function, unless its result or effect depends on unknown arguments.
    pub(crate) fn call_if_known(&self, call: Call<'_, '_, '_>) -> Evaluated {
        /// The cost of a call, in steps of expressions.
        const CALL: u64 = 6;
        /// The additional cost of a logged message, which has to be written.
        const LOG: u64 = 100;
        let looks = match (takes(&call), self.reach) {
            (_, Reach::Logs) => {
                call.interpreter.spend(LOG)?;
                4
            }
            // It walks over all of them several times: to check their types, then for its result.
            (Takes::Known, _) => 8,
            (Takes::Anything | Takes::Parts, _) => 0,
        };
        call.interpreter.spend(CALL)?;
        for argument in &call.arguments {
            match argument {
                // Even computing its length takes a walk.
                Value::String(_) => call.interpreter.spend_walk(argument, 1)?,
                _ if looks > 0 => call.interpreter.spend_walk(argument, looks)?,
                _ => {}
            }
        }
        if !self.only_computes() {
            call.interpreter.note_change();
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
