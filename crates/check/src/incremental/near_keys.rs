//! Data keys that come close to another name: what is said of the name may depend on whether such a key is there.

use marotte_diagnostics::{Rule, rules};

pub use crate::data::found::is_misspelling;
pub use crate::data::near::{is_meant, is_module_meant};

/// The rules whose findings may suggest a key that is there in place of one that isn't.
pub const RULES: [&Rule; 2] = [rules::UNRESOLVED_KEY, rules::BAD_INTERPOLATION];
