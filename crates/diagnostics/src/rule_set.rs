//! Sets of rules: those whose findings may be reported.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::rules::{RULES, Rule, Subject};

/// The number of words of a [`RuleSet`].
const WORDS: usize = 4;

/// A set of rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RuleSet([u64; WORDS]);

impl RuleSet {
    /// The rules that are reported by default: all except those of style and those about whole trees.
    pub fn usual() -> RuleSet {
        RULES.iter().copied().filter(|it| !matches!(it.subject, Subject::Style | Subject::Tree)).collect()
    }

    /// Returns the set with the rules of a subject in addition.
    #[must_use]
    pub fn with(self, subject: Subject) -> RuleSet {
        let added = RULES.iter().copied().filter(|it| it.subject == subject);
        RULES.iter().copied().filter(|it| self.contains(it)).chain(added).collect()
    }

    /// Whether a rule is in the set. Issues of evaluation are not.
    pub fn contains(&self, rule: &Rule) -> bool {
        index_of(rule).is_some_and(|(word, bit)| self.0[word] & bit != 0)
    }

    /// Whether any of these rules is in the set.
    pub fn contains_any(&self, rules: &[&Rule]) -> bool {
        rules.iter().any(|it| self.contains(it))
    }

    /// Whether any rule is in both sets.
    pub fn overlaps(&self, other: &RuleSet) -> bool {
        self.0.iter().zip(other.0).any(|(one, other)| one & other != 0)
    }

    /// Whether the set has a rule about a subject.
    pub fn has(&self, subject: Subject) -> bool {
        static BY_SUBJECT: LazyLock<BTreeMap<Subject, RuleSet>> = LazyLock::new(|| {
            let about = |it: Subject| RULES.iter().copied().filter(move |rule| rule.subject == it);
            RULES.iter().map(|it| (it.subject, about(it.subject).collect())).collect()
        });
        BY_SUBJECT.get(&subject).is_some_and(|it| self.overlaps(it))
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
        for (word, bit) in rules.into_iter().filter_map(index_of) {
            set.0[word] |= bit;
        }
        set
    }
}

impl std::fmt::Debug for RuleSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(RULES.iter().filter(|it| self.contains(it)).map(|it| it.name)).finish()
    }
}

/// The word of a rule in a set, and its bit there.
fn index_of(rule: &Rule) -> Option<(usize, u64)> {
    let index = crate::rules::index(rule.name).filter(|it| *it < WORDS * 64)?;
    Some((index / 64, 1 << (index % 64)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;

    #[test]
    fn every_rule_has_a_bit_of_its_own() {
        for rule in RULES {
            let set: RuleSet = [*rule].into_iter().collect();
            let found: Vec<_> = RULES.iter().filter(|it| set.contains(it)).collect();
            assert_eq!(found, [rule]);
        }
    }

    #[test]
    fn a_subject_can_be_added() {
        let usual = RuleSet::usual();
        assert!(usual.contains(rules::DUPLICATE_KEY) && !usual.contains(rules::STAR_COMMENT));
        assert!(usual.has(Subject::Meaning) && !usual.has(Subject::Style) && !usual.has(Subject::Tree));
        let more = usual.with(Subject::Style);
        assert!(
            more.contains(rules::DUPLICATE_KEY)
                && more.contains(rules::STAR_COMMENT)
                && !more.has(Subject::Tree)
        );
    }
}
