//! Calls of functions with unknown arguments.

use marotte_pcore::value::Value;

use super::{Builtin, Call, Effects, Leaves, Names, ResultType, Unknowns};
use crate::interpreter::Evaluated;

impl Unknowns {
    /// Returns those that apply to a call.
    fn of(self, call: &Call<'_, '_, '_>) -> Unknowns {
        match self {
            Unknowns::ByFirst(unknowns) => unknowns(call.argument(0)),
            it => it,
        }
    }
}

impl Builtin {
    /// Whether the function itself only computes a value, regardless of its lambda.
    pub(crate) fn only_computes(&self) -> bool {
        // The effect of the function that `call` names is not known. Templates are assumed to render only.
        let calls_function = self.names == Some(Names::Function);
        let ends_catalog = self.result == ResultType::Never(Leaves::Program);
        self.effects != Effects::ChangesCatalog && !calls_function && !ends_catalog
    }

    /// Calls the function, unless its result or effect depends on unknown arguments.
    pub(crate) fn call_if_known(&self, call: Call<'_, '_, '_>) -> Evaluated {
        /// The cost of a call, in steps of expressions.
        const CALL: u64 = 6;
        /// The additional cost of a logged message, which has to be written.
        const LOG: u64 = 100;
        let unknowns = self.unknowns.of(&call);
        let looks = match (unknowns, self.effects) {
            (_, Effects::Logs) => {
                call.interpreter.spend(LOG)?;
                4
            }
            // It walks over all of them several times: to check their types, then for its result.
            (Unknowns::Nothing, _) => 8,
            _ => 0,
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
        let by = match unknowns {
            Unknowns::Anything => None,
            Unknowns::Parts => call.arguments.iter().find_map(Value::itself_unknown),
            _ => call.arguments.iter().find_map(Value::unknown),
        };
        let Some(by) = by else { return self.call(call) };
        match self.only_computes() {
            true => call.interpreter.unknown_call(call.env, call.at, by, call.block),
            false => Err(call.interpreter.undecided(call.env, call.at, by)),
        }
    }
}
