//! `dependency-cycle`: resources that must each be applied before the other.
//!
//! Within one body, and the bodies of the classes that it names, for resources whose titles are known, or written alike in
//! references. A class or defined type is two things:
//! its start, before all that it contains, and its end, behind all of it; a relationship leads from the end of one to the start
//! of the other.

use marotte_diagnostics::rules;
use std::cmp::Reverse;

use foldhash::{HashMap, HashSet};
use marotte_hir::body::{AttributeName, Body, Expr};
use marotte_hir::{ExprId, Item, ItemKind, NameKind};
use marotte_infer::flow::{Branch, Flow};
use marotte_infer::literal::{Reference, references, type_name};
use marotte_pcore::effort;
use marotte_resolve::call::NamedCall;
use marotte_resolve::names::known;
use marotte_syntax::ast::{RelationshipOp, ResourceForm};
use marotte_text::TextRange;

use crate::analysis::names::classes::{Including, Inclusion};
use crate::analysis::resources::relations::{referred, relations};
use crate::analysis::resources::relationships;
use crate::context::{At, Context};
use crate::rules::resources::duplicate_declaration::spelled;

/// The start or the end of a resource: twice the index of the reference, plus one for its end.
type Point = usize;

/// An edge to a point that must come later.
#[derive(Clone, Copy, Debug)]
struct Edge {
    to: Point,
    /// The cause of the edge. None for the implicit edge from a start to its end.
    statement: Option<Statement>,
}

/// The code that orders one point before another.
#[derive(Clone, Copy, Debug)]
struct Statement {
    at: At,
    branch: Branch,
    /// An explicit relationship, not containment.
    is_relationship: bool,
}

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    // Every cycle that is reported has a relationship of this body.
    if !relates(context.body) {
        return;
    }
    let flow = context.flow();
    let graph = graph(context, &flow);
    let groups = graph.groups();
    // An edge between different groups isn't part of a cycle.
    let mut relationships: Vec<(Point, Point, Statement)> = Vec::new();
    for (from, edges) in graph.edges.iter().enumerate() {
        for edge in edges {
            if let Some(statement) = edge.statement.filter(|it| it.is_relationship)
                && groups[from] == groups[edge.to]
            {
                relationships.push((from, edge.to, statement));
            }
        }
    }
    // Each cycle is reported at its last relationship.
    relationships.sort_by_cached_key(|(from, _, statement)| {
        (Reverse(context.range(statement.at).start()), graph.reference(*from).clone())
    });
    let mut told: HashSet<TextRange> = HashSet::default();
    // The message of the first finding about each component.
    let mut reported: HashMap<usize, String> = HashMap::default();
    let mut search = Search::new(&graph, &groups, &flow);
    let most = STEPS_FOR_EACH_POINT.saturating_mul(graph.edges.len());
    for (from, to, statement) in relationships {
        if told.contains(&context.range(statement.at)) {
            continue;
        }
        if search.steps > most
            && let Some(message) = reported.get(&groups[from])
        {
            context.add_note(rules::DEPENDENCY_CYCLE, message, "there may be other cycles among these");
            continue;
        }
        let Some(way) = search.way(statement.branch, to, from) else { continue };
        let places: Vec<TextRange> =
            way.iter().filter_map(|(_, statement)| statement.map(|it| context.range(it.at))).collect();
        if places.iter().any(|it| told.contains(it)) {
            continue;
        }
        told.insert(context.range(statement.at));
        told.extend(places);
        let message = report(context, &graph, (from, to), statement, &way);
        reported.entry(groups[from]).or_insert(message);
    }
}

/// Whether a body orders resources: by arrows, by metaparameters, or by calls of `require`.
fn relates(body: &Body) -> bool {
    let is_require = |expr| NamedCall::of(expr).is_some_and(|it| it.plain_name() == "require");
    body.calls().any(|(_, expr)| is_require(expr)) || !relationships::operands(body).is_empty()
}

