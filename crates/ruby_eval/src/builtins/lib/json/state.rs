//! `JSON::State`: the options of a generator.

use std::rc::Rc;

use crate::native::{Call, NativeMethod, exactly};
use crate::stop::Result;
use crate::value::{Data, HashObject, Object};
use crate::vm::ErrorClass;
use crate::{Value, Vm};

/// Name of the class.
pub(super) const STATE_CLASS: &str = "JSON::Ext::Generator::State";

/// The options of a generator, and its depth in the document.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) indent: Vec<u8>,
    pub(super) space: Vec<u8>,
    pub(super) space_before: Vec<u8>,
    pub(super) object_nl: Vec<u8>,
    pub(super) array_nl: Vec<u8>,
    /// The deepest nesting that is allowed; 0 for any.
    pub(super) max_nesting: i64,
    pub(super) depth: i64,
    pub(super) allow_nan: bool,
    pub(super) ascii_only: bool,
    pub(super) escape_slash: bool,
}

impl Data for State {
    fn copy(&self) -> Option<Box<dyn Data>> {
        Some(Box::new(self.clone()))
    }
}

impl State {
    /// The options of `JSON.generate`.
    pub(super) fn plain() -> State {
        State { max_nesting: 100, ..State::default() }
    }

    /// The options of `JSON.pretty_generate`.
    pub(super) fn pretty() -> State {
        let text = |it: &str| it.as_bytes().to_vec();
        State {
            indent: text("  "),
            space: text(" "),
            object_nl: text("\n"),
            array_nl: text("\n"),
            ..State::plain()
        }
    }

    /// The options of `JSON.fast_generate`.
    pub(super) fn fast() -> State {
        State::default()
    }

    /// Changes the options by a hash. Names that are not known are ignored, as in Ruby.
    pub(super) fn configure(&mut self, vm: &mut Vm<'_>, options: &HashObject) -> Result<()> {
        let truthy = |name: &str| options.get_symbol(name).filter(Value::is_truthy);
        let texts = [
            ("indent", &mut self.indent),
            ("space", &mut self.space),
            ("space_before", &mut self.space_before),
            ("array_nl", &mut self.array_nl),
            ("object_nl", &mut self.object_nl),
        ];
        for (name, text) in texts {
            match truthy(name) {
                None => {}
                Some(Value::String(it)) => text.clone_from(&it.bytes()),
                Some(other) => return wrong_type(vm, &other, "String"),
            }
        }
        self.max_nesting = match options.get_symbol("max_nesting") {
            None => 100,
            given => limit(vm, given)?,
        };
        self.depth = limit(vm, options.get_symbol("depth"))?;
        self.allow_nan = truthy("allow_nan").is_some();
        self.ascii_only = truthy("ascii_only").is_some();
        self.escape_slash = truthy("escape_slash").is_some();
        Ok(())
    }

    /// The state for an argument of `to_json`: a state, a hash of options, or the default for anything else.
    pub(super) fn of_argument(vm: &mut Vm<'_>, argument: Option<&Value>) -> Result<State> {
        match argument {
            Some(Value::Object(object)) => match object.data_as::<State>() {
                Some(state) => Ok(state.clone()),
                None => Ok(State::plain()),
            },
            Some(Value::Hash(options)) => {
                let mut state = State::plain();
                state.configure(vm, options)?;
                Ok(state)
            }
            _ => Ok(State::plain()),
        }
    }

    /// The state as a value.
    pub(super) fn into_value(self, vm: &Vm<'_>) -> Value {
        Value::Object(Object::new(Rc::clone(vm.world.class(STATE_CLASS)), self))
    }
}

/// A number of an option; 0 if it is not set.
pub(super) fn limit(vm: &mut Vm<'_>, value: Option<Value>) -> Result<i64> {
    match value {
        None => Ok(0),
        Some(it) if !it.is_truthy() => Ok(0),
        Some(Value::Integer(it)) => Ok(it),
        Some(other) => wrong_type(vm, &other, "Integer"),
    }
}

fn wrong_type<T>(vm: &mut Vm<'_>, value: &Value, expected: &str) -> Result<T> {
    let name = vm.conversion_name(value);
    vm.raise(ErrorClass::Type, format!("wrong argument type {name} (expected {expected})"))
}

fn read(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let Value::Object(object) = call.this else { return Ok(Value::Nil) };
    let Some(state) = object.data_as::<State>() else { return Ok(Value::Nil) };
    let text = |bytes: &[u8]| Value::string(String::from_utf8_lossy(bytes).into_owned());
    vm.world.spend(1)?;
    Ok(match &*call.name.name() {
        "indent" => text(&state.indent),
        "space" => text(&state.space),
        "space_before" => text(&state.space_before),
        "object_nl" => text(&state.object_nl),
        "array_nl" => text(&state.array_nl),
        "max_nesting" => Value::Integer(state.max_nesting),
        "depth" => Value::Integer(state.depth),
        "allow_nan?" => Value::Bool(state.allow_nan),
        "ascii_only?" => Value::Bool(state.ascii_only),
        "escape_slash" => Value::Bool(state.escape_slash),
        _ => Value::Nil,
    })
}

fn generate(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let state = State::of_argument(vm, Some(call.this))?;
    super::generate::generate(vm, state, call.required(0))
}

/// The methods of states.
pub(super) const METHODS: &[NativeMethod] = &[
    exactly("indent", 0, read),
    exactly("space", 0, read),
    exactly("space_before", 0, read),
    exactly("object_nl", 0, read),
    exactly("array_nl", 0, read),
    exactly("max_nesting", 0, read),
    exactly("depth", 0, read),
    exactly("allow_nan?", 0, read),
    exactly("ascii_only?", 0, read),
    exactly("escape_slash", 0, read),
    exactly("generate", 1, generate),
];
