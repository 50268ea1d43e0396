//! Functions.

use std::path::PathBuf;

use marotte_ruby::core;
use marotte_ruby::function::{Function, LegacyFunction, read};

use crate::corpus::{self, Share};

/// What the reference has, without documentation.
fn plain(function: &Function) -> Function {
    Function { doc: None, ..function.clone() }
}

fn plain_legacy(function: &LegacyFunction) -> LegacyFunction {
    LegacyFunction { doc: None, ..function.clone() }
}

#[test]
fn functions_of_the_corpus_are_those_that_the_reference_has_after_running_them() {
    let Some(tree) = corpus::corpus() else { return };
    let (mut wrong, mut incomplete, mut share) = (Vec::new(), Vec::new(), Share::default());
    for row in corpus::rows("functions.tsv") {
        let found = read(&corpus::read(&tree.join(&row[0])));
        let complete = found.complete
            && found.functions.iter().all(|it| it.complete)
            && found.legacy.iter().all(LegacyFunction::complete);
        share.count(complete);
        if !complete {
            incomplete.push(row[0].clone());
            continue;
        }
        // The reference could not load it.
        if row[1] == "-" {
            continue;
        }
        let agree = if row[0].contains("/parser/functions/") {
            let real: Vec<LegacyFunction> = serde_json::from_str(&row[1]).expect("functions");
            found.legacy.iter().map(plain_legacy).eq(real)
        } else {
            let real: Vec<Function> = serde_json::from_str(&row[1]).expect("functions");
            found.functions.iter().map(plain).eq(real)
        };
        if !agree {
            wrong.push(format!("{}: read {found:?}, reference {}", row[0], row[1]));
        }
    }
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
    assert!(share.all > 200);
    assert!(share.reaches(990), "{} of {} are complete, not: {incomplete:#?}", share.complete, share.all);
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
