//! Rules about code that Puppet 8 breaks or reads differently.

pub(in crate::rules) mod deprecated_function;
pub(in crate::rules) mod dialect_change;
pub(crate) mod legacy_fact;
pub(in crate::rules) mod named_fact;

use marotte_diagnostics::rules;

use super::{DataCheck, ItemCheck};

/// The rules that examine one item at a time.
pub(super) const OF_ITEMS: &[ItemCheck] = &[
    (deprecated_function::check, &[rules::DEPRECATED_FUNCTION]),
    (dialect_change::check, &[rules::DIALECT_CHANGE]),
    (legacy_fact::check, &[rules::LEGACY_FACT]),
    (named_fact::check, &[rules::LEGACY_FACT]),
];

/// The rules that examine one data file at a time.
pub(super) const OF_DATA: &[DataCheck] = &[(legacy_fact::check_data, &[rules::LEGACY_FACT])];

/// The rules that examine one `hiera.yaml` at a time.
pub(super) const OF_CONFIGURATIONS: &[DataCheck] =
    &[(legacy_fact::check_configuration, &[rules::LEGACY_FACT])];
