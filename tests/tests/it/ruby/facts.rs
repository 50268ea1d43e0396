//! Facts.

use marotte_ruby::fact::{Fact, read};

use crate::ruby::corpus::{self, Row, Share};

/// Returns whether all declarations of a file are known, and the facts that Facter has, but that weren't read. The
/// names depend on the machine: some facts are declared only on others.
fn compare(row: &Row) -> (bool, Option<String>) {
    let found = read(&row.text);
    let real = row.answer.as_deref().unwrap_or_default();
    let missing = real.split_whitespace().any(|name| found.facts.iter().all(|it| it.name != name));
    let wrong = found.complete && missing;
    (found.complete, wrong.then(|| format!("{}: read {:?}, Facter {real}", row.path, found.facts)))
}

#[test]
fn facts_of_the_corpus_are_at_least_those_that_facter_has_after_running_them() {
    let Some(record) = corpus::of_the_corpus() else { return };
    let (mut wrong, mut incomplete, mut share) = (Vec::new(), Vec::new(), Share::default());
    for row in record.rows("facts.tsv") {
        let (complete, difference) = compare(&row);
        share.count(complete);
        wrong.extend(difference);
        incomplete.extend((!complete).then_some(row.path));
    }
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
    assert!(share.all > 40);
    assert!(share.reaches(930), "{} of {} are complete, not: {incomplete:#?}", share.complete, share.all);
}

#[test]
fn facts_of_the_examples_are_at_least_those_that_facter_has_after_running_them() {
    for row in corpus::of_the_examples().rows("facts.tsv") {
        let (complete, difference) = compare(&row);
        assert_eq!(complete, !row.says_incomplete(), "{}", row.path);
        assert_eq!(difference, None);
    }
}

#[test]
fn literals_say_whether_a_fact_is_structured() {
    let rows = corpus::of_the_examples().rows("facts.tsv");
    let row = rows.iter().find(|row| row.path.ends_with("names.rb")).expect("an example");
    let facts = read(&row.text).facts;
    let fact = |name: &str, structured| Fact { name: name.into(), structured };
    for expected in [
        fact("example_symbol", Some(true)),
        fact("example_string", Some(false)),
        fact("example_windows", Some(false)),
        fact("example_else", None),
        fact("example_aggregate", Some(true)),
    ] {
        assert!(facts.contains(&expected), "{expected:?}");
    }
}
