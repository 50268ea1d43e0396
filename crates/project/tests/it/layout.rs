//! Incremental updates: files and folders that come and go, and what decides where code is.

use std::sync::Arc;

use camino::Utf8PathBuf;
use marotte_db::system::{ConfinedSystem, Outward};
use marotte_db::{DiskSystem, MemorySystem, System};
use marotte_project::{ChangeBatch, Project, ProjectDatabase, ProjectOptions};

use super::update::all_said;

/// A project to which changes are reported one after the other.
struct Watched {
    system: Arc<dyn System>,
    project: Project,
}

impl Watched {
    fn new(system: &Arc<MemorySystem>) -> Watched {
        let system = Arc::clone(system) as Arc<dyn System>;
        let db = ProjectDatabase::new(Arc::clone(&system));
        let mut project = Project::new(db, &["/modules/a".into()], Watched::options());
        project.update(&ChangeBatch::new());
        Watched { system, project }
    }

    fn options() -> ProjectOptions {
        ProjectOptions { threads: 1, ..ProjectOptions::default() }
    }

    fn report(&mut self, path: &str) {
        self.project.update(&[path].into_iter().collect());
    }

    /// Asserts that the kept findings are those of a clean run, and that there are some.
    fn assert_current(&self) {
        let kept = all_said(&self.project, &self.project.findings().all(self.project.db()));
        let clean = ProjectDatabase::frozen(Arc::clone(&self.system));
        let clean = Project::new(clean, &["/modules/a".into()], Watched::options());
        assert_eq!(kept, all_said(&clean, &clean.check(&()).findings));
        assert!(!kept.is_empty());
    }
}

/// A change of the manifest alone: a link to it dangles without it, and is not checked itself beside it.
#[cfg(unix)]
#[test]
fn links_to_a_manifest_that_comes_or_goes_are_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
    let system: Arc<dyn System> = Arc::new(DiskSystem::at(&root));
    let write = |path: &str, text: &str| {
        std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        system.write_atomically(&root.join(path), text.as_bytes()).unwrap();
    };
    write("environment.conf", "modulepath = modules\n");
    write("modules/a/manifests/init.pp", "class a { }\n");
    write("modules/a/manifests/b.pp", "class a::b { include a::nothing }\n");
    write("extra/README", "");
    for (link, target) in [("c.pp", "b.pp"), ("d.pp", "new.pp")] {
        let target = format!("../modules/a/manifests/{target}");
        std::os::unix::fs::symlink(target, root.join("extra").join(link)).unwrap();
    }
    let options = ProjectOptions { threads: 1, ..ProjectOptions::default() };
    let paths = [root.clone()];
    let mut project = Project::new(ProjectDatabase::new(Arc::clone(&system)), &paths, options.clone());
    project.update(&ChangeBatch::new());
    let mut compare = |path: &str| {
        project.update(&[root.join(path)].into_iter().collect());
        let kept = all_said(&project, &project.findings().all(project.db()));
        let clean = Project::new(ProjectDatabase::frozen(Arc::clone(&system)), &paths, options.clone());
        assert_eq!(kept, all_said(&clean, &clean.check(&()).findings), "after {path}");
    };
    write("modules/a/manifests/new.pp", "class a::new { }\n");
    compare("modules/a/manifests/new.pp");
    for path in ["modules/a/manifests/new.pp", "modules/a/manifests/b.pp"] {
        std::fs::remove_file(root.join(path)).unwrap();
        compare(path);
    }
}

/// A check that runs while a manifest is created may find it in its folder before the watcher reports it.
#[test]
fn a_manifest_that_a_check_found_before_it_was_reported_is_checked() {
    let system = Arc::new(MemorySystem::new());
    system.write_file("/modules/a/manifests/init.pp", "class a { include a::missing }\n");
    system.write_file("/modules/a/manifests/b.pp", "class a::b { }\n");
    let mut project = Watched::new(&system);
    system.write_file("/modules/a/manifests/c.pp", "class a::missing { $x = $y }\n");
    project.report("/modules/a/manifests/b.pp");
    project.report("/modules/a/manifests/c.pp");
    project.assert_current();
}

/// A discovery notices that a manifest is gone before the watcher reports it; then the manifest is restored with the same text.
#[test]
fn a_manifest_that_was_gone_for_a_moment_is_checked() {
    let text = "class a { $x = $y }\n";
    let system = Arc::new(MemorySystem::new());
    system.write_file("/modules/a/manifests/init.pp", text);
    let mut project = Watched::new(&system);
    system.remove("/modules/a/manifests/init.pp");
    system.write_file("/modules/a/functions/f.pp", "function a::f { 1 }\n");
    project.report("/modules/a/functions/f.pp");
    system.write_file("/modules/a/manifests/init.pp", text);
    project.report("/modules/a/manifests/init.pp");
    project.assert_current();
}

/// Findings depend on all files if the tree has links to code outside of it, and only then.
#[test]
fn a_list_of_ignored_files_above_the_tree_is_not_code_from_outside() {
    let root = Utf8PathBuf::from("/repository/tree");
    let path = |name: &str| root.join(format!("modules/m/manifests/{name}.pp"));
    let memory = Arc::new(MemorySystem::with_files([
        ("/repository/.git/HEAD", ""),
        ("/repository/.gitignore", "*.log\n"),
        ("/repository/tree/environment.conf", "modulepath = modules\n"),
        (path("a").as_str(), "class m::a { include m::b }\n"),
        (path("b").as_str(), "class m::b { }\n"),
        (path("c").as_str(), "class m::c { }\n"),
        (path("d").as_str(), "class m::d { include m::c }\n"),
    ]));
    let confined = ConfinedSystem::new(memory.clone(), [root.clone()], Outward::Followed);
    let system: Arc<dyn System> = Arc::new(confined);
    let database = ProjectDatabase::new(Arc::clone(&system));
    let mut project = Project::new(database, std::slice::from_ref(&root), ProjectOptions::default());
    project.update(&ChangeBatch::new());
    assert!(system.outside_files().contains(&"/repository/.gitignore".into()));
    memory.write_file(path("a"), "class m::a { include m::b, m::missing }\n");
    let delta = project.update(&[path("a")].into_iter().collect());
    assert_eq!(delta.findings, 1);
    assert!(delta.asked <= 2, "{} of 4 files", delta.asked);
}

#[test]
fn a_folder_that_is_told_may_have_another_configuration_in_it() {
    for told in ["/hiera.yaml", "/"] {
        for modules in [true, false] {
            let system = Arc::new(MemorySystem::with_files([
                ("/environment.conf", "modulepath = modules:other\n"),
                ("/hiera.yaml", "version: 9\n"),
                ("/data/common.yaml", "a: ["),
                ("/manifests/site.pp", "include a\n"),
            ]));
            if modules {
                system.write_file("/modules/a/manifests/init.pp", "class a { }\n");
            }
            let options = ProjectOptions { threads: 1, ..ProjectOptions::default() };
            let mut project =
                Project::new(ProjectDatabase::new(system.clone()), &["/".into()], options.clone());
            project.update(&ChangeBatch::new());
            system.write_file("/hiera.yaml", "version: 5\nhierarchy:\n  - { name: c, path: common.yaml }\n");
            project.update(&[told].into_iter().collect());
            let kept = all_said(&project, &project.findings().all(project.db()));
            let clean = Project::new(ProjectDatabase::frozen(system), &["/".into()], options);
            assert_eq!(kept, all_said(&clean, &clean.check(&()).findings), "told {told}, modules: {modules}");
        }
    }
}
