//! Functions.

use std::path::PathBuf;

use marotte_ruby::core;
use marotte_ruby::function::{Function, LegacyFunction, read};

use crate::ruby::corpus::{self, Row, Share};

/// Removes the documentation, which isn't compared.
fn plain(function: &Function) -> Function {
    Function { doc: None, ..function.clone() }
}

fn plain_legacy(function: &LegacyFunction) -> LegacyFunction {
    LegacyFunction { doc: None, least: 0, most: None, ..function.clone() }
}

/// Returns whether all declarations of a file are known, and how they differ from the reference's.
fn compare(row: &Row) -> (bool, Option<String>) {
    let found = read(&row.text);
    let complete = found.complete
        && found.functions.iter().all(|it| it.complete)
        && found.legacy.iter().all(LegacyFunction::complete);
    // `None`: the reference couldn't load it.
    let Some(answer) = row.answer.as_ref().filter(|_| complete) else { return (complete, None) };
    let agree = if row.path.contains("/parser/functions/") {
        let real: Vec<LegacyFunction> = serde_json::from_str(answer).expect("functions");
        found.legacy.iter().map(plain_legacy).eq(real)
    } else {
        let real: Vec<Function> = serde_json::from_str(answer).expect("functions");
        found.functions.iter().map(plain).eq(real)
    };
    (complete, (!agree).then(|| format!("{}: read {found:?}, reference {answer}", row.path)))
}

#[test]
fn functions_of_the_corpus_are_those_that_the_reference_has_after_running_them() {
    let Some(record) = corpus::of_the_corpus() else { return };
    let (mut wrong, mut incomplete, mut share) = (Vec::new(), Vec::new(), Share::default());
    for row in record.rows("functions.tsv") {
        let (complete, difference) = compare(&row);
        share.count(complete);
        wrong.extend(difference);
        incomplete.extend((!complete).then_some(row.path));
    }
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
    assert!(share.all > 200);
    // Twenty functions of `stdlib` have their own `call`, which selects the dispatches in its own way.
    assert!(share.reaches(900), "{} of {} are complete, not: {incomplete:#?}", share.complete, share.all);
}

#[test]
fn functions_of_the_examples_are_those_that_the_reference_has_after_running_them() {
    for row in corpus::of_the_examples().rows("functions.tsv") {
        let (complete, difference) = compare(&row);
        assert_eq!(complete, !row.says_incomplete(), "{}: {:#?}", row.path, read(&row.text));
        assert_eq!(difference, None);
    }
}

#[test]
fn comments_above_functions_are_their_documentation() {
    let rows = corpus::of_the_examples().rows("functions.tsv");
    let doc = |name: &str| {
        let row = rows.iter().find(|row| row.path.ends_with(name)).expect("an example");
        read(&row.text).functions.first().expect("a function").doc.clone()
    };
    assert_eq!(
        doc("signatures.rb").as_deref(),
        Some("Every way to declare a parameter.\n\nSecond paragraph.")
    );
    assert_eq!(doc("internal.rb"), None);
}

/// Needs the reference's own files: `PUPPET_LIB` names their folder.
#[test]
fn functions_of_the_core_are_those_that_the_reference_has() {
    let Some(lib) = std::env::var_os("PUPPET_LIB").map(PathBuf::from) else { return };
    for real in core::legacy_functions() {
        let found =
            read(&corpus::read(&lib.join("puppet/parser/functions").join(format!("{}.rb", real.name))));
        assert!(found.complete);
        let [legacy] = &found.legacy[..] else { panic!("{}: {found:?}", real.name) };
        let known = LegacyFunction {
            kind: legacy.kind.or(real.kind),
            arity: legacy.arity.or(real.arity),
            ..plain_legacy(legacy)
        };
        assert_eq!(known, *real);
    }
}
