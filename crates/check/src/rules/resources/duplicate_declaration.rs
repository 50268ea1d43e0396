//! `duplicate-declaration`: a resource, or a class, is declared twice in the same compilation (the reference's
//! `DuplicateResourceError`, and `DUPLICATE_TITLE` within one expression).

use foldhash::{HashMap, HashSet};
use marotte_diagnostics::rules;
use marotte_hir::body::{Attribute, AttributeName, Expr};
use marotte_hir::{Body, ExprId, ItemKind};
use marotte_infer::declarations::{Declaration as Resources, Part};
use marotte_infer::flow::{Earlier, Group};
use marotte_infer::known_values::text_of;
use marotte_infer::literal::Reference;
use marotte_resolve::call::queries_catalog;

use crate::analysis::names::classes::Inclusion;
use crate::analysis::titles::written::written;
use crate::context::{At, Context};

/// A declaration of a resource.
#[derive(Clone, Copy)]
struct Declaration {
    /// The title.
    at: At,
    /// The declaring expression. None for declarations that precede the evaluation of the body.
    expr: Option<ExprId>,
    /// Declared by a function that skips classes which are already declared.
    is_inclusion: bool,
    /// Declared only if it isn't declared already.
    unless_declared: bool,
    /// Declared by the attribute `path`, besides a title.
    by_path: bool,
}

/// The declarations of a body, in order, each with the number of the resource that it declares.
#[derive(Default)]
struct Declarations {
    numbers: HashMap<Reference, usize>,
    /// The number of declarations of each resource.
    counts: Vec<usize>,
    all: Vec<(usize, Declaration)>,
}

impl Declarations {
    fn add(&mut self, name: Reference, declaration: Declaration) {
        let number = *self.numbers.entry(name).or_insert(self.counts.len());
        self.counts.resize(self.counts.len().max(number + 1), 0);
        self.counts[number] += 1;
        self.all.push((number, declaration));
    }
}

/// The earlier declarations of one resource.
#[derive(Default)]
struct Declared {
    /// The declaration that precedes the evaluation of the body.
    before: Option<Declaration>,
    group: Group,
}

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let found = declarations(context);
    if found.counts.iter().all(|it| *it < 2) {
        return;
    }
    let mut names: Vec<(usize, &Reference)> = found.numbers.iter().map(|(name, it)| (*it, name)).collect();
    names.sort_unstable_by_key(|it| it.0);
    // Conditions distinguish declarations.
    let queries_catalog = queries_catalog(context.body);
    let flow = context.flow();
    let mut earlier = Earlier::new(&flow);
    // By the numbers of `earlier`.
    let mut numbered: Vec<Declaration> = Vec::new();
    let mut declared: HashMap<usize, Declared> = HashMap::default();
    // The pairs of declarations that have been compared: a path that follows a common title is no further finding.
    let mut compared: HashSet<(Option<ExprId>, ExprId)> = HashSet::default();
    for (number, this) in &found.all {
        if found.counts[*number] < 2 {
            continue;
        }
        let Declared { before, group } = declared.entry(*number).or_default();
        let Some(id) = this.expr else {
            before.get_or_insert(*this);
            continue;
        };
        if !this.is_inclusion && !this.unless_declared {
            let of_body = match queries_catalog {
                true => earlier.find_beside(group, id),
                false => earlier.find(group, id),
            };
            let first = before.filter(|_| !queries_catalog);
            if let Some(other) = first.or_else(|| of_body.and_then(|it| numbered.get(it)).copied())
                && (compared.insert((other.expr, id)) || !this.by_path)
            {
                report(context, names[*number].1, other, *this);
            }
        }
        earlier.add(group, id);
        numbered.push(*this);
    }
}

