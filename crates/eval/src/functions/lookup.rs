use marotte_diagnostics::issues;

use marotte_hiera::{Query, assert_type, not_found};
use marotte_pcore::types::Type;
use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;

use super::{Body, Builtin, Call, Effects, Names, Overload, ResultType, Unknowns};
use crate::EvaluationError;
use crate::interpreter::Evaluated;

/// `lookup`.
pub(super) static LOOKUP: Builtin = Builtin {
    name: "lookup",
    doc: "The value of a key in Hiera: `lookup('ntp::servers', Array[String], 'unique')`.\n\n\
          The type is the required type of the value, the strategy (`first`, `unique`, `hash`, `deep`, or a hash of options) \
          defines how values of several levels are merged. A default value, or a lambda that takes the key, is used for keys that \
          are not found. All arguments may be in one hash, in which `override` has values that take precedence over data, and \
          `default_values_hash` values for keys that data does not have.",
    effects: Effects::Reads,
    names: Some(Names::DataKey),
    result: ResultType::LookedUp,
    unknowns: Unknowns::Parts,
    types: "type NameType = Variant[String, Array[String]]\n\
            type ValueType = Type\n\
            type DefaultValueType = Any\n\
            type MergeType = Variant[String[1], Hash[String, Scalar]]\n\
            type BlockType = Callable[NameType]\n\
            type OptionsWithName = Struct[{name => NameType, value_type => Optional[ValueType], default_value => \
            Optional[DefaultValueType], override => Optional[Hash[String,Any]], default_values_hash => Optional[Hash[String,Any]], \
            merge => Optional[MergeType]}]\n\
            type OptionsWithoutName = Struct[{value_type => Optional[ValueType], default_value => Optional[DefaultValueType], \
            override => Optional[Hash[String,Any]], default_values_hash => Optional[Hash[String,Any]], merge => \
            Optional[MergeType]}]\n",
    overloads: &[
        Overload {
            parameters: "NameType $name, ValueType $value_type = undef, MergeType $merge = undef",
            block: None,
            returns: None,
            body: Body::Run(|call| run(call, false)),
        },
        Overload {
            parameters: "NameType $name, Optional[ValueType] $value_type, Optional[MergeType] $merge, DefaultValueType $default_value",
            block: None,
            returns: None,
            body: Body::Run(|call| run(call, true)),
        },
        Overload {
            parameters: "NameType $name, ValueType $value_type = undef, MergeType $merge = undef",
            block: Some("BlockType"),
            returns: None,
            body: Body::Run(|call| run(call, false)),
        },
        Overload {
            parameters: "OptionsWithName $options_hash",
            block: Some("Optional[BlockType]"),
            returns: None,
            body: Body::Run(|call| run_with_options(call, 0)),
        },
        Overload {
            parameters: "Variant[String,Array[String]] $name, OptionsWithoutName $options_hash",
            block: Some("Optional[BlockType]"),
            returns: None,
            body: Body::Run(|call| run_with_options(call, 1)),
        },
    ],
    ..Builtin::base()
};

/// The parameters of a lookup in addition to the names.
#[derive(Default)]
struct Options {
    value_type: Option<Type>,
    merge: Option<Value>,
    default: Option<Value>,
    overrides: Option<Hash>,
    defaults: Option<Hash>,
}

/// Runs a call with positional arguments: a name, a type, a strategy and possibly a default.
fn run(call: &mut Call<'_, '_, '_>, has_default: bool) -> Evaluated {
    let names = call.take(0);
    let given = |it: Option<&Value>| it.filter(|it| **it != Value::Undef).cloned();
    let options = Options {
        value_type: type_of(call.arguments.get(1)),
        merge: given(call.arguments.get(2)),
        default: has_default.then(|| call.arguments.get(3).cloned()).flatten(),
        ..Options::default()
    };
    lookup(call, &names, options)
}

/// Runs a call with a hash of options; the name is in it, or precedes it.
fn run_with_options(call: &mut Call<'_, '_, '_>, index: usize) -> Evaluated {
    let Value::Hash(hash) = call.take(index) else { return Ok(Value::Undef) };
    let option = |name: &str| hash.get_str(name).filter(|it| **it != Value::Undef);
    let inner = |name: &str| match option(name) {
        Some(Value::Hash(it)) => Some((**it).clone()),
        _ => None,
    };
    let options = Options {
        value_type: type_of(option("value_type")),
        merge: option("merge").cloned(),
        default: hash.get_str("default_value").cloned(),
        overrides: inner("override"),
        defaults: inner("default_values_hash"),
    };
    let names = if index == 0 { hash.get_str("name").cloned().unwrap_or(Value::Undef) } else { call.take(0) };
    lookup(call, &names, options)
}

fn type_of(value: Option<&Value>) -> Option<Type> {
    match value {
        Some(Value::Type(it)) => Some(it.clone()),
        _ => None,
    }
}

fn lookup(call: &mut Call<'_, '_, '_>, asked: &Value, options: Options) -> Evaluated {
    let text = |it: &Value| Str::from(it.as_str().unwrap_or_default());
    let names: Vec<Str> = match asked {
        Value::Array(names) => names.iter().map(text).collect(),
        name => vec![text(name)],
    };
    let query = Query {
        names: &names,
        value_type: options.value_type.as_ref(),
        merge: options.merge.as_ref(),
        overrides: options.overrides.as_ref(),
        defaults: options.defaults.as_ref(),
    };
    if let Some(found) = call.interpreter.lookup(call.env, call.at, &query)? {
        return Ok(found);
    }
    let (value, subject) = match options.default {
        _ if call.block.is_some() => {
            (call.call_block(std::slice::from_ref(asked))?, "Value returned from default block")
        }
        Some(default) => (default, "Default value"),
        None => return Err(EvaluationError::new(issues::LOOKUP_ERROR, not_found(&names).message).into()),
    };
    match assert_type(call.dialect(), subject, query.value_type, &value) {
        Ok(()) => Ok(value),
        Err(wrong) => call.fail(wrong.message),
    }
}
