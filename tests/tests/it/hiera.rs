//! Runs the lookups of `tests/hiera`, whose results are the reference's.

use marotte_tests::hiera::{Question, explanation, result, sections};
use marotte_tests::workspace;

#[test]
fn every_lookup_gives_what_is_recorded() {
    let facts = workspace::read(&workspace::root().join("tests/evaluation/facts.json")).expect("the facts");
    let only = std::env::var("CHAPTER").ok();
    let (mut count, mut failures) = (0, Vec::new());
    for path in workspace::files_below(&workspace::root().join("tests/hiera"), "md").expect("the chapters") {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name == "README.md" || only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
            continue;
        }
        let text = workspace::read(&path).expect("a chapter");
        for section in sections(&text) {
            for question in &section.questions {
                count += 1;
                let (program, found) = match question {
                    Question::Program(program) => (program, result(&section, &facts, program)),
                    Question::Command(program) => (program, explanation(&section, &facts, program)),
                };
                if program.expected() != Some(&*found) {
                    let expected = program.expected().unwrap_or("(nothing recorded)");
                    let source = &program.source;
                    failures.push(format!(
                        "{name}:{}: {source}\n  expected {expected}\n  but got  {found}",
                        program.line
                    ));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} of {count} lookups fail:\n{}", failures.len(), failures.join("\n"));
    assert!(only.is_some() || count >= 400, "only {count} lookups were found");
}
