//! Dependency cycles (F35): a catalog with a cycle compiles, but no agent can apply it.

use foldhash::HashMap;
use marotte_pcore::graph::components;
use marotte_pcore::value::Value;

use crate::{Catalog, Reference};

/// A dependency cycle: each resource depends on the one before it, and the first on the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle(pub Vec<Reference>);

/// Formats the cycle as a line: `Notify[a] => Notify[b] => Notify[a]`.
impl std::fmt::Display for Cycle {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for it in &self.0 {
            write!(out, "{it} => ")?;
        }
        match self.0.first() {
            Some(first) => write!(out, "{first}"),
            None => Ok(()),
        }
    }
}

/// The order of resources. A container starts before its contents and ends after them, so each resource is two points:
/// `2 * index` is its start, `2 * index + 1` its end.
struct Graph {
    /// For each point, where its part of `targets` starts; one more at the end.
    starts: Vec<usize>,
    /// The points that come directly after each point.
    targets: Vec<usize>,
}

/// The budget of the search for a shortest cycle in a group, in visited connections; one search through the group
/// always runs.
const PATIENCE: usize = 1_000_000;

/// Returns one cycle for each group of interdependent resources: a shortest one or, in groups of many hundreds, the
/// shortest of those through some of the resources.
pub fn cycles<P>(catalog: &Catalog<P>) -> Vec<Cycle> {
    let graph = Graph::of(catalog);
    let groups = components(graph.count(), |point| graph.after(point));
    let mut group_of = vec![usize::MAX; graph.count()];
    for (number, group) in groups.iter().enumerate() {
        group.iter().for_each(|point| group_of[*point] = number);
    }
    let mut found = Vec::new();
    for group in groups {
        let connections: usize = group.iter().map(|point| graph.after(*point).len()).sum();
        let starts = group.iter().take((PATIENCE / connections.max(1)).max(1));
        let shortest = starts.filter_map(|start| graph.way_back(*start, &group_of)).min_by_key(Vec::len);
        let Some(way) = shortest else { continue };
        let mut resources: Vec<Reference> = Vec::new();
        for point in way {
            let reference = &catalog.resources[point / 2].reference;
            if resources.last() != Some(reference) {
                resources.push(reference.clone());
            }
        }
        if resources.len() > 1 && resources.first() == resources.last() {
            resources.pop();
        }
        found.push(Cycle(resources));
    }
    found
}

impl Graph {
    fn of<P>(catalog: &Catalog<P>) -> Graph {
        let numbers: HashMap<&Reference, usize> =
            catalog.resources.iter().enumerate().map(|(at, it)| (&it.reference, at)).collect();
        let mut connections: Vec<(usize, usize)> =
            (0..catalog.resources.len()).map(|index| (2 * index, 2 * index + 1)).collect();
        let number = |it: &Reference| numbers.get(it).copied();
        for edge in &catalog.edges {
            if let (Some(source), Some(target)) = (number(&edge.source), number(&edge.target)) {
                connections.push((2 * source, 2 * target));
                connections.push((2 * target + 1, 2 * source + 1));
            }
        }
        for (index, it) in catalog.resources.iter().enumerate() {
            for (name, comes_first) in
                [("before", true), ("notify", true), ("require", false), ("subscribe", false)]
            {
                for reference in it.parameters.get(name).map(references).unwrap_or_default() {
                    let Some(other) = number(&reference) else { continue };
                    let (first, second) = if comes_first { (index, other) } else { (other, index) };
                    connections.push((2 * first + 1, 2 * second));
                }
            }
        }
        Graph::new(2 * catalog.resources.len(), &connections)
    }

    /// Creates a graph of `count` points from its connections.
    fn new(count: usize, connections: &[(usize, usize)]) -> Graph {
        let mut starts = vec![0; count + 1];
        for (from, _) in connections {
            starts[from + 1] += 1;
        }
        for point in 0..count {
            starts[point + 1] += starts[point];
        }
        let mut next = starts.clone();
        let mut targets = vec![0; connections.len()];
        for (from, to) in connections {
            targets[next[*from]] = *to;
            next[*from] += 1;
        }
        Graph { starts, targets }
    }

    /// The number of points.
    fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The points that come directly after a point.
    fn after(&self, point: usize) -> &[usize] {
        &self.targets[self.starts[point]..self.starts[point + 1]]
    }

    /// Returns the shortest path from a point back to itself within its group.
    fn way_back(&self, start: usize, group_of: &[usize]) -> Option<Vec<usize>> {
        let mut before: HashMap<usize, usize> = HashMap::default();
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(point) = queue.pop_front() {
            for target in self.after(point) {
                if *target == start {
                    let mut way = vec![point];
                    while let Some(previous) = way.last().and_then(|it| before.get(it)) {
                        way.push(*previous);
                    }
                    way.reverse();
                    return Some(way);
                }
                if group_of[*target] == group_of[start] && !before.contains_key(target) {
                    before.insert(*target, point);
                    queue.push_back(*target);
                }
            }
        }
        None
    }
}

/// Returns the resources in the value of a relationship parameter.
pub fn references(value: &Value) -> Vec<Reference> {
    match value {
        Value::Array(elements) => elements.iter().flat_map(references).collect(),
        Value::String(text) => Reference::parse(text).into_iter().collect(),
        other => Reference::of_value(other).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, Line, Named, Resource, Tags};

    /// A catalog of notifications, each of which requires others.
    fn catalog(requires: impl IntoIterator<Item = (usize, Vec<usize>)>) -> Catalog<Line> {
        let resource = |(number, required): (usize, Vec<usize>)| {
            let named = |it: usize| Reference::new("notify", &it.to_string());
            let required = required.into_iter().map(|it| named(it).to_value()).collect();
            Resource {
                reference: named(number),
                kind: Kind::CompilableType,
                tags: Tags::default(),
                place: None,
                exported: false,
                parameters: Named::from_iter([("require".into(), Value::Array(required))]),
                spellings: Vec::new(),
            }
        };
        Catalog {
            name: "node".into(),
            environment: "production".into(),
            tags: Tags::default(),
            classes: Vec::new(),
            resources: requires.into_iter().map(resource).collect(),
            exports: Vec::new(),
            export_edges: Vec::new(),
            lacks_imports: false,
            edges: Vec::new(),
            gaps: Vec::new(),
            contents: None,
        }
    }

    #[test]
    fn shortest_cycle_of_each_group_is_found() {
        let requires =
            [(0, vec![1]), (1, vec![2, 0]), (2, vec![0]), (3, vec![4, 0]), (4, vec![3]), (5, vec![0])];
        let mut lengths: Vec<usize> = cycles(&catalog(requires)).iter().map(|it| it.0.len()).collect();
        lengths.sort_unstable();
        assert_eq!(lengths, [2, 2]);
    }

    #[test]
    fn thousands_may_wait_for_each_other() {
        let count = 3_000;
        let ring = catalog((0..count).map(|it| (it, vec![(it + 1) % count])));
        let found = cycles(&ring);
        assert_eq!(found.iter().map(|it| it.0.len()).collect::<Vec<_>>(), [count]);
    }
}
