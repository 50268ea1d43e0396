//! Limits on the size of values: every value that a program creates is checked here, at no cost, before it can become
//! part of another.

use marotte_diagnostics::issues;
use marotte_hir::ExprId;
use marotte_hir::body::Expr;
use marotte_pcore::value::Value;

use super::{Env, Evaluated, Interpreter};
use crate::Unwind;

impl Interpreter<'_> {
    /// Rejects a value of an expression that is larger, or nested more deeply, than the limits allow.
    ///
    /// An expression adds few levels to its operands, and the recursive operations of pcore fit into the remaining
    /// stack, so it is enough to reject values slightly too late.
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
                Value::String(_) => (issues::STRING_SIZE_LIMIT, "string"),
                _ => (issues::COLLECTION_SIZE_LIMIT, "collection"),
            };
            let message = format!("a {noun} of {count} {what} is larger than the limit of {limit}");
            return Err(self.fail(env, id, issue, message));
        }
        // A string is not nested, and its length is all the memory that it takes.
        if matches!(value, Value::String(_)) {
            return Ok(());
        }
        let extent = value.extent();
        if let Err(error) = extent.check_nesting() {
            return Err(self.fail(env, id, issues::VALUE_NESTING_LIMIT, error.to_string()));
        }
        let limit = limits.value_size;
        if extent.size() > limit {
            let message =
                format!("a value that is larger than {limit} bytes, if all is counted as often as it occurs");
            return Err(self.fail(env, id, issues::VALUE_SIZE_LIMIT, message));
        }
        Ok(())
    }

    /// Counts the elements that an expression may have copied to create its value, and fails beyond the limit: creating
    /// values within their limits over and over takes forever, too.
    pub(super) fn count_copies(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        expr: &Expr,
        value: &Value,
    ) -> Evaluated<()> {
        /// The number of bytes of text that take as much memory as a value.
        const BYTES: usize = 24;
        /// The memory for an entry of a hash, in bytes.
        const ENTRY: usize = 96;
        let (count, size) = match (value, expr) {
            (
                Value::String(text),
                Expr::Interpolated(_) | Expr::Binary(_) | Expr::Call(_) | Expr::MethodCall(_),
            ) => (text.len() / BYTES, text.len()),
            (
                Value::Array(elements),
                Expr::Array(_) | Expr::Binary(_) | Expr::Call(_) | Expr::MethodCall(_),
            ) => (elements.len(), elements.len() * BYTES),
            (Value::Hash(hash), Expr::Hash(_) | Expr::Binary(_) | Expr::Call(_) | Expr::MethodCall(_)) => {
                let own = hash.len() - hash.shared();
                (own, own * ENTRY)
            }
            _ => return Ok(()),
        };
        let made = self.allocate(size).and_then(|()| self.spend(count as u64 / 2));
        made.map_err(|unwind| match unwind {
            Unwind::Error(error) => error.at(env.place(id)).into(),
            other => other,
        })?;
        self.copies = self.copies.saturating_add(count as u64);
        let limit = self.settings.limits.copies;
        if self.copies > limit {
            let message = format!(
                "collections and texts of more than {limit} elements in all were made; does the program end?"
            );
            return Err(self.fail(env, id, issues::COPY_LIMIT, message));
        }
        Ok(())
    }
}
