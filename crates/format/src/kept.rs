//! Code that is kept as it is written, because a suppression comment would otherwise no longer be on its line: the smallest run
//! of items of one list (statements, attributes, elements) that contains the line, or the header of a block.

use std::ops::Range;

use marotte_syntax::ast::{Attribute, Expr, ExprKind, Parameter, Program};
use marotte_text::TextRange;

use crate::doc::Span;
use crate::layout::{Item, items};
use crate::writer::span;

/// Code that has to keep its lines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    range: Span,
    /// Whether a smaller piece was not sufficient, so that statements outside of all blocks are kept.
    is_hard: bool,
}

/// A piece of code that is kept as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kept {
    pub(crate) start: u32,
    /// The end; for a header, the start of the first statement in the block.
    pub(crate) end: u32,
    /// The number of items; 0 for a header.
    pub(crate) count: usize,
}

impl Region {
    pub(crate) fn new(range: Span) -> Self {
        Region { range, is_hard: false }
    }

    fn include(&mut self, other: &Region) {
        self.range = (self.range.0.min(other.range.0), self.range.1.max(other.range.1));
        self.is_hard |= other.is_hard;
    }
}

/// Adds regions to others. A region that is among these already needs a larger piece.
pub(crate) fn add(regions: &mut Vec<Region>, more: Vec<Region>) {
    for region in more {
        match regions.binary_search_by_key(&region.range, |it| it.range) {
            Ok(at) => regions[at].is_hard = true,
            Err(at) => regions.insert(at, region),
        }
    }
}

/// The smallest pieces of a program that contain the regions, in order. They don't overlap. `texts` are the parts outside of a
/// template's tags.
pub(crate) fn pieces(program: &Program, texts: &[TextRange], regions: &[Region]) -> Vec<Kept> {
    if regions.is_empty() {
        return Vec::new();
    }
    let mut regions = regions.to_vec();
    loop {
        regions = without_overlap(regions);
        let mut finder =
            Finder { texts, regions: &regions, found: vec![None; regions.len()], is_inside: false };
        finder.program(program);
        let found = finder.found.iter().zip(&regions);
        let mut found: Vec<_> = found.filter_map(|(kept, region)| Some(((*kept)?, *region))).collect();
        found.sort_by_key(|(kept, _)| kept.start);
        found.dedup_by_key(|(kept, _)| *kept);
        // Pieces that overlap become one that contains both.
        let mut merged: Vec<(u32, Region)> = Vec::with_capacity(found.len());
        for (kept, region) in &found {
            match merged.last_mut() {
                Some((end, last)) if kept.start < *end => {
                    last.include(region);
                    *end = kept.end.max(*end);
                }
                _ => merged.push((kept.end, *region)),
            }
        }
        if merged.len() == found.len() {
            return found.into_iter().map(|(kept, _)| kept).collect();
        }
        regions = merged.into_iter().map(|(_, region)| region).collect();
    }
}

/// Joins regions that overlap, in order.
fn without_overlap(mut regions: Vec<Region>) -> Vec<Region> {
    regions.sort_by_key(|it| it.range);
    let mut joined: Vec<Region> = Vec::with_capacity(regions.len());
    for region in regions {
        match joined.last_mut() {
            Some(last) if region.range.0 < last.range.1 => last.include(&region),
            _ => joined.push(region),
        }
    }
    joined
}

/// The statements of the block whose header can be kept without them: None if there are none.
pub(crate) fn block_with_header(statement: &Expr) -> Option<&[Expr]> {
    let body = match &statement.kind {
        ExprKind::Class(it) => &it.body,
        ExprKind::Define(it) => &it.body,
        ExprKind::Function(it) => &it.body,
        ExprKind::Plan(it) => &it.body,
        ExprKind::Node(it) => &it.body,
        ExprKind::Unless(it) => &it.body,
        ExprKind::If(it) => &it.arms.first()?.body,
        ExprKind::Call(it) => &it.lambda.as_ref()?.body,
        ExprKind::MethodCall(it) => &it.lambda.as_ref()?.body,
        _ => return None,
    };
    Some(&**body).filter(|it| !it.is_empty())
}

