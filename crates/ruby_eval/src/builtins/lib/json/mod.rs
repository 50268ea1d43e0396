//! `JSON`, and `to_json` of all objects.

mod generate;
mod parse;
mod state;

use self::generate::generate_string;
use self::parse::{Options, parse};
use self::state::State;
use crate::native::{Call, NativeClass, NativeMethod, at_least, between};
use crate::stop::{Result, Stop, unsupported};
use crate::value::{HashObject, StringObject};
use crate::{Value, Vm};

use std::rc::Rc;

fn options(vm: &mut Vm<'_>, value: Option<&Value>) -> Result<Option<Rc<HashObject>>> {
    match value {
        Some(Value::Hash(it)) => Ok(Some(Rc::clone(it))),
        Some(Value::Array(_) | Value::Object(_)) => unsupported("options that are not a hash"),
        Some(other) if other.is_truthy() => {
            let class = vm.class_of(other).display_name();
            vm.type_error(format!("can't convert {class} into Hash"))
        }
        _ => Ok(None),
    }
}

/// `JSON.generate` and its like, with the options from which the method starts.
fn generate_with(vm: &mut Vm<'_>, call: &Call<'_>, state: State) -> Result {
    let mut state = state;
    match call.argument(1) {
        Some(Value::Object(object)) if object.data_as::<State>().is_some() => {
            state = State::of_argument(vm, call.argument(1))?;
        }
        other => {
            if let Some(options) = options(vm, other)? {
                state.configure(vm, &options)?;
            }
        }
    }
    generate::generate(vm, state, call.required(0))
}

fn plain(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    generate_with(vm, call, State::plain())
}

fn pretty(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    generate_with(vm, call, State::pretty())
}

fn fast(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    generate_with(vm, call, State::fast())
}

fn dump(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let max_nesting = match (call.argument(1), call.argument(2)) {
        (None | Some(Value::Nil), None | Some(Value::Nil)) => 0,
        (Some(Value::Integer(limit)), None | Some(Value::Nil)) => *limit,
        _ => return unsupported("JSON.dump into an object"),
    };
    let state = State { max_nesting, allow_nan: true, ..State::plain() };
    match generate::generate(vm, state, call.required(0)) {
        Err(stop) => match *stop {
            Stop::Raise(exception) if vm.is_a(&exception, "JSON::NestingError") => {
                vm.argument_error("exceed depth limit")
            }
            other => Err(Box::new(other)),
        },
        done => done,
    }
}

fn parse_options(vm: &mut Vm<'_>, value: Option<&Value>) -> Result<Options> {
    match value {
        Some(Value::Hash(it)) => Options::new(vm, Some(it)),
        Some(other) if other.is_truthy() => vm.no_conversion(other, "Hash"),
        _ => Options::new(vm, None),
    }
}

fn parse_source(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let options = parse_options(vm, call.argument(1))?;
    let source = vm.expect_string(call.required(0))?;
    parse(vm, &source, options)
}

fn parse_any(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let mut options = parse_options(vm, call.argument(1))?;
    let given = |name: &str| match call.argument(1) {
        Some(Value::Hash(it)) => it.get_symbol(name).is_some(),
        _ => false,
    };
    if !given("max_nesting") {
        options.max_nesting = 0;
    }
    if !given("allow_nan") {
        options.allow_nan = true;
    }
    let source = vm.expect_string(call.required(0))?;
    parse(vm, &source, options)
}

fn load(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    if call.argument(1).is_some_and(Value::is_truthy) || call.argument(2).is_some() || call.block.is_some() {
        return unsupported("JSON.load with more than a text");
    }
    let defaults = Value::hash([
        (Value::symbol("max_nesting"), Value::Bool(false)),
        (Value::symbol("allow_nan"), Value::Bool(true)),
        (Value::symbol("create_additions"), Value::Bool(true)),
    ]);
    let options = parse_options(vm, Some(&defaults))?;
    let source = match call.required(0) {
        Value::Nil => return Ok(Value::Nil),
        Value::String(it) if it.bytes().is_empty() => return Ok(Value::Nil),
        Value::Object(_) => return unsupported("JSON.load of an object"),
        other => vm.expect_string(other)?,
    };
    parse(vm, &source, options)
}

