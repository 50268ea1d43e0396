//! Rules about Hiera data and its configuration.

pub(in crate::rules) mod bad_interpolation;
pub(in crate::rules) mod foreign_key;
pub(in crate::rules) mod hiera_backends;
pub(crate) mod invalid_data_file;
pub(crate) mod invalid_hiera_config;
pub(in crate::rules) mod invalid_lookup_options;
pub(in crate::rules) mod lookup_values;
pub(in crate::rules) mod passed_on;
pub(in crate::rules) mod repeated_key;
pub(in crate::rules) mod scalars;
pub(in crate::rules) mod unknown_class_key;
pub(in crate::rules) mod unknown_parameter_key;
pub(in crate::rules) mod unreachable_level;
pub(in crate::rules) mod unresolved_key;
pub(in crate::rules) mod unused_key;
pub(in crate::rules) mod value_type;

use marotte_diagnostics::rules;

use super::{DataCheck, ItemCheck};

/// The rules that examine one item at a time.
pub(super) const OF_ITEMS: &[ItemCheck] = &[
    (lookup_values::check, &[rules::ARGUMENT_TYPE, rules::DEFAULT_VALUE_TYPE, rules::VALUE_TYPE]),
    (unresolved_key::check, &[rules::UNRESOLVED_KEY]),
];

/// The rules that examine one data file at a time.
pub(super) const OF_DATA: &[DataCheck] = &[
    (bad_interpolation::check, &[rules::BAD_INTERPOLATION]),
    (foreign_key::check, &[rules::FOREIGN_KEY]),
    (invalid_lookup_options::check, &[rules::INVALID_LOOKUP_OPTIONS]),
    (passed_on::classes, &[rules::UNRESOLVED_CLASS]),
    (passed_on::resources, &[rules::UNKNOWN_ATTRIBUTE, rules::UNKNOWN_PARAMETER, rules::VALUE_TYPE]),
    (repeated_key::check, &[rules::DUPLICATE_KEY]),
    (scalars::check, &[rules::INVALID_DATA_FILE]),
    (unknown_class_key::check, &[rules::UNKNOWN_CLASS_KEY]),
    (unknown_parameter_key::check, &[rules::UNKNOWN_PARAMETER_KEY]),
    (unused_key::check, &[rules::UNUSED_KEY]),
    (value_type::check, &[rules::VALUE_TYPE]),
];

/// The rules that examine one `hiera.yaml` at a time.
pub(super) const OF_CONFIGURATIONS: &[DataCheck] = &[
    (bad_interpolation::check_configuration, &[rules::BAD_INTERPOLATION]),
    (hiera_backends::check, &[rules::INVALID_HIERA_CONFIG]),
    (repeated_key::check, &[rules::DUPLICATE_KEY]),
    (unreachable_level::check, &[rules::UNREACHABLE_LEVEL]),
];
