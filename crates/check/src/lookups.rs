//! Parsing of `lookup` calls, in all their forms.

use marotte_hir::ExprId;
use marotte_hir::body::{Body, Expr};
use marotte_resolve::call::NamedCall;
use marotte_text::Str;

/// A call of `lookup`, as far as it is literal.
#[derive(Debug, Default)]
pub(crate) struct LookupCall {
    /// The name of the key, or several names.
    pub(crate) name: Option<ExprId>,
    /// The required type of the result.
    pub(crate) value_type: Option<ExprId>,
    /// The merge strategy, or a hash with options.
    pub(crate) merge: Option<ExprId>,
    /// The default value, if nothing is found.
    pub(crate) default: Option<ExprId>,
    /// The defaults for single keys, if nothing is found for them.
    pub(crate) defaults: Vec<(Str, ExprId)>,
    /// The values for single keys that take precedence over data.
    pub(crate) overrides: Vec<(Str, ExprId)>,
    /// Whether the call has hashes of defaults or overrides, whatever their keys are.
    pub(crate) has_values: bool,
    /// Whether the call has an option that `lookup` refuses.
    pub(crate) has_unknown_option: bool,
}

impl LookupCall {
    /// Parses a call. None if it isn't a lookup, or if an argument that may hold options is computed.
    pub(crate) fn of(body: &Body, call: &NamedCall<'_>) -> Option<LookupCall> {
        if call.plain_name() != "lookup" {
            return None;
        }
        let mut found = LookupCall::default();
        let arguments: Vec<ExprId> = call.arguments().collect();
        if arguments.iter().any(|it| matches!(body.expr(*it), Expr::Splat(_))) {
            return None;
        }
        match arguments[..] {
            [options] if matches!(body.expr(options), Expr::Hash(_)) => found.read(body, options)?,
            [name, options] if matches!(body.expr(options), Expr::Hash(_)) => {
                found.read(body, options)?;
                found.name = Some(name);
            }
            [name, ref rest @ ..] => {
                found.name = Some(name);
                let given = |index: usize| {
                    rest.get(index).copied().filter(|it| !matches!(body.expr(*it), Expr::Undef))
                };
                (found.value_type, found.merge) = (given(0), given(1));
                found.default = rest.get(2).copied();
            }
            [] => return None,
        }
        Some(found)
    }

    fn read(&mut self, body: &Body, options: ExprId) -> Option<()> {
        for (key, value) in entries(body, options)? {
            match &*key {
                "name" => self.name = Some(value),
                "value_type" => self.value_type = Some(value),
                "merge" => self.merge = Some(value),
                "default_value" => self.default = Some(value),
                "default_values_hash" => {
                    self.has_values = true;
                    self.defaults = entries(body, value).unwrap_or_default();
                }
                "override" => {
                    self.has_values = true;
                    self.overrides = entries(body, value).unwrap_or_default();
                }
                _ => self.has_unknown_option = true,
            }
        }
        Some(())
    }
}

/// The entries of a literal hash with literal keys.
fn entries(body: &Body, hash: ExprId) -> Option<Vec<(Str, ExprId)>> {
    let Expr::Hash(entries) = body.expr(hash) else { return None };
    let entry = |(key, value): &(ExprId, ExprId)| match body.expr(*key) {
        Expr::String(key) => Some((key.clone(), *value)),
        _ => None,
    };
    entries.iter().map(entry).collect()
}
