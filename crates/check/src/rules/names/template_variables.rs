//! `unresolved-variable` of templates in ERB: a template reads what nothing sets where it is rendered. Ruby takes such a variable for
//! `nil`, so that the text has a hole.

use std::cell::LazyCell;

use marotte_db::{Db, File, source_text};
use marotte_diagnostics::{Diagnostic, Level, Related, rules};
use marotte_hir::{Body, ExprId, Item, NameKind};
use marotte_infer::inference::outline;
use marotte_resolve::functions::Function;
use marotte_resolve::globals::is_global;
use marotte_resolve::names::{AncestorsEnd, Lookup, ancestors, look_up};
use marotte_resolve::spelling::Names;
use marotte_resolve::suggest::{
    absent_module, in_misspelled_module, misspelled_global, nearest_definition, nearest_function,
};
use marotte_ruby::template::{TemplateReads, reads};
use marotte_ruby::template_facts::facts;
use marotte_text::TextRange;

use super::unresolved_variable::{misspelled_step, names_of};
use crate::analysis::templates::rendered::{inline_templates, rendered_templates};
use crate::analysis::variables::shared_reads::{Origin, origin};
use crate::context::{At, Context};
use crate::ruby_code::set_somewhere;

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let (db, item, body) = (context.db, context.item, context.body);
    let names = LazyCell::new(|| set_by(db, item, body));
    for (argument, template) in rendered_templates(context) {
        if let Some(reads) = template_reads(context.db, template) {
            rendered(context, argument, Some(template), reads, &names);
        }
        facts_of(context, argument, Some(template), source_text(context.db, template).text());
    }
    for (argument, text) in inline_templates(context) {
        if let Some(reads) = reads(&text) {
            rendered(context, argument, None, &reads, &names);
        }
        facts_of(context, argument, None, &text);
    }
}

/// The variables that a template in ERB reads. None if they cannot be determined.
#[salsa::tracked(returns(as_ref))]
fn template_reads(db: &dyn Db, template: File) -> Option<TemplateReads> {
    reads(source_text(db, template).text())
}

/// The variables that a body and the classes that it inherits from set.
pub(in crate::rules) fn set_by(db: &dyn Db, item: Item<'_>, body: &Body) -> Names {
    let inherited = ancestors(db, item).classes;
    let of_classes = inherited.iter().flat_map(|it| outline(db, *it).names());
    body.variables().chain(of_classes).cloned().collect()
}

/// Reports what a template reads that nothing sets. `template` is its file, None for a text of the code. `names` are the variables
/// that the code sets.
fn rendered(
    context: &mut Context<'_, '_>,
    at: ExprId,
    template: Option<File>,
    reads: &TemplateReads,
    names: &Names,
) {
    let db = context.db;
    if ancestors(db, context.item).end == AncestorsEnd::Nothing {
        for (name, range) in &reads.variables {
            let is_set = names.has(name)
                || matches!(name.as_str(), "title" | "name" | "module_name" | "caller_module_name")
                || is_global(db, context.file, context.environment, name);
            // Where a template tests variables, its parts may be for different classes.
            let is_of_another =
                || reads.tests_names && set_somewhere(db, context.environment).contains(name.as_str());
            if is_set
                || origin(db, context.file, context.environment, name) != Origin::Nowhere
                || is_of_another()
            {
                continue;
            }
            let meant = names.nearest(name, |_| true).map(|it| format!("@{it}"));
            report(context, at, &format!("@{name}"), meant, (template, *range));
        }
        // Whoever asks for a variable expects that it may not be set, but not a slip in its name.
        for (name, range) in &reads.asked {
            // Names of four letters are compared, too, unless they are alternatives: between their ends, and for no other letters.
            let short = || names.inner_slip(name).filter(|_| !reads.alternatives.contains(name));
            let Some(meant) = names.slip(name, |_| true).or_else(short) else { continue };
            let is_set = names.has(name)
                || is_global(db, context.file, context.environment, name)
                || origin(db, context.file, context.environment, name) != Origin::Nowhere;
            // A template that reads both names may be for several classes, each of which sets one of them.
            let reads_both = reads.variables.contains_key(meant) || reads.asked.contains_key(meant);
            let is_of_another =
                || reads_both && set_somewhere(db, context.environment).contains(name.as_str());
            if !is_set && !is_of_another() {
                report(context, at, &format!("@{name}"), Some(format!("@{meant}")), (template, *range));
            }
        }
    }
    for (name, range) in &reads.functions {
        if !matches!(context.function(name), Function::Missing) {
            continue;
        }
        let message = format!("the template calls the function `{name}`, which does not exist");
        if context.has_reported(rules::UNRESOLVED_FUNCTION, &message) {
            continue;
        }
        let meant = nearest_function(db, context.environment, name).map(|it| it.0);
        let related =
            template.map(|it| Related { file: it.id(db), range: *range, message: "called here".to_owned() });
        let finding = context.report(rules::UNRESOLVED_FUNCTION, At::Expr(at), message);
        finding.label = meant.map(|it| format!("did you mean `{it}`?"));
        finding.related.extend(related);
    }
    let asked = reads.qualified_asked.iter().map(|it| (it, true));
    for ((name, range), is_asked) in reads.qualified.iter().map(|it| (it, false)).chain(asked) {
        let Some((class, variable)) = name.rsplit_once("::") else { continue };
        let class = match look_up(db, context.file, NameKind::Class, class) {
            Lookup::Found(class) => class,
            // A module with passwords may be kept elsewhere.
            Lookup::Missing if !is_asked && absent_module(db, context.environment, class).is_none() => {
                let meant = nearest_definition(db, context.environment, NameKind::Class, class);
                let meant = meant.map(|it| format!("{}::{variable}", it.name(db)));
                report(context, at, name, meant, (template, *range));
                continue;
            }
            Lookup::Missing | Lookup::Unknown => {
                let meant = in_misspelled_module(db, context.file, NameKind::Class, class);
                if let Some(meant) = meant {
                    let meant = format!("{}::{variable}", meant.name(db));
                    report(context, at, name, Some(meant), (template, *range));
                }
                continue;
            }
        };
        let inherited = ancestors(db, class);
        let mut classes = std::iter::once(class).chain(inherited.classes.iter().copied());
        let is_special = matches!(variable, "title" | "name" | "module_name" | "caller_module_name");
        if is_special
            || inherited.end != AncestorsEnd::Nothing
            || classes.any(|it| outline(db, it).variable(variable).is_some())
        {
            continue;
        }
        let names = names_of(db, class);
        let meant = match is_asked {
            true => names.slip(variable, |_| true),
            false => names.nearest(variable, |_| true),
        };
        if meant.is_some() || !is_asked {
            report(context, at, name, meant.map(str::to_owned), (template, *range));
        }
    }
}

