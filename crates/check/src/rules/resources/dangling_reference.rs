//! `dangling-reference`: a relationship with a resource that nothing declares.
//!
//! An error only if all code that could declare it is known: every class and defined type of the environment, with no computed title
//! of that type, no collected resource of another node, and no call of a function in Ruby. Otherwise, only titles that are certainly
//! misspelled, or that nothing could compute, are reported, as warnings.

use std::cell::OnceCell;

use foldhash::HashMap;
use marotte_diagnostics::{Level, rules};
use marotte_hir::body::Expr;
use marotte_hir::{ExprId, ItemKind};
use marotte_infer::literal::{Reference, capitalize, references};
use marotte_resolve::call::queries_catalog;
use marotte_resolve::resource_types::ResourceTypeName;
use marotte_resolve::suggest::misspelled_type;
use marotte_text::Str;

use crate::analysis::resources::declarable::{
    Computed, is_collected_by_title, is_missing_anchor, is_misspelled, is_unheard_of, is_written_alike,
    is_written_somewhere, loose, may_be_computed, may_be_declared, may_be_named, misspelled_title,
    nearest_title, of_item,
};
use crate::analysis::resources::relationships::{
    later, named_by_title, operands, overridden, partly_written, realized,
};
use crate::analysis::titles::near::{is_letter_off, near_title_here};
use crate::analysis::titles::pattern::TitlePattern;
use crate::analysis::titles::similar::SimilarTitles;
use crate::context::{At, Context};
use crate::rules::resources::duplicate_declaration::spelled;

/// Types whose instances aren't declared by resource expressions alone: classes, and types that every catalog or agent
/// provides.
const OTHERS: [&str; 7] = ["class", "stage", "node", "component", "whit", "schedule", "filebucket"];

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let (db, body) = (context.db, context.body);
    named(context);
    if queries_catalog(body) {
        return;
    }
    let operands = operands(body).into_iter().map(|it| it.0);
    let overridden = overridden(body);
    let now = operands.chain(realized(body)).chain(overridden.iter().copied()).map(|it| (it, false));
    let mut own_titles = HashMap::default();
    for (id, is_later) in now.chain(later(body).into_iter().map(|it| (it, true))) {
        computed(context, id, &mut own_titles);
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
            if OTHERS.contains(&type_name) || context.inference().is_unreachable(id) || !is_type() {
                continue;
            }
            if is_later
                || of_item(db, context.item).may_have(type_name, title)
                || may_be_declared(db, context.file, type_name.into(), title.into())
            {
                if !of_item(db, context.item).is_written(type_name, title) {
                    misspelled(context, at, &reference);
                }
                continue;
            }
            let message = format!("nothing declares `{reference}`");
            let meant = nearest_title(db, context.file, type_name, title);
            let is_collected = is_collected_by_title(db, context.file, type_name);
            let finding = context.report(rules::DANGLING_REFERENCE, At::Expr(at), message);
            finding.label = Some(match meant {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "declared nowhere".to_owned(),
            });
            finding.notes.push(match overridden.contains(&id) {
                true => "a catalog with this override cannot be compiled".to_owned(),
                false => "a catalog with this relationship cannot be compiled".to_owned(),
            });
            if is_collected {
                finding.level = Level::Warning;
                finding.notes.push("unless a resource that another node exports has this name".to_owned());
            }
        }
    }
    kept(context);
}

/// Checks references that variables keep: they become operands somewhere else, so only certain misspellings are reported.
fn kept(context: &mut Context<'_, '_>) {
    let (db, body) = (context.db, context.body);
    let values: Vec<ExprId> = body
        .exprs()
        .filter_map(|(_, expr)| match expr {
            Expr::Assign { value, .. } => Some(*value),
            _ => None,
        })
        .collect();
    let reported = OnceCell::new();
    for id in values {
        for (at, reference) in references(body, id).0 {
            let (type_name, title) = (reference.type_name.as_str(), reference.title.as_str());
            let is_known = !OTHERS.contains(&type_name)
                && !matches!(
                    context.resource_type(type_name),
                    ResourceTypeName::Missing | ResourceTypeName::Unknown
                );
            if !is_known
                || context.inference().is_unreachable(id)
                || of_item(db, context.item).is_written(type_name, title)
                || reported.get_or_init(|| context.reported_ranges()).contains(&context.range(At::Expr(at)))
            {
                continue;
            }
            match misspelled_title(db, context.file, type_name.into(), title.into()) {
                Some(meant) => by_another_name(context, at, &reference, &meant),
                None => _ = near(context, at, &reference),
            }
        }
    }
}

/// Checks metaparameters that name a resource by its title alone.
fn named(context: &mut Context<'_, '_>) {
    let db = context.db;
    let mut found = named_by_title(context.body, &context.declarations());
    found.retain(|(at, kind, title)| {
        !context.inference().is_unreachable(*at) && !may_be_named(db, context.file, kind, title)
    });
    for (at, kind, title) in found {
        let message = format!("nothing declares `{}[{title}]`", capitalize(kind));
        let meant = nearest_title(db, context.file, kind, &title);
        let finding = context.report(rules::DANGLING_REFERENCE, At::Expr(at), message);
        finding.label = Some(match meant {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "declared nowhere".to_owned(),
        });
        finding.level = Level::Warning;
        if kind == "stage" {
            finding.notes.push("a class in a stage that does not exist cannot be compiled".to_owned());
        } else {
            finding
                .notes
                .push("the agent fails to apply a resource whose schedule does not exist".to_owned());
        }
    }
}