fn report(
    context: &mut Context<'_, '_>,
    graph: &Graph,
    (from, to): (Point, Point),
    statement: Statement,
    way: &[(Point, Option<Statement>)],
) -> String {
    /// Of a long cycle, only the first and last parts are listed.
    const SHOWN: usize = 20;
    let message = if graph.reference(from) == graph.reference(to) {
        format!("`{}` must come before itself", graph.reference(from))
    } else {
        let mut names = vec![graph.reference(from)];
        for (point, _) in way {
            let name = graph.reference(*point);
            if names.last() != Some(&name) {
                names.push(name);
            }
        }
        let mut shown: Vec<String> = names.iter().map(ToString::to_string).collect();
        if shown.len() > SHOWN {
            let left_out = format!("{} more", shown.len() - SHOWN);
            shown.splice(SHOWN / 2..shown.len() - SHOWN / 2, [left_out]);
        }
        format!("these depend on each other: `{}`", shown.join(" => "))
    };
    let steps = way.windows(2).filter_map(|step| Some((step[0].0, step[1].0, step[1].1?)));
    let related = steps.take(SHOWN).map(|(one, other, statement)| {
        let text = match one {
            _ if statement.is_relationship => format!("`{}` comes first here", graph.reference(one)),
            start if is_start(start) => format!("part of `{}`", graph.reference(one)),
            _ => format!("part of `{}`", graph.reference(other)),
        };
        context.related(statement.at, text)
    });
    let related = related.collect();
    let finding = context.report(rules::DEPENDENCY_CYCLE, statement.at, message.clone());
    finding.label = Some("closes the circle".to_owned());
    finding.related = related;
    message
}

/// The graph of ordering constraints.
#[derive(Default)]
struct Graph {
    references: Vec<Reference>,
    numbers: HashMap<Reference, usize>,
    /// The successors of each point.
    edges: Vec<Vec<Edge>>,
}

impl Graph {
    fn number(&mut self, it: &Reference) -> usize {
        if let Some(number) = self.numbers.get(it) {
            return *number;
        }
        let number = self.references.len();
        self.references.push(it.clone());
        self.numbers.insert(it.clone(), number);
        self.edges.push(vec![Edge { to: 2 * number + 1, statement: None }]);
        self.edges.push(Vec::new());
        number
    }

    fn start(&mut self, it: &Reference) -> Point {
        2 * self.number(it)
    }

    fn end(&mut self, it: &Reference) -> Point {
        2 * self.number(it) + 1
    }

    fn reference(&self, point: Point) -> &Reference {
        &self.references[point / 2]
    }

    /// The strongly connected component of each point.
    fn groups(&self) -> Vec<usize> {
        /// A point that wasn't visited, or isn't in a component yet.
        const NONE: usize = usize::MAX;
        let count = self.edges.len();
        let (mut group, mut order, mut lowest) = (vec![NONE; count], vec![NONE; count], vec![0; count]);
        let (mut visited, mut groups) = (0, 0);
        let mut open: Vec<Point> = Vec::new();
        for root in 0..count {
            // The stack: a point, and the number of its edges that were followed.
            let mut steps: Vec<(Point, usize)> =
                if order[root] == NONE { vec![(root, 0)] } else { Vec::new() };
            while let Some((point, followed)) = steps.pop() {
                if followed == 0 {
                    (order[point], lowest[point]) = (visited, visited);
                    visited += 1;
                    open.push(point);
                } else {
                    lowest[point] = lowest[point].min(lowest[self.edges[point][followed - 1].to]);
                }
                let mut edges = self.edges[point].iter().enumerate().skip(followed);
                let deeper = edges.find(|(_, edge)| {
                    if group[edge.to] == NONE && order[edge.to] != NONE {
                        lowest[point] = lowest[point].min(order[edge.to]);
                    }
                    order[edge.to] == NONE
                });
                if let Some((index, edge)) = deeper {
                    steps.push((point, index + 1));
                    steps.push((edge.to, 0));
                } else if lowest[point] == order[point] {
                    while let Some(member) = open.pop() {
                        group[member] = groups;
                        if member == point {
                            break;
                        }
                    }
                    groups += 1;
                }
            }
        }
        group
    }
}

