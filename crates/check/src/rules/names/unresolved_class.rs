//! `unresolved-class`: a class that is included, declared, inherited from or in a relationship doesn't exist.

use std::cell::LazyCell;

use marotte_db::module_folder;
use marotte_diagnostics::{Diagnostic, Level, rules};
use marotte_eval::functions::Names;
use marotte_hir::NameKind;
use marotte_hir::body::{Expr, Segment};
use marotte_infer::literal::references;
use marotte_resolve::call::{NamedCall, names_asked_for, names_in_questions, queries_catalog};
use marotte_resolve::names::{Lookup, known, look_up, may_be_elsewhere};
use marotte_resolve::suggest::{in_misspelled_module, in_own_module, misspelled_module, nearest_definition};
use marotte_text::{normalized, split_module, unrooted};

use super::not_found::{self, Hint};
use crate::analysis::names::classes::named_classes;
use crate::analysis::names::foreign_names::{Used, meant_elsewhere};
use crate::analysis::resources::relationships::{later, operands, related_in_hashes};
use crate::context::{At, Context};

/// Classes that exist without a file.
const OF_EVERY_CATALOG: [&str; 2] = ["main", "settings"];

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    // Code that checks whether a class exists expects that it may not.
    let body = context.body;
    let asked_for = LazyCell::new(|| names_asked_for(body));
    for (at, text) in named_classes(context) {
        if !asked_for.contains(&normalized(&text)) {
            name(context, at, &text);
        }
    }
    computed(context);
    let asked = names_in_questions(context.body);
    let related = operands(body).into_iter().map(|it| it.0).chain(related_in_hashes(body));
    // A reference in a variable becomes an operand somewhere else.
    let kept = body.exprs().filter_map(|(_, expr)| match expr {
        Expr::Assign { value, .. } => Some(*value),
        _ => None,
    });
    let now = related.chain(kept).map(|it| (it, false));
    for (id, is_later) in now.chain(later(body).into_iter().map(|it| (it, true))).collect::<Vec<_>>() {
        for (at, reference) in references(context.body, id).0 {
            let is_class = reference.type_name == "class" && !OF_EVERY_CATALOG.contains(&&*reference.title);
            // In most cases, the same body includes it.
            let is_said = context.has_reported(rules::UNRESOLVED_CLASS, &message(&reference.title));
            let is_asked = asked.contains(&*reference.title);
            if is_class && !is_said && !is_asked && !context.inference().is_unreachable(id) {
                let finding = name(context, At::Expr(at), &reference.title);
                if let Some(finding) = finding.filter(|_| is_later) {
                    // Nothing may ever realize the resource.
                    finding.level = Level::Warning;
                }
            }
        }
    }
}

/// Reports computed names of classes, `"roles::${role}"`, whose module does not exist.
fn computed(context: &mut Context<'_, '_>) {
    let body = context.body;
    // Code that checks whether a class exists expects that it may not.
    if queries_catalog(body) {
        return;
    }
    for (id, expr) in body.calls() {
        let call = NamedCall::of(expr).filter(|it| it.names() == Some(Names::Classes));
        let Some(call) = call else { continue };
        if context.inference().is_unreachable(id) {
            continue;
        }
        for at in call.arguments() {
            let Expr::Interpolated(segments) = body.expr(at) else { continue };
            let Some(Segment::Text(start)) = segments.first() else { continue };
            let start = normalized(start);
            let Some((module, _)) = split_module(&start) else { continue };
            let (db, environment) = (context.db, context.environment);
            if module_folder(db, environment, module.into()).is_some() {
                continue;
            }
            let meant = misspelled_module(db, environment, module);
            if meant.is_none() && may_be_elsewhere(db, context.file, environment, module) {
                continue;
            }
            let message = format!("there is no module `{module}` with a class");
            let finding = context.report(rules::UNRESOLVED_CLASS, At::Expr(at), message);
            finding.level = Level::Warning;
            finding.label = Some(match meant {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "not found".to_owned(),
            });
        }
    }
}

fn name<'f>(context: &'f mut Context<'_, '_>, at: At, text: &str) -> Option<&'f mut Diagnostic> {
    let (db, environment) = (context.db, context.environment);
    if !text.is_empty() && !may_be_class(text) {
        let message = format!("`{text}` cannot be the name of a class");
        let finding = context.report(rules::UNRESOLVED_CLASS, at, message);
        finding.label = Some("not a name".to_owned());
        return Some(finding);
    }
    match look_up(db, context.file, NameKind::Class, text) {
        Lookup::Missing => {}
        Lookup::Found(_) => return None,
        Lookup::Unknown => {
            let rule = rules::UNRESOLVED_CLASS;
            if let Some(item) = in_misspelled_module(db, context.file, NameKind::Class, text) {
                return Some(not_found::report_unknown(context, rule, at, message(text), item.name(db)));
            }
            let meant = meant_elsewhere(context, Used::Class, text)?;
            return Some(not_found::report_unknown(context, rule, at, message(text), &meant));
        }
    }
    let hint = match known(db, context.file, NameKind::Define, text) {
        Some(item) => Some(Hint::other("this is a defined type: declare it with a title", item)),
        None => in_own_module(db, context.file, NameKind::Class, text)
            .or_else(|| nearest_definition(db, environment, NameKind::Class, text))
            .or_else(|| in_misspelled_module(db, context.file, NameKind::Class, text))
            .map(|item| Hint::meant(item.name(db), Some(item))),
    };
    Some(not_found::report_class(context, rules::UNRESOLVED_CLASS, at, message(text), text, hint))
}

/// Whether a class may have a name, in upper or lower case (the reference's `ILLEGAL_NAME`). A computed name isn't known here.
fn may_be_class(name: &str) -> bool {
    let is_part = |part: &str| {
        part.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_')
            && part.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
    };
    unrooted(name).split("::").all(is_part)
}

fn message(name: &str) -> String {
    format!("there is no class `{}`", unrooted(name))
}
