//! `undef` for parameters whose type excludes it (X5).

use marotte_hir::body::Expr;
use marotte_infer::declared::declared;
use marotte_pcore::dialect::UndefFits;
use marotte_pcore::relation::instance_of;
use marotte_pcore::value::Value;

use super::{Dialects, Replacement, report, source};
use crate::context::{At, Context};

pub(super) fn check(context: &mut Context<'_, '_>, dialects: Dialects) {
    if dialects.written.undef_fits != UndefFits::Everything
        || dialects.today.undef_fits == UndefFits::Everything
    {
        return;
    }
    let types = declared(context.db, context.item);
    for (parameter, declared) in context.body.parameters.iter().zip(&types.parameters) {
        let (Some(default), Some(at), Some(declared)) = (parameter.default, parameter.type_expr, declared)
        else {
            continue;
        };
        if !matches!(context.body.expr(default), Expr::Undef)
            || instance_of(dialects.today, declared, &Value::Undef)
        {
            continue;
        }
        let text = format!("Optional[{}]", source(context, at));
        let message = format!("`undef` is not a value of `{declared}` in Puppet 8");
        report(context, At::Expr(at), message, Some(Replacement::safe(at, text)));
    }
}
