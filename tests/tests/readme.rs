//! What the README shows is what marotte says.

use std::sync::Arc;

use camino::Utf8Path;
use marotte_db::DiskSystem;
use marotte_db::system::normalize;
use marotte_diagnostics::output::{self, Color, Format};
use marotte_project::{Project, ProjectDatabase, ProjectOptions};
use marotte_tests::workspace;

#[test]
fn the_example_is_what_marotte_says() {
    let readme = workspace::read(&workspace::root().join("README.md")).expect("README.md");
    let (path, shown) = example(&readme).expect("an example of `marotte check`");
    let (findings, summary) = shown.trim_end().rsplit_once('\n').expect("a summary line");

    let root = normalize(Utf8Path::from_path(workspace::root()).expect("a path in UTF-8"));
    let db = ProjectDatabase::frozen(Arc::new(DiskSystem::at(root)));
    let project = Project::new(db, &[path.into()], ProjectOptions::default());
    let report = project.check(&());
    let mut said = Vec::new();
    output::write(Format::Full, &report.findings, &project.sources(), Color::Never, &mut said)
        .expect("bytes");

    assert_eq!(format!("{findings}\n"), String::from_utf8(said).expect("text"));
    assert!(summary.starts_with("Checked 1 file in "), "{summary}");
    assert!(summary.ends_with(&format!(": {} errors", report.findings.len())), "{summary}");
}

/// The path that the first example checks, and the output below the command.
fn example(readme: &str) -> Option<(&str, &str)> {
    let (_, rest) = readme.split_once("```console\n$ marotte check ")?;
    let (path, rest) = rest.split_once('\n')?;
    let (shown, _) = rest.split_once("```")?;
    Some((path, shown))
}
