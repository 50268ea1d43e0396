use marotte_syntax::ast;
use marotte_text::Str;

use super::Lowerer;
use crate::{Signature, SignatureParameter};

/// Builds the signature of a definition with these parameters.
pub(super) fn of(
    parameters: &[ast::Parameter],
    return_type: Option<&ast::Expr>,
    parent: Option<Str>,
) -> Signature {
    let mut lowerer = Lowerer::default();
    let parameters = parameters.iter().map(|it| SignatureParameter {
        name: it.name.clone(),
        type_expr: it.type_expr.as_ref().map(|it| lowerer.expr(it)),
        is_optional: it.value.is_some(),
        captures_rest: it.captures_rest,
    });
    let parameters = parameters.collect();
    let return_type = return_type.map(|it| lowerer.expr(it));
    let (types, _) = lowerer.finish();
    Signature::new(parameters, return_type, parent, types)
}
