//! The chapters of `tests/style`: what each rule of style finds, what its fix makes of it, and what comes near and is right.
//!
//! A section is headed by its rule. In `puppet fault`, `«…»` are around what is found, exactly that; `puppet fixed` behind it is what all of the
//! rule's fixes make of it. The pieces of `puppet right`, with empty lines between them, are files of their own, in which the rule finds nothing.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use marotte_db::MemorySystem;
use marotte_diagnostics::puppet_lint::{self, CHECKS, Counterpart};
use marotte_diagnostics::rules::{RULES, Subject};
use marotte_diagnostics::{Diagnostic, Edit, RuleSet};
use marotte_project::{Project, ProjectDatabase, ProjectOptions};
use marotte_tests::workspace;

/// Fewer than these say little.
const NEAR_MISSES: usize = 5;

/// A fence below a heading.
struct Fence {
    rule: String,
    kind: String,
    text: String,
    line: usize,
}

fn fences() -> Vec<Fence> {
    let mut fences = Vec::new();
    for path in workspace::files_below(&workspace::root().join("tests/style"), "md").expect("tests/style") {
        let text = workspace::read(&path).expect("a chapter");
        let mut rule = String::new();
        let mut lines = text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            if let Some(heading) = line.strip_prefix("## ") {
                rule = heading.trim().to_owned();
            } else if let Some(kind) = line.strip_prefix("```puppet ") {
                let inner = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
                let text = inner.fold(String::new(), |text, line| text + line + "\n");
                fences.push(Fence { rule: rule.clone(), kind: kind.to_owned(), text, line: number + 1 });
            }
        }
    }
    fences
}

fn found(rule: &str, text: &str) -> Vec<Arc<Diagnostic>> {
    let system = MemorySystem::with_files([("/site/manifests/site.pp", text)]);
    let options = ProjectOptions {
        rules: RuleSet::usual().with(Subject::Style),
        threads: 1,
        ..ProjectOptions::default()
    };
    let project = Project::new(ProjectDatabase::frozen(Arc::new(system)), &["/site".into()], options);
    let mut findings = project.check(&()).findings;
    let errors: Vec<_> =
        findings.iter().filter(|it| it.rule.name.contains("syntax")).map(|it| &it.message).collect();
    assert!(errors.is_empty(), "{errors:?} in\n{text}");
    findings.retain(|it| it.rule == rule);
    findings
}

