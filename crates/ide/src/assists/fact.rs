//! Replaces a legacy fact in data or in a template in ERB by the part of a structured fact that has its value.

use marotte_db::source_text;
use marotte_resolve::data_files::hiera_file;
use marotte_ruby::core;
use marotte_text::unrooted;

use super::Assist;
use crate::token::{is_erb, slice};
use crate::{Db, FileRange, TextEdit};

/// Returns the replacement of the legacy fact at a place. None if it has none, or one whose value has another form.
pub(super) fn replacement(db: &dyn Db, at: FileRange) -> Option<Assist> {
    let written = slice(source_text(db, at.file).text(), at.range);
    let (text, subject) = if is_erb(db, at.file) {
        (in_template(written)?, "template")
    } else {
        hiera_file(db, at.file)?;
        (in_data(written)?, "data")
    };
    let title = format!("Replace with `{text}` (may change what the {subject} means)");
    Some(Assist { id: "replace-fact", title, edits: vec![TextEdit { place: at, text }] })
}

/// `%{osfamily}`, `%{::osfamily}`, `%{facts.osfamily}`, or the variable alone.
fn in_data(written: &str) -> Option<String> {
    let inner = written.strip_prefix("%{").and_then(|it| it.strip_suffix('}'));
    let variable = inner.unwrap_or(written).trim();
    let name = unrooted(variable);
    let fact = name.strip_prefix("facts.").unwrap_or(name);
    let new = format!("facts.{}", path(fact)?);
    Some(written.replacen(variable, &new, 1))
}

/// `@osfamily`, `@facts['osfamily']`, `scope['::osfamily']`, `scope.lookupvar('osfamily')`
fn in_template(written: &str) -> Option<String> {
    let between = |it: &'static str, start: &str, end: char| -> Option<&str> {
        let quoted = written.strip_prefix(it)?.strip_prefix(start)?.strip_suffix(end)?.trim();
        let name = ['\'', '"'].into_iter().find_map(|it| quoted.strip_prefix(it)?.strip_suffix(it))?;
        Some(unrooted(name))
    };
    let in_facts = || between("@facts", "[", ']').or_else(|| written.strip_prefix('@'));
    let in_scope = || between("scope", "[", ']').or_else(|| between("scope", ".lookupvar(", ')'));
    let (base, fact) =
        in_facts().map(|it| ("@facts", it)).or_else(|| in_scope().map(|it| ("scope['facts']", it)))?;
    let keys: String = path(fact)?.split('.').map(|it| format!("['{it}']")).collect();
    Some(format!("{base}{keys}"))
}

/// The path of the fact that has the value of a legacy one.
fn path(legacy: &str) -> Option<String> {
    let (fact, path) = match core::legacy_fact(legacy) {
        Some(fact) => (fact, fact.replacement.as_ref().map(|it| it.to_string())),
        None => {
            let member = core::legacy_member(legacy)?;
            (member.family, member.replacement)
        }
    };
    path.filter(|_| !core::has_other_form(fact))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assists::remedies::tests::applied;
    use crate::fixture::{Fixture, assert_text};

    #[test]
    fn facts_in_data() {
        let tree = |text: &str| {
            format!(
                "//- /hiera.yaml\nversion: 5\nhierarchy: [{{name: a, path: a.yaml}}]\n//- /data/a.yaml\na::x: \"{text}\"\n"
            )
        };
        for (old, new) in [
            ("%{osfamily}", "%{facts.os.family}"),
            ("%{::osfamily}", "%{facts.os.family}"),
            ("%{facts.hostname}", "%{facts.networking.hostname}"),
            ("a %{ipaddress_eth0} b", "a %{facts.networking.interfaces.eth0.ip} b"),
        ] {
            let found = applied(&tree(old), "legacy-fact").expect(old);
            assert_text(&found, &format!("//- /data/a.yaml\na::x: \"{new}\"\n"));
        }
        assert_eq!(applied(&tree("%{interfaces}"), "legacy-fact"), None);
    }

    #[test]
    fn facts_in_configurations() {
        let tree = "//- /hiera.yaml\nversion: 5\nhierarchy: [{name: a, path: \"%{osfamily}.yaml\"}]\n";
        let found = applied(tree, "legacy-fact").expect("a remedy");
        assert!(found.contains("{name: a, path: \"%{facts.os.family}.yaml\"}"), "{found}");
    }

    #[test]
    fn facts_in_templates() {
        for (old, new) in [
            ("@osfamily", "@facts['os']['family']"),
            ("@facts['osfamily']", "@facts['os']['family']"),
            ("scope['::hostname']", "scope['facts']['networking']['hostname']"),
            ("scope.lookupvar('osfamily')", "scope['facts']['os']['family']"),
        ] {
            assert_eq!(in_template(old).as_deref(), Some(new));
        }
        for other in ["'osfamily'", "@interfaces", "@port"] {
            assert_eq!(in_template(other), None);
        }
        let fixture = Fixture::new("//- /modules/m/templates/a.erb\n<%= @osfamily %>\n");
        let place = FileRange {
            file: fixture.file("/modules/m/templates/a.erb"),
            range: marotte_text::TextRange::new(4.into(), 13.into()),
        };
        let found = replacement(fixture.db(), place).expect("a replacement");
        let title = "Replace with `@facts['os']['family']` (may change what the template means)";
        assert_eq!((found.title.as_str(), found.edits.len()), (title, 1));
    }
}
