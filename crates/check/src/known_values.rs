//! Calls whose arguments can only have a few values: whatever these are, what comes of it is known.

use marotte_eval::{EvaluationError, Settings, refusal};
use marotte_hir::ExprId;
use marotte_hir::body::Expr;
use marotte_pcore::types::{Type, TypeKind};
use marotte_pcore::value::Value;

use crate::context::Context;
use crate::declared::{dialect, type_in};
use crate::infer::{constant, values};

/// More combinations are not worth the work.
const MOST: usize = 64;

/// All values that an expression can have. None if there are more than a few, or if nobody knows.
pub(crate) fn values_of(context: &Context<'_, '_>, id: ExprId) -> Option<Vec<Value>> {
    match context.body.expr(id) {
        // A variable for types may hold a more special one.
        Expr::Reference(_) | Expr::Access { .. }
            if let Some(it) = type_in(context.db, context.file, context.item.body(context.db), id) =>
        {
            Some(vec![Value::Type(it)])
        }
        _ => values(type_of(context, id)?),
    }
}

/// The text that an expression always gives.
pub(crate) fn text_of(context: &Context<'_, '_>, id: ExprId) -> Option<String> {
    match constant(context.inference.type_of(id)?)? {
        Value::String(text) => Some(text.to_string()),
        _ => None,
    }
}

/// The type of an expression, if that is the value that is meant: where one is missing, something else is at fault.
pub(crate) fn type_of<'c>(context: &'c Context<'_, '_>, id: ExprId) -> Option<&'c Type> {
    let is_missing =
        |it: &Type| matches!(it.kind(), TypeKind::Undef) && !matches!(context.body.expr(id), Expr::Undef);
    context.inference.type_of(id).filter(|it| !is_missing(it))
}

/// All that the arguments of a call can be together. None if there are too many.
pub(crate) fn combinations(of_each: &[Vec<Value>]) -> Option<Vec<Vec<Value>>> {
    let mut all: Vec<Vec<Value>> = vec![Vec::new()];
    for values in of_each {
        let longer = all.iter().flat_map(|before| {
            values.iter().map(|it| before.iter().chain([it]).cloned().collect::<Vec<Value>>())
        });
        all = longer.collect();
        if all.len() > MOST {
            return None;
        }
    }
    Some(all)
}

/// Why a function of the language refuses the arguments of a call, whichever of their values they have.
pub(crate) fn refused(name: &str, of_each: &[Vec<Value>]) -> Option<EvaluationError> {
    let refuse = |arguments| refusal(Settings::of(dialect()), name, arguments);
    let errors: Option<Vec<EvaluationError>> = combinations(of_each)?.into_iter().map(refuse).collect();
    errors?.into_iter().next()
}
