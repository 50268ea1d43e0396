//! The variables that the branches of a choice set.

use marotte_hir::ExprId;
use marotte_hir::body::{Body, Expr, TargetKind};

/// The values that the branches of one choice assign to a variable, if nothing else sets it.
pub fn set_by_choice(body: &Body, name: &str) -> Vec<ExprId> {
    let times = body.times_set(name);
    if times == 0 {
        return Vec::new();
    }
    let values = |blocks: Vec<&[ExprId]>| -> Vec<ExprId> {
        blocks.into_iter().flat_map(|it| set(body, it)).filter(|it| it.1 == name).map(|it| it.2).collect()
    };
    let mut choices = body.exprs().filter_map(|(_, expr)| branches(expr)).map(values);
    choices.find(|it| !it.is_empty() && it.len() == times).unwrap_or_default()
}

/// The blocks of a choice, of which exactly one is evaluated, if there are several.
pub fn branches(expr: &Expr) -> Option<Vec<&[ExprId]>> {
    let blocks: Vec<&[ExprId]> = match expr {
        Expr::If(it) | Expr::Unless(it) => {
            it.arms.iter().map(|it| &*it.body).chain(it.otherwise.as_deref()).collect()
        }
        Expr::Case(it) => it.options.iter().map(|it| &*it.body).collect(),
        _ => return None,
    };
    (blocks.len() > 1).then_some(blocks)
}

/// The variables that a block sets, on any of its branches, as (assignment, name, value).
pub fn set<'b>(body: &'b Body, block: &[ExprId]) -> Vec<(ExprId, &'b str, ExprId)> {
    let mut all = Vec::new();
    for id in block {
        let expr = body.expr(*id);
        if let Expr::Assign { target, value, .. } = expr
            && let TargetKind::Variable(name, _) = &target.kind
        {
            all.push((target.at, name.as_str(), *value));
        }
        all.extend(branches(expr).into_iter().flatten().flat_map(|it| set(body, it)));
    }
    all
}
