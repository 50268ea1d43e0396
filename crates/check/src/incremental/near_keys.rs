//! Data keys that come close to another name: what is said of the name may depend on whether such a key is there.

use marotte_diagnostics::{Rule, rules};
use marotte_resolve::names::module_of;
use marotte_resolve::spelling::{nearest, slip};

use crate::data::found;

/// The rules whose findings may name a key that is there in place of one that isn't, or are left out because of one.
pub const RULES: [&Rule; 4] =
    [rules::UNRESOLVED_KEY, rules::BAD_INTERPOLATION, rules::MISSING_PARAMETER, rules::PARAMETER_TYPE];

/// Whether a key that names no parameter may be meant as the key of this one.
pub fn is_meant(key: &str, parameter: &str) -> bool {
    const LETTERS: usize = 3;
    key.len().abs_diff(parameter.len()) <= LETTERS
        && is_module_meant(module_of(key), module_of(parameter))
        && nearest(parameter, [key]).is_some()
}

/// Whether a key that [means](is_meant) a parameter of one module may be in the namespace of another.
pub fn is_module_meant(module: &str, other: &str) -> bool {
    module == other || slip(module, [other]).is_some()
}

/// Whether a lookup of one key is certainly one of the other, if nothing else has the key.
pub fn is_misspelling(key: &str, other: &str) -> bool {
    found::is_misspelling(key, other)
}
