//! The functions that read data files for Hiera (E19). Hiera itself reads them directly; the functions exist for data
//! functions that call them.

use marotte_diagnostics::issues;

use marotte_hiera::data::parse;
use marotte_hiera::{DocumentFault, Format};
use marotte_pcore::ops::Strictness;
use marotte_pcore::value::{Hash, Value};
use marotte_text::{LineIndex, Str};

use super::{Body, Builtin, Call, Effects, Overload};
use crate::interpreter::Evaluated;
use crate::{EvaluationError, Unwind};

macro_rules! backends {
    ($($static:ident $name:literal $doc:literal $format:path)*) => {
        $(
            #[doc = concat!("`", $name, "`.")]
            pub(super) static $static: Builtin = Builtin {
                name: $name,
                doc: $doc,
                effects: Effects::Reads,
                overloads: &[
                    Overload {
                        parameters: "Struct[{path=>String[1]}] $options, Puppet::LookupContext $context",
                        block: None,
                        returns: None,
                        body: Body::Run(|call| run(call, $format)),
                    },
                    Overload {
                        parameters: "Hash $options, Puppet::LookupContext $context",
                        block: None,
                        returns: None,
                        body: Body::Refuse(|_| {
                            "one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml when using this \
                             data_hash function"
                                .to_owned()
                        }),
                    },
                ],
                ..Builtin::base()
            };
        )*
    };
}

backends! {
    YAML_DATA "yaml_data"
        "Reads a YAML file for Hiera: it is named in `hiera.yaml`, or called by a function that is." Format::Yaml
    JSON_DATA "json_data"
        "Reads a JSON file for Hiera: it is named in `hiera.yaml`, or called by a function that is." Format::Json
    HOCON_DATA "hocon_data"
        "Reads a HOCON file for Hiera: it is named in `hiera.yaml`, or called by a function that is." Format::Hocon
}

/// `eyaml_lookup_key`.
pub(super) static EYAML_LOOKUP_KEY: Builtin = Builtin {
    name: "eyaml_lookup_key",
    doc: "Reads a key of a YAML file whose values may be encrypted, for Hiera: it is named in `hiera.yaml`.",
    effects: Effects::Reads,
    overloads: &[Overload {
        parameters: "String[1] $key, Hash[String[1],Any] $options, Puppet::LookupContext $context",
        block: None,
        returns: None,
        body: Body::Run(eyaml),
    }],
    ..Builtin::base()
};

fn failure(message: String) -> Unwind {
    EvaluationError::new(issues::LOOKUP_ERROR, message).into()
}

/// The path in the options.
fn path(options: Option<&Value>) -> Option<Str> {
    let Some(Value::Hash(options)) = options else { return None };
    Some(options.get_str("path")?.as_str()?.into())
}

fn run(call: &mut Call<'_, '_, '_>, format: Format) -> Evaluated {
    let path = path(call.arguments.first()).unwrap_or_default();
    document(call, &path, format)
}

/// The parsed content of a file.
fn document(call: &mut Call<'_, '_, '_>, path: &str, format: Format) -> Evaluated {
    let bytes = call.interpreter.requests.read_file(path).map_err(|error| failure(error.0))?;
    let text = String::from_utf8(bytes).map_err(|_| failure(format!("'{path}' is not UTF-8")))?;
    let document = parse(format, &text).map_err(|error| {
        let at = LineIndex::new(&text).position(error.range.start());
        let fault = DocumentFault::unreadable(&error, at);
        failure(fault.message(path))
    })?;
    if format != Format::Yaml || matches!(document.value, Value::Hash(_)) {
        return Ok(document.value);
    }
    let message = format!("{path}: file does not contain a valid yaml hash");
    let says_nothing = matches!(document.value, Value::Undef | Value::Boolean(false));
    if call.interpreter.settings.strict == Strictness::Error && !says_nothing {
        return Err(failure(message));
    }
    call.interpreter.warn_of_data(message);
    Ok(Value::Hash(Hash::default().into()))
}

fn eyaml(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let key = call.text(0).to_owned();
    let Some(path) = path(call.arguments.get(1)) else {
        return call.fail(
            "'eyaml_lookup_key': one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml when \
             using this lookup_key function",
        );
    };
    let Value::Hash(hash) = document(call, &path, Format::Yaml)? else { return Ok(Value::Undef) };
    let Some(value) = hash.get_str(&key) else {
        return Err(Unwind::NotFound(Box::new(call.place())));
    };
    let Value::Hash(options) = call.take(1) else { return Ok(Value::Undef) };
    call.interpreter.decrypt_data(call.env, call.at, &path, &key, &options, value)
}
