//! The types of which defined types require their titles to be: `assert_type(Systemd::Unit, $name)`.

use std::sync::Arc;

use marotte_db::Db;
use marotte_eval::functions::Leaves;
use marotte_hir::body::{Body, Expr, Variable};
use marotte_hir::{ExprId, Item, ItemKind};
use marotte_infer::declared::type_in;
use marotte_infer::flow::{leaves, leaving_call};
use marotte_pcore::types::Type;
use marotte_resolve::call::NamedCall;

/// An assertion that each resource of a defined type evaluates.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AssertedTitle {
    /// The type of the title.
    pub(crate) expected: Type,
    /// Whether it is about `$name`, which the attribute `name` replaces.
    pub(crate) is_name: bool,
}

/// The assertions about titles that a defined type evaluates in any case. They contain no places, so that other edits of the body
/// affect nobody.
#[salsa::tracked(returns(ref))]
pub(crate) fn asserted_titles<'db>(db: &'db dyn Db, item: Item<'db>) -> Arc<[AssertedTitle]> {
    assertions(db, item).map(|(_, it)| it).collect()
}

/// The call that makes an assertion.
pub(crate) fn assertion_call(db: &dyn Db, item: Item<'_>, asserted: &AssertedTitle) -> Option<ExprId> {
    assertions(db, item).find(|(_, it)| it == asserted).map(|(at, _)| at)
}

fn assertions<'db>(db: &'db dyn Db, item: Item<'db>) -> impl Iterator<Item = (ExprId, AssertedTitle)> {
    let body = item.body(db);
    let may_return = || body.calls().any(|(_, it)| leaving_call(it).is_some_and(|it| it.1 == Leaves::Body));
    let is_read = item.kind(db) == ItemKind::Define
        && body.statements.iter().any(|it| assertion(body, *it).is_some())
        && !may_return();
    let statements = body.statements.iter().filter(move |_| is_read);
    statements.filter_map(move |it| {
        let (at, expected, is_name) = assertion(body, *it)?;
        let expected = type_in(db, item.file(db), body, expected)?;
        Some((at, AssertedTitle { expected, is_name }))
    })
}

/// The call, the type, and whether the value is `$name`, of a statement that fails unless the title is of the type.
fn assertion(body: &Body, statement: ExprId) -> Option<(ExprId, ExprId, bool)> {
    let at = match body.expr(statement) {
        Expr::Assign { value, .. } => *value,
        _ => statement,
    };
    let call = NamedCall::of(body.expr(at)).filter(|it| it.plain_name() == "assert_type")?;
    // The lambda's result replaces the value.
    let fails = |id| body.lambda(id).statements.iter().any(|it| leaves(body, *it));
    if call.lambda.is_some_and(|it| !fails(it)) {
        return None;
    }
    let arguments: Vec<ExprId> = call.arguments().collect();
    let [expected, value] = arguments[..] else { return None };
    let Expr::Variable(variable) = body.expr(value) else { return None };
    let Variable::Local { name, .. } = &**variable else { return None };
    matches!(name.as_str(), "name" | "title").then(|| (at, expected, name == "name"))
}
