//! `newfunction` of the 3.x API.

use marotte_text::Str;

use super::counts::counts;
use super::model::{LegacyFunction, LegacyKind};
use crate::evaluate::{Scope, Value, scrub};
use crate::syntax::Call;

/// Reads the function that a call declares. `None` if its name is unknown.
pub(super) fn new_function(scope: &mut Scope<'_>, call: &Call) -> Option<LegacyFunction> {
    let arguments = scope.list(&call.arguments)?;
    let name = arguments.first()?.text()?.clone();
    let nothing = Value::Hash(Vec::new());
    let options = arguments.get(1).unwrap_or(&nothing);
    let kind = match options.get("type") {
        Value::Nil => Some(LegacyKind::Statement),
        kind => match kind.text().map(Str::as_str) {
            Some("statement") => Some(LegacyKind::Statement),
            Some("rvalue") => Some(LegacyKind::Rvalue),
            _ => None,
        },
    };
    let arity = match options.get("arity") {
        // Any number.
        Value::Nil => Some(-1),
        Value::Number(arity) => arity.parse().ok(),
        _ => None,
    };
    let doc = options.get("doc").text().map(|doc| scrub(doc).into());
    let (least, most) = call.block.as_ref().map_or((0, None), |it| counts(scope.source, it));
    Some(LegacyFunction { name, kind, arity, least, most, doc })
}
