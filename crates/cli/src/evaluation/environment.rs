//! The environment that arguments name.

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;
use marotte_host::layout::{ENVIRONMENT_FILE, METADATA_FILE, environment_around};

use crate::failure::Failure;

/// The environment of commands that are given no name.
const PRODUCTION: &str = "production";

/// The name of a folder that holds environments, wherever it is.
const ENVIRONMENTS: &str = "environments";

/// A size limit beyond any real configuration.
const MAX_CONFIGURATION: u64 = 1 << 20;

/// Resolves `--environment-dir` to the absolute path at which the search for the environment starts; without the option, that is
/// the current folder. A folder of environments means the one with the name of `--environment`, or `production`.
///
/// # Errors
/// If the folder doesn't exist, if it contains environments, but none of that name, or if the configuration of the environment
/// cannot be read.
pub(crate) fn environment_dir(
    system: &dyn System,
    folder: Option<&Utf8Path>,
    name: Option<&str>,
) -> Result<Utf8PathBuf, Failure> {
    let path = find(system, folder, name)?;
    let around = environment_around(system, &path);
    refuse_unreadable(system, around.as_deref().unwrap_or(&path))?;
    Ok(path)
}

/// Refuses an environment whose configuration is present, but cannot be read: its modules and its manifest are not those of the
/// defaults.
fn refuse_unreadable(system: &dyn System, folder: &Utf8Path) -> Result<(), Failure> {
    let is_present = || system.list(folder).is_ok_and(|it| it.iter().any(|it| it.name == ENVIRONMENT_FILE));
    let path = folder.join(ENVIRONMENT_FILE);
    if system.is_file(&path) || !is_present() {
        return Ok(());
    }
    match system.read(&path, MAX_CONFIGURATION) {
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::Message(format!("`{path}` cannot be read: {error}"))),
    }
}

fn find(system: &dyn System, folder: Option<&Utf8Path>, name: Option<&str>) -> Result<Utf8PathBuf, Failure> {
    let path = system.absolute(folder.unwrap_or(Utf8Path::new(".")));
    if let Some(folder) = folder.filter(|_| !system.is_directory(&path)) {
        return Err(Failure::no_folder(folder));
    }
    let is_within = path.file_name() != Some(ENVIRONMENTS) && environment_around(system, &path).is_some();
    if is_environment(system, &path) || is_within {
        return Ok(path);
    }
    let wanted = path.join(name.unwrap_or(PRODUCTION));
    if is_environment(system, &wanted) {
        return Ok(wanted);
    }
    match folder.map(|folder| (folder, environments(system, &path))) {
        Some((folder, all)) if !all.is_empty() => Err(Failure::Message(format!(
            "there is no environment `{}` in `{folder}`, which has {}; `--environment` names one",
            name.unwrap_or(PRODUCTION),
            all.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")
        ))),
        _ => Ok(path),
    }
}

/// Returns the folder of the environment that `--environment-dir` names, or else of the one around the current folder, for
/// commands that also work without an environment. A folder that looks like a module is an environment only if it is named.
///
/// # Errors
/// Those of [`environment_dir`].
pub(crate) fn environment_for(
    system: &dyn System,
    folder: Option<&Utf8Path>,
    name: Option<&str>,
) -> Result<Option<Utf8PathBuf>, Failure> {
    let (path, is_named) = (environment_dir(system, folder, name)?, folder.is_some());
    let is_module = |it: &Utf8Path| {
        system.is_file(&it.join(METADATA_FILE)) && !system.is_file(&it.join(ENVIRONMENT_FILE))
    };
    let found = environment_around(system, &path).filter(|it| is_named || !is_module(it));
    Ok(found.or_else(|| is_named.then_some(path)))
}

/// Whether a folder has what only environments have, or the main manifests of one.
fn is_environment(system: &dyn System, folder: &Utf8Path) -> bool {
    [ENVIRONMENT_FILE, "hiera.yaml"].iter().any(|it| system.is_file(&folder.join(it)))
        || system.is_directory(&folder.join("manifests"))
}

/// Returns the names of the environments in a folder, in order.
fn environments(system: &dyn System, folder: &Utf8Path) -> Vec<String> {
    let entries = system.list(folder).unwrap_or_default().into_iter();
    let names = entries.map(|it| it.name).filter(|it| is_environment(system, &folder.join(it)));
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}