fn is_start(point: Point) -> bool {
    point.is_multiple_of(2)
}

/// The number of steps that the searches in a graph may take for each of its points. Beyond it, one cycle of each component is
/// searched.
const STEPS_FOR_EACH_POINT: usize = 100;

/// A search for paths within components.
struct Search<'a> {
    flow: &'a Flow,
    /// The edges to points of the same component.
    outgoing: Vec<Vec<Edge>>,
    /// The same edges, by the points that they lead to, and with those that they come from.
    incoming: Vec<Vec<Edge>>,
    /// The number of edges that were followed.
    steps: usize,
}

/// The points that one side of a search has reached.
struct Side<'a> {
    edges: &'a [Vec<Edge>],
    /// The point that each of them was reached from, by which edge, and the number of edges to it.
    reached: HashMap<Point, (Point, Option<Statement>, usize)>,
    /// Those that were reached last.
    last: Vec<Point>,
}

impl<'a> Side<'a> {
    fn new(edges: &'a [Vec<Edge>], start: Point) -> Self {
        Side { edges, reached: HashMap::from_iter([(start, (start, None, 0))]), last: vec![start] }
    }

    /// The number of edges to follow next.
    fn width(&self) -> usize {
        self.last.iter().map(|it| self.edges[*it].len()).sum()
    }

    /// Follows all edges from the points that were reached last.
    fn advance(&mut self, holds: &dyn Fn(Statement) -> bool) {
        for point in std::mem::take(&mut self.last) {
            let distance = self.reached.get(&point).map_or(0, |it| it.2) + 1;
            for edge in &self.edges[point] {
                if !effort::spend(1) {
                    return;
                }
                if edge.statement.is_none_or(holds) && !self.reached.contains_key(&edge.to) {
                    self.reached.insert(edge.to, (point, edge.statement, distance));
                    self.last.push(edge.to);
                }
            }
        }
    }

    /// The way from a point back to the start, with the edges that were followed; without the start.
    fn back(&self, from: Point) -> Vec<(Point, Point, Option<Statement>)> {
        let mut way = Vec::new();
        let mut here = from;
        while let Some((before, statement, distance)) = self.reached.get(&here)
            && *distance > 0
        {
            way.push((here, *before, *statement));
            here = *before;
        }
        way
    }
}

impl<'a> Search<'a> {
    fn new(graph: &Graph, groups: &[usize], flow: &'a Flow) -> Self {
        let count = graph.edges.len();
        let (mut outgoing, mut incoming) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for (from, edges) in graph.edges.iter().enumerate() {
            for edge in edges.iter().filter(|it| groups[it.to] == groups[from]) {
                outgoing[from].push(*edge);
                incoming[edge.to].push(Edge { to: from, ..*edge });
            }
        }
        Search { flow, outgoing, incoming, steps: 0 }
    }

    /// The shortest path from one point to another over the constraints that hold on a branch: the points, with the causes of
    /// the edges. It is searched from both ends, on the side with fewer edges to follow, because a point may have very many
    /// edges in one direction.
    fn way(&mut self, branch: Branch, from: Point, to: Point) -> Option<Vec<(Point, Option<Statement>)>> {
        // If a branch may be left early, code after it in the enclosing branch may not be evaluated.
        let flow = self.flow;
        let holds =
            |it: Statement| it.branch == branch || !flow.may_leave() && flow.is_within(branch, it.branch);
        let mut ahead = Side::new(&self.outgoing, from);
        let mut behind = Side::new(&self.incoming, to);
        let mut middle = (from == to).then_some(from);
        while middle.is_none() && !ahead.last.is_empty() && !behind.last.is_empty() {
            let (side, other) = match ahead.width() <= behind.width() {
                true => (&mut ahead, &behind),
                false => (&mut behind, &ahead),
            };
            self.steps += side.width();
            side.advance(&holds);
            let meeting = side.last.iter().filter_map(|it| Some((other.reached.get(it)?.2, *it)));
            middle = meeting.min().map(|it| it.1);
        }
        let middle = middle?;
        let mut way: Vec<_> = ahead.back(middle).into_iter().map(|(here, _, by)| (here, by)).collect();
        way.push((from, None));
        way.reverse();
        way.extend(behind.back(middle).into_iter().map(|(_, next, by)| (next, by)));
        Some(way)
    }
}

