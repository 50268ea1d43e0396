//! The 22 small faults that other tools don't find before compilation (`tests/check/probe.md`): each has one finding.
//! The test of the chapters checks that it is the right one, at the right position.

use marotte_diagnostics::rules::{self, Subject};
use marotte_tests::checked::Example;
use marotte_tests::workspace;

#[test]
fn every_fault_gives_one_finding() {
    let path = workspace::root().join("tests/check/probe.md");
    let text = workspace::read(&path).expect("a chapter");
    let mut found = 0;
    for case in text.split("\n## ").skip(1) {
        let (name, rest) = case.split_once('\n').expect("a heading");
        let source = rest.split("```puppet\n").nth(1).and_then(|it| it.split("```").next());
        let mut findings = Example::read(source.expect("an example")).check().findings;
        // Rules of style and of whole trees are off by default.
        let is_on = |it: &rules::Rule| !matches!(it.subject, Subject::Style | Subject::Tree);
        findings.retain(|it| rules::rule(&it.rule).is_some_and(is_on));
        assert_eq!(findings.len(), 1, "{name}: {findings:?}");
        assert_eq!(findings[0].path, "manifests/site.pp", "{name}");
        found += 1;
    }
    assert_eq!(found, 22);
}
