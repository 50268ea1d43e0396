//! The resources that an item declares, and with which attributes: by resource expressions, with the hashes that these unfold,
//! and by the functions that take hashes.

use foldhash::HashSet;
use marotte_hir::body::{Attribute, AttributeName, BinaryOp, Body, Expr, Query, QueryKind, Variable};
use marotte_hir::{ExprId, altered};
use marotte_resolve::call::NamedCall;
use marotte_text::{Str, normalized};

use crate::branches::set_by_choice;
use crate::literal::{outcomes, type_name};

/// Resources of one type that one expression declares.
pub struct Declaration {
    /// The expression.
    pub by: ExprId,
    /// What is declared already is left alone.
    pub unless_declared: bool,
    /// The name of the type, normalized.
    pub type_name: Str,
    /// Each with attributes of its own.
    pub parts: Vec<Part>,
}

/// The resources of a declaration that have the same attributes.
pub struct Part {
    /// The title, or several. None for the attributes that all others have besides their own.
    pub title: Option<ExprId>,
    /// As [`unfolded`].
    pub attributes: Vec<Attribute>,
}

impl Declaration {
    /// The attributes that all parts have besides their own.
    pub fn defaults(&self) -> &[Attribute] {
        self.parts.iter().find(|it| it.title.is_none()).map_or(&[], |it| &it.attributes)
    }
}

/// All that a body declares, as far as the types are literal.
pub fn declarations(body: &Body) -> Vec<Declaration> {
    body.exprs().filter_map(|(id, expr)| declaration(body, id, expr)).collect()
}

fn declaration(body: &Body, by: ExprId, expr: &Expr) -> Option<Declaration> {
    let declaration = |type_name: Str, parts: Vec<Part>, unless_declared: bool| {
        Some(Declaration { by, unless_declared, type_name, parts })
    };
    if let Expr::Resource(resource) = expr {
        let parts = resource.bodies.iter().map(|it| Part {
            title: (!matches!(body.expr(it.title), Expr::Default)).then_some(it.title),
            attributes: unfolded(body, &it.attributes),
        });
        return declaration(type_name(body, resource)?, parts.collect(), false);
    }
    let call = NamedCall::of(expr).filter(|it| it.lambda.is_none() && it.count(body).is_some())?;
    let arguments: Vec<ExprId> = call.arguments().collect();
    let name = call.plain_name();
    match (name, &arguments[..]) {
        ("create_resources" | "ensure_resources", [named, resources, defaults @ ..]) => {
            let mut parts = resources_of(body, *resources);
            parts.extend(defaults.first().map(|it| Part { title: None, attributes: hash(body, *it) }));
            declaration(named_type(body, *named)?, parts, name == "ensure_resources")
        }
        ("ensure_resource", [named, title, attributes]) => {
            let parts = vec![Part { title: Some(*title), attributes: hash(body, *attributes) }];
            declaration(named_type(body, *named)?, parts, true)
        }
        ("ensure_packages" | "stdlib::ensure_packages", [packages, defaults @ ..]) => {
            let is_hash = matches!(body.expr(value_of(body, *packages)), Expr::Hash(_));
            let mut parts = match is_hash {
                true => resources_of(body, *packages),
                false => vec![Part { title: Some(*packages), attributes: Vec::new() }],
            };
            parts.extend(defaults.first().map(|it| Part { title: None, attributes: hash(body, *it) }));
            declaration("package".into(), parts, true)
        }
        _ => None,
    }
}

/// The type that the first argument of such a function names: with `@`, its resources are virtual or exported.
fn named_type(body: &Body, id: ExprId) -> Option<Str> {
    match body.expr(id) {
        Expr::String(name) | Expr::Reference(name) => Some(normalized(name.trim_start_matches('@'))),
        _ => None,
    }
}

/// What a hash of titles and attributes declares.
fn resources_of(body: &Body, id: ExprId) -> Vec<Part> {
    match body.expr(value_of(body, id)) {
        Expr::Hash(entries) => entries
            .iter()
            .map(|(title, attributes)| Part { title: Some(*title), attributes: hash(body, *attributes) })
            .collect(),
        _ => Vec::new(),
    }
}

/// Attributes, with those in the place of `* => hash` that it names literally. Where it may name more, `*` stays.
pub fn unfolded(body: &Body, attributes: &[Attribute]) -> Vec<Attribute> {
    let unfold = |it: &Attribute| match it.name {
        AttributeName::Unfold => hash(body, it.value),
        AttributeName::Name(_) => vec![it.clone()],
    };
    attributes.iter().flat_map(unfold).collect()
}

/// As [`altered`], with [`unfolded`] attributes.
pub fn alteration<'b>(body: &'b Body, expr: &'b Expr) -> Option<(Option<&'b Str>, Vec<Attribute>)> {
    altered(body, expr).map(|(name, attributes)| (name, unfolded(body, attributes)))
}

