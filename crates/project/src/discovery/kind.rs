use std::fmt;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;
use marotte_host::layout::{ENVIRONMENT_FILE, PUPPETFILE};

use super::module;

/// The kind of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetKind {
    /// A control repository or one environment: it has an `environment.conf`, folders of main manifests and of modules, or a
    /// `site.pp` with a `hiera.yaml` or a `Puppetfile`.
    ControlRepository,
    /// A folder of environments.
    Environments,
    /// A module: it has a `metadata.json`.
    Module,
    /// A folder that is neither an environment nor a module.
    Folder,
    /// A single file.
    File,
    /// Nothing exists at the path.
    Missing,
}

impl fmt::Display for TargetKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TargetKind::ControlRepository => "control repository",
            TargetKind::Environments => "environments directory",
            TargetKind::Module => "module",
            TargetKind::Folder => "folder",
            TargetKind::File => "file",
            TargetKind::Missing => "nothing",
        })
    }
}

pub(super) fn of_directory(system: &dyn System, path: &Utf8Path) -> TargetKind {
    if is_control_repository(system, path) {
        TargetKind::ControlRepository
    } else if module::is_module(system, path) {
        TargetKind::Module
    } else if !environments(system, path).is_empty() {
        TargetKind::Environments
    } else {
        TargetKind::Folder
    }
}

/// Whether a folder is a control repository. Many have no `environment.conf`, because everything is in the default locations;
/// and many have no modules of their own before those of the `Puppetfile` are installed.
pub(super) fn is_control_repository(system: &dyn System, path: &Utf8Path) -> bool {
    let folder = |name: &str| system.is_directory(&path.join(name));
    let file = |name: &str| system.is_file(&path.join(name));
    let has_code = || folder("manifests") && folder("modules");
    let has_main_manifest = || file("manifests/site.pp") && (file("hiera.yaml") || file(PUPPETFILE));
    file(ENVIRONMENT_FILE) || (has_code() || has_main_manifest()) && !module::is_module(system, path)
}

/// Whether a folder that wasn't named is a control repository, decided when one of its subfolders is found. A module may
/// contain modules, too.
pub(super) fn holds_environment(system: &dyn System, folder: &Utf8Path, inner: &Utf8Path) -> bool {
    let is_modules = |it: &Utf8Path| it.file_name() == Some("modules");
    is_modules(inner) && !folder.parent().is_some_and(is_modules) && is_control_repository(system, folder)
}

/// Whether a folder below another belongs to tests: these configure their environment themselves.
pub(super) fn is_of_tests(root: &Utf8Path, folder: &Utf8Path) -> bool {
    folder.strip_prefix(root).is_ok_and(|it| it.components().any(|it| it.as_str() == "spec"))
}

/// The environments in a folder of environments; empty if it isn't one.
///
/// It is one if a subfolder has an `environment.conf`, or if its own name is `environments`: then any subfolder with
/// `manifests` is an environment, which elsewhere would rather be a module.
pub(super) fn environments(system: &dyn System, path: &Utf8Path) -> Vec<Utf8PathBuf> {
    let folders = || {
        let entries = system.list(path).unwrap_or_default().into_iter();
        entries.filter(|entry| entry.is_directory).map(|entry| path.join(entry.name))
    };
    let named = path.file_name() == Some("environments");
    if named || folders().any(|folder| system.is_file(&folder.join(ENVIRONMENT_FILE))) {
        folders()
            .filter(|folder| {
                system.is_file(&folder.join(ENVIRONMENT_FILE))
                    || system.is_directory(&folder.join("manifests"))
            })
            .collect()
    } else {
        Vec::new()
    }
}
