//! `dangling-reference`: a relationship with a resource that nothing declares.
//!
//! Only if all code that could declare it is known: every class and defined type of the environment, with no computed title of
//! that type, no collected resource of another node, and no call of a function in Ruby.

use marotte_diagnostics::Level;
use marotte_hir::ExprId;
use marotte_infer::literal::{Reference, references};
use marotte_resolve::call::asks_what_is_declared;
use marotte_resolve::resource_types::ResourceTypeName;
use marotte_resolve::suggest::misspelled_type;

use crate::context::{At, Context};
use crate::declarable::{is_unheard_of, may_be_declared, misspelled_title, nearest_title, of_item};
use crate::relationships::operands;

/// Types whose instances aren't declared by resource expressions alone: classes, and types that every catalog or agent
/// provides.
const OTHERS: [&str; 7] = ["class", "stage", "node", "component", "whit", "schedule", "filebucket"];

pub(super) fn check(context: &mut Context<'_, '_>) {
    let (db, body) = (context.db, context.body);
    if asks_what_is_declared(body) {
        return;
    }
    for (id, _) in operands(body) {
        for (at, reference) in references(body, id).0 {
            let (type_name, title) = (reference.type_name.as_str(), reference.title.as_str());
            // Most are declared in the same code.
            let is_type = || match context.resource_type(type_name) {
                ResourceTypeName::Missing => false,
                ResourceTypeName::Unknown => {
                    misspelled_type(db, context.file, context.environment, type_name).is_none()
                }
                _ => true,
            };
            if OTHERS.contains(&type_name) || !is_type() || context.inference().is_unreachable(id) {
                continue;
            }
            if of_item(db, context.item).may_have(type_name, title)
                || may_be_declared(db, context.file, type_name.into(), title.into())
            {
                if !of_item(db, context.item).is_written(type_name, title) {
                    misspelled(context, at, &reference);
                }
                continue;
            }
            let message = format!("nothing declares `{reference}`");
            let meant = nearest_title(db, context.file, type_name, title);
            let finding = context.report("dangling-reference", At::Expr(at), message);
            finding.label = Some(match meant {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "declared nowhere".to_owned(),
            });
            finding.notes.push("a catalog with this relationship cannot be compiled".to_owned());
        }
    }
}

/// Where any title may be computed, only one that nothing says is reported.
fn unheard(context: &mut Context<'_, '_>, at: ExprId, reference: &Reference) {
    let (type_name, title) = (reference.type_name.as_str(), reference.title.as_str());
    if !is_unheard_of(context.db, context.file, type_name, title) {
        return;
    }
    let meant = nearest_title(context.db, context.file, type_name, title);
    let message = format!("nothing seems to declare `{reference}`");
    let finding = context.report("dangling-reference", At::Expr(at), message);
    finding.level = Level::Warning;
    finding.label = Some(match meant {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "nothing else in code or data says this".to_owned(),
    });
    finding.notes.push(
        "titles of this type are computed, but nothing says what this one could be computed from".to_owned(),
    );
}

/// Where not all declarations are known, only certain misspellings of titles are reported.
fn misspelled(context: &mut Context<'_, '_>, at: ExprId, reference: &Reference) {
    let (type_name, title) = (reference.type_name.as_str(), reference.title.as_str());
    let Some(meant) = misspelled_title(context.db, context.file, type_name.into(), title.into()) else {
        return unheard(context, at, reference);
    };
    let message = format!("nothing declares `{reference}` by this name");
    let finding = context.report("dangling-reference", At::Expr(at), message);
    finding.level = Level::Warning;
    finding.label = Some(format!("did you mean `{meant}`?"));
    finding.notes.push("only what computes its title could declare it".to_owned());
}
