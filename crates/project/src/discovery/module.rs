use camino::Utf8Path;
use marotte_db::System;
use marotte_text::Str;

pub(super) const FILE_NAME: &str = "metadata.json";

/// Longer than any metadata that people write.
const MAX_METADATA: u64 = 4 << 20;

/// Files that only an environment has; one may have a `metadata.json` for its tools, and is no module for that.
const OF_ENVIRONMENTS: [&str; 2] = [super::environment::FILE_NAME, "Puppetfile"];

/// The name of the module in a folder: `ntp`, if its metadata says `puppetlabs-ntp`, or else the folder's own. `None` if
/// it is no module.
pub(super) fn name(system: &dyn System, folder: &Utf8Path) -> Option<Str> {
    let bytes = system.read(&folder.join(FILE_NAME), MAX_METADATA).ok()?;
    let metadata: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(&bytes).ok()?;
    if OF_ENVIRONMENTS.iter().any(|name| system.is_file(&folder.join(name))) {
        return None;
    }
    let full = metadata.get("name").and_then(serde_json::Value::as_str).or(folder.file_name())?;
    let name = full.split_once(['-', '/']).map_or(full, |(_author, name)| name);
    (!name.is_empty()).then(|| name.into())
}

#[cfg(test)]
mod tests {
    use marotte_db::MemorySystem;

    use super::*;

    fn name_of(metadata: &str, others: &[&str]) -> Option<String> {
        let system = MemorySystem::with_files([("/m/metadata.json", metadata)]);
        others.iter().for_each(|path| system.write_file(path, ""));
        name(&system, "/m".into()).map(|name| name.to_string())
    }

    #[test]
    fn the_name_is_what_follows_the_author() {
        assert_eq!(name_of(r#"{"name": "puppetlabs-ntp"}"#, &[]).as_deref(), Some("ntp"));
        assert_eq!(name_of(r#"{"name": "puppetlabs/ntp"}"#, &[]).as_deref(), Some("ntp"));
        assert_eq!(name_of(r#"{"name": "ntp"}"#, &[]).as_deref(), Some("ntp"));
    }

    #[test]
    fn without_a_name_the_folders_own_counts() {
        assert_eq!(name_of("{}", &[]).as_deref(), Some("m"));
    }

    #[test]
    fn other_json_is_no_module() {
        assert_eq!(name_of(r#"["name"]"#, &[]), None);
        assert_eq!(name_of("{", &[]), None);
    }

    #[test]
    fn an_environment_with_metadata_is_no_module() {
        assert_eq!(name_of(r#"{"name": "x-control"}"#, &["/m/Puppetfile"]), None);
        assert_eq!(name_of(r#"{"name": "x-control"}"#, &["/m/environment.conf"]), None);
    }
}
