//! The origins of the value of an expression, as far as they matter for names in it.

use marotte_eval::functions::Names;
use marotte_hir::ExprId;
use marotte_hir::body::{Block, Body, Expr, Segment, Variable};
use marotte_resolve::call::NamedCall;

/// A source of values.
pub(crate) enum Origin<'b> {
    /// An interpolated text of this body. Plain texts are found separately.
    Text(&'b [Segment]),
    /// Data. The names in it are found in the data files.
    Data,
    /// A value that other code passes. Its texts are found in that code.
    Passed,
    /// Facts, results of functions, and everything else that isn't written in the tree.
    Unknown,
}

/// Functions that select, arrange or extend their arguments, and add no text of their own.
const ARRANGE: [&str; 34] = [
    "any2array",
    "compact",
    "concat",
    "delete",
    "delete_undef_values",
    "difference",
    "dig",
    "each",
    "filter",
    "flatten",
    "get",
    "intersection",
    "join_keys_to_values",
    "keys",
    "map",
    "merge",
    "pick",
    "pick_default",
    "prefix",
    "reduce",
    "regsubst",
    "reject",
    "reverse",
    "reverse_each",
    "slice",
    "sort",
    "sprintf",
    "then",
    "to_array",
    "tree_each",
    "union",
    "unique",
    "values",
    "with",
];

/// The maximum number of visited expressions.
const MOST: usize = 500;

/// Visits the sources of the values that an expression may have.
pub(crate) fn origin<'b>(body: &'b Body, id: ExprId, visit: &mut dyn FnMut(Origin<'b>)) {
    let mut open = vec![id];
    let mut seen = Vec::new();
    let mut left = MOST;
    while let Some(id) = open.pop() {
        if seen.contains(&id) {
            continue;
        }
        seen.push(id);
        left -= 1;
        if left == 0 {
            return visit(Origin::Unknown);
        }
        let last = |block: &Block| block.last().copied();
        match body.expr(id) {
            Expr::String(_)
            | Expr::Undef
            | Expr::Default
            | Expr::Boolean(_)
            | Expr::Integer(_)
            | Expr::Float(_)
            | Expr::Regexp(_)
            | Expr::Reference(_)
            | Expr::Definition => {}
            Expr::Interpolated(segments) => visit(Origin::Text(segments)),
            Expr::Heredoc { text, .. } => open.push(*text),
            Expr::Array(all) => open.extend(all),
            Expr::Hash(entries) => open.extend(entries.iter().flat_map(|(key, value)| [*key, *value])),
            Expr::Splat(it) => open.push(*it),
            Expr::Binary(it) => open.extend([it.left, it.right]),
            Expr::Or(..) | Expr::And(..) | Expr::Not(_) => {}
            Expr::Access { target, keys } => match body.expr(*target) {
                Expr::Reference(_) => open.extend(keys.iter()),
                _ => open.push(*target),
            },
            Expr::Selector(it) => open.extend(it.entries.iter().map(|(_, value)| *value)),
            Expr::If(it) | Expr::Unless(it) => {
                open.extend(it.otherwise.iter().filter_map(last));
                open.extend(it.arms.iter().filter_map(|it| last(&it.body)));
            }
            Expr::Case(it) => open.extend(it.options.iter().filter_map(|it| last(&it.body))),
            Expr::Assign { value, .. } => open.push(*value),
            Expr::Variable(variable) => match &**variable {
                Variable::Local { name, .. } => {
                    let assigned: Vec<ExprId> = values(body, name);
                    let given = given(body, name);
                    if body.parameters.iter().any(|it| it.name == *name) || name == "title" || name == "name"
                    {
                        visit(Origin::Passed);
                    } else if assigned.is_empty() && given.is_empty() {
                        visit(Origin::Unknown);
                    }
                    open.extend(assigned);
                    open.extend(given);
                }
                // The value of a class's variable is written in that class, or comes from data or other code.
                Variable::Qualified { .. } => visit(Origin::Passed),
                Variable::Top(_) | Variable::Group(_) => visit(Origin::Unknown),
            },
            expr => match NamedCall::of(expr) {
                Some(call) if matches!(call.names(), Some(Names::DataKey | Names::Variable)) => {
                    visit(Origin::Data);
                    open.extend(call.arguments().skip(1));
                }
                Some(call) if ARRANGE.contains(&call.plain_name()) => {
                    open.extend(call.arguments());
                    if let Some(lambda) = call.lambda {
                        open.extend(last(&body.lambda(lambda).statements));
                    }
                }
                // Rendered templates and contents of files aren't names.
                Some(call) if matches!(call.plain_name(), "template" | "epp" | "file" | "inline_epp") => {}
                _ => visit(Origin::Unknown),
            },
        }
    }
}

/// Returns the values that a body assigns to a variable.
fn values(body: &Body, name: &str) -> Vec<ExprId> {
    let values = body.exprs().filter_map(|(_, expr)| match expr {
        Expr::Assign { target, value, .. } => {
            target.variables().iter().any(|(_, it)| *it == name).then_some(*value)
        }
        _ => None,
    });
    values.collect()
}

/// Returns the arguments of the calls whose lambdas have a parameter of this name.
fn given(body: &Body, name: &str) -> Vec<ExprId> {
    let takes = |call: &NamedCall<'_>| {
        call.lambda.is_some_and(|it| body.lambda(it).parameters.iter().any(|it| it.name == name))
    };
    let calls = body.calls().filter_map(|(_, expr)| NamedCall::of(expr)).filter(takes);
    calls.flat_map(|it| it.arguments().collect::<Vec<_>>()).collect()
}
