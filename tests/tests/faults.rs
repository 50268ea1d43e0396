//! The chapters of `tests/faults`: trees that are right, changed in one place each; and what is shown about each fault, in `snapshots/faults`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use marotte_tests::faults::Chapter;
use marotte_tests::workspace;

fn chapters() -> Vec<(PathBuf, Chapter)> {
    let paths = workspace::files_below(&workspace::root().join("tests/faults"), "md").expect("tests/faults");
    let read = |path: PathBuf| match Chapter::read(&workspace::read(&path).expect("a chapter")) {
        Ok(chapter) => (path, chapter),
        Err(error) => panic!("{}: {error}", path.display()),
    };
    paths.into_iter().filter(|path| !path.ends_with("README.md")).map(read).collect()
}

#[test]
fn chapters_hold() {
    let mut failures = Vec::new();
    for (path, chapter) in chapters() {
        let mut compare = |line: usize, heading: &str, differences: Vec<String>| {
            if !differences.is_empty() {
                failures.push(format!("{}:{line} {heading}\n  {}", path.display(), differences.join("\n  ")));
            }
        };
        let differences = chapter.tree.differences();
        if !differences.is_empty() {
            compare(1, "the tree", differences);
            continue;
        }
        for change in &chapter.changes {
            let differences = match &change.changed {
                Ok(changed) => changed.differences(),
                Err(error) => vec![error.clone()],
            };
            compare(change.line, &change.heading, differences);
        }
    }
    assert!(failures.is_empty(), "{} trees differ:\n\n{}", failures.len(), failures.join("\n"));
}

/// The same fault twice shows nothing new, and a rule that is never silent near a fault may be one that always speaks.
#[test]
fn changes_differ_and_every_rule_has_near_misses() {
    let mut trees = BTreeSet::new();
    let mut near: BTreeMap<String, usize> = BTreeMap::new();
    for (path, chapter) in chapters() {
        for change in chapter.changes {
            let changed = change.changed.expect("a change");
            let is_new = trees.insert(changed.files);
            assert!(is_new, "{}:{} is there twice", path.display(), change.line);
            match change.right {
                Some(rule) => *near.entry(rule).or_default() += 1,
                None => changed.expected.into_iter().for_each(|it| {
                    near.entry(it.rule).or_default();
                }),
            }
        }
    }
    near.retain(|_, count| *count < 5);
    assert!(near.is_empty(), "rules with fewer than five near misses: {near:?}");
}

/// A message is good when somebody who has never seen it knows what is wrong, where, why, and what to do.
#[test]
fn findings_are_shown() {
    for (path, chapter) in chapters() {
        let mut text = String::new();
        for change in chapter.changes.iter().filter(|it| it.right.is_none()) {
            let changed = change.changed.as_ref().expect("a change");
            let shown = changed.report().expect("a report");
            writeln!(text, "### {}\n\n{}\n\n{}", change.heading, change.text, shown.trim_end())
                .expect("a string");
            writeln!(text, "{}", "-".repeat(80)).expect("a string");
        }
        insta::with_settings!({
            snapshot_path => Path::new(workspace::root()).join("snapshots/faults"),
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!(path.file_stem().expect("a name").to_string_lossy().into_owned(), text);
        });
    }
}