/// `JSON[…]`
fn either(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    match call.required(0) {
        Value::String(_) => parse_source(vm, call),
        _ => plain(vm, call),
    }
}

/// `JSON::State.new`
fn new_state(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let mut state = State::plain();
    if let Some(options) = options(vm, call.argument(0))? {
        state.configure(vm, &options)?;
    }
    Ok(state.into_value(vm))
}

fn to_json(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let state = State::of_argument(vm, call.argument(0))?;
    match call.this {
        Value::Nil
        | Value::Bool(_)
        | Value::Integer(_)
        | Value::BigInteger(_)
        | Value::Float(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Hash(_) => generate::generate(vm, state, call.this),
        other => {
            let text: Rc<StringObject> = vm.to_s(other)?;
            generate_string(vm, state, &text)
        }
    }
}

fn not_a_number(_: &mut Vm<'_>) -> Result {
    Ok(Value::Float(f64::NAN))
}

fn infinity(_: &mut Vm<'_>) -> Result {
    Ok(Value::Float(f64::INFINITY))
}

fn minus_infinity(_: &mut Vm<'_>) -> Result {
    Ok(Value::Float(f64::NEG_INFINITY))
}

fn version(_: &mut Vm<'_>) -> Result {
    Ok(Value::from("2.6.3"))
}

fn state_class(vm: &mut Vm<'_>) -> Result {
    Ok(Value::Class(Rc::clone(vm.world.class(state::STATE_CLASS))))
}

const FUNCTIONS: &[NativeMethod] = &[
    between("generate", 1, 2, plain),
    between("unparse", 1, 2, plain),
    between("pretty_generate", 1, 2, pretty),
    between("pretty_unparse", 1, 2, pretty),
    between("fast_generate", 1, 2, fast),
    between("fast_unparse", 1, 2, fast),
    between("dump", 1, 3, dump),
    between("parse", 1, 2, parse_source),
    between("parse!", 1, 2, parse_any),
    at_least("load", 1, load),
    at_least("restore", 1, load),
    between("[]", 1, 2, either),
];

/// The classes of this library.
pub(super) static CLASSES: &[NativeClass] = &[
    NativeClass {
        name: "JSON",
        singleton_methods: &[FUNCTIONS],
        constants: &[
            ("NaN", not_a_number),
            ("Infinity", infinity),
            ("MinusInfinity", minus_infinity),
            ("VERSION", version),
            ("State", state_class),
        ],
        ..NativeClass::EMPTY
    },
    NativeClass { name: "JSON::Ext", ..NativeClass::EMPTY },
    NativeClass { name: "JSON::Ext::Generator", ..NativeClass::EMPTY },
    NativeClass {
        name: state::STATE_CLASS,
        superclass: Some("Object"),
        methods: &[state::METHODS],
        singleton_methods: &[&[between("new", 0, 1, new_state)]],
        ..NativeClass::EMPTY
    },
    NativeClass { name: "JSON::JSONError", superclass: Some("StandardError"), ..NativeClass::EMPTY },
    NativeClass { name: "JSON::ParserError", superclass: Some("JSON::JSONError"), ..NativeClass::EMPTY },
    NativeClass { name: "JSON::NestingError", superclass: Some("JSON::ParserError"), ..NativeClass::EMPTY },
    NativeClass { name: "JSON::GeneratorError", superclass: Some("JSON::JSONError"), ..NativeClass::EMPTY },
    NativeClass {
        name: "Object",
        superclass: Some("BasicObject"),
        methods: &[&[between("to_json", 0, 1, to_json)]],
        ..NativeClass::EMPTY
    },
    NativeClass { name: "Kernel", methods: &[&[between("JSON", 1, 2, either)]], ..NativeClass::EMPTY },
];
