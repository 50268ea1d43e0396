use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;
use marotte_host::layout::{ENVIRONMENT_FILE, METADATA_FILE, PUPPETFILE, is_module_name};
use marotte_text::Str;

/// A size limit beyond any real metadata.
const MAX_METADATA: u64 = 4 << 20;

/// Folders that hold code of a module, at least one of which a module with a Puppetfile has.
const OF_MODULES: [&str; 6] = ["manifests", "functions", "types", "plans", "tasks", "lib/puppet"];

/// Folders of modules: next to a Puppetfile, only an environment has them.
const OF_ENVIRONMENTS: [&str; 3] = ["modules", "site-modules", "site"];

/// Whether a folder with metadata is an environment nevertheless, because the metadata is for its tools. Modules may have a
/// Puppetfile, for their tests or for Bolt.
fn is_environment(system: &dyn System, folder: &Utf8Path) -> bool {
    if system.is_file(&folder.join(ENVIRONMENT_FILE)) {
        return true;
    }
    system.is_file(&folder.join(PUPPETFILE))
        && (OF_ENVIRONMENTS.iter().any(|it| system.is_directory(&folder.join(it)))
            || system.is_file(&folder.join("manifests/site.pp"))
            || !OF_MODULES.iter().any(|it| system.is_directory(&folder.join(it))))
}

/// Whether a folder contains a module, judging by its metadata.
pub(super) fn is_module(system: &dyn System, folder: &Utf8Path) -> bool {
    metadata(system, folder).is_some()
}

/// The name by which the autoloader finds the module in a folder: `ntp` in `ntp`, `puppetlabs-ntp` or `puppet-ntp`, if its
/// metadata contains `puppetlabs-ntp`; the folder's own name if the metadata contains none.
///
/// `None` if the folder isn't a module, or if folder and metadata disagree. Distributions rename modules, and the autoloader
/// uses the folder's name alone: the effective name is unknown then. A folder whose own name cannot be a module's, such as
/// `pupmod-simp-ntp` or `ntp-puppet`, isn't known to the autoloader; if it contains the name in the metadata, that name is
/// used. So is that name for a folder outside of `modules` whose first manifest defines something of the name.
///
/// The manifest whose text decides that is added to `deciding`.
pub(super) fn name(
    system: &dyn System,
    folder: &Utf8Path,
    deciding: &mut BTreeSet<Utf8PathBuf>,
) -> Option<Str> {
    let metadata = metadata(system, folder)?;
    let path = folder;
    let folder = folder.file_name()?;
    let Some(full) = metadata.get("name").and_then(serde_json::Value::as_str) else {
        return Some(folder.into());
    };
    let name = full.split_once(['-', '/']).map_or(full, |(_, name)| name);
    let agrees = folder == name
        || folder.strip_suffix(name).is_some_and(|prefix| prefix == "puppet_")
        || has_part(folder, name);
    if agrees {
        return Some(name.into());
    }
    let manifest = first_manifest(system, path)?;
    let is_said = defines(system, &manifest, name);
    deciding.insert(manifest);
    is_said.then(|| name.into())
}

/// Whether the first manifest of a folder without metadata defines something of the folder's name: then the folder is that module.
pub(super) fn is_named_by_code(
    system: &dyn System,
    folder: &Utf8Path,
    deciding: &mut BTreeSet<Utf8PathBuf>,
) -> bool {
    let Some(name) = folder.file_name().filter(|it| is_module_name(it)) else { return false };
    let Some(manifest) = first_manifest(system, folder) else { return false };
    let is_said = defines(system, &manifest, name);
    deciding.insert(manifest);
    is_said
}

