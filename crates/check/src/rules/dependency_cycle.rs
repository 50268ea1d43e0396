//! `dependency-cycle`: resources that must each be applied before the other.
//!
//! Within one body, for resources with literal titles and references that are literal. A class or defined type is two things:
//! its start, before all that it contains, and its end, behind all of it; a relationship leads from the end of one to the start
//! of the other.

use std::collections::{BTreeMap, VecDeque};

use marotte_hir::body::{AttributeName, Expr};
use marotte_hir::{ExprId, ItemKind};
use marotte_syntax::ast::{RelationshipOp, ResourceForm};

use crate::classes::{Including, Inclusion};
use crate::context::{At, Context};
use crate::flow::{Branch, Flow};
use crate::literal::{Reference, references, strings, type_name};

/// The start or the end of what is applied.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Point {
    Start(Reference),
    End(Reference),
}

/// Something that must come before something else.
#[derive(Clone, Debug)]
struct Edge {
    to: Point,
    /// What says so. None for what is so of itself: a start before its end.
    said: Option<Said>,
}

/// What says that something comes before something else.
#[derive(Clone, Copy, Debug)]
struct Said {
    at: At,
    branch: Branch,
    /// A relationship that was written, not containment.
    is_relationship: bool,
}

pub(super) fn check(context: &mut Context<'_, '_>) {
    let flow = context.flow();
    let graph = graph(context, &flow);
    let mut told: Vec<At> = Vec::new();
    let mut relationships: Vec<(Reference, Reference, Said)> = graph
        .iter()
        .flat_map(|(from, edges)| edges.iter().map(move |edge| (from, edge)))
        .filter_map(|(from, edge)| match (from, &edge.to, edge.said) {
            (Point::End(from), Point::Start(to), Some(said)) if said.is_relationship => {
                Some((from.clone(), to.clone(), said))
            }
            _ => None,
        })
        .collect();
    // The last relationship of each cycle tells of it.
    relationships.sort_by_key(|(_, _, said)| std::cmp::Reverse(context.range(said.at).start()));
    for (from, to, said) in relationships {
        let way = way(&graph, &flow, said.branch, &Point::Start(to.clone()), &Point::End(from.clone()));
        let Some(way) = way else { continue };
        let places: Vec<At> = way.iter().filter_map(|(_, said)| said.map(|it| it.at)).collect();
        let is_told = |at: &At| told.iter().any(|it| context.range(*it) == context.range(*at));
        if is_told(&said.at) || places.iter().any(is_told) {
            continue;
        }
        told.push(said.at);
        told.extend(places);
        report(context, &from, &to, said, &way);
    }
}

fn report(
    context: &mut Context<'_, '_>,
    from: &Reference,
    to: &Reference,
    said: Said,
    way: &[(Point, Option<Said>)],
) {
    let message = if from == to {
        format!("`{from}` must come before itself")
    } else {
        let mut names = vec![from.to_string()];
        for (point, _) in way {
            let name = point.reference().to_string();
            if names.last() != Some(&name) {
                names.push(name);
            }
        }
        format!("these depend on each other: `{}`", names.join(" => "))
    };
    let steps = way.windows(2).filter_map(|step| Some((&step[0].0, &step[1].0, step[1].1?)));
    let related = steps.map(|(one, other, said)| {
        let text = match one {
            _ if said.is_relationship => format!("`{}` comes first here", one.reference()),
            Point::Start(class) => format!("part of `{class}`"),
            Point::End(_) => format!("part of `{}`", other.reference()),
        };
        context.related(said.at, text)
    });
    let related = related.collect();
    let finding = context.report("dependency-cycle", said.at, message);
    finding.label = Some("closes the circle".to_owned());
    finding.related = related;
}

/// The shortest way from one point to another over what holds on a branch: the points with what led there.
fn way(
    graph: &BTreeMap<Point, Vec<Edge>>,
    flow: &Flow,
    branch: Branch,
    from: &Point,
    to: &Point,
) -> Option<Vec<(Point, Option<Said>)>> {
    let mut before: BTreeMap<&Point, (&Point, Option<Said>)> = BTreeMap::new();
    let mut open = VecDeque::from([from]);
    while let Some(point) = open.pop_front() {
        if point == to {
            let mut way = Vec::new();
            let mut here = point;
            while here != from {
                let (earlier, said) = before.get(here)?;
                way.push((here.clone(), *said));
                here = earlier;
            }
            way.push((from.clone(), None));
            way.reverse();
            return Some(way);
        }
        for edge in graph.get(point).into_iter().flatten() {
            // Around a branch that may leave, what stands behind it may not be evaluated.
            let holds = edge.said.is_none_or(|it| {
                it.branch == branch || !flow.may_leave() && flow.is_within(branch, it.branch)
            });
            if holds && &edge.to != from && !before.contains_key(&edge.to) {
                before.insert(&edge.to, (point, edge.said));
                open.push_back(&edge.to);
            }
        }
    }
    None
}

