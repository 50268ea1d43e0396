use marotte_db::{DiskSystem, MemorySystem};

use super::*;

fn found(files: &[&str], paths: &[&str]) -> Discovery {
    let system = MemorySystem::with_files(files.iter().map(|path| (*path, "")));
    let paths: Vec<_> = paths.iter().map(|path| Utf8PathBuf::from(*path)).collect();
    discover(&system, &paths, &[], WalkOptions::default())
}

fn kind(files: &[&str], path: &str) -> TargetKind {
    found(files, &[path]).targets[0].kind
}

#[test]
fn a_path_is_recognized_by_what_it_holds() {
    assert_eq!(kind(&["/r/environment.conf"], "/r"), TargetKind::ControlRepository);
    assert_eq!(kind(&["/e/production/environment.conf"], "/e"), TargetKind::Environments);
    assert_eq!(
        kind(&["/environments/production/manifests/site.pp"], "/environments"),
        TargetKind::Environments
    );
    assert_eq!(kind(&["/modules/a/manifests/init.pp"], "/modules"), TargetKind::Folder);
    let repository = ["/r/manifests/site.pp", "/r/modules/a/manifests/init.pp"];
    assert_eq!(kind(&repository, "/r"), TargetKind::ControlRepository);
    assert_eq!(kind(&repository, "/r/modules/a"), TargetKind::Folder);
    for beside in ["/r/hiera.yaml", "/r/Puppetfile"] {
        assert_eq!(kind(&["/r/manifests/site.pp", beside], "/r"), TargetKind::ControlRepository);
        assert_eq!(kind(&["/r/manifests/init.pp", beside], "/r"), TargetKind::Folder);
    }
    assert_eq!(kind(&["/x.pp"], "/x.pp"), TargetKind::File);
    assert_eq!(kind(&[], "/x.pp"), TargetKind::Missing);

    let module = MemorySystem::with_files([("/m/metadata.json", r#"{"name": "a-m"}"#)]);
    let found = discover(&module, &["/m".into()], &[], WalkOptions::default());
    assert_eq!(found.targets[0].kind, TargetKind::Module);
}

#[test]
fn manifests_and_templates_are_found_and_the_named_file_whatever_its_name_is() {
    let files = ["/a/b.pp", "/a/c.epp", "/a/d.rb", "/a/e.txt"];
    let found = found(&files, &["/a", "/a/e.txt", "/a/b.pp"]);
    assert_eq!(Vec::from_iter(found.files), ["/a/b.pp", "/a/c.epp", "/a/e.txt"]);
}

#[test]
fn what_is_missing_is_a_problem() {
    let found = found(&[], &["/x.pp"]);
    let unreadable = WalkProblem::Unreadable(ReadError::NotFound);
    assert_eq!(found.problems, BTreeMap::from([("/x.pp".into(), unreadable)]));
}

#[test]
fn the_module_path_is_found_from_within() {
    let files = ["/r/environment.conf", "/r/modules/a/manifests/init.pp"];
    let found = found(&files, &["/r/modules/a/manifests/init.pp"]);
    let environment = &found.environments[0];
    assert_eq!(environment.module_path, ["/r/modules"]);
    assert_eq!(environment.main_manifest.as_deref(), Some("/r/manifests".into()));
    assert_eq!(environment.modules.folder("a"), Some("/r/modules/a".into()));
}

#[test]
fn a_module_that_is_worked_on_is_preferred_to_its_copy_in_the_path() {
    let metadata = r#"{"name": "a-web"}"#;
    let system = MemorySystem::with_files([
        ("/work/web/metadata.json", metadata),
        ("/work/web/manifests/init.pp", "class web { }"),
        ("/path/web/metadata.json", metadata),
        ("/path/web/manifests/init.pp", "class web { }"),
        ("/path/log/manifests/init.pp", "class log { }"),
    ]);
    for paths in [&["/work/web"][..], &["/work/web", "/path"]] {
        let paths: Vec<Utf8PathBuf> = paths.iter().map(Utf8PathBuf::from).collect();
        let found = discover(&system, &paths, &["/path".into()], WalkOptions::default());
        let modules = &found.environments[0].modules;
        assert_eq!(modules.folder("web"), Some("/work/web".into()));
        assert_eq!(modules.folder("log"), Some("/path/log".into()));
    }
}

#[test]
fn a_folder_without_metadata_is_the_module_that_its_code_names() {
    let system = MemorySystem::with_files([
        ("/work/web/manifests/init.pp", "class web { }"),
        ("/work/web/manifests/server.pp", "class web::server { }"),
        ("/work/other/manifests/init.pp", "class web::log { }"),
        ("/path/log/manifests/init.pp", "class log { }"),
    ]);
    let module_path = ["/path".into()];
    let found = discover(&system, &["/work".into()], &module_path, WalkOptions::default());
    let modules = &found.environments[0].modules;
    assert_eq!(modules.folder("web"), Some("/work/web".into()));
    assert_eq!(modules.folder("other"), None);
    // Another first line may change that. The module path says what is in it without its code.
    let deciding = ["/work/other/manifests/init.pp", "/work/web/manifests/init.pp"];
    assert_eq!(Vec::from_iter(found.deciding), deciding);
}

#[test]
fn an_environment_without_configuration_has_the_defaults() {
    let found = found(&["/environments/dev/manifests/site.pp"], &["/environments"]);
    assert_eq!(found.environments[0].module_path, ["/environments/dev/modules"]);
    assert_eq!(found.environments[0].manifests, ["/environments/dev/manifests/site.pp"]);
}

#[test]
fn control_repositories_are_found_in_other_folders() {
    let roots = |files: &[&str], path: &str| -> Vec<_> {
        found(files, &[path]).environments.into_iter().filter_map(|it| it.root).map(String::from).collect()
    };
    let nested = ["/r/docs/x.md", "/r/puppet/manifests/site.pp", "/r/puppet/modules/a/manifests/init.pp"];
    assert_eq!(roots(&nested, "/r"), ["/r/puppet"]);
    assert_eq!(roots(&nested, "/r/puppet/modules"), ["/r/puppet"]);
    let modules = ["/r/manifests/site.pp", "/r/modules/a/manifests/init.pp", "/r/modules/a/modules/b/x.pp"];
    assert_eq!(roots(&modules, "/r"), ["/r"]);
    let tests = ["/m/spec/f/manifests/site.pp", "/m/spec/f/modules/a/x.pp", "/m/spec/g/environment.conf"];
    assert_eq!(roots(&tests, "/m"), [] as [&str; 0]);
    assert_eq!(roots(&tests, "/m/spec/f"), ["/m/spec/f"]);
}

#[test]
fn modules_without_metadata_are_found_by_their_place() {
    let modules = |files: &[&str], path: &str| -> Vec<String> {
        let found = found(files, &[path]);
        assert_eq!(found.environments.len(), 1, "only the loose environment in {files:?}");
        found.environments[0].modules.iter().map(|(name, folder)| format!("{name} in {folder}")).collect()
    };
    let module = "/r/modules/a/manifests/init.pp";
    assert_eq!(modules(&[module, "/r/modules/b/x.pp"], "/r"), ["a in /r/modules/a"]);
    assert_eq!(modules(&[module], "/r/modules/a"), ["a in /r/modules/a"]);
    assert_eq!(modules(&[module], module), ["a in /r/modules/a"]);
    assert_eq!(modules(&[module, "/r/old/modules/a/manifests/init.pp"], "/r"), [] as [&str; 0]);
    for other in ["/r/a/manifests/x.pp", "/r/spec/modules/a/manifests/x.pp", "/r/modules/A-b/manifests/x.pp"]
    {
        assert_eq!(modules(&[other], "/r"), [] as [&str; 0], "{other}");
    }
}

#[cfg(unix)]
#[test]
fn each_real_file_is_checked_once_under_its_real_path() {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
    let system = DiskSystem::at(&root);
    for (path, text) in [("m/real/x.pp", "1"), ("outside/y.pp", "2")] {
        std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        system.write_atomically(&root.join(path), text.as_bytes()).unwrap();
    }
    std::os::unix::fs::symlink("real", root.join("m/alias")).unwrap();
    std::os::unix::fs::symlink("../outside/y.pp", root.join("m/y.pp")).unwrap();

    let found = discover(&system, &[root.join("m")], &[], WalkOptions::default());
    assert_eq!(Vec::from_iter(found.files), [root.join("m/real/x.pp"), root.join("m/y.pp")]);
}
