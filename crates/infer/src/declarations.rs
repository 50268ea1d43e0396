//! The resources that an item declares, with their attributes: in resource expressions, including the hashes that these unfold,
//! and in calls of functions that take hashes.

use foldhash::{HashMap, HashSet};
use marotte_hir::body::{Attribute, AttributeName, BinaryOp, Body, Expr, Query, QueryKind, Variable};
use marotte_hir::{ExprId, altered};
use marotte_resolve::call::NamedCall;
use marotte_text::{Str, normalized};

use crate::branches::set_by_choice;
use crate::literal::{outcomes, type_name};

/// Resources of one type that one expression declares.
pub struct Declaration {
    /// The declaring expression.
    pub by: ExprId,
    /// Resources that are already declared are skipped.
    pub unless_declared: bool,
    /// The normalized name of the resource type.
    pub type_name: Str,
    /// The resources, grouped by attributes.
    pub parts: Vec<Part>,
}

/// The resources of a declaration that have the same attributes.
pub struct Part {
    /// The title, or several titles. None for the defaults that apply to all other parts.
    pub title: Option<ExprId>,
    /// The attributes, [`unfolded`].
    pub attributes: Vec<Attribute>,
}

impl Declaration {
    /// The default attributes that apply to all parts.
    pub fn defaults(&self) -> &[Attribute] {
        self.parts.iter().find(|it| it.title.is_none()).map_or(&[], |it| &it.attributes)
    }
}

/// All declarations in a body whose resource types are literal.
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

/// The resource type named by the first argument of such a function: with `@`, its resources are virtual or exported.
fn named_type(body: &Body, id: ExprId) -> Option<Str> {
    match body.expr(id) {
        Expr::String(name) | Expr::Reference(name) => Some(normalized(name.trim_start_matches('@'))),
        _ => None,
    }
}

/// The resources declared by a hash of titles and attributes.
fn resources_of(body: &Body, id: ExprId) -> Vec<Part> {
    match body.expr(value_of(body, id)) {
        Expr::Hash(entries) => entries
            .iter()
            .map(|(title, attributes)| Part { title: Some(*title), attributes: hash(body, *attributes) })
            .collect(),
        _ => Vec::new(),
    }
}

/// Replaces `* => hash` by the attributes of the hash, as far as they are literal. If there may be more, `*` is kept.
pub fn unfolded(body: &Body, attributes: &[Attribute]) -> Vec<Attribute> {
    let unfold = |it: &Attribute| match it.name {
        AttributeName::Unfold => hash(body, it.value),
        AttributeName::Name(_) => vec![it.clone()],
    };
    attributes.iter().flat_map(unfold).collect()
}

/// Like [`altered`], with [`unfolded`] attributes.
pub fn alteration<'b>(body: &'b Body, expr: &'b Expr) -> Option<(Option<&'b Str>, Vec<Attribute>)> {
    altered(body, expr).map(|(name, attributes)| (name, unfolded(body, attributes)))
}

