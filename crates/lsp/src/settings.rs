//! What users have set: in files, and in their editor.

use std::fmt;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;
use marotte_diagnostics::{Diagnostic, Settings};
use marotte_project::fix::Wanted;
use marotte_project::{ProjectDatabase, ProjectOptions};
use serde::Deserialize;
use serde_json::{Map, Value};

/// Reads the configuration of a folder. The command line knows its files and its options.
pub trait Configuration: fmt::Debug + Send + Sync {
    /// What the files at and above a folder say, overridden by what the client says under the same names.
    ///
    /// # Errors
    /// If either cannot be followed.
    fn load(
        &self,
        system: &dyn System,
        folder: &Utf8Path,
        client: &Map<String, Value>,
    ) -> Result<FolderSettings, ConfigurationError>;
}

/// Findings that nobody wants to hear of again.
pub trait Known: fmt::Debug + Send + Sync {
    /// Leaves them out.
    fn leave_out(&self, db: &ProjectDatabase, findings: &mut Vec<Arc<Diagnostic>>);
}

/// How code is laid out.
pub trait Layout: fmt::Debug + Send + Sync {
    /// The choices for the file of an absolute path.
    fn options(&self, path: &Utf8Path) -> marotte_format::Options;
}

/// How the code in a folder is checked.
#[derive(Clone, Debug, Default)]
pub struct FolderSettings {
    /// Which rules are reported, at which level.
    pub rules: Settings,
    /// How it is read.
    pub project: ProjectOptions,
    /// Which fixes are made when all are to be.
    pub fixes: Wanted,
    /// The findings that are left out.
    pub known: Option<Arc<dyn Known>>,
    /// How its code is laid out; as the style guide says if nobody says it.
    pub layout: Option<Arc<dyn Layout>>,
    /// The absolute paths of the files that say all this.
    pub sources: Vec<Utf8PathBuf>,
}

/// Why a configuration cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigurationError {
    /// The file that is to blame, if it is one, with the line and the column of the place, both from 1.
    pub place: Option<(Utf8PathBuf, u32, u32)>,
    /// A sentence.
    pub message: String,
}

/// Who tells whom of findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Diagnostics {
    /// The client asks, if it can.
    #[default]
    Auto,
    /// The server tells.
    Push,
    /// The client asks.
    Pull,
}

/// Who watches files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Watcher {
    /// The client, if it can.
    #[default]
    Auto,
    /// The client.
    Client,
    /// The server.
    Server,
}

/// What the client sets that is about the server, not about code.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ServerSettings {
    /// Who tells whom of findings. Counts when the session starts.
    pub(crate) diagnostics: Diagnostics,
    /// Who watches files. Counts when the session starts.
    pub(crate) watcher: Watcher,
    /// A file of facts for whatever is evaluated.
    pub(crate) facts: Option<Utf8PathBuf>,
    /// Where the pages of rules are; the name of a rule is put behind.
    pub(crate) rule_pages: Option<String>,
}

/// The names of what is about the server.
const OF_SERVER: [&str; 4] = ["diagnostics", "watcher", "facts", "rulePages"];

/// The names of what is about the client itself: how it finds the server, and what it writes of what they say to each other.
const OF_CLIENT: [&str; 2] = ["server", "trace"];

/// Takes what a client says apart: what is about the server, and what is about code, under the names of `marotte.toml`. An editor
/// sends null for what nobody has set.
///
/// # Errors
/// If something is of a wrong type.
pub(crate) fn split(client: &Value) -> Result<(ServerSettings, Map<String, Value>), ConfigurationError> {
    let mut of_server = Map::new();
    let mut of_code = Map::new();
    let is_meant = |name: &str, value: &Value| !value.is_null() && !OF_CLIENT.contains(&name);
    for (name, value) in
        client.as_object().into_iter().flatten().filter(|(name, value)| is_meant(name, value))
    {
        if OF_SERVER.contains(&name.as_str()) {
            of_server.insert(name.clone(), value.clone());
        } else {
            of_code.insert(kebab(name), value.clone());
        }
    }
    let server = serde_json::from_value(Value::Object(of_server)).map_err(|error| ConfigurationError {
        place: None,
        message: format!("in the editor's settings: {error}"),
    })?;
    Ok((server, of_code))
}

/// `modulePath` as `module-path`.
fn kebab(name: &str) -> String {
    let mut kebab = String::with_capacity(name.len());
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            kebab.push('-');
        }
        kebab.push(character.to_ascii_lowercase());
    }
    kebab
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_about_the_server_is_told_from_what_is_about_code() {
        let (server, code) =
            split(&json!({"diagnostics": "push", "modulePath": "m", "ignore": [], "tasks": null, "server": {"path": ""}, "trace": {"server": "off"}})).unwrap();
        assert_eq!(server.diagnostics, Diagnostics::Push);
        assert_eq!(Value::Object(code), json!({"module-path": "m", "ignore": []}));
        assert!(split(&json!({"watcher": 3})).is_err());
        assert_eq!(split(&Value::Null).unwrap().0, ServerSettings::default());
    }
}
