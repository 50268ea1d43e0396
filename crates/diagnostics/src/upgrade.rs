//! Code that earlier versions accept, but Puppet 8 and OpenVox 8 reject or read differently.

use crate::rules::{self, Rule};

/// A topic of the release notes, and the rules that find code affected by it.
#[derive(Debug, PartialEq, Eq)]
pub struct Topic {
    /// The heading of the topic.
    pub title: &'static str,
    /// The rules that belong to the topic.
    pub rules: &'static [&'static Rule],
}

/// All topics, in the order in which they are reported.
pub const TOPICS: [Topic; 5] = [
    Topic { title: "legacy facts, which agents no longer send", rules: &[rules::LEGACY_FACT] },
    Topic {
        title: "errors, as `strict` is `error`",
        rules: &[
            rules::UNRESOLVED_VARIABLE,
            rules::POSSIBLY_UNSET_VARIABLE,
            rules::DUPLICATE_KEY,
            rules::OPERATOR_TYPE,
            rules::INVALID_DATA_FILE,
        ],
    },
    Topic {
        title: "functions that are gone or deprecated",
        rules: &[rules::UNRESOLVED_FUNCTION, rules::DEPRECATED_FUNCTION, rules::DISCONTINUED_IMPORT],
    },
    Topic { title: "Ruby 3.2", rules: &[rules::REMOVED_RUBY_METHOD, rules::INVALID_RUBY] },
    Topic { title: "Hiera 3", rules: &[rules::INVALID_HIERA_CONFIG, rules::BAD_INTERPOLATION] },
];

/// Returns the topic that a rule belongs to.
pub fn topic(rule: &Rule) -> Option<&'static Topic> {
    TOPICS.iter().find(|it| it.rules.contains(&rule))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_belongs_to_one_topic() {
        let all: Vec<&Rule> = TOPICS.iter().flat_map(|it| it.rules).copied().collect();
        for rule in &all {
            assert_eq!(all.iter().filter(|it| *it == rule).count(), 1, "{rule}");
        }
        assert_eq!(topic(rules::LEGACY_FACT).map(|it| it.title), Some(TOPICS[0].title));
        assert_eq!(topic(rules::STAR_COMMENT), None);
    }
}