/// The resource type that a collector searches, and the attributes of its query: an attribute that no resource has matches
/// nothing.
pub fn queried<'b>(body: &'b Body, expr: &'b Expr) -> Option<(&'b Str, Vec<Attribute>)> {
    let Expr::Collector(collector) = expr else { return None };
    let Expr::Reference(type_name) = body.expr(collector.type_ref) else { return None };
    let mut found = Vec::new();
    let mut open: Vec<&Query> = collector.query.iter().map(|it| &**it).collect();
    while let Some(query) = open.pop() {
        match &query.kind {
            QueryKind::And(left, right) | QueryKind::Or(left, right) => open.extend([&**right, &**left]),
            QueryKind::Equal(name, value) | QueryKind::NotEqual(name, value) => {
                // Every resource has a title, which isn't an attribute.
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

/// The resource type and title of an access to attributes of a declared resource, `Foo['x']['attribute']`, and the attributes:
/// evaluation fails if the type doesn't have them. The type of a class is `class`.
pub fn read_back<'b>(body: &'b Body, expr: &'b Expr) -> Option<(&'b Str, ExprId, Vec<Attribute>)> {
    let Expr::Access { target, keys } = expr else { return None };
    let Expr::Access { target, keys: titles } = body.expr(*target) else { return None };
    let (Expr::Reference(type_name), [title]) = (body.expr(*target), &titles[..]) else { return None };
    let attributes = keys.iter().filter_map(|key| match body.expr(*key) {
        Expr::String(name) => {
            Some(Attribute { name: AttributeName::Name(name.clone()), at: *key, append: false, value: *key })
        }
        _ => None,
    });
    Some((type_name, *title, attributes.collect()))
}

/// The literal attributes of a hash, which may be the value of a variable or a sum. If there may be more, `*` is among them.
pub fn hash(body: &Body, id: ExprId) -> Vec<Attribute> {
    let mut parts = Parts { body, left: MOST_HASHES, found: Vec::new() };
    parts.add(id);
    let mut last: HashMap<AttributeName, usize> = HashMap::default();
    for (part, attribute) in &parts.found {
        last.insert(attribute.name.clone(), *part);
    }
    // If several parts of a sum set a name, the last one wins.
    let is_last = |part: usize, it: &Attribute| {
        it.name == AttributeName::Unfold || last.get(&it.name).is_none_or(|last| *last == part)
    };
    parts.found.into_iter().filter(|(part, it)| is_last(*part, it)).map(|(_, it)| it).collect()
}

/// The limit on the hashes examined for one hash: sums of sums double with each variable.
const MOST_HASHES: usize = 200;

/// The attributes of the possible hashes of `* => hash`, where branches choose among several: each is set on some nodes, and
/// attributes of different hashes are never set together.
pub fn chosen(body: &Body, attributes: &[Attribute]) -> Vec<Attribute> {
    let unfolded = attributes.iter().filter(|it| it.name == AttributeName::Unfold);
    let hashes = unfolded.flat_map(|it| alternatives(body, value_of(body, it.value)));
    let mut found: Vec<Attribute> = hashes.flat_map(|it| hash(body, it)).collect();
    // Attributes that several hashes share occur once.
    let mut seen = HashSet::default();
    found.retain(|it| it.name != AttributeName::Unfold && seen.insert(it.at));
    found
}

/// The attributes of the hashes that a sum consists of.
struct Parts<'b> {
    body: &'b Body,
    /// The number of hashes that are still examined.
    left: usize,
    /// The attributes, each with the number of its part, which is greater for later parts.
    found: Vec<(usize, Attribute)>,
}

impl Parts<'_> {
    fn add(&mut self, id: ExprId) {
        let body = self.body;
        let rest = Attribute { name: AttributeName::Unfold, at: id, append: false, value: id };
        let part = MOST_HASHES - self.left;
        let value = value_of(body, id);
        let Some(fewer) = self.left.checked_sub(1) else { return self.found.push((part, rest)) };
        self.left = fewer;
        match body.expr(value) {
            Expr::Undef => {}
            Expr::Hash(pairs) => {
                for (key, value) in pairs {
                    let attribute = match body.expr(*key) {
                        Expr::String(name) => {
                            let name = AttributeName::Name(name.clone());
                            Attribute { name, at: *key, append: false, value: *value }
                        }
                        _ => Attribute { at: *key, ..rest.clone() },
                    };
                    self.found.push((part, attribute));
                }
            }
            Expr::Binary(it) if it.op == BinaryOp::Add => {
                [it.left, it.right].into_iter().for_each(|it| self.add(it))
            }
            expr => {
                match NamedCall::of(expr).filter(|it| it.plain_name() == "merge" && it.lambda.is_none()) {
                    Some(call) if call.count(body).is_some() => call.arguments().for_each(|it| self.add(it)),
                    _ => self.found.push((part, rest)),
                }
            }
        }
    }
}

/// The possible values of a variable, or of an expression with branches.
fn alternatives(body: &Body, id: ExprId) -> Vec<ExprId> {
    let values = match body.expr(id) {
        Expr::Variable(variable) => match &**variable {
            Variable::Local { name, .. } => set_by_choice(body, name),
            _ => Vec::new(),
        },
        _ => outcomes(body, id),
    };
    // Later assignments aren't read.
    values.into_iter().filter(|it| *it < id).collect()
}

/// The value of a variable, if exactly one assignment of the body sets it; otherwise the expression itself. A chain of variables
/// is followed up to a limit, and ends with a variable if it is longer.
pub fn value_of(body: &Body, id: ExprId) -> ExprId {
    const LONGEST: usize = 64;
    let mut id = id;
    for _ in 0..LONGEST {
        if let Expr::Variable(variable) = body.expr(id)
            && let Variable::Local { name, .. } = &**variable
            // Inner expressions precede outer ones, and variables are set before they are read.
            && let Some(value) = body.set_once(name).filter(|it| *it < id)
        {
            id = value;
        } else {
            break;
        }
    }
    id
}
