//! Sets of rules: those whose findings may be reported.

use crate::rules::{RULES, Rule, Subject};

/// The number of words of a [`RuleSet`].
const WORDS: usize = 4;

/// A set of rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RuleSet([u64; WORDS]);

impl RuleSet {
    /// The rules whose findings a caller gets unless it asks for others: all but those of style and about whole trees.
    pub fn usual() -> RuleSet {
        RULES.iter().filter(|it| !matches!(it.subject, Subject::Style | Subject::Tree)).collect()
    }

    /// Returns the set with the rules of a subject in addition.
    #[must_use]
    pub fn with(self, subject: Subject) -> RuleSet {
        let added = RULES.iter().filter(|it| it.subject == subject);
        RULES.iter().filter(|it| self.contains(it.name)).chain(added).collect()
    }

    /// Whether a rule is in the set. Names of other things than rules are not.
    pub fn contains(&self, name: &str) -> bool {
        index_of(name).is_some_and(|(word, bit)| self.0[word] & bit != 0)
    }

    /// Whether any of these rules is in the set.
    pub fn contains_any(&self, names: &[&str]) -> bool {
        names.iter().any(|it| self.contains(it))
    }

    /// Whether the set has a rule about a subject.
    pub fn has(&self, subject: Subject) -> bool {
        RULES.iter().any(|it| it.subject == subject && self.contains(it.name))
    }
}

impl Default for RuleSet {
    fn default() -> Self {
        RuleSet::usual()
    }
}

impl FromIterator<&'static Rule> for RuleSet {
    fn from_iter<I: IntoIterator<Item = &'static Rule>>(rules: I) -> Self {
        let mut set = RuleSet([0; WORDS]);
        for (word, bit) in rules.into_iter().filter_map(|it| index_of(it.name)) {
            set.0[word] |= bit;
        }
        set
    }
}

impl std::fmt::Debug for RuleSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(RULES.iter().map(|it| it.name).filter(|it| self.contains(it))).finish()
    }
}

/// The word of a rule in a set, and its bit there.
fn index_of(name: &str) -> Option<(usize, u64)> {
    let index = crate::rules::index(name).filter(|it| *it < WORDS * 64)?;
    Some((index / 64, 1 << (index % 64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_has_a_bit_of_its_own() {
        for rule in RULES {
            let set: RuleSet = [rule].into_iter().collect();
            let found: Vec<_> = RULES.iter().filter(|it| set.contains(it.name)).collect();
            assert_eq!(found, [rule]);
        }
    }

    #[test]
    fn a_subject_can_be_added() {
        let usual = RuleSet::usual();
        assert!(usual.contains("duplicate-key") && !usual.contains("star-comment"));
        assert!(usual.has(Subject::Meaning) && !usual.has(Subject::Style) && !usual.has(Subject::Tree));
        let more = usual.with(Subject::Style);
        assert!(more.contains("duplicate-key") && more.contains("star-comment") && !more.has(Subject::Tree));
    }
}