/// A module's examples are applied by themselves, so that nothing is wrong with code outside of definitions.
#[test]
fn code_of_examples_is_not_misplaced() {
    let check = |path: &str| {
        let files = [("/m/metadata.json", r#"{"name": "a-m"}"#), (path, "notify { 'a': }\n")];
        let options = ProjectOptions {
            rules: RuleSet::usual().with(Subject::Style),
            threads: 1,
            ..ProjectOptions::default()
        };
        let db = ProjectDatabase::frozen(Arc::new(MemorySystem::with_files(files)));
        let findings = Project::new(db, &["/m".into()], options).check(&()).findings;
        findings.iter().any(|it| it.rule == "top-scope-code")
    };
    assert!(check("/m/manifests/a.pp"));
    assert!(!check("/m/examples/a.pp") && !check("/m/tests/init.pp"));
}

/// The text with marks around what is found.
fn marked(text: &str, findings: &[Arc<Diagnostic>]) -> String {
    let mut marks: Vec<(usize, char)> = findings
        .iter()
        .flat_map(|it| [(usize::from(it.range.start()), '«'), (usize::from(it.range.end()), '»')])
        .collect();
    marks.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    let mut text = text.to_owned();
    for (at, mark) in marks {
        text.insert(at, mark);
    }
    text
}

fn fixed(text: &str, findings: &[Arc<Diagnostic>]) -> String {
    let mut edits: Vec<&Edit> =
        findings.iter().filter_map(|it| it.fix.as_ref()).flat_map(|it| &it.edits).collect();
    edits.sort_by_key(|it| std::cmp::Reverse(it.range.start()));
    let mut text = text.to_owned();
    for edit in edits {
        text.replace_range(usize::from(edit.range.start())..usize::from(edit.range.end()), &edit.text);
    }
    text
}

#[test]
fn chapters_hold() {
    let mut failures = String::new();
    let mut last = (String::new(), Vec::new());
    for Fence { rule, kind, text, line } in fences() {
        match kind.as_str() {
            "fault" => {
                let plain = text.replace(['«', '»'], "");
                let findings = found(&rule, &plain);
                let marked = marked(&plain, &findings);
                if marked != text {
                    let _ = writeln!(failures, "{line} {rule}: expected\n{text}found\n{marked}");
                }
                last = (plain, findings);
            }
            "fixed" => {
                let fixed = fixed(&last.0, &last.1);
                if fixed != text {
                    let _ = writeln!(failures, "{line} {rule}: the fix should give\n{text}not\n{fixed}");
                }
            }
            "right" => {
                for piece in text.split("\n\n") {
                    let piece = format!("{}\n", piece.trim_end());
                    let findings = found(&rule, &piece);
                    if !findings.is_empty() {
                        let _ = writeln!(failures, "{line} {rule}: not right\n{}", marked(&piece, &findings));
                    }
                }
            }
            other => panic!("{line}: a fence is no `{other}`"),
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// A rule without a fault may be one that is always silent; one that is never silent near a fault may be one that always speaks.
#[test]
fn every_rule_has_faults_and_near_misses_and_every_fix_is_shown() {
    let style = RULES.iter().filter(|it| it.subject == Subject::Style);
    let mut counts: BTreeMap<String, (usize, usize)> = style.map(|it| (it.name.to_owned(), (0, 0))).collect();
    let fences = fences();
    for (at, fence) in fences.iter().enumerate() {
        let count =
            counts.get_mut(&fence.rule).unwrap_or_else(|| panic!("`{}` is no rule of style", fence.rule));
        match fence.kind.as_str() {
            "fault" => {
                count.0 += 1;
                let findings = found(&fence.rule, &fence.text.replace(['«', '»'], ""));
                let has_fix = findings.iter().any(|it| it.fix.is_some());
                let is_shown = fences.get(at + 1).is_some_and(|it| it.kind == "fixed");
                assert_eq!(has_fix, is_shown, "{} {}: what the fixes make of it", fence.line, fence.rule);
            }
            "right" => count.1 += fence.text.split("\n\n").count(),
            _ => {}
        }
    }
    let is_little = |(_, (faults, near)): &(&String, &(usize, usize))| *faults == 0 || *near < NEAR_MISSES;
    let little: Vec<_> = counts.iter().filter(is_little).collect();
    assert!(little.is_empty(), "rules with few cases (faults, near misses): {little:?}");
}

/// The page for users of puppet-lint has a row for each check, with what the program has for it.
#[test]
fn every_check_of_puppet_lint_is_on_its_page() {
    let page = workspace::read(&workspace::root().join("docs/puppet-lint.md")).expect("docs/puppet-lint.md");
    let (page, _) = page.split_once("## How well").expect("the checks, and then how well they agree");
    let rows: Vec<&str> = page.lines().filter(|it| it.starts_with("| `")).collect();
    let mut named = Vec::new();
    for row in &rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let name = cells[1].trim_matches('`');
        let check = puppet_lint::check(name).unwrap_or_else(|| panic!("there is no check `{name}`"));
        let expected = match check.counterpart {
            Counterpart::Rule(rule) => format!("[{rule}](rules/{rule}.md)"),
            Counterpart::Format => "`marotte format`".to_owned(),
            Counterpart::Refused => "none".to_owned(),
        };
        assert_eq!(cells[2], expected, "{name}");
        assert!(check.counterpart != Counterpart::Refused || !cells[3].is_empty(), "{name}: why not?");
        named.push(name);
    }
    let missing: Vec<_> = CHECKS.iter().map(|it| it.name).filter(|it| !named.contains(it)).collect();
    assert!(missing.is_empty(), "checks without a row: {missing:?}");
    assert_eq!(named.len(), CHECKS.len());
}
