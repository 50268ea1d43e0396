//! Findings in files outside of environments, where no configuration lists the modules.

use std::sync::Arc;

use marotte_db::MemorySystem;
use marotte_diagnostics::{Diagnostic, Level};
use marotte_project::{Project, ProjectDatabase, ProjectOptions};

/// The rules and messages of the findings in a folder of these files.
fn found(files: &[(&str, &str)]) -> Vec<String> {
    findings(files).iter().map(|it| format!("{}: {}", it.rule.name, it.message)).collect()
}

/// The findings in a folder of these files.
fn findings(files: &[(&str, &str)]) -> Vec<Arc<Diagnostic>> {
    let system = MemorySystem::new();
    for (path, text) in files {
        system.write_file(format!("/tree/{path}"), text);
    }
    let project =
        Project::new(ProjectDatabase::frozen(Arc::new(system)), &["/tree".into()], ProjectOptions::default());
    project.check(&()).findings
}

#[test]
fn a_program_declares_all_that_it_relates() {
    let dangling = ["dangling-reference: nothing declares `Package[ntpd]`"];
    assert_eq!(
        found(&[("a.pp", "package { 'ntp': } -> service { 'ntp': require => Package['ntpd'] }")]),
        dangling
    );
    let node = "node default { package { 'ntp': } service { 'ntp': require => Package['ntpd'] } }";
    assert_eq!(found(&[("a.pp", node)]), dangling);
}

#[test]
fn whoever_uses_a_definition_may_declare_what_it_relates() {
    let tree = [
        ("modules/mail/manifests/package.pp", "class mail::package { package { 'postfix': } }"),
        (
            "modules/mail/manifests/table.pp",
            "define mail::table($content) { Package['postfix'] -> file { \"/etc/postfix/${title}\": content => $content } }",
        ),
    ];
    assert_eq!(found(&tree), Vec::<String>::new());
    let with_program = [("a.pp", "define a { exec { 'x': require => Package['curl'] } }\na { 'b': }")];
    assert_eq!(found(&with_program), ["dangling-reference: nothing declares `Package[curl]`"]);
}

#[test]
fn what_stands_beside_a_file_of_definitions_is_not_known() {
    let files = [
        ("manifests/a.pp", "class mail::a { service { 'nslcd': } file { '/a': notify => Service['nscd'] } }"),
        ("manifests/b.pp", "class mail::b { service { 'nscd': } }"),
    ];
    assert_eq!(found(&files), Vec::<String>::new());
}

#[test]
fn of_two_modules_of_a_name_nobody_knows_which_it_means() {
    let fetched = [
        (
            "fetched/motd/metadata.json",
            r#"{"name": "author-motd", "version": "1.0.0", "author": "a", "license": "MIT", "source": "", "dependencies": []}"#,
        ),
        ("fetched/motd/manifests/init.pp", "class motd { include motd::missing }"),
    ];
    assert_eq!(found(&fetched), ["unresolved-class: there is no class `motd::missing`"]);
    let own = [
        ("modules/motd/manifests/init.pp", "define motd() { include motd::base }"),
        ("modules/motd/manifests/base.pp", "class motd::base { }"),
        ("modules/role/manifests/init.pp", "class role { include motd::base\n notice($motd::base::file) }"),
    ];
    assert_eq!(found(&[&fetched[..], &own[..]].concat()), Vec::<String>::new());
}

