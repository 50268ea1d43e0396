//! Unknown values of Puppet code in Ruby code, as objects of their own. Code may store them and hand them on, also within
//! arrays and hashes; the evaluation ends where it depends on one: at a condition, a method of the value, or a built-in
//! method that would look at it.

use std::rc::Rc;
use std::sync::Arc;

use marotte_pcore::dialect::Dialect;
use marotte_pcore::format::interpolated;
use marotte_pcore::value::{Unknown, Value as PuppetValue};

use super::{Vm, World};
use crate::native::Call;
use crate::puppet::opaque::Opaque;
use crate::stop::{Result, Stop, unsupported};
use crate::value::ProcBody;
use crate::{Symbol, Value};

/// The maximal depth to which arrays and hashes are searched; deeper ones count as unknown.
const DEPTH: usize = 64;

/// The unknown values with which a built-in method can be called.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// None.
    Nothing,
    /// Those in its receiver.
    InReceiver,
    /// Those in its receiver and in its arguments.
    InArguments,
    /// All of these; the last argument can be an unknown value.
    AsLast,
    /// All of these; all arguments can be unknown values.
    AsAny,
    /// All arguments but the first can be or contain unknown values.
    AsRest,
}

/// Methods of arrays and hashes that only look at the size and class of their receivers, or move their elements.
const MOVING: &[&str] = &[
    "[]",
    "at",
    "class",
    "clear",
    "clone",
    "delete_at",
    "dig",
    "drop",
    "dup",
    "empty?",
    "entries",
    "fetch",
    "first",
    "freeze",
    "frozen?",
    "has_key?",
    "instance_of?",
    "is_a?",
    "key?",
    "keys",
    "kind_of?",
    "last",
    "length",
    "nil?",
    "pop",
    "respond_to?",
    "reverse",
    "shift",
    "size",
    "slice",
    "take",
    "to_a",
    "to_ary",
    "to_hash",
    "values",
    "values_at",
];

/// The same, for hashes alone: arrays compare elements.
const MOVING_OF_HASHES: &[&str] = &["delete", "except", "include?", "member?", "to_h"];

/// The same, with a block whose results they look at. Without one, they return an enumerator, whose methods look at the
/// elements.
const MOVING_WITH_BLOCK: &[&str] = &[
    "all?",
    "any?",
    "count",
    "delete_if",
    "detect",
    "filter",
    "find",
    "find_all",
    "find_index",
    "index",
    "inject",
    "max_by",
    "min_by",
    "none?",
    "partition",
    "reduce",
    "reject",
    "reject!",
    "select",
    "select!",
    "sort_by",
];

/// The same, with a block whose results they store or ignore.
const KEEPING_RESULTS: &[&str] = &[
    "collect",
    "each",
    "each_index",
    "each_key",
    "each_pair",
    "each_slice",
    "each_value",
    "each_with_index",
    "each_with_object",
    "map",
    "reverse_each",
    "tap",
    "times",
    "transform_values",
    "upto",
];

fn takes(call: &Call<'_>) -> Takes {
    let name = call.name.name();
    let name = &*name;
    match call.this {
        Value::Array(_) | Value::Hash(_) => match name {
            "<<" | "append" | "prepend" | "push" | "unshift" => Takes::AsAny,
            // In place of a part of an array, an array is spread.
            "[]="
                if matches!(
                    (call.this, call.arguments),
                    (Value::Hash(_), _) | (_, [Value::Integer(_), _])
                ) =>
            {
                Takes::AsLast
            }
            "store" => Takes::AsLast,
            "each_with_object" if call.block.is_none() => Takes::Nothing,
            "+" | "concat" | "each_with_object" | "merge" | "merge!" | "replace" | "update" | "zip" => {
                Takes::InArguments
            }
            _ if MOVING.contains(&name) => Takes::InReceiver,
            _ if matches!(call.this, Value::Hash(_)) && MOVING_OF_HASHES.contains(&name) => Takes::InReceiver,
            _ if call.block.is_some()
                && (MOVING_WITH_BLOCK.contains(&name) || KEEPING_RESULTS.contains(&name)) =>
            {
                Takes::InReceiver
            }
            _ => Takes::Nothing,
        },
        Value::Proc(it)
            if matches!(it.body, ProcBody::Code { .. }) && matches!(name, "call" | "()" | "yield") =>
        {
            Takes::AsAny
        }
        _ => match name {
            "Array" | "method_missing" => Takes::InArguments,
            // Messages show that a part of them is not known.
            "alert" | "crit" | "debug" | "emerg" | "err" | "info" | "notice" | "warning" => Takes::AsAny,
            "call_function" => Takes::AsRest,
            "class" | "is_a?" | "kind_of?" | "instance_of?" | "nil?" | "respond_to?" | "unwrap" => {
                Takes::InReceiver
            }
            _ if name.starts_with("function_") => Takes::InArguments,
            _ => Takes::Nothing,
        },
    }
}

/// The unknown value that an object represents.
fn unknown_of(value: &Value) -> Option<Arc<Unknown>> {
    let Value::Object(object) = value else { return None };
    object.data_as::<Opaque>()?.value().itself_unknown()
}

fn stop<T>(by: Arc<Unknown>) -> Result<T> {
    Err(Box::new(Stop::Unknown(by)))
}

