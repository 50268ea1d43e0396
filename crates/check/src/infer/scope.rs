//! Variables and what is known about them, while a body is walked.

use foldhash::HashMap;
use marotte_pcore::types::Type;
use marotte_text::Str;

use super::{Known, union};

/// The variables of a body and of the lambdas around the place that is walked, innermost last.
///
/// A list to which everything that becomes known is added: a branch is undone by cutting what it added.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    entries: Vec<Entry>,
    /// Where the entries of each lambda start.
    lambdas: Vec<usize>,
}

/// What became known of a variable.
#[derive(Clone, Debug)]
struct Entry {
    name: Str,
    known: Known,
    /// It may not be set.
    maybe_unset: bool,
    /// The scope that it is in: how many lambdas are around it.
    level: usize,
    /// A condition says so: it is no assignment.
    narrowed: bool,
}

/// A variable that is read.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Read {
    /// It is set, on some way at least.
    Set(Known),
    /// No way sets it.
    Unset,
}

/// What a branch has set.
#[derive(Debug, Default)]
pub(super) struct Branch {
    entries: Vec<Entry>,
}

/// What conditions say at some place.
#[derive(Debug, Default)]
pub(super) struct Narrowings(Vec<Entry>);

impl Scopes {
    /// What conditions have said since a mark.
    pub(super) fn narrowings(&self, mark: usize) -> Narrowings {
        Narrowings(self.entries[mark..].iter().filter(|it| it.narrowed).cloned().collect())
    }

    /// Says again what conditions have said.
    pub(super) fn apply(&mut self, narrowings: Narrowings) {
        self.entries.extend(narrowings.0);
    }

    /// Sets a variable of the innermost scope. One that is set already stays what it is: nothing comes behind the statement
    /// that would set it again.
    pub(super) fn set(&mut self, name: &Str, known: Known) {
        let level = self.lambdas.len();
        let is_it = |it: &&Entry| it.level == level && !it.narrowed && it.name == *name;
        if self.entries.iter().rev().find(is_it).is_some_and(|it| !it.maybe_unset) {
            return;
        }
        self.entries.push(Entry { name: name.clone(), known, maybe_unset: false, level, narrowed: false });
    }

    /// Says more of a variable, wherever it is.
    pub(super) fn narrow(&mut self, name: &Str, known: Type) {
        if let Some(entry) = self.find(name) {
            let entry = Entry { known: Some(known), narrowed: true, ..entry.clone() };
            self.entries.push(entry);
        }
    }

    /// Reads a variable.
    pub(super) fn read(&self, name: &str) -> Read {
        match self.find(name) {
            Some(entry) if entry.maybe_unset => Read::Set(None),
            Some(entry) => Read::Set(entry.known.clone()),
            None => Read::Unset,
        }
    }

    /// Whether every way sets a variable.
    pub(super) fn is_set(&self, name: &str) -> bool {
        self.find(name).is_some_and(|it| !it.maybe_unset)
    }

    fn find(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().rev().find(|it| it.name == name)
    }

    /// The start of a branch.
    pub(super) fn mark(&self) -> usize {
        self.entries.len()
    }

    /// Ends a branch: takes away what it added, and keeps what it has set.
    pub(super) fn cut(&mut self, mark: usize) -> Branch {
        let added = self.entries.split_off(mark);
        let mut entries: Vec<Entry> = Vec::new();
        for entry in added.into_iter().filter(|it| !it.narrowed) {
            match entries.iter_mut().find(|it| it.name == entry.name && it.level == entry.level) {
                Some(before) => *before = entry,
                None => entries.push(entry),
            }
        }
        Branch { entries }
    }

    /// Joins branches of which one was taken; those that led nowhere are not among them.
    pub(super) fn join(&mut self, branches: Vec<Branch>) {
        let mut names: Vec<(Str, usize)> = Vec::new();
        for entry in branches.iter().flat_map(|it| &it.entries) {
            if !names.iter().any(|(name, level)| *name == entry.name && *level == entry.level) {
                names.push((entry.name.clone(), entry.level));
            }
        }
        for (name, level) in names {
            let of = |branch: &Branch| {
                branch.entries.iter().find(|it| it.name == name && it.level == level).cloned()
            };
            let before = self.entries.iter().rev().find(|it| it.name == name && it.level == level);
            let entries: Vec<Option<Entry>> =
                branches.iter().map(|it| of(it).or_else(|| before.cloned())).collect();
            let maybe_unset = entries.iter().any(|it| it.as_ref().is_none_or(|it| it.maybe_unset));
            let known = union(entries.into_iter().flatten().map(|it| it.known));
            self.entries.push(Entry { name, known, maybe_unset, level, narrowed: false });
        }
    }

    /// Enters a lambda.
    pub(super) fn enter(&mut self) {
        self.lambdas.push(self.entries.len());
    }

    /// Leaves a lambda: its variables are gone.
    pub(super) fn leave(&mut self) {
        if let Some(start) = self.lambdas.pop() {
            self.entries.truncate(start);
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