#[test]
fn a_module_that_a_link_leads_to_is_no_second_one() {
    let system = MemorySystem::new();
    system.write_file("/real/motd/metadata.json", r#"{"name": "author-motd", "version": "1.0.0", "author": "a", "license": "MIT", "source": "", "dependencies": []}"#);
    system.write_file("/real/motd/manifests/init.pp", "class motd { include motd::missing }");
    system.link("/tree", "/real");
    let db = ProjectDatabase::frozen(Arc::new(system));
    let project = Project::new(db, &["/tree".into()], ProjectOptions::default());
    let rules: Vec<_> = project.check(&()).findings.iter().map(|it| it.rule.name).collect();
    assert_eq!(rules, ["unresolved-class"]);
}

#[test]
fn a_control_repository_needs_no_configuration() {
    let tree = [
        ("manifests/site.pp", "node default { include ntp\n include ntp::sever }"),
        (
            "modules/ntp/manifests/init.pp",
            "class ntp { file { '/etc/ntp.conf': content => epp('ntp/ntp.epp') } }",
        ),
    ];
    let found = found(&tree);
    assert_eq!(
        found,
        [
            "unresolved-class: there is no class `ntp::sever`",
            "unresolved-template: there is no template `templates/ntp.epp` in module `ntp`"
        ]
    );
}

#[test]
fn data_is_checked_before_the_modules_are_installed() {
    let tree = [
        ("manifests/site.pp", "node default { include ntp }"),
        ("Puppetfile", "mod 'puppetlabs-ntp', '9.0.0'"),
        ("hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"),
        ("data/common.yaml", "ntp::servers: [\n"),
    ];
    let found = found(&tree);
    assert_eq!(found.iter().filter(|it| it.starts_with("invalid-data-file")).count(), 1, "{found:?}");
}

#[test]
fn a_configuration_of_version_3_may_be_that_of_the_server() {
    let levels = |more: &[(&str, &str)], folder: &str| {
        let paths = ["manifests/site.pp", "modules/web/manifests/init.pp", "hiera.yaml"];
        let paths = paths.map(|it| format!("{folder}{it}"));
        let texts = ["node default { include web }", "class web { }", ":backends: [yaml]"];
        let mut files: Vec<_> = paths.iter().map(String::as_str).zip(texts).collect();
        files.extend(more);
        findings(&files).iter().map(|it| (it.rule.name, it.level)).collect::<Vec<_>>()
    };
    assert_eq!(levels(&[], ""), [("invalid-hiera-config", Level::Warning)]);
    assert_eq!(levels(&[("environment.conf", "")], ""), [("invalid-hiera-config", Level::Error)]);
    assert_eq!(levels(&[], "environments/test/"), [("invalid-hiera-config", Level::Error)]);
}

#[test]
fn what_many_files_beside_each_other_read_may_be_set_for_them() {
    let class = |name: &str| format!("class {name} {{ notice($root, ${name}_only) }}");
    let texts = ["a", "b", "c"].map(class);
    let files = [("os/a.pp", &*texts[0]), ("os/b.pp", &*texts[1]), ("os/c.pp", &*texts[2])];
    let only = |name: &str| format!("unresolved-variable: nothing sets the variable `${name}_only`");
    assert_eq!(found(&files), ["a", "b", "c"].map(only));
    assert_eq!(found(&files[..1]).len(), 2);
}

#[test]
fn what_nothing_loads_is_only_read() {
    let tree = [
        ("manifests/site.pp", "include motd"),
        ("modules/motd/manifests/init.pp", "class motd { include motd::missing }"),
        (
            "vendor/motd/metadata.json",
            r#"{"name": "author-motd", "version": "1.0.0", "author": "a", "license": "MIT", "source": "", "dependencies": []}"#,
        ),
        (
            "vendor/motd/manifests/init.pp",
            "class motd { file { '/etc/motd': content => epp('motd/motd.epp') } }",
        ),
        ("vendor/motd/manifests/broken.pp", "class motd::broken {"),
    ];
    let found = found(&tree);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("unresolved-class") && found[1].starts_with("unclosed"), "{found:?}");
}

#[test]
fn generated_types_are_no_code() {
    let path = "/tree/.resource_types/motd.pp";
    let text = "Puppet::Resource::ResourceType3.new('motd', [Puppet::Resource::Param(Any, 'name')])";
    let db = ProjectDatabase::frozen(Arc::new(MemorySystem::with_files([(path, text)])));
    let project = Project::new(db, &[path.into()], ProjectOptions::default());
    assert_eq!(project.check(&()).findings.len(), 0);
}

#[test]
fn a_module_that_is_linked_into_the_module_path_is_loaded() {
    let system = MemorySystem::new();
    system.write_file("/tree/manifests/site.pp", "include motd");
    system.write_file("/tree/modules/ntp/manifests/init.pp", "class ntp { }");
    system.write_file("/tree/source/motd/metadata.json", r#"{"name": "author-motd", "version": "1.0.0", "author": "a", "license": "MIT", "source": "", "dependencies": []}"#);
    system.write_file("/tree/source/motd/manifests/init.pp", "class motd { include motd::missing }");
    system.link("/tree/modules/motd", "/tree/source/motd");
    let db = ProjectDatabase::frozen(Arc::new(system));
    let project = Project::new(db, &["/tree".into()], ProjectOptions::default());
    let rules: Vec<_> = project.check(&()).findings.iter().map(|it| it.rule.name).collect();
    assert_eq!(rules, ["unresolved-class"]);
}

#[test]
fn plans_are_read_as_plans_with_or_without_metadata() {
    let plan = "plan site::update(TargetSpec $targets) {\n  $targets.apply_prep\n  return(apply($targets) { include ntp })\n}";
    assert_eq!(found(&[("site/plans/update.pp", plan)]), Vec::<String>::new());
    let project = [("bolt-project.yaml", "name: site\n"), ("plans/update.pp", plan)];
    assert_eq!(found(&project), Vec::<String>::new());
}
