//! Calls whose arguments have only a few possible values: if all of them lead to the same result, that result is known.

use marotte_eval::{EvaluationError, Settings, refusal};
use marotte_hir::ExprId;
use marotte_hir::body::Expr;
use marotte_pcore::types::{Type, TypeKind};
use marotte_pcore::value::Value;
use marotte_resolve::dialect;

use crate::declared::type_in;
use crate::inference::{TypedItem, constant, values};

/// More combinations aren't worth the work.
const MOST: usize = 64;

/// All values that an expression can have. None if there are more than a few, or if they are unknown.
pub fn values_of(typed: TypedItem<'_>, id: ExprId) -> Option<Vec<Value>> {
    match typed.body.expr(id) {
        // A variable declared to hold a type may hold a more specific one.
        Expr::Reference(_) | Expr::Access { .. }
            if let Some(it) = type_in(typed.db, typed.file, typed.item.body(typed.db), id) =>
        {
            Some(vec![Value::Type(it)])
        }
        _ => values(type_of(typed, id)?),
    }
}

/// The text that an expression always evaluates to.
pub fn text_of(typed: TypedItem<'_>, id: ExprId) -> Option<String> {
    match constant(typed.inference.type_of(id)?)? {
        Value::String(text) => Some(text.to_string()),
        _ => None,
    }
}

/// The type of an expression, if it is the intended value: if a value is missing, something else is at fault.
pub fn type_of(typed: TypedItem<'_>, id: ExprId) -> Option<&Type> {
    let is_missing =
        |it: &Type| matches!(it.kind(), TypeKind::Undef) && !matches!(typed.body.expr(id), Expr::Undef);
    typed.inference.type_of(id).filter(|it| !is_missing(it))
}

/// All combinations of the arguments' values. None if there are too many.
pub fn combinations(of_each: &[Vec<Value>]) -> Option<Vec<Vec<Value>>> {
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

/// The reason why a built-in function rejects the arguments of a call, whichever of their values they have.
pub fn refused(name: &str, of_each: &[Vec<Value>]) -> Option<EvaluationError> {
    let refuse = |arguments| refusal(Settings::of(dialect()), name, arguments);
    let errors: Option<Vec<EvaluationError>> = combinations(of_each)?.into_iter().map(refuse).collect();
    errors?.into_iter().next()
}
