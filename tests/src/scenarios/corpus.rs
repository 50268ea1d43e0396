use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use camino::Utf8PathBuf;

use crate::workspace;

/// The environment variable that makes a missing corpus an error.
pub const CORPUS_REQUIRED: &str = "MAROTTE_REQUIRE_CORPUS";

/// The environment variable that names another folder of modules, for custom scenarios.
pub const OTHER_MODULES: &str = "MAROTTE_MODULES";

/// Creates in `scratch` a module path of links to the modules of the corpus: Debian's folders also contain the names of authors.
/// `None` if the corpus is missing.
///
/// # Errors
/// If the links can't be created.
///
/// # Panics
/// If the corpus is required, but missing.
#[expect(clippy::disallowed_methods, reason = "the tests stand outside the compiler and its `System`")]
#[expect(clippy::print_stderr, reason = "says why nothing is compared")]
pub fn module_path(scratch: &Path) -> io::Result<Option<PathBuf>> {
    let (available, links) = match std::env::var_os(OTHER_MODULES) {
        Some(other) => (PathBuf::from(other), "other-modules"),
        None => (workspace::root().join("corpus/tree/usr/share/puppet/modules.available"), "modules"),
    };
    if !available.is_dir() {
        let required = std::env::var_os(CORPUS_REQUIRED).is_some();
        assert!(!required, "there is no corpus: run `cargo xtask corpus`");
        eprintln!("not compared with the corpus, which is not here; `cargo xtask corpus` brings it");
        return Ok(None);
    }
    let modules = scratch.join(links);
    std::fs::create_dir_all(&modules)?;
    for entry in std::fs::read_dir(std::fs::canonicalize(available)?)? {
        let folder = entry?.path();
        let link = modules.join(module_name(&folder));
        if folder.is_dir() && !link.is_symlink() {
            match symlink(&folder, &link) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
        }
    }
    Ok(Some(modules))
}

/// The targets of a module path's links, which evaluation must be permitted to read.
pub(super) fn named() -> Vec<Utf8PathBuf> {
    let others = std::env::var_os(OTHER_MODULES).map(PathBuf::from);
    let folders = others.into_iter().chain([workspace::root().join("corpus/tree")]);
    folders.filter_map(|it| Utf8PathBuf::from_path_buf(it).ok()).collect()
}

/// Returns the name in a module's metadata or, without metadata, that of its folder, without the author.
fn module_name(folder: &Path) -> String {
    let metadata = workspace::read(&folder.join("metadata.json")).ok();
    let metadata = metadata.and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
    let name = metadata.as_ref().and_then(|it| it.get("name")?.as_str());
    let name = name.or_else(|| folder.file_name()?.to_str()).unwrap_or_default();
    let name = name.split_once(['-', '/']).map_or(name, |(_, name)| name);
    name.replace('-', "_")
}
