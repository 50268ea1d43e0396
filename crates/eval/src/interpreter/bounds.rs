//! How large values may be: whatever a program makes is looked at here, at no cost, before it can be made part of more.

use marotte_hir::ExprId;
use marotte_pcore::value::Value;

use super::{Env, Evaluated, Interpreter};

impl Interpreter<'_> {
    /// Refuses a value of an expression that is larger, or nested more deeply, than the limits say.
    ///
    /// An expression adds few levels to what it is made of, and what pcore does by recursion fits into the stack that is
    /// left for it, so that refusing too much a little late is soon enough.
    pub(super) fn check_bounds(&self, env: &Env<'_>, id: ExprId, value: &Value) -> Evaluated<()> {
        let limits = &self.settings.limits;
        let (what, count, limit) = match value {
            Value::String(text) => ("bytes", text.len(), limits.string_size),
            Value::Array(elements) => ("elements", elements.len(), limits.collection_size),
            Value::Hash(hash) => ("elements", hash.len(), limits.collection_size),
            Value::Type(_) | Value::Sensitive(_) | Value::Object(_) | Value::Iterator(_) => ("", 0, 0),
            _ => return Ok(()),
        };
        if count > limit {
            let (issue, noun) = match value {
                Value::String(_) => ("string-size-limit", "string"),
                _ => ("collection-size-limit", "collection"),
            };
            let message = format!("a {noun} of {count} {what} is larger than the limit of {limit}");
            return Err(self.fail(env, id, issue, message));
        }
        let extent = value.extent();
        if let Err(error) = extent.check_nesting() {
            return Err(self.fail(env, id, "value-nesting-limit", error.to_string()));
        }
        let limit = limits.value_size;
        // A string has a limit of its own.
        if extent.size() > limit && !matches!(value, Value::String(_)) {
            let message =
                format!("a value that is larger than {limit} bytes, if all is counted as often as it occurs");
            return Err(self.fail(env, id, "value-size-limit", message));
        }
        Ok(())
    }
}
