//! The functions of Hiera 3, which look up keys as `lookup` does (E18).

use marotte_diagnostics::issues;

use marotte_hiera::{Mode, Query, not_found};
use marotte_pcore::value::Value;
use marotte_text::Str;

use super::{Body, Builtin, Call, Effects, Names, Overload};
use crate::EvaluationError;
use crate::interpreter::Evaluated;

/// The version of the reference in links to its documentation.
const VERSION: &str = "8.11";

macro_rules! hiera {
    ($($static:ident $name:literal $doc:literal $effects:path, $replacement:literal, $run:ident)*) => {
        $(
            #[doc = concat!("`", $name, "`.")]
            pub(super) static $static: Builtin = Builtin {
                name: $name,
                doc: $doc,
                effects: $effects,
                names: Some(Names::DataKey),
                replacement: Some($replacement),
                overloads: &[
                    Overload {
                        parameters: "Tuple[String, Any, Any, 1, 3] $args",
                        block: None,
                        returns: None,
                        body: Body::Run(|call| $run(call, Shape::Splat)),
                    },
                    Overload { parameters: "String $key", block: None, returns: None, body: Body::Run(|call| $run(call, Shape::Plain)) },
                    Overload { parameters: "String $key, Any $default, Any $override = undef", block: None, returns: None, body: Body::Run(|call| $run(call, Shape::Plain)) },
                    Overload { parameters: "String $key", block: Some("Callable[1,1]"), returns: None, body: Body::Run(|call| $run(call, Shape::Block)) },
                    Overload { parameters: "String $key, Any $override", block: Some("Callable[1,1]"), returns: None, body: Body::Run(|call| $run(call, Shape::Block)) },
                ],
                ..Builtin::base()
            };
        )*
    };
}

hiera! {
    HIERA "hiera"
        "The value of a key in the first level of Hiera that has it. Deprecated: `lookup` does the same.\n\n\
         A second argument, or the value of a lambda, is the result for keys that are not found."
        Effects::Reads, "use `lookup`", first
    HIERA_ARRAY "hiera_array"
        "The values of a key in all levels of Hiera, as one array without duplicates. Deprecated: `lookup` does the same.\n\n\
         A second argument, or the value of a lambda, is the result for keys that are not found."
        Effects::Reads, "use `lookup`", unique
    HIERA_HASH "hiera_hash"
        "The values of a key in all levels of Hiera, merged into one hash. Deprecated: `lookup` does the same.\n\n\
         A second argument, or the value of a lambda, is the result for keys that are not found."
        Effects::Reads, "use `lookup`", hash
    HIERA_INCLUDE "hiera_include"
        "Includes the classes that a key of Hiera names in any level. Deprecated: `lookup` and `include` do the same.\n\n\
        "
        Effects::ChangesCatalog, "use `lookup` together with `include`", include
}

/// The form of the arguments.
#[derive(Clone, Copy)]
enum Shape {
    /// Passes all elements in one array.
    Splat,
    /// A key, a default, and an override of levels that come first.
    Plain,
    /// A key, levels that come first, and a lambda that computes the default.
    Block,
}

fn first(call: &mut Call<'_, '_, '_>, shape: Shape) -> Evaluated {
    lookup(call, shape, "first")
}

fn unique(call: &mut Call<'_, '_, '_>, shape: Shape) -> Evaluated {
    lookup(call, shape, "unique")
}

fn hash(call: &mut Call<'_, '_, '_>, shape: Shape) -> Evaluated {
    lookup(call, shape, "hash")
}

fn include(call: &mut Call<'_, '_, '_>, shape: Shape) -> Evaluated {
    let key = call.text(0).to_owned();
    let classes = lookup(call, shape, "unique")?;
    match &classes {
        Value::Undef => call.fail(format!("Could not find data item {key}")),
        Value::Array(none) if none.is_empty() => Ok(Value::Undef),
        Value::String(none) if none.is_empty() => Ok(Value::Undef),
        _ => call.call_function("include", vec![classes], None),
    }
}

/// Collects the strings of a value: itself, or those of an array; `undef` is none. Other values are an error.
fn texts(value: &Value, into: &mut Vec<Str>) -> Result<(), &'static str> {
    match value {
        Value::Undef => Ok(()),
        Value::String(text) => {
            into.push(text.clone());
            Ok(())
        }
        Value::Array(elements) => elements.iter().try_for_each(|it| texts(it, into)),
        other => Err(other.kind_name()),
    }
}

fn lookup(call: &mut Call<'_, '_, '_>, shape: Shape, strategy: &str) -> Evaluated {
    let name = call.name;
    call.interpreter.function_is_deprecated(format!(
        "The function '{name}' is deprecated in favor of using 'lookup'. See \
         https://puppet.com/docs/puppet/{VERSION}/deprecated_language.html"
    ));
    if let (Shape::Splat, Some(Value::Array(arguments))) = (shape, call.arguments.first()) {
        call.arguments = arguments.to_vec();
    }
    let names: [Str; 1] = [call.text(0).into()];
    let merge = Value::from(strategy);
    let query = Query { names: &names, merge: Some(&merge), ..Query::default() };
    // In an environment without data of its own, these functions only use the global layer.
    let global_only = !call.interpreter.has_environment_data(call.env, call.at)?;
    let hiera = call.interpreter.hiera().clone();
    let mode = Mode { global_only, hiera_call: true };
    let overriding = match shape {
        Shape::Block => call.arguments.get(1),
        Shape::Plain | Shape::Splat => call.arguments.get(2),
    };
    let mut locations = Vec::new();
    if let Some(overriding) = overriding {
        texts(overriding, &mut locations)
            .map_err(|found| EvaluationError::runtime(format!("a level is a text, got {found}")))?;
    }
    let found = hiera.in_mode(mode, || {
        hiera.overriding(&locations, || call.interpreter.lookup(call.env, call.at, &query))
    })?;
    if let Some(found) = found {
        return Ok(found);
    }
    match (shape, call.arguments.get(1)) {
        (Shape::Block, _) => {
            let key = call.argument(0).clone();
            call.call_block(&[key])
        }
        (_, Some(default)) => Ok(default.clone()),
        _ => Err(EvaluationError::new(issues::LOOKUP_ERROR, not_found(&names).message).into()),
    }
}
