//! The functions of the 3.x API that Puppet itself still has.
//!
//! `data/legacy_functions.json` was recorded by `xtask/oracle/functions.rb`. Most of them only report that the function
//! of the 4.x API with the same name is to be used; that one takes precedence wherever a manifest calls it.

use std::sync::LazyLock;

use marotte_text::Str;
use serde::Deserialize;

use crate::function::LegacyFunction;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    #[expect(dead_code, reason = "says where the record comes from")]
    version: Str,
    functions: Vec<LegacyFunction>,
}

static RECORD: LazyLock<Record> = LazyLock::new(|| {
    let text = include_str!("../../data/legacy_functions.json");
    serde_json::from_str(text).unwrap_or_else(|error| panic!("data/legacy_functions.json: {error}"))
});

/// The functions of the 3.x API in Puppet 8.11, sorted by name.
pub fn legacy_functions() -> &'static [LegacyFunction] {
    &RECORD.functions
}

#[cfg(test)]
mod tests {
    use super::legacy_functions;
    use crate::function::LegacyKind;

    #[test]
    fn functions_are_those_of_the_reference() {
        let functions = legacy_functions();
        assert!(functions.len() > 50);
        assert!(functions.iter().all(|it| it.complete()));
        let generate = functions.iter().find(|it| it.name == "generate").expect("a function of the core");
        assert_eq!((generate.kind, generate.arity), (Some(LegacyKind::Rvalue), Some(-2)));
    }
}
