//! The chapters of `tests/faults`: correct trees with one change each; the output for each fault is in `snapshots/faults`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use marotte_diagnostics::rules::{RULES, Rule, Subject};
use marotte_tests::checked::is_off;
use marotte_tests::faults::Chapter;
use marotte_tests::workspace;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

fn chapters() -> Vec<(PathBuf, Chapter)> {
    let paths = workspace::files_below(&workspace::root().join("tests/faults"), "md").expect("tests/faults");
    let read = |path: PathBuf| match Chapter::read(&workspace::read(&path).expect("a chapter")) {
        Ok(chapter) => (path, chapter),
        Err(error) => panic!("{}: {error}", path.display()),
    };
    paths.into_iter().filter(|path| !path.ends_with("README.md")).map(read).collect()
}

/// The results of checking a chapter's trees.
struct Outcome {
    path: PathBuf,
    /// The differences from what the chapter expects.
    failures: Vec<String>,
    /// The findings of the faults, as they are printed.
    shown: String,
}

/// The outcomes of all chapters: several tests read them, and the checks take long.
static OUTCOMES: LazyLock<Vec<Outcome>> = LazyLock::new(|| {
    let mut outcomes: Vec<Outcome> =
        chapters().into_par_iter().map(|(path, it)| outcome(path, &it)).collect();
    outcomes.sort_by(|a, b| a.path.cmp(&b.path));
    outcomes
});

fn outcome(path: PathBuf, chapter: &Chapter) -> Outcome {
    let (mut failures, mut shown) = (Vec::new(), String::new());
    let mut compare = |line: usize, heading: &str, differences: &[String]| {
        if !differences.is_empty() {
            failures.push(format!("{}:{line} {heading}\n  {}", path.display(), differences.join("\n  ")));
        }
    };
    compare(1, "the tree", &chapter.tree.differences(&chapter.tree.check()));
    for change in &chapter.changes {
        let changed = match &change.changed {
            Ok(changed) => changed,
            Err(error) => {
                compare(change.line, &change.heading, std::slice::from_ref(error));
                continue;
            }
        };
        let checked = changed.check();
        let mut differences = changed.differences(&checked);
        match &change.right {
            // Findings of rules that are off by default needn't be expected, but they make the change incorrect.
            Some(rule) if is_off(rule) => {
                let told = checked.findings.iter().filter(|it| it.rule == *rule);
                differences.extend(told.map(|it| format!("not right: {it:?}")));
            }
            Some(_) => {}
            None => {
                writeln!(shown, "### {}\n\n{}\n\n{}", change.heading, change.text, checked.shown.trim_end())
                    .expect("a string");
                writeln!(shown, "{}", "-".repeat(80)).expect("a string");
            }
        }
        compare(change.line, &change.heading, &differences);
    }
    Outcome { path, failures, shown }
}

#[test]
fn chapters_hold() {
    let failures: Vec<&str> = OUTCOMES.iter().flat_map(|it| &it.failures).map(String::as_str).collect();
    assert!(failures.is_empty(), "{} trees differ:\n\n{}", failures.len(), failures.join("\n"));
}

/// A repeated fault shows nothing new; a rule without a fault may never report anything, and a rule without near misses
/// may report too much.
#[test]
fn changes_differ_and_every_rule_has_faults_and_near_misses() {
    /// Fewer than five near misses prove little.
    const NEAR_MISSES: usize = 5;
    let mut trees = BTreeSet::new();
    let is_of_several_files = |it: &&&Rule| {
        matches!(it.subject, Subject::Meaning | Subject::Tree)
            || matches!(
                it.name,
                "epp-unbalanced-tag"
                    | "invalid-environment-conf"
                    | "invalid-metadata"
                    | "invalid-plan"
                    | "invalid-puppetfile"
                    | "invalid-ruby"
                    | "invalid-task-metadata"
                    | "metadata-field"
            )
    };
    let meaning = RULES.iter().filter(is_of_several_files);
    let mut counts: BTreeMap<&str, (usize, usize)> = meaning.map(|it| (it.name, (0, 0))).collect();
    for (path, chapter) in chapters() {
        for change in chapter.changes {
            let changed = change.changed.expect("a change");
            let is_new = trees.insert((chapter.tree.dialect.map(|it| it.name), changed.files));
            assert!(is_new, "{}:{} is there twice", path.display(), change.line);
            let near = change.right.iter().map(String::as_str);
            for (rule, is_near) in
                near.map(|it| (it, true)).chain(changed.expected.iter().map(|it| (&*it.rule, false)))
            {
                let (faults, near) = counts.get_mut(rule).unwrap_or_else(|| panic!("no rule `{rule}`"));
                *if is_near { near } else { faults } += 1;
            }
        }
    }
    counts.retain(|_, (faults, near)| *faults == 0 || *near < NEAR_MISSES);
    assert!(counts.is_empty(), "rules with too few faults, or near misses: {counts:?}");
}

/// A message is good if a reader who has never seen it understands what is wrong, where, why, and what to do.
#[test]
fn findings_are_shown() {
    for Outcome { path, shown, .. } in &*OUTCOMES {
        insta::with_settings!({
            snapshot_path => Path::new(workspace::root()).join("snapshots/faults"),
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!(path.file_stem().expect("a name").to_string_lossy().into_owned(), shown);
        });
    }
}