/// The manifest that tells a module's name if its folder may have any: that of a checkout, such as `workspace`. None in a folder named
/// `modules`, where the autoloader uses the name of the folder.
fn first_manifest(system: &dyn System, folder: &Utf8Path) -> Option<Utf8PathBuf> {
    if folder.parent().and_then(Utf8Path::file_name) == Some("modules") {
        return None;
    }
    let manifests = folder.join("manifests");
    let names = system.list(&manifests).unwrap_or_default().into_iter().map(|it| it.name);
    let names = names.filter(|it| it.ends_with(".pp"));
    names.min_by_key(|it| (it != "init.pp", it.clone())).map(|it| manifests.join(it))
}

/// Whether a manifest defines a class or a defined type whose name is that of a module, or begins with it.
fn defines(system: &dyn System, manifest: &Utf8Path, module: &str) -> bool {
    /// The size in bytes of the largest manifest that is searched.
    const LARGEST: u64 = 1 << 20;
    let bytes = system.read(manifest, LARGEST).unwrap_or_default();
    String::from_utf8_lossy(&bytes).lines().any(|line| {
        let defined = ["class ", "define "].iter().find_map(|it| line.strip_prefix(it));
        let rest = defined.and_then(|it| it.trim_start().trim_start_matches("::").strip_prefix(module));
        rest.is_some_and(|it| it.is_empty() || it.starts_with([' ', '(', '{']) || it.starts_with("::"))
    })
}

/// Whether a name consists of some of the words between the dashes of a folder's name: `ntp` of `ntp-puppet`, `os_ntp` of
/// `puppet-os-ntp`.
fn has_part(folder: &str, name: &str) -> bool {
    let words: Vec<&str> = folder.split('-').collect();
    let runs = (0..words.len()).flat_map(|from| (from + 1..=words.len()).map(move |to| (from, to)));
    words.len() > 1 && runs.into_iter().any(|(from, to)| words[from..to].join("_") == name)
}

fn metadata(system: &dyn System, folder: &Utf8Path) -> Option<serde_json::Map<String, serde_json::Value>> {
    let bytes = system.read(&folder.join(METADATA_FILE), MAX_METADATA).ok()?;
    let metadata =
        serde_json::from_slice(&bytes).ok().or_else(|| of_broken(&String::from_utf8_lossy(&bytes)))?;
    (!is_environment(system, folder)).then_some(metadata)
}

/// The name in metadata with syntax errors, so that a comma too many doesn't make all of a module's names unknown. None if the
/// first name in it isn't that of a module, with an author.
fn of_broken(text: &str) -> Option<serde_json::Map<String, serde_json::Value>> {
    let (_, after) = text.split_once("\"name\"")?;
    let (name, _) = after.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?.split_once('"')?;
    let (_, module) = name.split_once(['-', '/'])?;
    is_module_name(module).then(|| [("name".to_owned(), name.into())].into_iter().collect())
}

#[cfg(test)]
mod tests {
    use marotte_db::MemorySystem;

    use super::*;

    fn named(system: &MemorySystem, folder: &Utf8Path) -> Option<Str> {
        name(system, folder, &mut BTreeSet::new())
    }

    fn name_of(folder: &str, metadata: &str) -> Option<String> {
        let system = MemorySystem::new();
        let folder = Utf8Path::new("/").join(folder);
        system.write_file(folder.join("metadata.json"), metadata);
        named(&system, &folder).map(|name| name.to_string())
    }

