//! Variables and their known types during a walk over a body.

use foldhash::HashMap;
use indexmap::IndexMap;
use marotte_pcore::types::Type;
use marotte_text::Str;

use super::known::{Known, union};

/// The variables of a body and of the lambdas around the current place, innermost last.
///
/// An append-only log of facts: a branch is undone by truncating the log.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    entries: Vec<Entry>,
    /// The entries of each variable, as indexes into the log.
    by_name: HashMap<Str, Vec<usize>>,
    /// The index of the first entry of each open lambda.
    lambdas: Vec<usize>,
}

/// A fact about a variable.
#[derive(Clone, Debug)]
struct Entry {
    name: Str,
    known: Known,
    /// Some path doesn't set the variable.
    maybe_unset: bool,
    /// The variable's scope: the number of enclosing lambdas.
    level: usize,
    /// The fact comes from a condition, not an assignment.
    narrowed: bool,
}

/// The result of reading a variable.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Read {
    /// Every way sets it.
    Set(Known),
    /// Some ways set it, and others do not.
    Perhaps,
    /// No path sets the variable.
    Unset,
}

/// The variables that a branch has set, by name and level.
#[derive(Debug, Default)]
pub(super) struct Branch {
    entries: IndexMap<(Str, usize), Entry>,
}

/// The facts that conditions imply at some place.
#[derive(Debug, Default)]
pub(super) struct Narrowings(Vec<Entry>);

impl Scopes {
    /// The narrowings since a mark.
    pub(super) fn narrowings(&self, mark: usize) -> Narrowings {
        Narrowings(self.entries[mark..].iter().filter(|it| it.narrowed).cloned().collect())
    }

    /// Applies narrowings again.
    pub(super) fn apply(&mut self, narrowings: Narrowings) {
        narrowings.0.into_iter().for_each(|it| self.push(it));
    }

    fn push(&mut self, entry: Entry) {
        self.by_name.entry(entry.name.clone()).or_default().push(self.entries.len());
        self.entries.push(entry);
    }

    /// Removes and returns the entries since a mark.
    fn split_off(&mut self, mark: usize) -> Vec<Entry> {
        let added = self.entries.split_off(mark.min(self.entries.len()));
        for entry in &added {
            if let Some(places) = self.by_name.get_mut(&entry.name) {
                places.pop();
            }
        }
        added
    }

    /// The entries of a variable, latest first.
    fn of<'s>(&'s self, name: &str) -> impl Iterator<Item = &'s Entry> + use<'s> {
        let places = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        places.iter().rev().filter_map(|it| self.entries.get(*it))
    }

    /// Sets a variable of the innermost scope. A variable that is already set keeps its type: evaluation doesn't continue after
    /// a statement that would set it again.
    pub(super) fn set(&mut self, name: &Str, known: Known) {
        let level = self.lambdas.len();
        let is_it = |it: &&Entry| it.level == level && !it.narrowed;
        if self.of(name).find(is_it).is_some_and(|it| !it.maybe_unset) {
            return;
        }
        self.push(Entry { name: name.clone(), known, maybe_unset: false, level, narrowed: false });
    }

    /// Narrows a variable, in whichever scope it is.
    pub(super) fn narrow(&mut self, name: &Str, known: Type) {
        if let Some(entry) = self.find(name) {
            let entry = Entry { known: Some(known), narrowed: true, ..entry.clone() };
            self.push(entry);
        }
    }

    /// Reads a variable.
    pub(super) fn read(&self, name: &str) -> Read {
        match self.find(name) {
            Some(entry) if entry.maybe_unset => Read::Perhaps,
            Some(entry) => Read::Set(entry.known.clone()),
            None => Read::Unset,
        }
    }

    /// Whether every path sets a variable.
    pub(super) fn is_set(&self, name: &str) -> bool {
        self.find(name).is_some_and(|it| !it.maybe_unset)
    }

    fn find(&self, name: &str) -> Option<&Entry> {
        self.of(name).next()
    }

    /// The mark at the start of a branch.
    pub(super) fn mark(&self) -> usize {
        self.entries.len()
    }

    /// Ends a branch: removes its entries, and returns the variables that it has set.
    pub(super) fn cut(&mut self, mark: usize) -> Branch {
        let added = self.split_off(mark).into_iter().filter(|it| !it.narrowed);
        Branch { entries: added.map(|it| ((it.name.clone(), it.level), it)).collect() }
    }

    /// Joins alternative branches; those after which evaluation doesn't continue aren't among them.
    pub(super) fn join(&mut self, branches: Vec<Branch>) {
        let mut set: IndexMap<&(Str, usize), Vec<(usize, &Entry)>> = IndexMap::new();
        for (index, branch) in branches.iter().enumerate() {
            for (key, entry) in &branch.entries {
                set.entry(key).or_default().push((index, entry));
            }
        }
        for ((name, level), set) in set {
            // On a branch that doesn't set it, the variable keeps its previous state. Most of many branches are such.
            let unset = set.iter().enumerate().find(|(index, (branch, _))| index != branch);
            let unset = unset.map_or(set.len(), |(index, _)| index);
            let mut entries: Vec<Option<&Entry>> = set.iter().map(|(_, entry)| Some(*entry)).collect();
            if set.len() < branches.len() {
                entries.insert(unset, self.of(name).find(|it| it.level == *level));
            }
            let maybe_unset = entries.iter().any(|it| it.is_none_or(|it| it.maybe_unset));
            let known = union(entries.into_iter().flatten().map(|it| it.known.clone()));
            let entry = Entry { name: name.clone(), known, maybe_unset, level: *level, narrowed: false };
            self.push(entry);
        }
    }

    /// Enters a lambda.
    pub(super) fn enter(&mut self) {
        self.lambdas.push(self.entries.len());
    }

    /// Leaves a lambda: its variables go out of scope.
    pub(super) fn leave(&mut self) {
        if let Some(start) = self.lambdas.pop() {
            self.split_off(start);
        }
    }

    /// All variables of the outermost scope.
    pub(super) fn variables(&self) -> HashMap<Str, Known> {
        let mut variables = HashMap::default();
        for entry in self.entries.iter().filter(|it| it.level == 0 && !it.narrowed) {
            let known = if entry.maybe_unset { None } else { entry.known.clone() };
            variables.insert(entry.name.clone(), known);
        }
        variables
    }
}
