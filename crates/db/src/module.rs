#![expect(missing_docs, reason = "the builders that salsa writes have no documentation")]

use std::collections::HashMap;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_text::Str;

use crate::{Db, File};

/// Where modules are. A database has exactly one, made with the database.
#[salsa::input(singleton)]
pub struct Layout {
    /// Folders whose subfolders are modules, named as they are; the first that holds a file counts.
    #[returns(deref)]
    pub module_path: Arc<[Utf8PathBuf]>,

    /// Folders that are modules by their own `metadata.json`.
    #[returns(ref)]
    pub modules: Arc<Modules>,

    /// Main manifests, files or folders of them: never part of a module, wherever they are.
    #[returns(deref)]
    pub main_manifests: Arc<[Utf8PathBuf]>,
}

/// Module folders with the modules' names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Modules {
    names: HashMap<String, Str>,
}

impl Modules {
    /// Adds a module.
    pub fn insert(&mut self, folder: &Utf8Path, name: Str) {
        self.names.insert(folder.as_str().to_owned(), name);
    }

    fn name(&self, folder: &Utf8Path) -> Option<&Str> {
        self.names.get(folder.as_str())
    }
}

/// A file's place in a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleFile {
    /// The module's name, in lower case.
    pub module: Str,
    /// The file's path below the module's folder.
    pub path: Utf8PathBuf,
}

impl ModuleFile {
    /// The module's folder that the file is in: `manifests`, `functions`, `templates` …; `None` for a file at the top.
    pub fn folder(&self) -> Option<&str> {
        let mut components = self.path.iter();
        let first = components.next()?;
        components.next().map(|_| first)
    }
}

/// The place of a file in a module, if it is in one.
#[salsa::tracked(returns(as_ref))]
pub fn module_file(db: &dyn Db, file: File) -> Option<ModuleFile> {
    let layout = Layout::get(db);
    let path = file.path(db);
    if layout.main_manifests(db).iter().any(|main| path.starts_with(main)) {
        return None;
    }
    for folder in layout.module_path(db) {
        if let Ok(relative) = path.strip_prefix(folder) {
            let module = relative.iter().next()?;
            let path = relative.strip_prefix(module).ok()?.to_owned();
            return Some(ModuleFile { module: module.to_lowercase().into(), path });
        }
    }
    let modules = layout.modules(db);
    path.ancestors().skip(1).find_map(|folder| {
        let module = modules.name(folder)?.to_lowercase();
        Some(ModuleFile { module, path: path.strip_prefix(folder).ok()?.to_owned() })
    })
}

#[cfg(test)]
mod tests {
    use salsa::Setter as _;

    use super::*;
    use crate::testing::TestDb;

    fn place(db: &TestDb, path: &str) -> Option<(String, String)> {
        let place = module_file(db, db.file(path))?;
        Some((place.module.to_string(), place.path.to_string()))
    }

    #[test]
    fn modules_are_found_through_the_module_path_and_by_their_metadata() {
        let mut db = TestDb::new([]);
        let layout = Layout::get(&db);
        layout.set_module_path(&mut db).to(["/env/modules".into()].into());
        layout.set_main_manifests(&mut db).to(["/env/modules/main".into()].into());
        let mut modules = Modules::default();
        modules.insert("/src/puppet-ntp".into(), "ntp".into());
        layout.set_modules(&mut db).to(Arc::new(modules));

        let of = |module: &str, path: &str| Some((module.to_owned(), path.to_owned()));
        assert_eq!(place(&db, "/env/modules/Apache/manifests/a/b.pp"), of("apache", "manifests/a/b.pp"));
        assert_eq!(place(&db, "/src/puppet-ntp/functions/f.pp"), of("ntp", "functions/f.pp"));
        assert_eq!(place(&db, "/env/manifests/site.pp"), None);
        assert_eq!(place(&db, "/env/modules/main/site.pp"), None);
        assert_eq!(place(&db, "/src/puppet-ntpd/functions/f.pp"), None);
    }

    #[test]
    fn the_plans_folder_of_a_module_knows_plans() {
        let mut db = TestDb::new([]);
        Layout::get(&db).set_module_path(&mut db).to(["/modules".into()].into());
        assert!(crate::mode(&db, db.file("/modules/a/plans/deep/p.pp")).tasks);
        assert!(!crate::mode(&db, db.file("/modules/plans/manifests/p.pp")).tasks);
        assert!(!crate::mode(&db, db.file("/plans/p.pp")).tasks);
        assert!(crate::mode(&db, db.file("/modules/a/templates/t.epp")).template);
    }
}
