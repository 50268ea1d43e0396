//! Where the files of modules and of the environment are, by the names that programs give them (C23–C30, E33).

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;
use marotte_eval::ReadError;

use super::{CodeTree, Permissions};

/// Finds files, and sees to it that no path leaves the folder that it is meant for.
pub(super) struct Finder<'a> {
    pub(super) system: &'a dyn System,
    pub(super) tree: &'a CodeTree,
    /// The folder of the global layer of data.
    pub(super) data: Option<&'a Utf8Path>,
    pub(super) permissions: &'a Permissions,
}

impl Finder<'_> {
    /// The folder of a module: the first of the module path.
    pub(super) fn module(&self, name: &str) -> Option<Utf8PathBuf> {
        let is_name = |it: &str| {
            it.starts_with(|first: char| first.is_ascii_lowercase())
                && it.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_')
        };
        if !is_name(name) {
            return None;
        }
        let mut folders = self.tree.module_path.iter().map(|folder| folder.join(name));
        folders.find(|folder| self.system.is_directory(folder))
    }

    /// The file in which a definition of this full name is, in a folder of the environment or of a module. `initial` is
    /// the file for the name of the module alone, if it has one.
    pub(super) fn definition(&self, folder: &str, name: &str, initial: Option<&str>) -> Option<Utf8PathBuf> {
        let (first, rest) = name.split_once("::").unwrap_or((name, ""));
        let segments = |name: &str| format!("{}.pp", name.replace("::", "/"));
        let is_file = |path: &Utf8PathBuf| self.system.is_file(path);
        if let Some(environment) = &self.tree.environment
            && (rest.is_empty() || first == "environment")
            && let Some(found) = Some(environment.join(folder).join(segments(name))).filter(is_file)
        {
            return Some(found);
        }
        let file = if rest.is_empty() { initial?.to_owned() } else { segments(rest) };
        Some(self.module(first)?.join(folder).join(file)).filter(is_file)
    }

    /// A file by `module/path` below a folder of the module, or by an absolute path.
    pub(super) fn file(&self, folder: &str, name: &str) -> Result<Option<Utf8PathBuf>, ReadError> {
        let path = Utf8Path::new(name);
        if path.is_absolute() {
            let path = self.system.absolute(path);
            self.check_readable(&path)?;
            return Ok(self.system.metadata(&path).is_ok().then_some(path));
        }
        let Some((module, rest)) = name.split_once('/') else { return Ok(None) };
        let Some(module) = self.module(module) else { return Ok(None) };
        let path = module.join(folder).join(rest.trim_start_matches('/'));
        if self.system.metadata(&path).is_err() {
            return Ok(None);
        }
        self.check_readable(&path)?;
        Ok(Some(self.system.absolute(&path)))
    }

    /// Refuses what is neither in the tree of code nor allowed, wherever dots and symbolic links lead.
    pub(super) fn check_readable(&self, path: &Utf8Path) -> Result<(), ReadError> {
        let real = |path: &Utf8Path| self.real(path);
        let target = real(path);
        let allowed = self.permissions.read.iter().map(|it| self.system.absolute(it));
        let mut roots: Vec<Utf8PathBuf> = self.tree.module_path.clone();
        roots.extend(self.tree.environment.clone());
        roots.extend(self.data.map(Utf8Path::to_owned));
        // A module may be a link into another tree, and is a root of its own then.
        roots.extend(self.tree.module_path.iter().filter_map(|folder| {
            let module = self.system.absolute(path).strip_prefix(folder).ok()?.iter().next()?.to_owned();
            Some(folder.join(module))
        }));
        roots.extend(allowed);
        if roots.iter().any(|root| target.starts_with(real(root))) {
            return Ok(());
        }
        let folder = path.parent().unwrap_or(path);
        Err(ReadError(format!(
            "reading '{path}' is not allowed, because it is outside of the modules; `--allow read={folder}` allows it"
        )))
    }

    /// The path without links, as far as it exists.
    fn real(&self, path: &Utf8Path) -> Utf8PathBuf {
        let mut missing = Vec::new();
        let mut at = path;
        loop {
            if let Ok(mut real) = self.system.canonicalize(at) {
                real.extend(missing.iter().rev());
                return marotte_db::system::normalize(&real);
            }
            match (at.parent(), at.file_name()) {
                (Some(parent), Some(name)) => {
                    missing.push(name);
                    at = parent;
                }
                (Some(parent), None) => {
                    missing.push("..");
                    at = parent;
                }
                (None, _) => return self.system.absolute(path),
            }
        }
    }
}