    #[test]
    fn the_name_is_what_follows_the_author() {
        for folder in ["ntp", "puppetlabs-ntp", "puppet-ntp"] {
            assert_eq!(name_of(folder, r#"{"name": "puppetlabs-ntp"}"#).as_deref(), Some("ntp"));
            assert_eq!(name_of(folder, r#"{"name": "puppetlabs/ntp"}"#).as_deref(), Some("ntp"));
        }
        assert_eq!(name_of("ntp", r#"{"name": "ntp"}"#).as_deref(), Some("ntp"));
    }

    #[test]
    fn a_checkout_of_any_name_is_the_module_that_its_manifests_define() {
        let system = MemorySystem::new();
        for folder in ["/workspace", "/r/modules/workspace"] {
            let folder = Utf8Path::new(folder);
            system.write_file(folder.join("metadata.json"), r#"{"name": "puppetlabs-ntp"}"#);
            assert_eq!(named(&system, folder), None);
            system.write_file(folder.join("manifests/server.pp"), "# A server\nclass ntp::server (\n) { }\n");
        }
        assert_eq!(named(&system, "/workspace".into()).as_deref(), Some("ntp"));
        assert_eq!(named(&system, "/r/modules/workspace".into()), None);
        system.write_file("/workspace/manifests/init.pp", "class ntp_renamed { }\n");
        assert_eq!(named(&system, "/workspace".into()), None);
    }

    #[test]
    fn a_comma_too_many_leaves_the_name_known() {
        let broken = r#"{"name": "puppetlabs-ntp", "dependencies": [{"name": "puppetlabs-stdlib"},]}"#;
        assert_eq!(name_of("puppet-ntp", broken).as_deref(), Some("ntp"));
        assert_eq!(name_of("puppet-time", broken), None);
        assert_eq!(name_of("ntp", r#"{"name": "ntp",}"#), None);
    }

    #[test]
    fn without_a_name_the_folders_own_counts() {
        assert_eq!(name_of("m", "{}").as_deref(), Some("m"));
    }

    #[test]
    fn a_folder_that_can_be_no_module_has_the_name_in_it() {
        for folder in ["other-ntp", "pupmod-simp-ntp", "ntp-puppet", "puppetlabs-ntp-1.0.0", "puppet_ntp"] {
            assert_eq!(name_of(folder, r#"{"name": "puppetlabs-ntp"}"#).as_deref(), Some("ntp"));
        }
        let os_ntp = r#"{"name": "puppetlabs-os_ntp"}"#;
        assert_eq!(name_of("puppetlabs-os-ntp", os_ntp).as_deref(), Some("os_ntp"));
        assert_eq!(name_of("my-os_ntp", os_ntp).as_deref(), Some("os_ntp"));
    }

    #[test]
    fn a_name_that_the_folder_contradicts_is_not_believed() {
        for folder in [
            "xntp",
            "my_ntp",
            "puppetlabs_ntp",
            "puppet-xntp",
            "puppet-ntp_server",
            "puppet-time",
            "ntp_puppet",
        ] {
            assert_eq!(name_of(folder, r#"{"name": "puppetlabs-ntp"}"#), None, "{folder}");
        }
        assert_eq!(name_of("puppet-ntp", r#"{"name": "puppetlabs-os_ntp"}"#), None);
    }

    #[test]
    fn other_json_is_no_module() {
        assert_eq!(name_of("m", r#"["name"]"#), None);
        assert_eq!(name_of("m", "{"), None);
    }

    #[test]
    fn a_module_may_have_a_puppetfile() {
        let system = MemorySystem::with_files([
            ("/peadm/metadata.json", r#"{"name": "puppetlabs-peadm"}"#),
            ("/peadm/Puppetfile", "mod 'puppetlabs-stdlib', '9.0.0'"),
            ("/peadm/plans/install.pp", "plan peadm::install() { }"),
        ]);
        assert!(is_module(&system, "/peadm".into()));
        system.write_file("/peadm/manifests/site.pp", "node default { }");
        assert!(!is_module(&system, "/peadm".into()));
    }

    #[test]
    fn an_environment_with_metadata_is_no_module() {
        for file in ["Puppetfile", "environment.conf"] {
            let system = MemorySystem::with_files([("/control/metadata.json", r#"{"name": "x-control"}"#)]);
            assert!(is_module(&system, "/control".into()));
            system.write_file(Utf8Path::new("/control").join(file), "");
            assert!(!is_module(&system, "/control".into()));
            assert_eq!(named(&system, "/control".into()), None);
        }
    }
}
