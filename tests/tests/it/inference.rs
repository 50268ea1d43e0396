//! Inference is sound, and infers a type for most expressions.

use std::path::Path;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::system::normalize;
use marotte_db::{Db as _, DiskSystem, MemorySystem};
use marotte_infer::inference::{program_types, typed_expressions};
use marotte_pcore::dialect::Dialect;
use marotte_pcore::infer::infer_set;
use marotte_pcore::print::literal;
use marotte_pcore::relation::instance_of;
use marotte_project::{Project, ProjectDatabase, ProjectOptions};
use marotte_tests::programs::{Chapter, Program, Runner};
use marotte_tests::types::Page;
use marotte_tests::workspace;

/// The recorded value of a program is an instance of its inferred type, and so are those of its variables.
#[test]
fn recorded_values_are_of_the_inferred_types() {
    let root = workspace::root();
    let facts = workspace::read(&root.join("tests/evaluation/facts.json")).expect("the facts");
    let folder = normalize(&Utf8PathBuf::try_from(root.join("tests/evaluation")).expect("a path in UTF-8"));
    let runner = Runner::new(&facts, folder).expect("facts");
    let dialect = Dialect::puppet8();
    let (mut count, mut known, mut failures) = (0, 0, Vec::new());
    let programs = programs(root);
    let path = |index: usize| format!("/{index}/site.pp");
    let system = MemorySystem::new();
    for (index, program) in programs.iter().enumerate() {
        system.write_file(path(index), program.source.as_str());
    }
    let db = ProjectDatabase::frozen(Arc::new(system));
    for (index, program) in programs.iter().enumerate() {
        let Some(outcome) = runner.evaluate(program) else { continue };
        let file = db.files().file(&db, Utf8Path::new(&path(index)));
        let Some(types) = program_types(&db, file) else { continue };
        let mut pairs: Vec<_> = outcome
            .value
            .into_iter()
            .map(|value| ("the result".to_owned(), types.result.clone(), value))
            .collect();
        // After an error, variables may be only partly set.
        let variables = if pairs.is_empty() { Vec::new() } else { outcome.variables };
        for (name, value) in variables {
            let inferred = types.variables.iter().find(|(it, _)| *it == name).and_then(|(_, it)| it.clone());
            pairs.push((format!("${name}"), inferred, value));
        }
        for (what, inferred, value) in pairs {
            count += 1;
            let Some(inferred) = inferred else { continue };
            known += 1;
            let actual = infer_set(dialect, &value);
            // Some types of types do not even accept themselves.
            if !instance_of(dialect, &inferred, &value) && actual != inferred {
                failures.push(format!(
                    "{}\n  {what} is {} ({actual}), inferred {inferred}",
                    program.source,
                    literal(&value)
                ));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {count} values are not what was inferred:\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(known * 2 > count, "of {count} values only {known} have a type");
}

/// Returns all programs whose values are recorded.
fn programs(root: &Path) -> Vec<Program> {
    let mut programs = Vec::new();
    for folder in ["tests/evaluation", "tests/values/objects"] {
        for path in workspace::files_below(&root.join(folder), "md").expect("chapters") {
            programs.extend(Chapter::new(&workspace::read(&path).expect("a chapter")).programs());
        }
    }
    for folder in ["operators", "formats", "conversions", "types"] {
        let folder = root.join("tests/values").join(folder);
        for path in workspace::files_below(&folder, "md").expect("pages") {
            let text = workspace::read(&path).expect("a page");
            let page = Page::new(&text);
            let aliases: String = page.aliases().map(|line| format!("{line};\n")).collect();
            programs.extend(page.rows().map(|row| Program::of(&format!("{aliases}{}", row.question))));
        }
    }
    programs
}

/// Most expressions of real modules have an informative type.
#[test]
fn most_expressions_of_the_corpus_have_a_type() {
    let corpus = workspace::root().join("corpus/tree");
    if !corpus.exists() {
        assert!(
            std::env::var_os("MAROTTE_REQUIRE_CORPUS").is_none(),
            "the corpus is missing: cargo xtask corpus"
        );
        return;
    }
    let corpus = normalize(&Utf8PathBuf::try_from(corpus).expect("a path in UTF-8"));
    let db = ProjectDatabase::frozen(Arc::new(DiskSystem::new().expect("a folder")));
    let project = Project::new(db, &[corpus], ProjectOptions::default());
    let (mut typed, mut all) = (0, 0);
    for file in project.files() {
        let (some, of) = typed_expressions(project.db(), file);
        typed += some;
        all += of;
    }
    assert!(
        typed * 100 >= all * 70,
        "{typed} of {all} expressions have a type: {} in 1,000",
        typed * 1000 / all.max(1)
    );
}
