//! A module's file contains the definition that the autoloader looks for, and nothing else.

use std::sync::Arc;

use marotte_db::MemorySystem;
use marotte_project::{Project, ProjectDatabase, ProjectOptions};

/// The findings in a file of the environment `/env`: rule and line.
fn found(path: &str, text: &str) -> Vec<(&'static str, String)> {
    let file = format!("/env/{path}");
    let files = [("/env/environment.conf", "modulepath = modules:."), (file.as_str(), text)];
    let db = ProjectDatabase::frozen(Arc::new(MemorySystem::with_files(files)));
    let report = Project::new(db, &["/env".into()], ProjectOptions::default()).check(&());
    let of_location = report.findings.iter().filter(|it| it.rule.name.starts_with("illegal-"));
    of_location.map(|finding| (finding.rule.name, text[finding.range].to_owned())).collect()
}

fn definition(name: &str) -> Vec<(&'static str, String)> {
    vec![("illegal-definition-location", name.to_owned())]
}

fn construct(line: &str) -> Vec<(&'static str, String)> {
    vec![("illegal-top-construct-location", line.to_owned())]
}

#[test]
fn a_definition_must_have_the_name_of_its_file() {
    assert_eq!(found("modules/a/manifests/init.pp", "class a { }"), []);
    assert_eq!(found("modules/a/manifests/b/c.pp", "class a::b::c { }"), []);
    assert_eq!(found("modules/A/manifests/B.pp", "class a::b { }"), []);
    assert_eq!(found("modules/a/manifests/b.pp", "class a::c { }"), definition("a::c"));
    assert_eq!(found("modules/a/manifests/b.pp", "define a() { }"), definition("a"));
    assert_eq!(found("modules/a/manifests/sub/init.pp", "class a::sub { }"), definition("a::sub"));
    assert_eq!(found("modules/a/functions/f.pp", "function a::f() { }"), []);
    assert_eq!(found("modules/a/functions/f.pp", "function a::g() { }"), definition("a::g"));
}

#[test]
fn names_are_compared_from_the_left_as_the_reference_does() {
    assert_eq!(found("modules/a/manifests/init.pp", "class a::anything { }"), []);
    assert_eq!(found("modules/a/manifests/b.pp", "class a::bcd { }"), []);
}

#[test]
fn a_class_inside_a_class_has_its_name_too() {
    assert_eq!(found("modules/a/manifests/b.pp", "class a::b { class c { } }"), []);
}

#[test]
fn a_types_name_is_not_compared() {
    assert_eq!(found("modules/a/types/t.pp", "type B::U = String"), []);
}

#[test]
fn only_definitions_stand_at_the_top() {
    assert_eq!(found("modules/a/manifests/init.pp", "class a { }\ninclude a\n"), construct("include a"));
    assert_eq!(found("modules/a/manifests/n.pp", "node default {\n}"), construct("node default {"));
    assert_eq!(found("modules/a/manifests/init.pp", "# nothing yet\n"), []);
}

#[test]
fn nothing_is_said_outside_the_folders_that_are_loaded() {
    assert_eq!(found("modules/a/examples/init.pp", "include a"), []);
    assert_eq!(found("modules/a/init.pp", "include a"), []);
    assert_eq!(found("modules/a/templates/t.epp", "<% include a %>"), []);
    assert_eq!(
        found("manifests/site.pp", "include a"),
        [],
        "the main manifest, though `.` is in the module path"
    );
    assert_eq!(found("elsewhere/manifests/x.pp", "class elsewhere::x { }"), []);
}