/// Reports the facts that a template reads, and the parts of facts, that are a slip of existing ones.
fn facts_of(context: &mut Context<'_, '_>, at: ExprId, template: Option<File>, text: &str) {
    // The code may have a variable of this name.
    if context.body.times_set("facts") > 0 {
        return;
    }
    for fact in facts(text) {
        let Some(((name, range), parts)) = fact.path.split_first() else { continue };
        if !is_global(context.db, context.file, context.environment, name) {
            let meant = misspelled_global(context.db, context.file, context.environment, name);
            if meant.is_some() {
                report_fact(context, at, &format!("the fact `{name}`"), meant, (template, *range));
            }
            continue;
        }
        let keys: Vec<&str> = parts.iter().map(|it| it.0).collect();
        if let Some((number, meant)) = misspelled_step(context, name, &keys)
            && let Some((part, range)) = parts.get(number)
        {
            let what = format!("the part `{part}` of the fact `{name}`");
            report_fact(context, at, &what, Some(meant), (template, *range));
        }
    }
}

fn report_fact(
    context: &mut Context<'_, '_>,
    at: ExprId,
    what: &str,
    meant: Option<String>,
    read: (Option<File>, TextRange),
) {
    let message = format!("the template reads {what}, which no machine has");
    if let Some(finding) = report_read(context, at, message, meant, read) {
        finding.in_all_versions = true;
    }
}

fn report(
    context: &mut Context<'_, '_>,
    at: ExprId,
    name: &str,
    meant: Option<String>,
    read: (Option<File>, TextRange),
) {
    let message = format!("the template reads `{name}`, which nothing sets");
    if let Some(finding) = report_read(context, at, message, meant, read) {
        // `scope['class::name']` is an error with `strict_variables`, which Puppet 8 sets.
        if name.starts_with('@') {
            let note = "a variable that nothing sets is `nil` there, and leaves a hole in the text";
            finding.notes.push(note.to_owned());
            finding.in_all_versions = true;
        }
    }
}

/// Reports a read of a template where the template is rendered. None if the slip is a finding already: it is one finding, however
/// often code renders the template.
fn report_read<'c>(
    context: &'c mut Context<'_, '_>,
    at: ExprId,
    message: String,
    meant: Option<String>,
    (template, range): (Option<File>, TextRange),
) -> Option<&'c mut Diagnostic> {
    let related =
        template.map(|it| Related { file: it.id(context.db), range, message: "read here".to_owned() });
    if context.add_place(rules::UNRESOLVED_VARIABLE, &message, At::Expr(at), "rendered here, too") {
        return None;
    }
    let finding = context.report(rules::UNRESOLVED_VARIABLE, At::Expr(at), message);
    finding.level = Level::Warning;
    finding.label = meant.map(|it| format!("did you mean `{it}`?"));
    finding.related.extend(related);
    Some(finding)
}
