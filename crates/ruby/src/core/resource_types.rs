//! The resource types of Puppet itself, and of the modules that come with the agent.
//!
//! `data/resource_types.json` was recorded by `xtask/oracle/resource_types.rb`, which queries the types themselves. The
//! documentation is in `docs`.

use std::sync::LazyLock;

use marotte_text::Str;
use serde::Deserialize;

use crate::resource_type::{Attribute, ResourceType};

/// A module that is not part of Puppet, but of the package `puppet-agent`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentModule {
    /// The name: `puppetlabs-host_core`.
    pub name: Str,
    /// The version from which the types were recorded.
    pub version: Str,
    /// The resource types that the module declares.
    pub types: Vec<ResourceType>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    #[expect(dead_code, reason = "says where the record comes from")]
    version: Str,
    metaparameters: Vec<Attribute>,
    types: Vec<ResourceType>,
    modules: Vec<AgentModule>,
}

static RECORD: LazyLock<Record> = LazyLock::new(|| {
    let text = include_str!("../../data/resource_types.json");
    serde_json::from_str(text).unwrap_or_else(|error| panic!("data/resource_types.json: {error}"))
});

/// The metaparameters, which resources of every type have.
pub fn metaparameters() -> &'static [Attribute] {
    &RECORD.metaparameters
}

/// The resource types of Puppet 8.11 itself, sorted by name.
///
/// Two of them cannot be used by manifests: `component` represents classes and defined types, `whit` their boundaries.
pub fn resource_types() -> &'static [ResourceType] {
    &RECORD.types
}

/// Finds a resource type of Puppet 8.11 itself by name.
pub fn resource_type(name: &str) -> Option<&'static ResourceType> {
    let types = resource_types();
    types.binary_search_by(|it| it.name.as_str().cmp(name)).ok().map(|index| &types[index])
}

/// The modules that come with the package `puppet-agent` 8 (F52). A server, or a code tree, need not have them.
pub fn agent_modules() -> &'static [AgentModule] {
    &RECORD.modules
}

#[cfg(test)]
mod tests {
    use super::{agent_modules, metaparameters, resource_type, resource_types};
    use crate::resource_type::AttributeKind;

    #[test]
    fn types_are_those_of_the_reference() {
        let names: Vec<&str> = resource_types().iter().map(|it| it.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "component",
                "exec",
                "file",
                "filebucket",
                "group",
                "notify",
                "package",
                "resources",
                "schedule",
                "service",
                "stage",
                "tidy",
                "user",
                "whit"
            ]
        );
        assert!(resource_types().iter().all(|it| it.complete));
    }

    #[test]
    fn types_are_found_by_name() {
        let file = resource_type("file").expect("a type of the core");
        assert!(file.ensurable());
        assert_eq!(file.namevars().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["path"]);
        assert!(resource_type("host").is_none());
    }

    #[test]
    fn modules_of_the_agent_bring_further_types() {
        let names: Vec<&str> =
            agent_modules().iter().flat_map(|it| &it.types).map(|it| it.name.as_str()).collect();
        assert!(
            ["host", "cron", "mount", "ssh_authorized_key", "yumrepo", "zpool"]
                .iter()
                .all(|it| names.contains(it))
        );
    }

    #[test]
    fn metaparameters_are_those_of_the_reference() {
        let mut names: Vec<&str> = metaparameters().iter().map(|it| it.name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(
            names,
            [
                "alias",
                "audit",
                "before",
                "loglevel",
                "noop",
                "notify",
                "require",
                "schedule",
                "stage",
                "subscribe",
                "tag"
            ]
        );
        assert!(metaparameters().iter().all(|it| it.kind == AttributeKind::Metaparameter));
    }
}
