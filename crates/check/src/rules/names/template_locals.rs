//! `unresolved-variable` for local variables of templates in ERB: a name that is neither a variable of the template nor a method.

use marotte_db::source_text;
use marotte_diagnostics::{Level, Related, rules};
use marotte_resolve::spelling::nearest;
use marotte_ruby::template::places_of;

use crate::context::{At, Context};
use crate::erb::template_code;
use crate::rendered_templates::rendered_templates;

/// The number of names of a template that are reported: each is searched for in the whole text.
const MOST: usize = 20;

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let (db, body) = (context.db, context.body);
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
