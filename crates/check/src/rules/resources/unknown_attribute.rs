//! `unknown-attribute`: a resource sets an attribute that its type doesn't have.

use marotte_diagnostics::{Level, rules};
use marotte_hir::body::{Attribute, AttributeName};
use marotte_infer::declarations::{alteration, chosen, queried, read_back};
use marotte_resolve::resource_types::{ResourceTypeName, described, is_universal};
use marotte_resolve::ruby::may_extend;
use marotte_resolve::spelling::{nearest, slip};
use marotte_ruby::core;
use marotte_ruby::resource_type::ResourceType;
use marotte_text::Str;

use crate::analysis::names::foreign_names::meant_attribute;
use crate::analysis::resources::relationships::METAPARAMETERS;
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    for declaration in context.declarations().iter() {
        for part in &declaration.parts {
            attributes(context, &declaration.type_name, &part.attributes, None);
            let chosen = chosen(context.body, &part.attributes);
            attributes(context, &declaration.type_name, &chosen, None);
        }
    }
    let body = context.body;
    for (id, expr) in body.exprs() {
        if let Some((Some(name), given)) = alteration(body, expr) {
            // It fails as soon as there is such a resource.
            attributes(context, name, &given, Some(Level::Warning));
        }
        if let Some((name, asked)) = queried(body, expr) {
            attributes(context, name, &asked, Some(Level::Warning));
        }
        if let Some((name, _, read)) = read_back(body, expr)
            && !context.inference().is_unreachable(id)
        {
            attributes(context, name, &read, None);
        }
    }
}

fn attributes(context: &mut Context<'_, '_>, name: &str, given: &[Attribute], level: Option<Level>) {
    let found = context.resource_type(name);
    let Some(resource_type) = described(context.db, found, name) else {
        // The attributes of classes are parameters.
        match found {
            ResourceTypeName::Agent(of_agent) => {
                let known = of_agent.attributes.iter().chain(core::metaparameters());
                surely_misspelled(context, name, given, &Vec::from_iter(known.map(|it| it.name.as_str())));
            }
            ResourceTypeName::Unknown | ResourceTypeName::Opaque if name != "class" => {
                surely_misspelled(context, name, given, &METAPARAMETERS);
            }
            _ => {}
        }
        return;
    };
    for attribute in given {
        let AttributeName::Name(name) = &attribute.name else { continue };
        let is_stage = name == "stage";
        // Puppet adds `provider` to a type when it finds a provider for it.
        let is_provider = name == "provider" && matches!(found, ResourceTypeName::Plugin(_));
        let is_known =
            resource_type.attribute(name).is_some() || is_universal(name) && !is_stage || is_provider;
        if is_known || may_extend(context.db, context.environment, resource_type.name.clone(), name.clone()) {
            continue;
        }
        report(context, resource_type, attribute, name, level);
        if is_stage && let Some(finding) = context.last() {
            finding.notes = vec!["only classes can be put into a stage".to_owned()];
        }
    }
}

/// Not all attributes of the type are known; certain misspellings are reported all the same.
fn surely_misspelled(
    context: &mut Context<'_, '_>,
    resource_type: &str,
    given: &[Attribute],
    known: &[&str],
) {
    for attribute in given {
        let AttributeName::Name(name) = &attribute.name else { continue };
        if known.contains(&name.as_str()) {
            continue;
        }
        let meant = slip(name, known.iter().copied()).or_else(|| without_ending(name, known)).map(Str::from);
        let Some(meant) = meant.or_else(|| meant_attribute(context, resource_type, name)) else { continue };
        let message = format!("resource type `{resource_type}` has surely no attribute `{name}`");
        let finding = context.report(rules::UNKNOWN_ATTRIBUTE, At::Expr(attribute.at), message);
        finding.level = Level::Warning;
        finding.label = Some(format!("did you mean `{meant}`?"));
    }
}

/// An attribute that is the name with one letter more or less at the end: `enable` for `enabled`, `minutes` for `minute`.
fn without_ending<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    const SHORTEST: usize = 5;
    let differs =
        |it: &&&str| it.len() == name.len() + 1 && it.starts_with(name) || name.strip_suffix('s') == Some(it);
    known.iter().filter(|_| name.len() >= SHORTEST).find(differs).copied()
}

fn report(
    context: &mut Context<'_, '_>,
    resource_type: &ResourceType,
    attribute: &Attribute,
    name: &str,
    level: Option<Level>,
) {
    let known = resource_type.attributes.iter().chain(core::metaparameters()).map(|it| it.name.as_str());
    let nearest = nearest(name, known);
    let message = format!("resource type `{}` has no attribute `{name}`", resource_type.name);
    let finding = context.report(rules::UNKNOWN_ATTRIBUTE, At::Expr(attribute.at), message);
    finding.level = level.unwrap_or(finding.level);
    finding.label = Some("not an attribute".to_owned());
    match nearest {
        Some(nearest) => finding.notes.push(format!("did you mean `{nearest}`?")),
        None => {
            let names: Vec<String> =
                resource_type.attributes.iter().map(|it| format!("`{}`", it.name)).take(16).collect();
            let more = if resource_type.attributes.len() > names.len() { ", …" } else { "" };
            finding.notes.push(format!("its attributes are {}{more}", names.join(", ")));
        }
    }
}
