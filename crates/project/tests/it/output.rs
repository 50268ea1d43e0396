//! The output of several threads is the same as that of one.

use std::sync::Arc;

use marotte_db::MemorySystem;
use marotte_diagnostics::output::{self, Color, Format};
use marotte_diagnostics::{Choice, Settings};
use marotte_project::{Project, ProjectDatabase, ProjectOptions};

/// A project with more findings than one thread writes at a time.
fn project() -> Project {
    let files = (0..60).map(|number| {
        let text = "class a { $x = [1,, 2]\n  include nothing\n  $é = $undefined\n  file { '/é': mode => 7, mode => 8 }\n}\n";
        (format!("/p/manifests/c{number}.pp"), text.repeat(4))
    });
    let system = MemorySystem::with_files([("/p/metadata.json", r#"{"name": "a-p"}"#)]);
    files.for_each(|(path, text)| system.write_file(path, text));
    Project::new(ProjectDatabase::new(Arc::new(system)), &["/p".into()], ProjectOptions::default())
}

#[test]
fn parts_are_written_in_order() {
    let project = project();
    let mut findings = project.check(&()).findings;
    output::sort(&mut findings, &project.sources());
    assert!(findings.len() > 200, "{}", findings.len());
    for format in Format::ALL {
        let (mut whole, mut parts) = (Vec::new(), Vec::new());
        output::write(format, &findings, &project.sources(), Color::Always, &mut whole).unwrap();
        project.write(format, &findings, Color::Always, &mut parts).unwrap();
        assert_eq!(String::from_utf8(whole), String::from_utf8(parts), "{format}");
    }
}

#[test]
fn levels_are_those_of_the_settings() {
    let project = project();
    let findings = project.check(&()).findings;
    let settings = Settings::new([(Choice::Warn, "resources"), (Choice::Ignore, "names")]).unwrap();
    let levels = project.with_levels(&findings, &settings);
    let mut expected = findings;
    settings.apply(&mut expected, |it| project.path(it));
    assert_eq!(levels, expected);
}
