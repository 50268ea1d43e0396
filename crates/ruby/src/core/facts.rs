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

/// A legacy fact whose name is made from that of a part of the machine: `ipaddress_eth0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegacyMember {
    /// The family.
    pub family: &'static CoreFact,
    /// The path of the fact that replaces it.
    pub replacement: Option<String>,
}

/// A family of legacy facts, with the parts of its name: `blockdevice_<devicename>_model`.
struct Family {
    fact: &'static CoreFact,
    /// The text before the placeholder: `blockdevice_`.
    start: &'static str,
    /// The name of the placeholder: `devicename`.
    placeholder: &'static str,
    /// The text after the placeholder: `_model`.
    end: &'static str,
}

static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| {
    let families = facts().iter().filter(|it| it.legacy && it.pattern.is_some());
    let parts = families.filter_map(|fact| {
        let (start, rest) = fact.name.split_once('<')?;
        let (placeholder, end) = rest.split_once('>')?;
        Some(Family { fact, start, placeholder, end })
    });
    parts.collect()
});

/// Returns the member of a family of legacy facts with this name, if the part that is the machine's own has one of the usual names, such
/// as `eth0`: a site's own facts may be called `network_zone`.
pub fn legacy_member(name: &str) -> Option<LegacyMember> {
    let first = name.bytes().next();
    FAMILIES.iter().filter(|it| it.start.bytes().next() == first).find_map(|family| {
        let own = name.strip_prefix(family.start)?.strip_suffix(family.end)?;
        is_usual(family.placeholder, own).then(|| LegacyMember {
            family: family.fact,
            replacement: family
                .fact
                .replacement
                .as_ref()
                .map(|path| path.as_str().replace(&format!("<{}>", family.placeholder), own)),
        })
    })
}

/// Whether Facter has a legacy fact of this name, or a family of them with such a usual name.
pub fn is_legacy(name: &str) -> bool {
    legacy_fact(name).is_some() || legacy_member(name).is_some()
}

/// Whether the fact that replaces a legacy one has another type or another unit, so that code which reads the one can't read the other.
pub fn has_other_form(legacy: &CoreFact) -> bool {
    matches!(
        legacy.name.as_str(),
        // Lists in a text, and numbers, that are hashes now; a hash that is an address now.
        "blockdevices" | "dhcp_servers" | "interfaces" | "processor<N>" | "sshfp_<algorithm>" | "xendomains" | "zones"
        // Megabytes that are bytes now.
        | "memoryfree_mb" | "memorysize_mb" | "swapfree_mb" | "swapsize_mb"
    )
}

/// Whether a part of the name of a legacy fact is a usual value of the placeholder in the name's pattern.
fn is_usual(placeholder: &str, name: &str) -> bool {
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    match placeholder {
        // `eth0`, `eth0_100`, `ens192`, `enp0s3`, `bond0`.
        "interface" => {
            const KINDS: [&str; 14] = [
                "bond", "br", "docker", "em", "ens", "eno", "eth", "ib", "lo", "tun", "venet", "veth",
                "virbr", "wlan",
            ];
            let first = name.split('_').next().unwrap_or(name);
            let is_numbered = KINDS.iter().any(|it| first.strip_prefix(it).is_some_and(is_number));
            let in_slot = first.strip_prefix("enp").and_then(|it| it.split_once('s'));
            name == "lo"
                || is_numbered
                || in_slot.is_some_and(|(bus, slot)| is_number(bus) && is_number(slot))
        }
        "devicename" => {
            let disk = ["sd", "vd", "hd", "xvd"].iter().find_map(|it| name.strip_prefix(it));
            disk.is_some_and(|it| it.len() == 1 && it.bytes().all(|it| it.is_ascii_lowercase()))
        }
        "algorithm" => matches!(name, "rsa" | "dsa" | "ecdsa" | "ed25519"),
        "N" => is_number(name),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{facts, has_other_form, legacy_member};

    #[test]
    fn members_of_families_have_usual_names() {
        for (name, replacement) in [
            ("ipaddress_eth0", Some("networking.interfaces.eth0.ip")),
            ("ipaddress6_ens192", Some("networking.interfaces.ens192.ip6")),
            ("macaddress_enp0s3", Some("networking.interfaces.enp0s3.mac")),
            ("netmask_bond0_100", Some("networking.interfaces.bond0_100.netmask")),
            ("mtu_lo", Some("networking.interfaces.lo.mtu")),
            ("blockdevice_sda_size", Some("disks.sda.size_bytes")),
            ("sshrsakey", Some("ssh.rsa.key")),
            ("processor0", Some("processors.models")),
            ("network_zone", None),
            ("network_eth", None),
            ("ipaddress_public", None),
            ("ipaddress", None),
            ("sshkey", None),
            ("sp_name", None),
            ("processor", None),
        ] {
            let found = legacy_member(name).and_then(|it| it.replacement);
            assert_eq!(found.as_deref(), replacement, "{name}");
        }
    }

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
    fn facts_with_another_form_are_legacy() {
        let found: Vec<_> = facts().iter().filter(|it| has_other_form(it)).collect();
        assert_eq!(found.len(), 11);
        assert!(found.iter().all(|it| it.legacy && it.replacement.is_some()));
    }

    #[test]
    fn families_have_patterns() {
        let family = |name: &str| name.contains('<');
        assert!(facts().iter().all(|it| it.pattern.is_some() == family(&it.name)));
    }
}
