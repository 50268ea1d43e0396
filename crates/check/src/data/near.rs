//! Data keys that come close to the key of a parameter.

use marotte_resolve::names::module_of;
use marotte_resolve::spelling::{nearest, slip};

/// Whether a key that names no parameter may be meant as the key of this one.
pub fn is_meant(key: &str, parameter: &str) -> bool {
    const LETTERS: usize = 3;
    key.len().abs_diff(parameter.len()) <= LETTERS
        && is_module_meant(module_of(key), module_of(parameter))
        && nearest(parameter, [key]).is_some()
}

/// Whether the module of a key is that of a parameter, or a slip of it: the first argument is the one that may be misspelled.
pub fn is_module_meant(of_key: &str, of_parameter: &str) -> bool {
    of_key == of_parameter || slip(of_key, [of_parameter]).is_some()
}
