//! The operands of relationships.

use marotte_hir::ExprId;
use marotte_hir::body::{Attribute, AttributeName, Body, Expr, Segment};
use marotte_infer::declarations::Declaration;
use marotte_resolve::call::NamedCall;
use marotte_syntax::ast::ResourceForm;
use marotte_text::{Str, normalized};

/// The metaparameters that create relationships.
pub(crate) const METAPARAMETERS: [&str; 4] = ["require", "before", "notify", "subscribe"];

/// The syntax that creates a relationship.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// `require => …`, and the others.
    Metaparameter,
    /// `->`, and the others.
    Arrow,
}

/// The expressions that refer to something in a relationship, with arrays flattened. Leaves out virtual resources, whose
/// metaparameters take effect only when they are realized.
pub(crate) fn operands(body: &Body) -> Vec<(ExprId, By)> {
    let mut found = Vec::new();
    for (_, expr) in body.exprs() {
        match expr {
            Expr::Resource(it) if it.form == ResourceForm::Regular => {
                it.bodies.iter().for_each(|it| metaparameters(body, &it.attributes, &mut found));
            }
            Expr::Relationship { left, right, .. } => {
                elements(body, *left, By::Arrow, &mut found);
                elements(body, *right, By::Arrow, &mut found);
            }
            _ => {}
        }
    }
    found
}

/// The expressions that calls of `realize` refer to, with arrays flattened.
pub(crate) fn realized(body: &Body) -> Vec<ExprId> {
    let mut found = Vec::new();
    for (_, expr) in body.calls() {
        let Some(call) = NamedCall::of(expr).filter(|it| it.plain_name() == "realize") else { continue };
        call.arguments().for_each(|it| elements(body, it, By::Metaparameter, &mut found));
    }
    found.into_iter().map(|it| it.0).collect()
}

/// The references to the resources whose attributes a body overrides: `File['/etc/motd'] { … }`.
pub(crate) fn overridden(body: &Body) -> Vec<ExprId> {
    let targets = body.exprs().filter_map(|(_, expr)| match expr {
        Expr::ResourceOverride(ResourceForm::Regular, target, _) => Some(*target),
        _ => None,
    });
    targets.collect()
}

/// Metaparameters whose values are titles, and the titles that always exist.
const NAMING: [(&str, &[&str]); 2] =
    [("stage", &["main"]), ("schedule", &["hourly", "daily", "weekly", "monthly", "never", "puppet"])];

/// The values of metaparameters that name a resource by its title alone, with its type and title. Only classes have stages.
pub(crate) fn named_by_title(body: &Body, declarations: &[Declaration]) -> Vec<(ExprId, &'static str, Str)> {
    let mut found = Vec::new();
    for declaration in declarations {
        for attribute in declaration.parts.iter().flat_map(|it| &it.attributes) {
            let AttributeName::Name(name) = &attribute.name else { continue };
            let Some((kind, existing)) = NAMING.iter().find(|it| it.0 == name.as_str()) else { continue };
            let Expr::String(title) = body.expr(attribute.value) else { continue };
            let is_meant = *kind != "stage" || declaration.type_name == "class";
            if is_meant && !existing.contains(&title.as_str()) {
                found.push((attribute.value, *kind, title.clone()));
            }
        }
    }
    found
}

/// The references in an operand whose titles are computed in part: the type, in lower case, and the title.
pub(crate) fn partly_written(body: &Body, operand: ExprId) -> Vec<(Str, ExprId)> {
    let Expr::Access { target, keys } = body.expr(operand) else { return Vec::new() };
    let Expr::Reference(name) = body.expr(*target) else { return Vec::new() };
    let is_partly = |it: &&ExprId| match body.expr(**it) {
        Expr::Interpolated(segments) => segments.iter().any(|it| matches!(it, Segment::Text(_))),
        _ => false,
    };
    keys.iter().filter(is_partly).map(|it| (normalized(name), *it)).collect()
}

/// The references in metaparameters of attribute hashes.
pub(crate) fn related_in_hashes(body: &Body) -> Vec<ExprId> {
    let hashes = body.exprs().filter_map(|(_, expr)| match expr {
        Expr::Hash(entries) => Some(entries),
        _ => None,
    });
    let is_relation =
        |key: ExprId| matches!(body.expr(key), Expr::String(it) if METAPARAMETERS.contains(&it.as_str()));
    let related = hashes.flatten().filter(|it| is_relation(it.0));
    let mut found = Vec::new();
    related.for_each(|it| elements(body, it.1, By::Metaparameter, &mut found));
    found.into_iter().map(|it| it.0).collect()
}

/// All resources that relationships name, including those of relationships that take effect later or elsewhere, and in hashes of
/// attributes.
pub(crate) fn named(body: &Body) -> Vec<ExprId> {
    let operands = operands(body).into_iter().map(|it| it.0);
    operands.chain(later(body)).chain(related_in_hashes(body)).collect()
}

/// The resources that relationships name which take effect later or elsewhere, if ever: of virtual resources, in defaults, overrides
/// and collectors.
pub(crate) fn later(body: &Body) -> Vec<ExprId> {
    let mut found = Vec::new();
    for (_, expr) in body.exprs() {
        match expr {
            Expr::Resource(it) if it.form != ResourceForm::Regular => {
                it.bodies.iter().for_each(|it| metaparameters(body, &it.attributes, &mut found));
            }
            Expr::ResourceDefaults(_, set) | Expr::ResourceOverride(_, _, set) => {
                metaparameters(body, set, &mut found);
            }
            Expr::Collector(it) => metaparameters(body, &it.attributes, &mut found),
            _ => {}
        }
    }
    found.into_iter().map(|it| it.0).collect()
}

fn metaparameters(body: &Body, attributes: &[Attribute], found: &mut Vec<(ExprId, By)>) {
    for attribute in attributes {
        if let AttributeName::Name(name) = &attribute.name
            && METAPARAMETERS.contains(&name.as_str())
        {
            elements(body, attribute.value, By::Metaparameter, found);
        }
    }
}

fn elements(body: &Body, id: ExprId, by: By, found: &mut Vec<(ExprId, By)>) {
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        match body.expr(id) {
            Expr::Array(elements) => open.extend(elements.iter().rev()),
            // Its own operands are collected; it isn't an operand itself.
            Expr::Relationship { .. } => {}
            _ => found.push((id, by)),
        }
    }
}
