//! `attribute-value` for commands: an `exec` whose command is not absolute, and that has no search path
//! (`Puppet::Provider::Exec#validatecmd`).

use std::cell::OnceCell;

use marotte_diagnostics::{Level, rules};
use marotte_hir::ExprId;
use marotte_hir::body::{Attribute, AttributeName, Expr, Segment};
use marotte_infer::declarations::{Part, alteration};
use marotte_infer::known_values::text_of;
use marotte_resolve::resource_types::is_altered_elsewhere;
use marotte_resolve::spelling::near;

use crate::analysis::resources::search_paths::{is_only_bare_command, may_have_path};
use crate::context::{At, Context};

/// The attributes that hold one command, or an array of commands. Those of `command` and `refresh` are a command and its arguments.
const CONDITIONS: [&str; 2] = ["onlyif", "unless"];

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let declarations = context.declarations();
    if declarations.iter().all(|it| it.type_name != "exec") {
        return;
    }
    let all_parts = || declarations.iter().filter(|it| it.type_name == "exec").flat_map(|it| &it.parts);
    // A site may set defaults for all resources. Code that gives all commands a path but one doesn't rely on them.
    let has_path = |it: &&Part| it.attributes.iter().any(|it| sets(it, &["path"]));
    let relies_on_none = || {
        let all = all_parts().filter(|it| it.title.is_some()).count();
        all > 2 && all_parts().filter(has_path).count() + 1 == all
    };
    if !context.environment.is_complete(context.db)
        && !relies_on_none()
        && !is_only_bare_command(context.db, context.environment, context.file)
    {
        return;
    }
    let is_set_later = OnceCell::new();
    for declaration in declarations.iter().filter(|it| it.type_name == "exec") {
        let defaults = declaration.defaults();
        for part in declaration.parts.iter().filter(|it| it.title.is_some()) {
            let all = || part.attributes.iter().chain(defaults);
            // Other providers search for commands in their own way.
            if all().any(|it| sets(it, &["path", "provider"]) || is_near_path(it)) {
                continue;
            }
            if !all().any(|it| sets(it, &["command"]))
                && !is_set_later.get_or_init(|| command_is_set_later(context))
            {
                part.title.into_iter().for_each(|it| of_title(context, it));
            }
            for attribute in &part.attributes {
                let AttributeName::Name(name) = &attribute.name else { continue };
                if name == "command" || name == "refresh" {
                    command(context, attribute.value);
                } else if CONDITIONS.contains(&name.as_str()) {
                    conditions(context, attribute.value);
                }
            }
        }
    }
}

/// Whether an override or a collector, of the body or of another file, sets the command of an `exec`.
fn command_is_set_later(context: &Context<'_, '_>) -> bool {
    let mut alterations = context.body.exprs().filter_map(|(_, expr)| alteration(context.body, expr));
    alterations.any(|(name, given)| {
        name.is_none_or(|it| it == "exec") && given.iter().any(|it| sets(it, &["command"]))
    }) || is_altered_elsewhere(context.db, context.environment, context.file, "exec", "command")
}

/// Whether an attribute is one of these, or may be any.
fn sets(attribute: &Attribute, names: &[&str]) -> bool {
    match &attribute.name {
        AttributeName::Name(name) => names.contains(&name.as_str()),
        AttributeName::Unfold => true,
    }
}

/// Whether an attribute is a slip of `path`, which is a finding of its own.
fn is_near_path(attribute: &Attribute) -> bool {
    matches!(&attribute.name, AttributeName::Name(name) if near(name, ["path"]).is_some())
}

/// Checks the titles of resources without `command`.
fn of_title(context: &mut Context<'_, '_>, title: ExprId) {
    match context.body.expr(title) {
        Expr::Array(elements) => elements.iter().for_each(|it| of_title(context, *it)),
        _ => command(context, title),
    }
}

/// Checks the commands of a condition: one, or several.
fn conditions(context: &mut Context<'_, '_>, id: ExprId) {
    match context.body.expr(id) {
        Expr::Array(elements) => elements.iter().for_each(|it| command(context, *it)),
        _ => command(context, id),
    }
}

/// Checks a command, which may be an array of the program and its arguments.
fn command(context: &mut Context<'_, '_>, id: ExprId) {
    let id = match context.body.expr(id) {
        Expr::Array(parts) => match parts.first() {
            Some(program) => *program,
            None => return,
        },
        _ => id,
    };
    let Some(program) = program(context, id) else { return };
    if is_absolute(&program)
        || context.inference().is_unreachable(id)
        || may_have_path(context.db, context.environment, context.file)
    {
        return;
    }
    let message = format!("the command `{program}` is not an absolute path, and this `exec` has no `path`");
    let finding = context.report(rules::ATTRIBUTE_VALUE, At::Expr(id), message);
    finding.level = Level::Warning;
    finding.label = Some("in which folder is this program?".to_owned());
    finding.notes.push(
        "write the whole path of the program, or set `path` to the folders that it is searched in".to_owned(),
    );
}

/// The program that a command runs, if the command starts with its whole name.
fn program(context: &Context<'_, '_>, id: ExprId) -> Option<String> {
    let (text, is_whole) = match context.body.expr(id) {
        Expr::Interpolated(segments) => match segments.first()? {
            Segment::Text(text) => (text.to_string(), false),
            Segment::Expr(_) => return None,
        },
        _ => (text_of(context.typed(), id)?, true),
    };
    let name = match text.chars().next()? {
        quote @ ('"' | '\'') => text[1..].split_once(quote)?.0,
        _ => match text.split_once(' ') {
            Some((name, _)) => name,
            None if is_whole => &text,
            None => return None,
        },
    };
    (!name.is_empty() && !name.contains(['\n', '\t'])).then(|| name.to_owned())
}

/// Whether a path is absolute, on Unix or Windows.
fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '\\']) || path.get(1..).is_some_and(|it| it.starts_with(':'))
}
