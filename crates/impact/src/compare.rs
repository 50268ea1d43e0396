use std::collections::BTreeSet;

use foldhash::{HashMap, HashMapExt as _, HashSet};
use marotte_catalog::cycle::references;
use marotte_catalog::diff::{Comparison, are_identical, compare_values};
use marotte_catalog::wire::RELATIONSHIPS;
use marotte_catalog::{Catalog, Edge, Kind, Reference, Resource, hides_texts};
use marotte_pcore::value::Value;
use marotte_text::Str;

use crate::content;
use crate::order::moved;
use crate::{Change, Finding, Ignore, Origin, Shown, TextDiff};

/// The maximum number of moved resources that are kept.
const MOVED: usize = 100;

/// The maximum number of containers around a resource that are looked at: a cycle of containment has no end.
const DEPTH: usize = 100;

/// The number of resources up to which searching their containers is faster than an index.
const FEW: usize = 8;

/// Returns all changes between two catalogs of a node.
///
/// If there are none, the two catalogs are equal in everything that agents receive, or parts of them are unknown. The lines of
/// declarations are not compared.
pub fn compare(before: &Catalog, after: &Catalog) -> Vec<Finding> {
    compare_without(before, after, &Ignore::default()).0
}

/// Returns the changes that no rule ignores, and for each rule the number of changes that it ignores.
pub(crate) fn compare_without(
    before: &Catalog,
    after: &Catalog,
    ignore: &Ignore,
) -> (Vec<Finding>, Vec<(Str, usize)>) {
    let is_whole = |it: &Catalog| it.completeness().skipped == 0;
    let is_whole = [is_whole(before), is_whole(after)];
    let sides = Sides { is_whole, ignore, found: Vec::new(), ignored: Vec::new() };
    let (mut found, ignored) = sides.compare(before, after);
    add_classes(&mut found, before, after);
    (found, ignored)
}

/// Adds the classes that contain the changed resources, in the catalog after if they are there.
fn add_classes(found: &mut [Finding], before: &Catalog, after: &Catalog) {
    if found.is_empty() {
        return;
    }
    let [before, after] = [before, after].map(|it| Container::new(it, found.len()));
    for Finding { change, origin, .. } in found {
        let container = |of: &Reference| after.of(of).or_else(|| before.of(of));
        let mut within = change.resource();
        for _ in 0..DEPTH {
            match within {
                Some(it) if it.type_name == "Class" => {
                    origin.class = Some(it.title.clone());
                    break;
                }
                it => within = it.and_then(container),
            }
        }
    }
}

/// The container of each resource of a catalog.
enum Container<'c> {
    /// Searched among the edges, for a few resources.
    Searched(&'c Catalog),
    /// Looked up, for many resources.
    Indexed(HashMap<&'c Reference, &'c Reference>),
}

impl<'c> Container<'c> {
    fn new(catalog: &'c Catalog, resources: usize) -> Self {
        match resources {
            ..=FEW => Container::Searched(catalog),
            _ => Container::Indexed(edges(catalog).map(|it| (&it.target, &it.source)).collect()),
        }
    }

    fn of(&self, resource: &Reference) -> Option<&'c Reference> {
        match self {
            Container::Searched(catalog) => {
                edges(catalog).find(|it| it.target == *resource).map(|it| &it.source)
            }
            Container::Indexed(all) => all.get(resource).copied(),
        }
    }
}

/// The containment of all resources, of those that the node only exports, too.
fn edges(catalog: &Catalog) -> impl Iterator<Item = &Edge> {
    catalog.edges.iter().chain(&catalog.export_edges)
}

struct Sides<'i> {
    /// For each side, whether no code was skipped that may declare or change something.
    is_whole: [bool; 2],
    ignore: &'i Ignore,
    found: Vec<Finding>,
    ignored: Vec<(Str, usize)>,
}

type ByReference<'c> = HashMap<&'c Reference, &'c Resource>;

