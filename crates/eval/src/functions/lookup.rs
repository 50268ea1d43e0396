//! `lookup`, the `hiera` functions, and those that read the data of Hiera (E.4): declared, and refused as long as there is no Hiera.

use std::sync::OnceLock;

use super::{Body, Builtin, Call, Overload, Reach};
use crate::interpreter::Evaluated;

fn refuse(call: &mut Call<'_, '_, '_>) -> Evaluated {
    call.fail(format!("{}() needs Hiera, which is not supported yet", call.name))
}

/// `lookup`.
pub(super) static LOOKUP: Builtin = Builtin {
    name: "lookup",
    doc: "The value of a key in Hiera: `lookup('ntp::servers', Array[String], 'unique')`.\n\n\
          A type says what the value must be, a strategy (`first`, `unique`, `hash`, `deep`, or a hash of options) how values of several \
          levels are merged. A default value, or a lambda that takes the key, is for keys that are not found. All of it may be one hash. \
          It is refused: Hiera is not supported yet.",
    reach: Reach::Reads,
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
            body: Body::Run(refuse),
        },
        Overload {
            parameters: "NameType $name, Optional[ValueType] $value_type, Optional[MergeType] $merge, DefaultValueType $default_value",
            block: None,
            returns: None,
            body: Body::Run(refuse),
        },
        Overload {
            parameters: "NameType $name, ValueType $value_type = undef, MergeType $merge = undef",
            block: Some("BlockType"),
            returns: None,
            body: Body::Run(refuse),
        },
        Overload {
            parameters: "OptionsWithName $options_hash",
            block: Some("Optional[BlockType]"),
            returns: None,
            body: Body::Run(refuse),
        },
        Overload {
            parameters: "Variant[String,Array[String]] $name, OptionsWithoutName $options_hash",
            block: Some("Optional[BlockType]"),
            returns: None,
            body: Body::Run(refuse),
        },
    ],
    compiled: OnceLock::new(),
};

macro_rules! hiera {
    ($($static:ident $name:literal $doc:literal)*) => {
        $(
            #[doc = concat!("`", $name, "`.")]
            pub(super) static $static: Builtin = Builtin {
                name: $name,
                doc: $doc,
                reach: Reach::Reads,
                types: "",
                overloads: &[
                    Overload { parameters: "Tuple[String, Any, Any, 1, 3] $args", block: None, returns: None, body: Body::Run(refuse) },
                    Overload { parameters: "String $key", block: None, returns: None, body: Body::Run(refuse) },
                    Overload { parameters: "String $key, Any $default, Any $override = undef", block: None, returns: None, body: Body::Run(refuse) },
                    Overload { parameters: "String $key", block: Some("Callable[1,1]"), returns: None, body: Body::Run(refuse) },
                    Overload { parameters: "String $key, Any $override", block: Some("Callable[1,1]"), returns: None, body: Body::Run(refuse) },
                ],
                compiled: OnceLock::new(),
            };
        )*
    };
}

hiera! {
    HIERA "hiera"
        "The value of a key in the first level of Hiera that has it. Deprecated: `lookup` does the same.\n\n\
         A second argument, or the value of a lambda, is for keys that are not found. It is refused: Hiera is not supported yet."
    HIERA_ARRAY "hiera_array"
        "The values of a key in all levels of Hiera, as one array without duplicates. Deprecated: `lookup` does the same.\n\n\
         A second argument, or the value of a lambda, is for keys that are not found. It is refused: Hiera is not supported yet."
    HIERA_HASH "hiera_hash"
        "The values of a key in all levels of Hiera, merged to one hash. Deprecated: `lookup` does the same.\n\n\
         A second argument, or the value of a lambda, is for keys that are not found. It is refused: Hiera is not supported yet."
    HIERA_INCLUDE "hiera_include"
        "Includes the classes that a key of Hiera names in any level. Deprecated: `lookup` and `include` do the same.\n\n\
         It is refused: Hiera is not supported yet."
}

/// What Hiera hands to those that read its data. Nobody else has one.
const CONTEXT: &str = "type Puppet::LookupContext = Object[{name => 'Puppet::LookupContext', attributes => {environment_name => \
                       String[1], module_name => Optional[String[1]]}}]\n";

macro_rules! backends {
    ($($static:ident $name:literal $doc:literal)*) => {
        $(
            #[doc = concat!("`", $name, "`.")]
            pub(super) static $static: Builtin = Builtin {
                name: $name,
                doc: $doc,
                reach: Reach::Reads,
                types: CONTEXT,
                overloads: &[
                    Overload {
                        parameters: "Struct[{path=>String[1]}] $options, Puppet::LookupContext $context",
                        block: None,
                        returns: None,
                        body: Body::Run(refuse),
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
                compiled: OnceLock::new(),
            };
        )*
    };
}

backends! {
    YAML_DATA "yaml_data"
        "Reads a file of YAML for Hiera, which calls it: it is named in `hiera.yaml`.\n\nIt is refused: Hiera is not supported yet."
    JSON_DATA "json_data"
        "Reads a file of JSON for Hiera, which calls it: it is named in `hiera.yaml`.\n\nIt is refused: Hiera is not supported yet."
    HOCON_DATA "hocon_data"
        "Reads a file of HOCON for Hiera, which calls it: it is named in `hiera.yaml`.\n\nIt is refused: Hiera is not supported yet."
}

/// `eyaml_lookup_key`.
pub(super) static EYAML_LOOKUP_KEY: Builtin = Builtin {
    name: "eyaml_lookup_key",
    doc: "Reads a key of a file of YAML whose values may be encrypted, for Hiera, which calls it: it is named in `hiera.yaml`.\n\n\
          It is refused: Hiera is not supported yet.",
    reach: Reach::Reads,
    types: CONTEXT,
    overloads: &[Overload {
        parameters: "String[1] $key, Hash[String[1],Any] $options, Puppet::LookupContext $context",
        block: None,
        returns: None,
        body: Body::Run(refuse),
    }],
    compiled: OnceLock::new(),
};