/// The declarations in a body.
fn declarations(context: &Context<'_, '_>) -> Declarations {
    let body = context.body;
    let mut declared = Declarations::default();
    let mut before = |at: At, class: &str| {
        let it = Declaration { at, expr: None, is_inclusion: true, unless_declared: false, by_path: false };
        declared.add(Reference::new("class", class), it);
    };
    if context.item.kind(context.db) == ItemKind::Class {
        before(At::Name, context.item.name(context.db));
        if let Some(parent) = &context.item.signature(context.db).parent {
            before(At::Parent, parent);
        }
    }
    let resources = context.declarations();
    let mut resources = resources.iter().peekable();
    for (id, expr) in body.exprs() {
        if let Some(resource) = resources.next_if(|it| it.by == id) {
            let is_file = resource.type_name == "file";
            let titles = resource.parts.iter().filter(|_| is_file).filter_map(|it| it.title);
            let titles: HashSet<ExprId> = titles.flat_map(|it| elements(body, it)).collect();
            for (name, at) in resource.parts.iter().flat_map(|it| names(context, resource, it)) {
                declared.add(
                    name,
                    Declaration {
                        at: At::Expr(at),
                        expr: Some(id),
                        is_inclusion: false,
                        unless_declared: resource.unless_declared,
                        by_path: is_file && !titles.contains(&at),
                    },
                );
            }
            continue;
        }
        // These needn't be the first to declare a class.
        for (at, class) in Inclusion::of(body, expr).into_iter().flat_map(|it| it.classes) {
            let at = At::Expr(at);
            let it = Declaration {
                at,
                expr: Some(id),
                is_inclusion: true,
                unless_declared: false,
                by_path: false,
            };
            declared.add(Reference::new("class", class), it);
        }
    }
    declared
}

/// The names of a part's resources, as far as they distinguish resources: their titles, and for files also their paths.
fn names(context: &Context<'_, '_>, of: &Resources, part: &Part) -> Vec<(Reference, ExprId)> {
    let type_name = of.type_name.as_str();
    let named = |id: ExprId| Some((Reference::new(type_name, &spelled(context, id)?), id));
    let mut found: Vec<(Reference, ExprId)> =
        part.title.iter().flat_map(|it| elements(context.body, *it)).filter_map(named).collect();
    if type_name == "file" {
        let is_path = |it: &&Attribute| matches!(&it.name, AttributeName::Name(name) if name == "path");
        let path = part.attributes.iter().find(is_path).and_then(|it| named(it.value));
        found.extend(path.filter(|(path, _)| found.iter().all(|(title, _)| title != path)));
    }
    found
}

/// The elements of an array, flattened, or the expression itself.
fn elements(body: &Body, id: ExprId) -> Vec<ExprId> {
    match body.expr(id) {
        Expr::Array(all) => all.iter().flat_map(|it| elements(body, *it)).collect(),
        _ => vec![id],
    }
}

/// The constant value of an expression, or its source form, if equal source means equal values.
pub(in crate::rules) fn spelled(context: &Context<'_, '_>, id: ExprId) -> Option<String> {
    match context.body.expr(id) {
        Expr::String(text) => Some(text.to_string()),
        _ => text_of(context.typed(), id).or_else(|| written(context.body, id, None)),
    }
}

fn report(context: &mut Context<'_, '_>, name: &Reference, other: Declaration, this: Declaration) {
    let first = match other.at {
        At::Name => "the class is declared by the time its body is evaluated".to_owned(),
        At::Parent => "inherited, and so declared, here".to_owned(),
        _ if other.is_inclusion => "included here".to_owned(),
        _ => "declared here".to_owned(),
    };
    let related = context.related(other.at, first);
    let message = if other.expr == this.expr {
        format!("the title `{}` appears twice in this resource expression", name.title)
    } else {
        format!("`{name}` is declared already")
    };
    let finding = context.report(rules::DUPLICATE_DECLARATION, this.at, message);
    finding.label = Some("declared again".to_owned());
    finding.related.push(related);
    if other.is_inclusion {
        finding.notes.push(
            "a class that is declared like a resource must not be declared before; put this first, or use `include`"
                .to_owned(),
        );
    }
}
