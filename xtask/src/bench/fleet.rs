//! A fleet: nodes of a control repository with roles and profiles that share code and data as real fleets do.

use std::fmt::Write as _;
use std::path::Path;

use super::control;
use crate::{Result, files};

/// The percentage of nodes with each role. The role with the number `n` has `n + 2` of the modules, with 150 resources each.
const SHARES: [u32; 20] = [30, 16, 10, 8, 6, 5, 4, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1];

/// Every node whose number is a multiple of this has its own data file.
const WITH_DATA: usize = 10;

const HIERARCHY: &str = r#"version: 5
hierarchy:
  - name: node
    path: "nodes/%{trusted.certname}.yaml"
  - name: role
    path: "roles/%{facts.role}.yaml"
  - name: system
    path: "os/%{facts.os.family}.yaml"
  - name: common
    path: common.yaml
"#;

const BASE: &str = "# What every node has.\nclass profile::base(String $contact, String $banner) {\n  file { '/etc/motd':\n    content => \"${banner}\\n\",\n    mode    => '0644',\n  }\n  notify { \"ask ${contact}\": }\n}\n";

/// A change of the repository: a text in a file is replaced by another one.
pub(super) struct Change {
    pub(super) name: &'static str,
    pub(super) file: &'static str,
    pub(super) from: &'static str,
    pub(super) to: &'static str,
    /// The percentage of nodes whose catalog the change alters.
    pub(super) changed: u32,
}

/// A line of a profile that all nodes have.
pub(super) const EVERYWHERE: Change = Change {
    name: "a line of a profile of all nodes",
    file: "site-modules/profile/manifests/base.pp",
    from: "'0644'",
    to: "'0444'",
    changed: 100,
};

/// The other changes that are measured.
pub(super) const CHANGES: [Change; 5] = [
    Change {
        name: "a line of a profile of 1 % of the nodes",
        file: "site-modules/profile/manifests/app19.pp",
        from: "'managed",
        to: "'kept",
        changed: 1,
    },
    Change {
        name: "a value in the data of a role",
        file: "data/roles/r10.yaml",
        from: "contact: role",
        to: "contact: team",
        changed: 2,
    },
    Change {
        name: "a comment",
        file: "site-modules/profile/manifests/base.pp",
        from: "# What every node has.",
        to: "# What all nodes have.",
        changed: 0,
    },
    Change {
        name: "a key that nobody reads",
        file: "data/common.yaml",
        from: "profile::base::contact:",
        to: "nobody::reads: this\nprofile::base::contact:",
        changed: 0,
    },
    Change {
        name: "a class that no node has",
        file: "site-modules/profile/manifests/unused.pp",
        from: "'unused'",
        to: "'still unused'",
        changed: 0,
    },
];

impl Change {
    /// Applies the change to a copy of the repository.
    pub(super) fn make(&self, repository: &Path) -> Result<()> {
        let path = repository.join(self.file);
        let text = files::read(&path)?;
        if !text.contains(self.from) {
            return Err(format!("{} does not have {}", self.file, self.from).into());
        }
        files::write(&path, &text.replacen(self.from, self.to, 1))
    }
}

/// Writes the repository into a folder.
pub(super) fn write(folder: &Path) -> Result<()> {
    let modules = control::write_modules(folder, control::Templates::Epp)?;
    let profiles = folder.join("site-modules/profile/manifests");
    for name in &modules {
        let text =
            format!("class profile::{name} {{\n  include {name}\n  notify {{ 'managed {name}': }}\n}}\n");
        files::write(&profiles.join(format!("{name}.pp")), &text)?;
    }
    files::write(&profiles.join("base.pp"), BASE)?;
    files::write(&profiles.join("unused.pp"), "class profile::unused {\n  notify { 'unused': }\n}\n")?;
    for role in 0..SHARES.len() {
        // Only the last role has the last module.
        let count = if role + 1 == SHARES.len() { modules.len() } else { (role + 2).min(modules.len() - 1) };
        let mut text = format!("class role::r{role:02} {{\n  include profile::base\n");
        for name in &modules[..count] {
            writeln!(text, "  include profile::{name}")?;
        }
        text.push_str("}\n");
        files::write(&folder.join(format!("site-modules/role/manifests/r{role:02}.pp")), &text)?;
        if role % 2 == 0 {
            let text = format!("profile::base::contact: role {role}\napp00::directory: /srv/r{role:02}\n");
            files::write(&folder.join(format!("data/roles/r{role:02}.yaml")), &text)?;
        }
    }
    files::write(&folder.join("manifests/site.pp"), "include \"role::${facts['role']}\"\n")?;
    files::write(&folder.join("environment.conf"), "modulepath = site-modules:modules\n")?;
    files::write(&folder.join("hiera.yaml"), HIERARCHY)?;
    let common = folder.join("data/common.yaml");
    let own = "profile::base::contact: operations\nprofile::base::banner: \"This is %{trusted.certname}\"\n";
    files::write(&common, &(files::read(&common)? + own))
}

/// Writes the facts of `count` nodes into a folder, and the data of some of them into the repository.
pub(super) fn write_nodes(repository: &Path, facts: &Path, count: usize) -> Result<()> {
    for number in 0..count {
        let name = format!("node{number:04}.example.com");
        let (role, family) = (role(number), if number % 4 == 3 { "RedHat" } else { "Debian" });
        let mut text =
            control::FACTS.replace("NODE", &name).replace("family: Debian", &format!("family: {family}"));
        text = text.replace("192.0.2.17", &format!("192.0.{}.{}", number / 250, number % 250 + 1));
        text = text.replace("hostname: web", &format!("hostname: node{number:04}"));
        writeln!(text, "role: r{role:02}")?;
        files::write(&facts.join(format!("{name}.yaml")), &text)?;
        if number % WITH_DATA == 0 {
            let own = format!("profile::base::banner: \"This is number {number}\"\n");
            files::write(&repository.join(format!("data/nodes/{name}.yaml")), &own)?;
        }
    }
    Ok(())
}

/// Returns the role of a node. In each hundred of nodes, the roles have their shares.
fn role(number: usize) -> usize {
    let mut rest = u32::try_from(number % 100).unwrap_or_default();
    for (role, share) in SHARES.iter().enumerate() {
        if rest < *share {
            return role;
        }
        rest -= share;
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_have_their_shares() {
        let mut counts = [0; SHARES.len()];
        (0..100).for_each(|it| counts[role(it)] += 1);
        assert_eq!(counts, SHARES);
    }
}
