//! Facts.

use marotte_ruby::fact::read;

use crate::corpus::{self, Share};

#[test]
fn facts_of_the_corpus_are_at_least_those_that_facter_has_after_running_them() {
    let Some(tree) = corpus::corpus() else { return };
    let (mut wrong, mut incomplete, mut share) = (Vec::new(), Vec::new(), Share::default());
    for row in corpus::rows("facts.tsv") {
        let found = read(&corpus::read(&tree.join(&row[0])));
        share.count(found.complete);
        if !found.complete {
            incomplete.push(row[0].clone());
            continue;
        }
        // The names depend on the machine; some facts are declared on others only.
        let missing = row[1].split_whitespace().find(|name| found.facts.iter().all(|it| it.name != *name));
        if row[1] != "-" && missing.is_some() {
            wrong.push(format!("{}: read {:?}, Facter {}", row[0], found.facts, row[1]));
        }
    }
    assert!(wrong.is_empty(), "{} wrong: {wrong:#?}", wrong.len());
    assert!(share.all > 40);
    assert!(share.reaches(900), "{} of {} are complete, not: {incomplete:#?}", share.complete, share.all);
}
