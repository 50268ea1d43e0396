//! The facts that Facter provides itself.
//!
//! `data/facts.json` was generated from Facter's schema by `xtask/oracle/core_facts.rb`.

use std::sync::LazyLock;

use foldhash::HashMap;
use marotte_text::Str;
use serde::Deserialize;

/// A fact that Facter provides, or a family of them. Not every machine has every fact.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoreFact {
    /// The name; for a family a placeholder form such as `mtu_<interface>`.
    pub name: Str,
    /// The type in Puppet's notation. Members of structures are optional.
    #[serde(rename = "type")]
    pub fact_type: Str,
    /// The pattern of the names in a family: a regular expression in Ruby's syntax.
    #[serde(default)]
    pub pattern: Option<Str>,
    /// Whether it is a legacy fact, which Puppet 8 agents only send if configured to.
    #[serde(default)]
    pub legacy: bool,
    /// The path of the fact that replaces it, with steps separated by dots: `os.family` means `$facts['os']['family']`.
    /// The value may have another form. In a family, the part in angle brackets represents that of the name.
    #[serde(default)]
    pub replacement: Option<Str>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    #[expect(dead_code, reason = "says where the record comes from")]
    version: Str,
    facts: Vec<CoreFact>,
}

static RECORD: LazyLock<Record> = LazyLock::new(|| {
    let text = include_str!("../../data/facts.json");
    serde_json::from_str(text).unwrap_or_else(|error| panic!("data/facts.json: {error}"))
});

/// The facts of Facter 4, in the order of its schema.
pub fn facts() -> &'static [CoreFact] {
    &RECORD.facts
}

/// Returns the legacy fact with this fixed name. None for other facts, and for members of families such as `mtu_eth0`.
pub fn legacy_fact(name: &str) -> Option<&'static CoreFact> {
    static BY_NAME: LazyLock<HashMap<&'static str, &'static CoreFact>> = LazyLock::new(|| {
        let fixed = facts().iter().filter(|it| it.legacy && it.pattern.is_none());
        fixed.map(|it| (it.name.as_str(), it)).collect()
    });
    BY_NAME.get(name).copied()
}

#[cfg(test)]
mod tests {
    use super::facts;

    #[test]
    fn legacy_facts_know_their_successors() {
        let osfamily = facts().iter().find(|it| it.name == "osfamily").expect("a fact of Facter");
        assert!(osfamily.legacy);
        assert_eq!(osfamily.replacement.as_deref(), Some("os.family"));
        let os = facts().iter().find(|it| it.name == "os").expect("a fact of Facter");
        assert!(!os.legacy && os.replacement.is_none());
        assert!(os.fact_type.contains("Optional['family'] => String"));
    }

    #[test]
    fn families_have_patterns() {
        let family = |name: &str| name.contains('<');
        assert!(facts().iter().all(|it| it.pattern.is_some() == family(&it.name)));
    }
}
