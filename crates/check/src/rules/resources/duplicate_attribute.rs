//! `duplicate-attribute`: a resource, its defaults or an override set an attribute twice.

use foldhash::HashMap;
use marotte_diagnostics::rules;
use marotte_hir::body::{Attribute, AttributeName, Expr};
use marotte_infer::declarations::unfolded;

use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (_, expr) in body.exprs() {
        match expr {
            Expr::Resource(it) => {
                it.bodies.iter().for_each(|it| attributes(context, &unfolded(body, &it.attributes)));
            }
            Expr::ResourceDefaults(_, it) | Expr::ResourceOverride(_, _, it) => {
                attributes(context, &unfolded(body, it));
            }
            _ => {}
        }
    }
}

fn attributes(context: &mut Context<'_, '_>, attributes: &[Attribute]) {
    let mut seen: HashMap<&str, &Attribute> = HashMap::default();
    for attribute in attributes {
        let AttributeName::Name(name) = &attribute.name else { continue };
        let Some(first) = seen.get(name.as_str()) else {
            seen.insert(name, attribute);
            continue;
        };
        let related = context.related(At::Expr(first.at), "set here");
        let message = format!("the attribute `{name}` is set twice");
        let finding = context.report(rules::DUPLICATE_ATTRIBUTE, At::Expr(attribute.at), message);
        finding.label = Some("set again".to_owned());
        finding.related.push(related);
    }
}
