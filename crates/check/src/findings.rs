//! The findings about the items of a file, while rules add to them.

use std::hash::BuildHasher as _;

use foldhash::HashMap;
use foldhash::fast::FixedState;
use marotte_diagnostics::{Diagnostic, Rule};

/// Findings in the order in which they were added, which can be looked up by their messages.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    all: Vec<Diagnostic>,
    /// The places of findings, by the hashes of their rules and messages.
    by_message: HashMap<u64, Vec<usize>>,
    /// The number of findings that `by_message` contains.
    indexed: usize,
}

impl Findings {
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// Adds a finding, and returns it.
    pub(crate) fn add(&mut self, finding: Diagnostic) -> &mut Diagnostic {
        self.all.push(finding);
        let last = self.all.len() - 1;
        &mut self.all[last]
    }

    pub(crate) fn last_mut(&mut self) -> Option<&mut Diagnostic> {
        self.all.last_mut()
    }

    /// Returns the first finding of a rule with a message.
    pub(crate) fn with_message(&mut self, rule: &Rule, message: &str) -> Option<&mut Diagnostic> {
        for (place, it) in self.all.iter().enumerate().skip(self.indexed) {
            self.by_message.entry(hash(it.rule, &it.message)).or_default().push(place);
        }
        self.indexed = self.all.len();
        let is_it = |it: &Diagnostic| it.rule == rule && it.message == message;
        let places = self.by_message.get(&hash(rule, message))?;
        let place = *places.iter().find(|place| self.all.get(**place).is_some_and(is_it))?;
        self.all.get_mut(place)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.all.iter()
    }

    /// Keeps the first `count` findings.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.all.truncate(count);
        self.forget();
    }

    /// Keeps the findings for which `is_kept` is true.
    pub(crate) fn retain(&mut self, is_kept: impl FnMut(&Diagnostic) -> bool) {
        let count = self.all.len();
        self.all.retain(is_kept);
        if self.all.len() < count {
            self.forget();
        }
    }

    pub(crate) fn into_all(self) -> Vec<Diagnostic> {
        self.all
    }

    fn forget(&mut self) {
        self.by_message.clear();
        self.indexed = 0;
    }
}

fn hash(rule: &Rule, message: &str) -> u64 {
    FixedState::default().hash_one((rule.name, message))
}