struct Builder<'a> {
    graph: Graph,
    flow: &'a Flow,
    /// The class that the body defines.
    container: Option<Reference>,
    /// The resources that are declared, so that a class that declares them again says nothing of them.
    declared: HashSet<Reference>,
}

impl Builder<'_> {
    fn add(&mut self, from: Point, to: Point, statement: Statement) {
        self.graph.edges[from].push(Edge { to, statement: Some(statement) });
    }

    fn relate(&mut self, first: &Reference, second: &Reference, at: At, by: ExprId) {
        // Code that creates more edges than its size justifies has no cycle that a reader could follow.
        if !effort::spend(EDGE) {
            return;
        }
        let statement = Statement { at, branch: self.flow.of(by), is_relationship: true };
        let (from, to) = (self.graph.end(first), self.graph.start(second));
        self.add(from, to, statement);
    }

    /// Records that something is declared here, and is therefore contained in the class.
    fn contain(&mut self, it: &Reference, at: At, by: ExprId) {
        let Some(container) = self.container.clone() else { return };
        let statement = Statement { at, branch: self.flow.of(by), is_relationship: false };
        let (outer, inner) = (self.graph.start(&container), self.graph.start(it));
        self.add(outer, inner, statement);
        let (inner, outer) = (self.graph.end(it), self.graph.end(&container));
        self.add(inner, outer, statement);
    }
}

/// The number of steps that one edge costs.
const EDGE: u64 = 10;