struct Builder<'a> {
    graph: BTreeMap<Point, Vec<Edge>>,
    flow: &'a Flow,
    /// The class whose body this is.
    container: Option<Reference>,
}

impl Builder<'_> {
    fn add(&mut self, from: Point, to: Point, said: Option<Said>) {
        for point in [&from, &to] {
            if let Point::Start(it) = point
                && !self.graph.contains_key(point)
            {
                self.graph.insert(point.clone(), vec![Edge { to: Point::End(it.clone()), said: None }]);
            }
        }
        self.graph
            .entry(Point::Start(from.reference().clone()))
            .or_insert_with(|| vec![Edge { to: Point::End(from.reference().clone()), said: None }]);
        self.graph.entry(from).or_default().push(Edge { to, said });
    }

    fn relate(&mut self, first: &Reference, second: &Reference, at: At, by: ExprId) {
        let said = Said { at, branch: self.flow.of(by), is_relationship: true };
        self.add(Point::End(first.clone()), Point::Start(second.clone()), Some(said));
    }

    /// Something is declared here, and so part of the class.
    fn contain(&mut self, it: &Reference, at: At, by: ExprId) {
        let Some(container) = self.container.clone() else { return };
        let said = Said { at, branch: self.flow.of(by), is_relationship: false };
        self.add(Point::Start(container.clone()), Point::Start(it.clone()), Some(said));
        self.add(Point::End(it.clone()), Point::End(container), Some(said));
    }
}

impl Point {
    fn reference(&self) -> &Reference {
        let (Point::Start(it) | Point::End(it)) = self;
        it
    }
}

fn graph(context: &Context<'_, '_>, flow: &Flow) -> BTreeMap<Point, Vec<Edge>> {
    let body = context.body;
    let is_class = context.item.kind(context.db) == ItemKind::Class;
    let container = is_class.then(|| Reference::new("class", context.item.name(context.db)));
    let mut builder = Builder { graph: BTreeMap::new(), flow, container };
    for (id, expr) in body.exprs() {
        match expr {
            // What is virtual may be realized or not.
            Expr::Resource(it) if it.form == ResourceForm::Regular => {
                let Some(type_name) = type_name(body, it) else { continue };
                for resource in &it.bodies {
                    let titles = strings(body, resource.title).0;
                    for (at, title) in titles {
                        let this = Reference::new(&type_name, title);
                        if type_name != "class" {
                            builder.contain(&this, At::Expr(at), id);
                        }
                        for attribute in &resource.attributes {
                            let AttributeName::Name(name) = &attribute.name else { continue };
                            for (at, other) in references(body, attribute.value).0 {
                                match name.as_str() {
                                    "require" | "subscribe" => {
                                        builder.relate(&other, &this, At::Expr(at), id)
                                    }
                                    "before" | "notify" => builder.relate(&this, &other, At::Expr(at), id),
                                    _ => {}
                                }
                            }
                        }
                    }
                }
            }
            Expr::Relationship { op, left, right } => {
                let (before, after) = (operands(context, *left), operands(context, *right));
                for (_, one) in &before {
                    for (at, other) in &after {
                        match op {
                            RelationshipOp::Before | RelationshipOp::Notify => {
                                builder.relate(one, other, At::Expr(*at), id);
                            }
                            RelationshipOp::After | RelationshipOp::Subscribe => {
                                builder.relate(other, one, At::Expr(*at), id);
                            }
                        }
                    }
                }
            }
            _ => {
                let Some(inclusion) = Inclusion::of(body, expr) else { continue };
                for (at, class) in inclusion.classes {
                    let class = Reference::new("class", class);
                    match inclusion.by {
                        Including::Contain => builder.contain(&class, At::Expr(at), id),
                        Including::Require => {
                            if let Some(container) = builder.container.clone() {
                                builder.relate(&class, &container, At::Expr(at), id);
                            }
                        }
                        Including::Include => {}
                    }
                }
            }
        }
    }
    builder.graph
}

/// The resources that an operand of an arrow means. The value of a relationship is its right side.
fn operands(context: &Context<'_, '_>, operand: ExprId) -> Vec<(ExprId, Reference)> {
    let body = context.body;
    let mut operand = operand;
    while let Expr::Relationship { right, .. } = body.expr(operand) {
        operand = *right;
    }
    match body.expr(operand) {
        Expr::Resource(it) if it.form == ResourceForm::Regular => {
            let Some(type_name) = type_name(body, it) else { return Vec::new() };
            let titles = it.bodies.iter().flat_map(|it| strings(body, it.title).0);
            titles.map(|(at, title)| (at, Reference::new(&type_name, title))).collect()
        }
        Expr::Resource(_) => Vec::new(),
        _ => references(body, operand).0,
    }
}
