//! Release builds of the measured programs.

use std::path::PathBuf;
use std::process::Command;

use crate::{Result, files, process};

/// The executables that the measurements start.
pub(crate) struct Programs {
    /// The program that users install.
    pub(crate) marotte: PathBuf,
    /// The optimized build of this program.
    pub(crate) xtask: PathBuf,
}

/// The profile of the packages.
pub(crate) const PACKAGES: &str = "dist";

/// Builds both with the profile of the packages.
pub(crate) fn release() -> Result<Programs> {
    release_with(PACKAGES)
}

/// Builds both with a profile of Cargo's.
pub(crate) fn release_with(profile: &str) -> Result<Programs> {
    // By name, so that the proxy of rustup selects one toolchain for everything that is built.
    let mut cargo = Command::new("cargo");
    cargo
        .args(["build", "--profile", profile, "--package", "marotte", "--package", "xtask"])
        .args(["--message-format", "json-render-diagnostics"])
        .current_dir(files::repository());
    let messages = process::output(&mut cargo)?;
    Ok(Programs { marotte: executable(&messages, "marotte")?, xtask: executable(&messages, "xtask")? })
}

/// Returns the path of a built program from cargo's messages.
fn executable(messages: &str, name: &str) -> Result<PathBuf> {
    let mut found = None;
    for line in messages.lines() {
        let message: serde_json::Value = serde_json::from_str(line)?;
        if let Some(path) = message["executable"].as_str()
            && message["target"]["name"] == name
        {
            found = Some(PathBuf::from(path));
        }
    }
    found.ok_or_else(|| format!("cargo built no `{name}`").into())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::executable;

    #[test]
    fn executable_is_found_by_target_name() {
        let messages = r#"{"reason":"compiler-artifact","target":{"name":"marotte_text"},"executable":null}
{"reason":"compiler-artifact","target":{"name":"marotte"},"executable":"/t/release/marotte"}
{"reason":"build-finished","success":true}"#;
        assert_eq!(executable(messages, "marotte").expect("it is there"), Path::new("/t/release/marotte"));
        assert!(executable(messages, "xtask").is_err());
    }
}