fn graph(context: &Context<'_, '_>, flow: &Flow) -> Graph {
    let body = context.body;
    let is_class = context.item.kind(context.db) == ItemKind::Class;
    let container = is_class.then(|| Reference::new("class", context.item.name(context.db)));
    let mut builder = Builder { graph: Graph::default(), flow, container, declared: HashSet::default() };
    for (id, expr) in body.exprs() {
        match expr {
            // Virtual resources may or may not be realized.
            Expr::Resource(it) if it.form == ResourceForm::Regular => {
                let Some(type_name) = type_name(body, it) else { continue };
                for resource in &it.bodies {
                    for (at, title) in titles(context, resource.title) {
                        let this = Reference::new(&type_name, &title);
                        builder.declared.insert(this.clone());
                        if type_name != "class" {
                            builder.contain(&this, At::Expr(at), id);
                        }
                        for attribute in &resource.attributes {
                            let AttributeName::Name(name) = &attribute.name else { continue };
                            let comes_first = match name.as_str() {
                                "require" | "subscribe" => false,
                                "before" | "notify" => true,
                                _ => continue,
                            };
                            for (at, other) in related(context, attribute.value) {
                                match comes_first {
                                    true => builder.relate(&this, &other, At::Expr(at), id),
                                    false => builder.relate(&other, &this, At::Expr(at), id),
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
    named_classes(context, &mut builder);
    builder.graph
}

/// Adds the bodies of the classes that this body names: a class is declared where it is related, and so is what it declares on no
/// condition.
fn named_classes(context: &Context<'_, '_>, builder: &mut Builder<'_>) {
    /// The number of classes that are added. Each file that names a large class adds what it contains again.
    const MOST: usize = 300;
    let (db, body) = (context.db, context.body);
    let is_class = |(_, it): &(ExprId, Reference)| it.type_name == "class";
    let related = relationships::operands(body).into_iter().flat_map(|(id, _)| {
        references(body, id).0.into_iter().filter(is_class).map(move |it| (id, it.1.title.to_string()))
    });
    let included = body.calls().flat_map(|(id, expr)| {
        let classes = Inclusion::of(body, expr).into_iter().flat_map(|it| it.classes);
        classes.map(move |it| (id, it.1.to_owned()))
    });
    let named = related.chain(included);
    let named = named.filter_map(|(id, name)| Some((id, known(db, context.file, NameKind::Class, &name)?)));
    let mut seen: HashSet<Item<'_>> = HashSet::from_iter([context.item]);
    for (by, class) in named {
        if seen.len() < MOST && seen.insert(class) {
            of_class(context, class, by, builder);
        }
    }
}

/// Adds what a class contains, and in which order, on no condition.
fn of_class(context: &Context<'_, '_>, class: Item<'_>, by: ExprId, builder: &mut Builder<'_>) {
    let relations = relations(context.db, class);
    let count = relations.contains.len() + relations.order.len();
    if !effort::spend(EDGE.saturating_mul(count as u64)) {
        return;
    }
    let this = Reference::new("class", class.name(context.db));
    // The variables of this body have short names here.
    let prefix = format!("${{{}::", context.item.name(context.db));
    let is_own = |rest: &str| !rest.split('}').next().is_some_and(|it| it.contains("::"));
    let here = |it: &Reference| match it.title.split(&prefix).skip(1).all(is_own) {
        true => Reference::new(&it.type_name, &it.title.replace(&prefix, "${")),
        false => it.clone(),
    };
    let statement = Statement { at: At::Expr(by), branch: builder.flow.of(by), is_relationship: false };
    let (start, end) = (builder.graph.start(&this), builder.graph.end(&this));
    for inner in &relations.contains {
        let inner = &here(inner);
        let is_new = inner.type_name == "class" || builder.declared.insert(inner.clone());
        if is_new {
            let (inner_start, inner_end) = (builder.graph.start(inner), builder.graph.end(inner));
            builder.add(start, inner_start, statement);
            builder.add(inner_end, end, statement);
        }
    }
    for (first, second) in &relations.order {
        let (from, to) = (builder.graph.end(&here(first)), builder.graph.start(&here(second)));
        builder.add(from, to, statement);
    }
}

/// The titles of a resource expression: as they are, or as they are written, if that gives the same wherever it is.
fn titles(context: &Context<'_, '_>, id: ExprId) -> Vec<(ExprId, String)> {
    match context.body.expr(id) {
        // As deep as the brackets of the text.
        Expr::Array(elements) => elements.iter().flat_map(|it| titles(context, *it)).collect(),
        Expr::String(text) => vec![(id, text.to_string())],
        Expr::Variable(_) | Expr::Interpolated(_) => {
            spelled(context, id).map(|it| (id, alike(context, it))).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// The name of a defined type's resource is its title.
fn alike(context: &Context<'_, '_>, written: String) -> String {
    match context.item.kind(context.db) {
        ItemKind::Define => written.replace("${title}", "${name}"),
        _ => written,
    }
}

/// The resources that an expression refers to by titles that are known, or written.
fn related(context: &Context<'_, '_>, id: ExprId) -> Vec<(ExprId, Reference)> {
    referred(context.body, id, &|it| titles(context, it))
}

/// The resources that an operand of an arrow refers to. The value of a relationship is its right side.
fn operands(context: &Context<'_, '_>, operand: ExprId) -> Vec<(ExprId, Reference)> {
    let body = context.body;
    let mut operand = operand;
    while let Expr::Relationship { right, .. } = body.expr(operand) {
        operand = *right;
    }
    match body.expr(operand) {
        Expr::Resource(it) if it.form == ResourceForm::Regular => {
            let Some(type_name) = type_name(body, it) else { return Vec::new() };
            let titles = it.bodies.iter().flat_map(|it| titles(context, it.title));
            titles.map(|(at, title)| (at, Reference::new(&type_name, &title))).collect()
        }
        Expr::Resource(_) => Vec::new(),
        _ => related(context, operand),
    }
}
