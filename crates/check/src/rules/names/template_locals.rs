//! `unresolved-variable` for local variables of templates in ERB: a name that is neither a variable of the template nor a method; and
//! `unresolved-function` for methods that no class of Ruby has.

use marotte_db::{Db, File, source_text};
use marotte_diagnostics::{Diagnostic, Level, Related, rules};
use marotte_hir::ExprId;
use marotte_resolve::spelling::{is_slip, nearest, slip};
use marotte_ruby::template::{calls_of, places_of};
use marotte_ruby_eval::template_names::{UnknownMethod, template_names, usual_methods};

use crate::context::{At, Context};
use crate::erb::template_code;
use crate::rendered_templates::{inline_templates, rendered_templates};

/// The number of names of a template that are reported: each is searched for in the whole text.
const MOST: usize = 20;

/// The methods that templates call most. Misspellings of their last letters are reported, too.
const MOST_FREQUENT: [&str; 30] = [
    "any?",
    "class",
    "collect",
    "delete",
    "downcase",
    "each",
    "each_pair",
    "empty?",
    "first",
    "flatten",
    "gsub",
    "has_key?",
    "include?",
    "is_a?",
    "join",
    "key?",
    "keys",
    "last",
    "length",
    "map",
    "nil?",
    "reject",
    "select",
    "size",
    "sort",
    "sort_by",
    "split",
    "strip",
    "to_s",
    "values",
];

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let (db, body) = (context.db, context.body);
    for (argument, text) in inline_templates(context) {
        if let Ok(Some(names)) = template_names("inline", &text) {
            names.methods.iter().for_each(|it| method(context, argument, it));
        }
    }
    for (argument, template) in rendered_templates(context) {
        let Ok(Some(names)) = template_code(db, template) else { continue };
        let mut is_reported = false;
        for (name, line) in names.undefined.iter().take(MOST) {
            let places = places_of(source_text(db, template).text(), name, *line);
            let Some(range) = places.first().copied() else { continue };
            let is_own = body.variables().any(|it| it == name);
            let known = names.local.iter().map(String::as_str);
            let meant = match is_own {
                true => Some(format!("@{name}")),
                false => nearest(name, known).map(str::to_owned),
            };
            let related = Related { file: template.id(db), range, message: "read here".to_owned() };
            let message =
                format!("the template reads `{name}`, which is neither a local variable nor a method");
            if context.has_reported(rules::UNRESOLVED_VARIABLE, &message) {
                continue;
            }
            let finding = context.report(rules::UNRESOLVED_VARIABLE, At::Expr(argument), message);
            is_reported = true;
            finding.level = Level::Warning;
            finding.label = meant.map(|it| format!("did you mean `{it}`?"));
            finding.related.push(related);
            finding.notes.push("the template cannot be rendered if it comes to this place".to_owned());
        }
        let left = names.undefined.len().saturating_sub(MOST);
        if left > 0
            && is_reported
            && let Some(finding) = context.last()
        {
            finding.notes.push(format!("{left} further names of this template are not reported"));
        }
    }
}

/// Reports a method that a template in the code calls and no class of Ruby has.
fn method(context: &mut Context<'_, '_>, at: ExprId, method: &UnknownMethod) {
    let Some(meant) = meant_method(method) else { return };
    let message = of_method(&method.name);
    if context.add_place(rules::UNRESOLVED_FUNCTION, &message, At::Expr(at), "rendered here, too") {
        return;
    }
    let finding = context.report(rules::UNRESOLVED_FUNCTION, At::Expr(at), message);
    describe(finding, meant);
}

/// Reports the methods that a template calls and that no class of Ruby has, in the template.
pub(crate) fn methods(db: &dyn Db, template: File) -> Vec<Diagnostic> {
    let Ok(Some(names)) = template_code(db, template) else { return Vec::new() };
    let found = names.methods.iter().filter_map(|method| {
        let meant = meant_method(method)?;
        // What follows a dot may be a text.
        let places = calls_of(source_text(db, template).text(), &method.name, method.line);
        let range = places.first().copied()?;
        let rule = rules::UNRESOLVED_FUNCTION;
        let message = of_method(&method.name);
        let mut finding = Diagnostic::new(rule, rule.level, template.id(db), range, message);
        describe(&mut finding, meant);
        Some(finding)
    });
    found.collect()
}

/// The message about a method that no class has.
fn of_method(name: &str) -> String {
    format!("the template calls the method `{name}`, which no class of Ruby has")
}

/// Adds what all findings about such a method say.
fn describe(finding: &mut Diagnostic, meant: &str) {
    finding.level = Level::Warning;
    finding.label = Some(format!("did you mean `{meant}`?"));
    finding.notes.push("the template cannot be rendered if it comes to this place".to_owned());
}

/// The usual method of which the name of another one is a slip: libraries may define others.
fn meant_method(method: &UnknownMethod) -> Option<&'static str> {
    let name = method.name.as_str();
    let usual = || usual_methods(method.on_scope);
    let asks = || usual().find(|it| it.strip_suffix('?') == Some(name));
    let short = || usual().find(|it| is_slip(name, it));
    let frequent = || {
        let begins_alike =
            MOST_FREQUENT.iter().copied().filter(|it| it.as_bytes().first() == name.as_bytes().first());
        nearest(name, begins_alike).filter(|it| !method.on_scope && it.len().abs_diff(name.len()) <= 1)
    };
    asks().or_else(|| slip(name, usual())).or_else(short).or_else(frequent)
}
