//! What inference knows, for those who measure it.

use marotte_db::Db;
use marotte_db::File;
use marotte_hir::body::{Callee, Expr};
use marotte_hir::items;
use marotte_pcore::types::{Type, TypeKind};
use marotte_text::Str;

use super::builtin::never_returns;
use super::queries::infer;

/// The types that are inferred of what a file evaluates outside of definitions.
#[derive(Clone, Debug)]
pub struct ProgramTypes {
    /// Of the last statement.
    pub result: Option<Type>,
    /// Of the variables that it sets, by name.
    pub variables: Vec<(Str, Option<Type>)>,
}

/// The types of a file's program.
pub fn program_types(db: &dyn Db, file: File) -> Option<ProgramTypes> {
    let outline = infer(db, *items(db, file).first()?).outline();
    let variables = outline.names().map(|name| (name.clone(), outline.variable(name).flatten().cloned()));
    Some(ProgramTypes { result: outline.result().cloned(), variables: variables.collect() })
}

/// How many of a file's expressions have a type that says more than `Any`, and how many there are. Resources and the like,
/// whose values nobody uses, do not count, nor do calls that do not come back, nor what no way leads to.
pub fn typed_expressions(db: &dyn Db, file: File) -> (usize, usize) {
    let (mut typed, mut all) = (0, 0);
    for item in items(db, file) {
        let inference = infer(db, *item);
        for (id, expr) in item.body(db).exprs() {
            let gives_nothing = match expr {
                Expr::Call(call) => matches!(&call.callee, Callee::Function(name) if never_returns(name)),
                _ => false,
            };
            let is_value = !gives_nothing
                && !matches!(
                    expr,
                    Expr::Missing
                        | Expr::Definition
                        | Expr::Resource(_)
                        | Expr::ResourceDefaults(..)
                        | Expr::ResourceOverride(..)
                        | Expr::Collector(_)
                        | Expr::Relationship { .. }
                        | Expr::RenderText(_)
                        | Expr::Render(_)
                );
            if is_value && !inference.is_unreachable(id) {
                all += 1;
                let is_telling = |it: &&Type| !matches!(it.kind(), TypeKind::Any | TypeKind::Unit);
                typed += usize::from(inference.type_of(id).filter(is_telling).is_some());
            }
        }
    }
    (typed, all)
}
