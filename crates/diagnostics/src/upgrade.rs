//! Code that earlier versions accept, but Puppet 8 and OpenVox 8 reject or read differently.

/// A topic of the release notes, and the rules that find code affected by it.
#[derive(Debug, PartialEq, Eq)]
pub struct Topic {
    /// The heading.
    pub title: &'static str,
    /// The names of the rules.
    pub rules: &'static [&'static str],
}

/// All topics, in the order in which they are reported.
pub const TOPICS: [Topic; 5] = [
    Topic { title: "legacy facts, which agents no longer send", rules: &["legacy-fact"] },
    Topic {
        title: "errors, as `strict` is `error`",
        rules: &[
            "unresolved-variable",
            "possibly-unset-variable",
            "duplicate-key",
            "operator-type",
            "invalid-data-file",
        ],
    },
    Topic {
        title: "functions that are gone or deprecated",
        rules: &["unresolved-function", "deprecated-function", "discontinued-import"],
    },
    Topic { title: "Ruby 3.2", rules: &["removed-ruby-method", "invalid-ruby"] },
    Topic { title: "Hiera 3", rules: &["invalid-hiera-config", "bad-interpolation"] },
];

/// Returns the topic that a rule belongs to.
pub fn topic(rule: &str) -> Option<&'static Topic> {
    TOPICS.iter().find(|it| it.rules.contains(&rule))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;

    #[test]
    fn all_rules_exist_and_belong_to_one_topic() {
        let all: Vec<&str> = TOPICS.iter().flat_map(|it| it.rules).copied().collect();
        for name in &all {
            assert!(rules::rule(name).is_some(), "{name}");
            assert_eq!(all.iter().filter(|it| *it == name).count(), 1, "{name}");
        }
        assert_eq!(topic("legacy-fact").map(|it| it.title), Some(TOPICS[0].title));
        assert_eq!(topic("star-comment"), None);
    }
}