/// The type of the resources that a collector looks for, and the attributes by which it does: what no resource has, none is
/// found by.
pub fn queried<'b>(body: &'b Body, expr: &'b Expr) -> Option<(&'b Str, Vec<Attribute>)> {
    let Expr::Collector(collector) = expr else { return None };
    let Expr::Reference(type_name) = body.expr(collector.type_ref) else { return None };
    let mut found = Vec::new();
    let mut open: Vec<&Query> = collector.query.iter().map(|it| &**it).collect();
    while let Some(query) = open.pop() {
        match &query.kind {
            QueryKind::And(left, right) | QueryKind::Or(left, right) => open.extend([&**right, &**left]),
            QueryKind::Equal(name, value) | QueryKind::NotEqual(name, value) => {
                // Every resource has a title, which is no attribute.
                if let Expr::String(word) = body.expr(*name)
                    && word != "title"
                {
                    let name_of = AttributeName::Name(word.clone());
                    found.push(Attribute { name: name_of, at: *name, append: false, value: *value });
                }
            }
            QueryKind::Other(_) => {}
        }
    }
    Some((type_name, found))
}

/// The attributes that a hash names. Where it may name more, `*` is among them.
fn hash(body: &Body, id: ExprId) -> Vec<Attribute> {
    let mut found = Vec::new();
    let mut left = MOST_HASHES;
    entries(body, id, &mut left, &mut found);
    found
}

/// The hashes that may be looked into for one: sums of sums double with each variable.
const MOST_HASHES: usize = 200;

/// The attributes of the hashes of which `* => hash` has one, where branches choose among several: each of them is given on some
/// nodes, and no two of different hashes together.
pub fn chosen(body: &Body, attributes: &[Attribute]) -> Vec<Attribute> {
    let unfolded = attributes.iter().filter(|it| it.name == AttributeName::Unfold);
    let hashes = unfolded.flat_map(|it| alternatives(body, value_of(body, it.value)));
    let mut found: Vec<Attribute> = hashes.flat_map(|it| hash(body, it)).collect();
    // What several have in common is there once.
    let mut seen = HashSet::default();
    found.retain(|it| it.name != AttributeName::Unfold && seen.insert(it.at));
    found
}

fn entries(body: &Body, id: ExprId, left: &mut usize, found: &mut Vec<Attribute>) {
    let rest = Attribute { name: AttributeName::Unfold, at: id, append: false, value: id };
    let value = value_of(body, id);
    let Some(fewer) = left.checked_sub(1) else { return found.push(rest) };
    *left = fewer;
    match body.expr(value) {
        Expr::Undef => {}
        Expr::Hash(pairs) => {
            for (key, value) in pairs {
                match body.expr(*key) {
                    Expr::String(name) => {
                        let name = AttributeName::Name(name.clone());
                        found.push(Attribute { name, at: *key, append: false, value: *value });
                    }
                    _ => found.push(Attribute { at: *key, ..rest.clone() }),
                }
            }
        }
        Expr::Binary(it) if it.op == BinaryOp::Add => sum(body, &[it.left, it.right], left, found),
        expr => match NamedCall::of(expr).filter(|it| it.plain_name() == "merge" && it.lambda.is_none()) {
            Some(call) if call.count(body).is_some() => {
                sum(body, &call.arguments().collect::<Vec<_>>(), left, found);
            }
            _ => found.push(rest),
        },
    }
}

/// The values of which a variable has one, or an expression with branches.
fn alternatives(body: &Body, id: ExprId) -> Vec<ExprId> {
    let values = match body.expr(id) {
        Expr::Variable(variable) => match &**variable {
            Variable::Local { name, .. } => set_by_choice(body, name),
            _ => Vec::new(),
        },
        _ => outcomes(body, id),
    };
    // What is set later is not read.
    values.into_iter().filter(|it| *it < id).collect()
}

/// Of a name that several hashes have, the last one counts.
fn sum(body: &Body, hashes: &[ExprId], left: &mut usize, found: &mut Vec<Attribute>) {
    let mut all: Vec<Attribute> = Vec::new();
    for id in hashes {
        let mut more = Vec::new();
        entries(body, *id, left, &mut more);
        let names: HashSet<&AttributeName> = more.iter().map(|it| &it.name).collect();
        let is_replaced = |it: &Attribute| it.name != AttributeName::Unfold && names.contains(&it.name);
        all.retain(|it| !is_replaced(it));
        all.append(&mut more);
    }
    found.append(&mut all);
}

/// What a variable is set to, if one assignment of the body sets it, and nothing else.
pub fn value_of(body: &Body, id: ExprId) -> ExprId {
    let mut id = id;
    while let Expr::Variable(variable) = body.expr(id)
        && let Variable::Local { name, .. } = &**variable
        // Inner expressions come before those that they are part of, and what is read was set before: so this ends.
        && let Some(value) = body.set_once(name).filter(|it| *it < id)
    {
        id = value;
    }
    id
}