/// Checks references whose titles are computed in part. `own_titles` keeps the titles of each type that this item declares.
fn computed(context: &mut Context<'_, '_>, operand: ExprId, own_titles: &mut HashMap<Str, SimilarTitles>) {
    let body = context.body;
    for (type_name, key) in partly_written(body, operand) {
        let is_known = !OTHERS.contains(&type_name.as_str())
            && !matches!(
                context.resource_type(&type_name),
                ResourceTypeName::Missing | ResourceTypeName::Unknown
            )
            && !context.inference().is_unreachable(operand);
        let Some(title) = title_in(context, key).filter(|_| is_known) else { continue };
        let own = own_titles.entry(type_name.clone()).or_insert_with(|| titles_in(context, &type_name));
        if own.names().has(&title) {
            continue;
        }
        let pattern = TitlePattern::of(body, key);
        let near = own.like(&loose(&title)).find(|it| is_near(&title, it));
        let (db, file) = (context.db, context.file);
        let by_name = match may_be_computed(db, file, &type_name, &pattern) {
            Computed::Missing => "",
            Computed::Unwritten if near.is_some() => " by this name",
            // Titles that are computed altogether may be anything.
            Computed::Possible if near.is_some() && !is_written_alike(db, file, &type_name, &pattern) => {
                " by this name"
            }
            Computed::Unwritten | Computed::Possible => continue,
        };
        let written = spelled(context, key).unwrap_or_default();
        let message = format!("nothing declares `{}[{written}]`{by_name}", capitalize(&type_name));
        let label = match near {
            Some(meant) if written.contains("${title}") => {
                format!("did you mean `{}`?", meant.replace("${name}", "${title}"))
            }
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "no title has this form".to_owned(),
        };
        let finding = context.report(rules::DANGLING_REFERENCE, At::Expr(key), message);
        finding.level = Level::Warning;
        finding.label = Some(label);
    }
}

/// A title as it is written, with `$name` for `$title` where they are the same.
fn title_in(context: &Context<'_, '_>, id: ExprId) -> Option<String> {
    let written = spelled(context, id)?;
    Some(match context.item.kind(context.db) {
        ItemKind::Define => written.replace("${title}", "${name}"),
        _ => written,
    })
}

/// The titles of a type as they are written in this item.
fn titles_in(context: &Context<'_, '_>, type_name: &str) -> SimilarTitles {
    let mut found: Vec<Str> = Vec::new();
    for declaration in context.declarations().iter().filter(|it| it.type_name == type_name) {
        for title in declaration.parts.iter().filter_map(|it| it.title) {
            let mut open = vec![title];
            while let Some(id) = open.pop() {
                match context.body.expr(id) {
                    Expr::Array(elements) => open.extend(elements),
                    _ => found.extend(title_in(context, id).map(Str::from)),
                }
            }
        }
    }
    SimilarTitles::new(found.iter())
}

/// Whether two titles that are computed from the same parts differ by a slip in what is written out.
fn is_near(one: &str, other: &str) -> bool {
    let parts = |it: &str| -> Vec<String> {
        it.split("${").skip(1).filter_map(|it| it.split('}').next()).map(str::to_owned).collect()
    };
    parts(one) == parts(other) && (is_misspelled(one, other) || is_letter_off(one, other))
}

/// Where any title may be computed, only one that nothing says is reported.
fn unheard(context: &mut Context<'_, '_>, at: ExprId, reference: &Reference) {
    let (type_name, title) = (reference.type_name.as_str(), reference.title.as_str());
    let is_anchor = is_missing_anchor(context.db, context.file, type_name, title);
    if !is_anchor && !is_unheard_of(context.db, context.file, type_name, title) {
        return;
    }
    let meant = nearest_title(context.db, context.file, type_name, title);
    let message = format!("nothing seems to declare `{reference}`");
    let finding = context.report(rules::DANGLING_REFERENCE, At::Expr(at), message);
    finding.level = Level::Warning;
    finding.label = Some(match meant {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "nothing else in code or data says this".to_owned(),
    });
    finding.notes.push(match is_anchor {
        true => "the module that it is named after declares other anchors".to_owned(),
        false => "titles of this type are computed, but nothing says what this one could be computed from"
            .to_owned(),
    });
}

/// Where not all declarations are known, only certain misspellings of titles are reported.
fn misspelled(context: &mut Context<'_, '_>, at: ExprId, reference: &Reference) {
    let (type_name, title) = (reference.type_name.as_str(), reference.title.as_str());
    // The title of a file without a `path` is a path.
    if type_name == "file"
        && context.body.times_set(title) > 0
        && !is_written_somewhere(context.db, context.file, type_name, title)
    {
        return by_another_name(context, at, reference, &format!("${title}"));
    }
    match misspelled_title(context.db, context.file, type_name.into(), title.into()) {
        Some(meant) => by_another_name(context, at, reference, &meant),
        None if near(context, at, reference) => {}
        None => unheard(context, at, reference),
    }
}

/// Reports a title that comes close to one in the same file. Returns whether it does.
fn near(context: &mut Context<'_, '_>, at: ExprId, reference: &Reference) -> bool {
    let (type_name, title) = (reference.type_name.as_str().into(), reference.title.as_str().into());
    let Some(meant) = near_title_here(context.db, context.file, type_name, title) else { return false };
    by_another_name(context, at, reference, &meant);
    true
}

fn by_another_name(context: &mut Context<'_, '_>, at: ExprId, reference: &Reference, meant: &str) {
    let message = format!("nothing declares `{reference}` by this name");
    let finding = context.report(rules::DANGLING_REFERENCE, At::Expr(at), message);
    finding.level = Level::Warning;
    finding.label = Some(format!("did you mean `{meant}`?"));
    finding.notes.push("only what computes its title could declare it".to_owned());
}
