//! Warnings and errors about paths that lead out of the code tree.

use std::collections::BTreeMap;
use std::io::{self, Write as _};

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;
use marotte_diagnostics::printable;
use marotte_host::layout::{ENVIRONMENT_FILE, linked_modules};

use crate::failure::Failure;

/// The number of modules in one folder from which on the warning names this folder, and not each of them.
const MANY: usize = 4;

/// The number of modules that a warning names.
const NAMED: usize = 3;

/// Warns of folders of the code tree, and of modules in them, that are links to the outside, with the options that allow to read
/// them.
pub(crate) fn tell_what_is_outside<'p>(
    system: &dyn System,
    paths: impl Iterator<Item = &'p Utf8PathBuf>,
) -> io::Result<()> {
    for path in paths {
        let warning = match system.is_outside(path) {
            true if system.metadata(path).is_err() => None,
            true => {
                let real = real(system, path);
                Some(format!(
                    "{path} is not read, because it is outside of the environment; `--allow read={real}` allows it"
                ))
            }
            false => modules(system, path),
        };
        if let Some(warning) = warning {
            writeln!(io::stderr().lock(), "{}", printable::line(&format!("warning: {warning}")))?;
        }
    }
    Ok(())
}

/// Refuses an environment whose configuration is a link to the outside of the tree that `system` is confined to.
pub(crate) fn refuse_outside_configuration(system: &dyn System, root: &Utf8Path) -> Result<(), Failure> {
    let path = root.join(ENVIRONMENT_FILE);
    if !system.is_outside(&path) || system.metadata(&path).is_err() {
        return Ok(());
    }
    Err(Failure::Message(format!(
        "the configuration {path} is not read, because it is a link to the outside of the environment; `--allow read={}` allows it",
        real(system, &path)
    )))
}

/// The path without links, or the path itself if it leads nowhere.
pub(crate) fn real(system: &dyn System, path: &Utf8Path) -> Utf8PathBuf {
    system.canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The warning about the modules in a folder that are links to the outside. None if there are none.
fn modules(system: &dyn System, folder: &Utf8Path) -> Option<String> {
    let links = linked_modules(system, folder).into_iter();
    let links = links.filter(|it| system.is_outside(it) && system.is_directory(it));
    let modules: Vec<(Utf8PathBuf, Utf8PathBuf)> =
        links.filter_map(|it| Some((system.canonicalize(&it).ok()?, it))).collect();
    let names: Vec<&str> = modules.iter().filter_map(|(_, link)| link.file_name()).collect();
    let options: Vec<String> = allowed(modules.iter().map(|it| it.0.as_path()))
        .iter()
        .map(|it| format!("--allow read={it}"))
        .collect();
    let options = options.join(" ");
    match &names[..] {
        [] => None,
        [name] => Some(format!(
            "the module {name} in {folder} is not read, because it is a link to the outside; `{options}` allows it"
        )),
        _ => {
            let count = names.len();
            let mut listed = names.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
            if count > NAMED {
                listed.push_str(", …");
            }
            Some(format!(
                "{count} modules in {folder} are not read, because they are links to the outside ({listed}); `{options}` allows it"
            ))
        }
    }
}

/// The folders to permit so that all these modules can be read: the folder that has many of them, or else each module.
fn allowed<'p>(modules: impl Iterator<Item = &'p Utf8Path>) -> Vec<Utf8PathBuf> {
    let mut by_folder: BTreeMap<&Utf8Path, Vec<&Utf8Path>> = BTreeMap::new();
    for module in modules {
        by_folder.entry(module.parent().unwrap_or(module)).or_default().push(module);
    }
    let mut allowed = Vec::new();
    for (folder, modules) in by_folder {
        match modules.len() < MANY || folder.parent().is_none() {
            true => allowed.extend(modules.into_iter().map(Utf8Path::to_owned)),
            false => allowed.push(folder.to_owned()),
        }
    }
    allowed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_permitted_that_has_many_of_the_modules() {
        let all = |paths: &[&str]| allowed(paths.iter().map(Utf8Path::new));
        assert_eq!(all(&["/a/m", "/a/n", "/b/o"]), ["/a/m", "/a/n", "/b/o"]);
        assert_eq!(all(&["/a/m", "/a/n", "/a/o", "/b/q", "/a/p"]), ["/a", "/b/q"]);
        assert_eq!(all(&["/m", "/n", "/o", "/p"]), ["/m", "/n", "/o", "/p"]);
    }
}
