//! Statistics on inference.

use marotte_db::Db;
use marotte_db::File;
use marotte_hir::body::Expr;
use marotte_hir::items;
use marotte_pcore::types::{Type, TypeKind};
use marotte_text::Str;

use super::queries::infer;
use crate::flow::leaving_call;

/// The types inferred for a file's code outside of definitions.
#[derive(Clone, Debug)]
pub struct ProgramTypes {
    /// The type of the last statement.
    pub result: Option<Type>,
    /// The types of the variables that it sets, by name.
    pub variables: Vec<(Str, Option<Type>)>,
}

/// The types of a file's top-level code.
pub fn program_types(db: &dyn Db, file: File) -> Option<ProgramTypes> {
    let outline = infer(db, *items(db, file).first()?).outline();
    let variables = outline.names().map(|name| (name.clone(), outline.variable(name).flatten().cloned()));
    Some(ProgramTypes { result: outline.result().cloned(), variables: variables.collect() })
}

/// The number of a file's expressions whose type is more specific than `Any`, and the number of all expressions. Not counted
/// are resources and the like, whose values aren't used, calls that don't return, and unreachable code.
pub fn typed_expressions(db: &dyn Db, file: File) -> (usize, usize) {
    let (mut typed, mut all) = (0, 0);
    for item in items(db, file) {
        let inference = infer(db, *item);
        for (id, expr) in item.body(db).exprs() {
            let gives_nothing = match expr {
                Expr::Call(_) => leaving_call(expr).is_some(),
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