/// Finds the smallest piece for each region.
struct Finder<'r> {
    texts: &'r [TextRange],
    /// The regions, in order. They don't overlap.
    regions: &'r [Region],
    found: Vec<Option<Kept>>,
    /// Whether the search has gone beyond the statements that are outside of all blocks.
    is_inside: bool,
}

impl Finder<'_> {
    fn program(&mut self, program: &Program) {
        let all = 0..self.regions.len();
        let parameters = program.template.iter().flat_map(|it| it.parameters.iter().flatten());
        let parameters: Vec<Span> = parameters.map(|it| span(it.range)).collect();
        self.list(&parameters, &all);
        let statements: Vec<Span> = program.body.iter().map(|it| span(it.range)).collect();
        self.list(&statements, &all);
        self.is_inside = true;
        self.headers(&program.body, &all);
        program.for_each_child(&mut |child| self.inside(child, &all));
    }

    /// Finds smaller pieces inside of an expression; it may contain only the regions `among`.
    fn inside(&mut self, expr: &Expr, among: &Range<usize>) {
        let among = &self.within(among, span(expr.range));
        if among.is_empty() {
            return;
        }
        match &expr.kind {
            // Strings are never changed.
            ExprKind::Interpolated(_) | ExprKind::Heredoc(_) => return,
            ExprKind::Array(elements) => self.values(elements, among),
            ExprKind::Access(access) => self.values(&access.keys, among),
            ExprKind::Hash(hash) if !hash.bare => {
                let entries = hash.entries.iter().filter(|it| !it.arrow.is_empty());
                let entries: Vec<Span> = entries.map(|it| covering(&it.key, &it.value)).collect();
                self.list(&entries, among);
            }
            ExprKind::Selector(selector) => {
                let entries = selector.entries.iter().map(|it| covering(&it.key, &it.value));
                self.list(&entries.collect::<Vec<_>>(), among);
            }
            ExprKind::Call(call) => {
                self.values(&call.arguments, among);
                if let Some(lambda) = &call.lambda {
                    self.parameters(&lambda.parameters, among);
                    self.body(&lambda.body, among);
                }
            }
            ExprKind::MethodCall(call) => {
                self.values(&call.arguments, among);
                if let Some(lambda) = &call.lambda {
                    self.parameters(&lambda.parameters, among);
                    self.body(&lambda.body, among);
                }
            }
            ExprKind::Resource(resource) => {
                if resource.bodies.len() > 1 {
                    let bodies: Vec<Span> = resource.bodies.iter().map(|it| span(it.range)).collect();
                    self.list(&bodies, among);
                }
                resource.bodies.iter().for_each(|it| self.attributes(&it.attributes, among));
            }
            ExprKind::ResourceDefaults(it) => self.attributes(&it.attributes, among),
            ExprKind::ResourceOverride(it) => self.attributes(&it.attributes, among),
            ExprKind::Collector(it) => self.attributes(&it.attributes, among),
            ExprKind::If(it) => {
                it.arms.iter().for_each(|arm| self.body(&arm.body, among));
                it.otherwise.iter().for_each(|body| self.body(body, among));
            }
            ExprKind::Unless(it) => {
                self.body(&it.body, among);
                it.otherwise.iter().for_each(|body| self.body(body, among));
            }
            ExprKind::Case(case) => {
                let options: Vec<Span> = case.options.iter().map(|it| span(it.range)).collect();
                self.list(&options, among);
                case.options.iter().for_each(|it| self.body(&it.body, among));
            }
            ExprKind::Class(it) => self.definition(&it.parameters, &it.body, among),
            ExprKind::Define(it) => self.definition(&it.parameters, &it.body, among),
            ExprKind::Function(it) => self.definition(&it.parameters, &it.body, among),
            ExprKind::Plan(it) => self.definition(&it.parameters, &it.body, among),
            ExprKind::Node(it) => self.body(&it.body, among),
            ExprKind::Apply(it) => {
                self.values(&it.arguments, among);
                self.body(&it.body, among);
            }
            ExprKind::TypeDefinition(it) => self.body(&it.body, among),
            _ => {}
        }
        expr.for_each_child(&mut |child| self.inside(child, among));
    }

    fn definition(&mut self, parameters: &[Parameter], body: &[Expr], among: &Range<usize>) {
        self.parameters(parameters, among);
        self.body(body, among);
    }

    fn parameters(&mut self, parameters: &[Parameter], among: &Range<usize>) {
        self.list(&parameters.iter().map(|it| span(it.range)).collect::<Vec<_>>(), among);
    }

    fn attributes(&mut self, attributes: &[Attribute], among: &Range<usize>) {
        self.list(&attributes.iter().map(|it| span(it.range)).collect::<Vec<_>>(), among);
    }

    fn values(&mut self, elements: &[Expr], among: &Range<usize>) {
        let range = |item: Item<'_>| match item {
            Item::Value(value) => span(value.range),
            Item::Pair(pair) => covering(&pair.key, &pair.value),
        };
        self.list(&items(elements).map(range).collect::<Vec<_>>(), among);
    }

    fn body(&mut self, body: &[Expr], among: &Range<usize>) {
        self.list(&body.iter().map(|it| span(it.range)).collect::<Vec<_>>(), among);
        self.headers(body, among);
    }

    /// Finds, for each region, the run of items of a list that contains it.
    fn list(&mut self, items: &[Span], among: &Range<usize>) {
        let (Some(first), Some(last)) = (items.first(), items.last()) else { return };
        for index in self.within(among, (first.0, last.1)) {
            let Region { range, is_hard } = self.regions[index];
            let from = items.partition_point(|it| it.1 <= range.0);
            let to = items.partition_point(|it| it.0 < range.1);
            let Some(run) = items.get(from..to).filter(|_| !(is_hard && self.is_inside)) else { continue };
            let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
            let (start, end) = (first.0, last.1);
            let has_text = || {
                let next = self.texts.partition_point(|it| u32::from(it.end()) <= start);
                self.texts.get(next).is_some_and(|it| u32::from(it.start()) < end)
            };
            if start <= range.0 && range.1 <= end && (run.len() == 1 || !has_text()) {
                self.found[index] = Some(Kept { start, end, count: run.len() });
            }
        }
    }

    /// Finds the headers of blocks, among statements, that contain regions.
    fn headers(&mut self, statements: &[Expr], among: &Range<usize>) {
        let (Some(first), Some(last)) = (statements.first(), statements.last()) else { return };
        for index in self.within(among, (span(first.range).0, span(last.range).1)) {
            let Region { range, is_hard } = self.regions[index];
            let at = statements.partition_point(|it| span(it.range).1 <= range.0);
            let Some(statement) = statements.get(at).filter(|_| !is_hard) else { continue };
            let start = span(statement.range).0;
            let inner = block_with_header(statement).and_then(|it| it.first());
            if let Some(end) =
                inner.map(|it| span(it.range).0).filter(|it| range.1 <= *it && start <= range.0)
            {
                self.found[index] = Some(Kept { start, end, count: 0 });
            }
        }
    }

    /// The regions among others that are in a range, or partly so.
    fn within(&self, among: &Range<usize>, range: Span) -> Range<usize> {
        let regions = &self.regions[among.clone()];
        let from = regions.partition_point(|it| it.range.1 <= range.0);
        let to = regions.partition_point(|it| it.range.0 < range.1);
        among.start + from..among.start + to.max(from)
    }
}

fn covering(key: &Expr, value: &Expr) -> Span {
    (span(key.range).0, span(value.range).1)
}
