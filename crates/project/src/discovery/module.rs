use camino::Utf8Path;
use marotte_db::System;
use marotte_text::Str;

pub(super) const FILE_NAME: &str = "metadata.json";

/// Longer than any metadata that people write.
const MAX_METADATA: u64 = 4 << 20;

/// The name of the module in a folder, by its metadata: `ntp` for `puppetlabs-ntp`. `None` if it is no module.
pub(super) fn name(system: &dyn System, folder: &Utf8Path) -> Option<Str> {
    let bytes = system.read(&folder.join(FILE_NAME), MAX_METADATA).ok()?;
    let metadata: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
    let full = metadata.get("name")?.as_str()?;
    let (_author, name) = full.split_once(['-', '/'])?;
    (!name.is_empty()).then(|| name.into())
}

#[cfg(test)]
mod tests {
    use marotte_db::MemorySystem;

    use super::*;

    fn name_of(metadata: &str) -> Option<String> {
        let system = MemorySystem::with_files([("/m/metadata.json", metadata)]);
        name(&system, "/m".into()).map(|name| name.to_string())
    }

    #[test]
    fn the_name_is_what_follows_the_author() {
        assert_eq!(name_of(r#"{"name": "puppetlabs-ntp"}"#).as_deref(), Some("ntp"));
        assert_eq!(name_of(r#"{"name": "puppetlabs/ntp"}"#).as_deref(), Some("ntp"));
    }

    #[test]
    fn other_json_is_no_module() {
        assert_eq!(name_of(r#"{"name": "ntp"}"#), None);
        assert_eq!(name_of(r#"["name"]"#), None);
        assert_eq!(name_of("{"), None);
    }
}
