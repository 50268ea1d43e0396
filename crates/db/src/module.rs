use camino::Utf8PathBuf;
use marotte_text::Str;

use crate::{Db, File, environment_of, relative_to};

/// A file's place in a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleFile {
    /// The module's name, in lower case.
    pub module: Str,
    /// The file's path below the module's folder.
    pub path: Utf8PathBuf,
}

impl ModuleFile {
    /// The top-level folder of the module that contains the file: `manifests`, `functions`, `templates` …; `None` for a file at
    /// the top.
    pub fn folder(&self) -> Option<&str> {
        // The path has neither dots nor repeated separators, and splitting the text is many times faster.
        self.path.as_str().split_once('/').map(|(first, _)| first)
    }
}

/// The place of a file in a module, if it is in one.
#[salsa::tracked(returns(as_ref))]
pub fn module_file(db: &dyn Db, file: File) -> Option<ModuleFile> {
    let environment = environment_of(db, file);
    let path = file.path(db);
    if environment.main_manifest(db).is_some_and(|main| relative_to(path, main).is_some()) {
        return None;
    }
    for folder in environment.module_path(db) {
        if let Some(relative) = relative_to(path, folder) {
            let (module, path) = relative.as_str().split_once('/').unwrap_or((relative.as_str(), ""));
            if module.is_empty() {
                return None;
            }
            return Some(ModuleFile { module: module.to_lowercase().into(), path: path.into() });
        }
    }
    let modules = environment.modules(db);
    path.ancestors().skip(1).find_map(|folder| {
        let module = modules.name(folder)?.to_lowercase();
        Some(ModuleFile { module, path: relative_to(path, folder)?.to_owned() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Modules;
    use crate::testing::TestDb;

    fn place(db: &TestDb, path: &str) -> Option<(String, String)> {
        let place = module_file(db, db.file(path))?;
        Some((place.module.to_string(), place.path.to_string()))
    }

    #[test]
    fn modules_are_found_through_the_module_path_and_by_their_metadata() {
        let mut db = TestDb::new([]);
        let mut modules = Modules::default();
        modules.insert("/src/puppet-ntp".into(), "ntp".into());
        db.add_environment("/env", &["/env/modules"], Some("/env/modules/main"));
        db.set_loose_modules(modules);

        let of = |module: &str, path: &str| Some((module.to_owned(), path.to_owned()));
        assert_eq!(place(&db, "/env/modules/Apache/manifests/a/b.pp"), of("apache", "manifests/a/b.pp"));
        assert_eq!(place(&db, "/src/puppet-ntp/functions/f.pp"), of("ntp", "functions/f.pp"));
        assert_eq!(place(&db, "/env/manifests/site.pp"), None);
        assert_eq!(place(&db, "/env/modules/main/site.pp"), None);
        assert_eq!(place(&db, "/src/puppet-ntpd/functions/f.pp"), None);
    }

    #[test]
    fn plans_folders_know_plans() {
        let mut db = TestDb::new([]);
        db.add_environment("/env", &["/env/modules"], Some("/env/plans/main"));
        let tasks = |path: &str| crate::mode(&db, db.file(path)).tasks;
        assert!(tasks("/env/modules/a/plans/deep/p.pp"));
        assert!(!tasks("/env/modules/plans/manifests/p.pp"));
        assert!(!tasks("/env/modules/a/manifests/plans/p.pp"));
        assert!(!tasks("/env/modules/a/functions/plans/f.pp"));
        assert!(tasks("/env/modules/a/spec/fixtures/b/plans/p.pp"));
        assert!(tasks("/env/plans/p.pp"), "of a project");
        assert!(!tasks("/env/plans/main/site.pp"));
        assert!(tasks("/elsewhere/a/plans/p.pp"), "of what has no metadata");
        assert!(!tasks("/elsewhere/a/manifests/plans/p.pp"));
        assert!(crate::mode(&db, db.file("/env/modules/a/templates/t.epp")).template);
    }
}