impl Sides<'_> {
    fn compare(mut self, before: &Catalog, after: &Catalog) -> (Vec<Finding>, Vec<(Str, usize)>) {
        if are_alike(before, after) {
            before.resources.iter().zip(&after.resources).for_each(|(it, other)| self.resource(it, other));
            self.contents(before, after);
            self.exports(before, after);
            return (self.found, self.ignored);
        }
        let old: ByReference<'_> = by_reference(&before.resources);
        let new: ByReference<'_> = by_reference(&after.resources);
        let (old_within, new_within) = (containers(&before.edges), containers(&after.edges));
        for it in &before.resources {
            match new.get(&it.reference) {
                Some(other) => self.resource(it, other),
                None => {
                    let resource = it.reference.clone();
                    let within = within(&old_within, &resource);
                    self.add(Change::Removed { resource, within }, self.is_whole[1], [Some(it), None]);
                }
            }
        }
        for it in after.resources.iter().filter(|it| !old.contains_key(&it.reference)) {
            self.added(it, within(&new_within, &it.reference));
        }
        let is_common = |it: &Reference| old.contains_key(it) == new.contains_key(it);
        self.containment([&old_within, &new_within], &is_common, [&old, &new]);
        self.classes(before, after, &is_common);
        self.order(before, after, &is_common);
        self.contents(before, after);
        self.exports(before, after);
        (self.found, self.ignored)
    }

    fn added(&mut self, resource: &Resource, within: Vec<Reference>) {
        let attributes = resource.parameters.iter();
        let change = Change::Added {
            resource: resource.reference.clone(),
            attributes: attributes
                .map(|(name, value)| (name.clone(), Shown::attribute(resource, name, value)))
                .collect(),
            within,
            exported: resource.exported,
        };
        self.add(change, self.is_whole[0], [None, Some(resource)]);
    }

    /// Adds changes of the resources that the node only exports, and that it does not have itself on the other side.
    fn exports(&mut self, before: &Catalog, after: &Catalog) {
        if before.exports == after.exports && before.export_edges == after.export_edges {
            return;
        }
        let own = self.found.len();
        let [old, new] = [before, after].map(|it| by_reference(&it.exports));
        let [old_within, new_within] = [before, after].map(|it| containers(&it.export_edges));
        let has = |catalog: &Catalog, it: &Resource| {
            catalog.resources.iter().any(|other| other.exported && other.reference == it.reference)
        };
        for it in &before.exports {
            match new.get(&it.reference) {
                Some(other) => self.resource(it, other),
                None if has(after, it) => {}
                None => {
                    let resource = it.reference.clone();
                    let within = within(&old_within, &resource);
                    let change = Change::Removed { resource, within };
                    self.add(change, self.is_whole[1], [Some(it), None]);
                }
            }
        }
        for it in after.exports.iter().filter(|it| !old.contains_key(&it.reference) && !has(before, it)) {
            self.added(it, within(&new_within, &it.reference));
        }
        let is_common = |it: &Reference| old.contains_key(it) && new.contains_key(it);
        self.containment([&old_within, &new_within], &is_common, [&old, &new]);
        for it in self.found.split_off(own) {
            let change = match it.change {
                added @ Change::Added { .. } => added,
                other => Change::Exported(Box::new(other)),
            };
            self.found.push(Finding { change, ..it });
        }
    }

    fn add(&mut self, change: Change, is_certain: bool, resources: [Option<&Resource>; 2]) {
        if let Some(reason) = self.ignore.reason(&change, resources) {
            return self.ignored(reason);
        }
        let places = resources.map(|it| it.and_then(|it| it.place.clone()));
        self.found.push(Finding { change, is_certain, origin: Origin { places, class: None } });
    }

    fn ignored(&mut self, reason: Str) {
        match self.ignored.iter_mut().find(|(it, _)| *it == reason) {
            Some((_, count)) => *count += 1,
            None => self.ignored.push((reason, 1)),
        }
    }

    /// Whether a part that only one side has is certain: the other side must be complete, or it may lack just this part.
    fn presence(&self, is_added: bool) -> bool {
        self.is_whole[usize::from(!is_added)]
    }

    fn resource(&mut self, before: &Resource, after: &Resource) {
        self.attributes(before, after);
        self.tags(before, after);
        self.properties(before, after);
    }

    fn attributes(&mut self, before: &Resource, after: &Resource) {
        let mut both = before.parameters.iter().zip(&after.parameters);
        if before.parameters.len() == after.parameters.len()
            && both.all(|((name, it), (other, new))| name == other && are_identical(it, new))
        {
            return;
        }
        let names = before.parameters.keys();
        let new = after.parameters.keys().filter(|it| !before.parameters.contains_key(*it));
        for name in names.chain(new) {
            self.attribute(name, before, after);
        }
    }

    fn tags(&mut self, before: &Resource, after: &Resource) {
        if before.tags.iter().eq(after.tags.iter()) {
            return;
        }
        for (is_added, from, to) in [(false, after, before), (true, before, after)] {
            let mut tags: Vec<Str> = to.tags.iter().filter(|it| !from.tags.contains(it)).cloned().collect();
            if !tags.is_empty() {
                tags.sort_unstable();
                let change = Change::Tags { resource: before.reference.clone(), tags, is_added };
                self.add(change, self.presence(is_added), [Some(before), Some(after)]);
            }
        }
    }

    fn properties(&mut self, before: &Resource, after: &Resource) {
        if before.kind != after.kind {
            // A class may be declared like a resource in code that was skipped.
            let is_known = |it: &Resource, side: usize| it.kind != Kind::Unknown || self.is_whole[side];
            let is_certain = is_known(before, 0) && is_known(after, 1);
            let (old, new) = (before.kind.name().to_owned(), after.kind.name().to_owned());
            self.property("kind", old, new, is_certain, [before, after]);
        }
        if before.exported != after.exported {
            let (old, new) = (before.exported.to_string(), after.exported.to_string());
            self.property("exported", old, new, true, [before, after]);
        }
    }

    fn property(&mut self, name: &str, before: String, after: String, is_certain: bool, of: [&Resource; 2]) {
        let change = Change::Property { resource: of[0].reference.clone(), name: name.into(), before, after };
        self.add(change, is_certain, of.map(Some));
    }

    fn attribute(&mut self, name: &Str, before: &Resource, after: &Resource) {
        let values = [before.parameters.get(name), after.parameters.get(name)];
        let is_certain = match compare_values(name, values) {
            Comparison::Same => return,
            Comparison::Unknown => false,
            Comparison::Different { is_less, is_more } => {
                (self.is_whole[1] || !is_less) && (self.is_whole[0] || !is_more)
            }
        };
        if RELATIONSHIPS.contains(&&**name) && self.relationships(name, values, before, after) {
            return;
        }
        if let Some(reason) = self.ignore.equality(values) {
            return self.ignored(reason);
        }
        let resource = before.reference.clone();
        let hides_content = |it: &Resource| hides_texts(it.parameters.get("show_diff"));
        let change = match values {
            [Some(Value::String(old)), Some(Value::String(new))]
                if (old.contains('\n') || new.contains('\n'))
                    && !(name == "content" && (hides_content(before) || hides_content(after))) =>
            {
                Change::Text { resource, name: name.clone(), diff: TextDiff::new(old, new) }
            }
            _ => {
                // What one side hides, the other one does not show either.
                let hiding = if hides_content(after) { after } else { before };
                let [old, new] = values;
                let shown = |it, other| Shown::beside(it, other, || Shown::attribute(hiding, name, it));
                let before = old.map(|it| shown(it, new));
                let after = new.map(|it| shown(it, old));
                Change::Attribute { resource, name: name.clone(), before, after }
            }
        };
        self.add(change, is_certain, [Some(before), Some(after)]);
    }

    /// Adds the resources that a relationship names on one side only. Returns false if both sides name the same.
    fn relationships(
        &mut self,
        name: &Str,
        values: [Option<&Value>; 2],
        before: &Resource,
        after: &Resource,
    ) -> bool {
        let [old, new] = values.map(|it| it.map(references).unwrap_or_default());
        // An unknown element may be any resource.
        let [old_is_known, new_is_known] = values.map(|it| !it.is_some_and(Value::has_unknown));
        let mut found = false;
        for (is_added, is_known, from, to) in
            [(false, new_is_known, &new, &old), (true, old_is_known, &old, &new)]
        {
            let mut seen = HashSet::default();
            for other in to.iter().filter(|it| !from.contains(it)) {
                if !seen.insert(other) {
                    continue;
                }
                let (resource, name, other) = (before.reference.clone(), name.clone(), other.clone());
                let change = Change::Relationship { resource, name, other, is_added };
                self.add(change, is_known && self.presence(is_added), [Some(before), Some(after)]);
                found = true;
            }
        }
        found && old_is_known && new_is_known
    }

    /// Adds changes for resources on both sides whose containers differ.
    fn containment(
        &mut self,
        within: [&HashMap<&Reference, Vec<Reference>>; 2],
        is_common: &dyn Fn(&Reference) -> bool,
        resources: [&ByReference<'_>; 2],
    ) {
        let is_different = |it: &Reference| within[0].get(it) != within[1].get(it);
        let targets = within.iter().flat_map(|it| it.keys()).filter(|it| is_different(it) && is_common(it));
        let targets: BTreeSet<(&str, &str)> = targets.map(|it| (&*it.type_name, &*it.title)).collect();
        for (type_name, title) in targets {
            let target = Reference { type_name: type_name.into(), title: title.into() };
            let [old, new] = within.map(|it| it.get(&target).map(Vec::as_slice).unwrap_or_default());
            let only = |these: &[Reference], others: &[Reference]| -> Vec<Reference> {
                these.iter().filter(|it| !others.contains(it)).cloned().collect()
            };
            let (before, after) = (only(old, new), only(new, old));
            if before.is_empty() && after.is_empty() {
                continue;
            }
            let is_certain =
                !before.is_empty() && self.presence(false) || !after.is_empty() && self.presence(true);
            let resources = resources.map(|it| it.get(&target).copied());
            self.add(Change::Containment { resource: target, before, after }, is_certain, resources);
        }
    }

    /// Adds changes of classes without a corresponding change of a resource.
    fn classes(&mut self, before: &Catalog, after: &Catalog, is_common: &dyn Fn(&Reference) -> bool) {
        let names = |it: &Catalog| -> HashSet<Str> { it.classes.iter().cloned().collect() };
        let (old, new) = (names(before), names(after));
        for (is_added, from, to) in [(false, &new, &before.classes), (true, &old, &after.classes)] {
            for name in to.iter().filter(|it| !from.contains(*it)) {
                if is_common(&Reference::class(name)) && is_common(&Reference::new("node", name)) {
                    let change = Change::Class { name: name.clone(), is_added };
                    self.add(change, self.presence(is_added), [None, None]);
                }
            }
        }
    }

    /// Adds changes of files that agents fetch.
    fn contents(&mut self, before: &Catalog, after: &Catalog) {
        let changes = content::compare(before, after);
        if changes.is_empty() {
            return;
        }
        let (old, new) = (by_reference(&before.resources), by_reference(&after.resources));
        for change in changes {
            let resources = [&old, &new].map(|it| it.get(change.resource()?).copied());
            self.add(change, true, resources);
        }
    }

    fn order(&mut self, before: &Catalog, after: &Catalog, is_common: &dyn Fn(&Reference) -> bool) {
        fn common<'c>(of: &'c Catalog, is_common: &dyn Fn(&Reference) -> bool) -> Vec<&'c Reference> {
            of.resources.iter().map(|it| &it.reference).filter(|it| is_common(it)).collect()
        }
        let (old, new) = (common(before, is_common), common(after, is_common));
        if old == new {
            return;
        }
        let moved = moved(&old, &new);
        let more = moved.len().saturating_sub(MOVED);
        let moved = moved.into_iter().take(MOVED).cloned().collect();
        // What was skipped may have declared something earlier.
        let is_certain = self.is_whole == [true, true];
        self.add(Change::Order { moved, more }, is_certain, [None, None]);
    }
}

/// Whether two catalogs have the same resources in the same order, the same containment and the same classes.
fn are_alike(before: &Catalog, after: &Catalog) -> bool {
    before.resources.len() == after.resources.len()
        && before.resources.iter().zip(&after.resources).all(|(a, b)| a.reference == b.reference)
        && before.edges == after.edges
        && before.classes == after.classes
}

fn by_reference(resources: &[Resource]) -> ByReference<'_> {
    resources.iter().map(|it| (&it.reference, it)).collect()
}

fn within(containers: &HashMap<&Reference, Vec<Reference>>, resource: &Reference) -> Vec<Reference> {
    containers.get(resource).cloned().unwrap_or_default()
}

/// Returns the containers of each resource.
fn containers(edges: &[Edge]) -> HashMap<&Reference, Vec<Reference>> {
    let mut within: HashMap<&Reference, Vec<Reference>> = HashMap::with_capacity(edges.len());
    for edge in edges {
        within.entry(&edge.target).or_default().push(edge.source.clone());
    }
    within
}
