//! `unresolved-variable` for local variables of templates in ERB: a name that is neither a variable of the template nor a method; and
//! `unresolved-function` for methods that no class of Ruby has, and for misspelled constants and keywords.

use std::cell::LazyCell;

use marotte_db::{Db, File, source_text};
use marotte_diagnostics::{Diagnostic, Level, Rule, rules};
use marotte_resolve::spelling::{has_swapped_letters, is_slip, nearest, slip};
use marotte_ruby::template::{calls_of, places_of};
use marotte_ruby_eval::template_names::{
    Misspelled, TemplateNames, UnknownMethod, methods_of_constant, template_names, usual_methods,
};

use crate::analysis::templates::erb::template_code;
use crate::analysis::templates::rendered::inline_templates;
use crate::context::{At, Context};

/// The number of names of a template that are reported: each is searched for in the whole text.
const MOST: usize = 20;

/// Keywords that a name may mean.
const KEYWORDS: [&str; 5] = ["else", "elsif", "end", "unless", "ensure"];

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

/// Reports the names in the templates that are texts of the code.
pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    for (argument, text) in inline_templates(context) {
        let Ok(names) = template_names("inline", &text) else { continue };
        for slip in slips(&names, |name| context.body.times_set(name) > 0) {
            if context.add_place(slip.rule, &slip.message, At::Expr(argument), "rendered here, too") {
                continue;
            }
            let finding = context.report(slip.rule, At::Expr(argument), slip.message);
            describe(finding, slip.meant);
        }
    }
}

/// Reports the names in a template. `has_other_names` says whether Ruby code may render it, with names that it doesn't set itself.
pub(crate) fn findings(
    db: &dyn Db,
    template: File,
    wants: impl Fn(&Rule) -> bool,
    is_set: impl Fn(&str) -> bool,
    has_other_names: impl Fn() -> bool,
) -> Vec<Diagnostic> {
    let Ok(names) = template_code(db, template) else { return Vec::new() };
    let text = source_text(db, template).text();
    let mut found = Vec::new();
    // It reads the Ruby code of the module.
    let has_other_names = LazyCell::new(has_other_names);
    let is_certain = |it: &Slip| it.rule != rules::UNRESOLVED_VARIABLE || it.is_of_local || !*has_other_names;
    for slip in slips(names, is_set).into_iter().filter(|it| wants(it.rule) && is_certain(it)) {
        // What follows a dot may be a text.
        let places = match slip.is_called {
            true => calls_of(text, &slip.name, slip.line),
            false => places_of(text, &slip.name, slip.line),
        };
        let Some(range) = places.first().copied() else { continue };
        let mut finding = Diagnostic::new(slip.rule, slip.rule.level, template.id(db), range, slip.message);
        describe(&mut finding, slip.meant);
        found.push(finding);
    }
    let left = names.undefined.len().saturating_sub(MOST);
    let last = found.iter_mut().rfind(|it| it.rule == rules::UNRESOLVED_VARIABLE);
    if let Some(finding) = last.filter(|_| left > 0) {
        finding.notes.push(format!("{left} further names of this template are not reported"));
    }
    found
}

/// A name of a template that nothing defines.
struct Slip {
    rule: &'static Rule,
    name: String,
    /// The line of the template, from 1.
    line: u32,
    /// Whether it is a method that is called on something.
    is_called: bool,
    /// Whether it is certainly a local variable of the template itself that is meant.
    is_of_local: bool,
    message: String,
    meant: Option<String>,
}

/// The names of a template that nothing defines. `is_set` says whether the code has a variable of this name.
fn slips(names: &TemplateNames, is_set: impl Fn(&str) -> bool) -> Vec<Slip> {
    let lone = names.undefined.iter().take(MOST).map(|(name, line)| {
        let local = names.local.iter().map(String::as_str);
        let meant = match is_set(name) {
            true => Some(format!("@{name}")),
            false => nearest(name, local.chain(KEYWORDS)).map(str::to_owned),
        };
        let is_of_local =
            !is_set(name) && names.local.iter().any(|it| is_slip(name, it) || has_swapped_letters(name, it));
        Slip {
            rule: rules::UNRESOLVED_VARIABLE,
            name: name.clone(),
            line: *line,
            is_called: false,
            is_of_local,
            message: format!("the template reads `{name}`, which is neither a local variable nor a method"),
            meant,
        }
    });
    let misspelled = |it: &Misspelled, message| Slip {
        rule: rules::UNRESOLVED_FUNCTION,
        name: it.name.clone(),
        line: it.line,
        is_called: false,
        is_of_local: false,
        message,
        meant: Some(it.meant.to_owned()),
    };
    let constants = names.constants.iter().map(|it| {
        let message = format!("the template reads the constant `{}`, which Ruby does not have", it.name);
        misspelled(it, message)
    });
    let calls = names.calls.iter().map(|it| {
        let message = format!("the template calls the method `{}`, which Ruby does not have", it.name);
        misspelled(it, message)
    });
    let methods = names.methods.iter().filter_map(|it| {
        Some(Slip {
            rule: rules::UNRESOLVED_FUNCTION,
            name: it.name.clone(),
            line: it.line,
            is_called: true,
            is_of_local: false,
            message: format!("the template calls the method `{}`, which no class of Ruby has", it.name),
            meant: Some(meant_method(it)?.to_owned()),
        })
    });
    lone.chain(constants).chain(calls).chain(methods).collect()
}

/// Adds what all findings about such a name say.
fn describe(finding: &mut Diagnostic, meant: Option<String>) {
    finding.level = Level::Warning;
    finding.label = meant.map(|it| format!("did you mean `{it}`?"));
    finding.notes.push("the template cannot be rendered if it comes to this place".to_owned());
}

/// The usual method of which the name of another one is a slip: libraries may define others.
fn meant_method(method: &UnknownMethod) -> Option<&'static str> {
    let name = method.name.as_str();
    if let Some(receiver) = &method.receiver {
        return nearest(name, methods_of_constant(receiver));
    }
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
