//! Runs the programs of `tests/evaluation` and `tests/values/objects`, whose results are the reference's.

use std::path::Path;

use camino::Utf8PathBuf;
use marotte_db::system::normalize;
use marotte_tests::programs::{Chapter, Runner};
use marotte_tests::workspace;

#[test]
fn every_program_gives_what_is_recorded() {
    let folder = workspace::root().join("tests/evaluation");
    let runner = runner(&folder);
    let only = std::env::var("CHAPTER").ok();
    let (mut count, mut failures) = (0, Vec::new());
    let objects = workspace::files_below(&workspace::root().join("tests/values/objects"), "md");
    let chapters = workspace::files_below(&folder, "md").expect("the chapters");
    for path in chapters.into_iter().chain(objects.expect("the chapters of objects")) {
        let name = name(&path);
        if name == "README.md" || only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        let text = workspace::read(&path).expect("a chapter");
        for program in Chapter::new(&text).programs() {
            count += 1;
            let result = runner.run(&program);
            if program.expected() != Some(&*result) {
                let expected = program.expected().unwrap_or("(nothing recorded)");
                let at = format!("{name}:{}", program.line);
                failures
                    .push(format!("{at}: {}\n  expected {expected}\n  but got  {result}", program.source));
            }
        }
    }
    assert!(failures.is_empty(), "{} of {count} programs fail:\n{}", failures.len(), failures.join("\n"));
}

fn runner(folder: &Path) -> Runner {
    let facts = workspace::read(&folder.join("facts.json")).expect("the facts");
    let path = Utf8PathBuf::try_from(folder.to_owned()).expect("a path in UTF-8");
    Runner::new(&facts, normalize(&path)).expect("facts that are a JSON object")
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