impl World {
    /// Counts an object with an unknown value, as long as it holds the result.
    pub(crate) fn new_unknown(&self) -> Rc<()> {
        self.has_unknown.set(true);
        Rc::clone(&self.unknowns)
    }

    /// Determines, before an evaluation, whether earlier ones have left unknown values.
    pub(super) fn forget_unknowns(&self) {
        self.has_unknown.set(Rc::strong_count(&self.unknowns) > 1);
    }
}

impl Vm<'_> {
    /// Whether the code has got unknown values, which cost it a part of its budget.
    pub fn has_unknown(&self) -> bool {
        self.world.has_unknown.get()
    }

    /// Notes that code was not evaluated to its end: what it may have kept is not known from now on.
    pub fn doubt_kept_state(&self) {
        self.world.doubt_kept_state();
    }

    /// Ends the evaluation at a variable that outlives evaluations, if one of them did not come to its end.
    pub(crate) fn check_kept_state(&self, name: Symbol) -> Result<()> {
        match self.world.doubts.get() > 0 {
            true => unsupported(format!("{name}, which code that was not evaluated to its end may have set")),
            false => Ok(()),
        }
    }

    /// Ends the evaluation at a value that is not known.
    pub(crate) fn check_is_known(&self, value: &Value) -> Result<()> {
        match value {
            Value::Object(_) if self.world.has_unknown.get() => match unknown_of(value) {
                Some(by) => stop(by),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Whether a condition holds. An unknown value ends the evaluation.
    pub(crate) fn is_true(&self, condition: &Value) -> Result<bool> {
        self.check_is_known(condition)?;
        Ok(condition.is_truthy())
    }

    /// Ends the evaluation at a value that is not known in all its parts.
    pub(crate) fn check_is_known_in_full(&mut self, value: &Value) -> Result<()> {
        match self.find_unknown(value)? {
            Some(by) => stop(by),
            None => Ok(()),
        }
    }

    /// An unknown value that a value is or contains.
    pub(super) fn find_unknown(&mut self, value: &Value) -> Result<Option<Arc<Unknown>>> {
        match self.world.has_unknown.get() {
            true => self.search(value, 0),
            false => Ok(None),
        }
    }

    fn search(&mut self, value: &Value, depth: usize) -> Result<Option<Arc<Unknown>>> {
        self.world.spend(1)?;
        let items: Vec<Value> = match value {
            _ if depth > DEPTH => return unsupported("unknown values in a value that is nested too deeply"),
            Value::Array(it) => it.snapshot(),
            Value::Hash(it) => it.snapshot().into_iter().flat_map(|(key, it)| [key, it]).collect(),
            Value::Object(object) => {
                return Ok(object.data_as::<Opaque>().and_then(|it| it.value().unknown()));
            }
            _ => return Ok(None),
        };
        for item in items {
            if let Some(by) = self.search(&item, depth + 1)? {
                return Ok(Some(by));
            }
        }
        Ok(None)
    }

    /// Ends the evaluation at a call of a built-in method that would look at an unknown value.
    pub(super) fn check_takes_unknown(&mut self, call: &Call<'_>) -> Result<()> {
        self.check_is_known(call.this)?;
        let takes = takes(call);
        if takes == Takes::Nothing {
            self.check_is_known_in_full(call.this)?;
        }
        let last = call.arguments.len().saturating_sub(1);
        for (index, argument) in call.arguments.iter().enumerate() {
            match takes {
                Takes::AsAny => {}
                Takes::AsLast if index == last => {}
                Takes::AsRest if index > 0 => {}
                Takes::InArguments => self.check_is_known(argument)?,
                _ => self.check_is_known_in_full(argument)?,
            }
        }
        match call.keywords {
            Some(keywords) if takes != Takes::AsRest => {
                self.check_is_known_in_full(&Value::Hash(Rc::clone(keywords)))
            }
            _ => Ok(()),
        }
    }

    /// The text of a part of a message, which shows that a value is not known.
    pub(crate) fn text_of_message(&mut self, value: &Value) -> Result<String> {
        match unknown_of(value) {
            Some(by) => Ok(interpolated(Dialect::puppet8(), &PuppetValue::Unknown(by))),
            None => Ok(self.to_s(value)?.lossy()),
        }
    }

    /// Runs built-in code, which gets unknown results of blocks only if it stores or ignores them.
    pub(super) fn with_results_of_blocks(
        &mut self,
        keeps: bool,
        run: impl FnOnce(&mut Self) -> Result,
    ) -> Result {
        let around = self.world.keeps_results.replace(keeps);
        let result = run(self);
        self.world.keeps_results.set(around);
        result
    }

    /// Whether a built-in method stores or ignores the results of its block.
    pub(super) fn keeps_results(name: &str) -> bool {
        KEEPING_RESULTS.contains(&name)
    }

    /// Ends the evaluation at a result of a block that is not known, if the built-in method that called it looks at it.
    pub(super) fn check_result_of_block(&mut self, result: &Value) -> Result<()> {
        match self.world.has_unknown.get() && !self.world.keeps_results.get() {
            true => self.check_is_known_in_full(result),
            false => Ok(()),
        }
    }
}
