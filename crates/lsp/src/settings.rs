//! The user's settings: from files, and from the editor.

use std::fmt;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;
use marotte_diagnostics::{Diagnostic, Settings};
use marotte_project::fix::FixSafety;
use marotte_project::{ProjectDatabase, ProjectOptions};
use serde::Deserialize;
use serde_json::{Map, Value};

/// Reads the configuration of a folder. The command line implements it, because it defines the files and the options.
pub trait Configuration: fmt::Debug + Send + Sync {
    /// The settings in the files at and above a folder, overridden by the client's settings of the same names.
    ///
    /// # Errors
    /// If either is invalid.
    fn load(
        &self,
        system: &dyn System,
        folder: &Utf8Path,
        client: &Map<String, Value>,
    ) -> Result<FolderSettings, ConfigurationError>;

    /// The absolute paths of the files on which the settings depend, whether or not they exist or are valid.
    fn sources(
        &self,
        system: &dyn System,
        folder: &Utf8Path,
        client: &Map<String, Value>,
    ) -> Vec<Utf8PathBuf>;
}

/// The known findings, which aren't reported.
pub trait Known: fmt::Debug + Send + Sync {
    /// Removes the findings that are already known.
    fn leave_out(&self, db: &ProjectDatabase, findings: &mut Vec<Arc<Diagnostic>>);
}

/// The formatting options of files.
pub trait Layout: fmt::Debug + Send + Sync {
    /// The options for the file at an absolute path.
    ///
    /// # Errors
    /// If a file that may have options cannot be read: a sentence.
    fn options(&self, path: &Utf8Path) -> Result<marotte_format::Options, String>;
}

/// The settings for the code in a folder.
#[derive(Clone, Debug, Default)]
pub struct FolderSettings {
    /// The selected rules and their levels.
    pub rules: Settings,
    /// The options of the project.
    pub project: ProjectOptions,
    /// The fixes that "fix all" applies.
    pub fixes: FixSafety,
    /// Report findings in modules that the Puppetfile fetches, too.
    pub third_party: bool,
    /// The findings that are already known, if a baseline is configured.
    pub known: Option<Arc<dyn Known>>,
    /// The formatting options; None for the style guide's.
    pub layout: Option<Arc<dyn Layout>>,
}

/// The error for an invalid configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigurationError {
    /// The file at fault, if there is one, with line and column, both from 1.
    pub place: Option<(Utf8PathBuf, u32, u32)>,
    /// The message, a sentence.
    pub message: String,
}

/// The way in which diagnostics are delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Diagnostics {
    /// The client pulls, if it can.
    #[default]
    Auto,
    /// The server pushes diagnostics.
    Push,
    /// The client pulls diagnostics.
    Pull,
}

/// The side that watches files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Watcher {
    /// The client, if it can.
    #[default]
    Auto,
    /// The client watches the files.
    Client,
    /// The server watches the files.
    Server,
}

/// The client's settings that concern the server, not the code.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ServerSettings {
    /// The way in which diagnostics are delivered. Takes effect when the session starts.
    pub(crate) diagnostics: Diagnostics,
    /// The side that watches files. Takes effect when the session starts.
    pub(crate) watcher: Watcher,
    /// The file of facts for evaluations.
    pub(crate) facts: Option<Utf8PathBuf>,
    /// The base URL of the rules' pages; the name of a rule is appended.
    pub(crate) rule_pages: Option<String>,
}

/// The names of the server's settings.
const OF_SERVER: [&str; 4] = ["diagnostics", "watcher", "facts", "rulePages"];

/// The names of the client's own settings: how it starts the server, and how it logs the protocol.
const OF_CLIENT: [&str; 2] = ["server", "trace"];

/// Splits the client's settings into those of the server and those of the code, under the names of `marotte.toml`. Editors send
/// null for unset values.
///
/// # Errors
/// If a value is of a wrong type.
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
