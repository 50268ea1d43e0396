//! Runs every rule's page: bad examples break that rule, good ones none.

use camino::Utf8Path;
use marotte_diagnostics::rules::RULES;
use marotte_syntax::Mode;
use marotte_tests::checked::{Example as Tree, is_off};
use marotte_tests::{marotte, workspace};

/// Rules that no text alone can break: their pages have no bad source. The comments below have the reasons.
const WITHOUT_SOURCE: &[&str] = &[
    // About files, rather than their content.
    "file-too-large",
    "illegal-bom",
    "internal-error",
    "invalid-utf8",
    "invalid-metadata",
    "metadata-field",
    "invalid-ruby",
    "link-leaves-tree",
    "symlink-loop",
    "unreadable-file",
    // Ten thousand brackets are too long for a page; `hostile.rs` has them.
    "nesting-limit",
    // Codes of the reference for errors that other rules report first.
    "illegal-classref",
    "illegal-name-or-bare-word",
    "unsupported-operator-in-context",
];

/// An example on a page.
struct Example {
    /// `Bad` or `Good`.
    section: String,
    /// The text after the three backticks.
    info: String,
    source: String,
}

#[test]
fn every_rule_has_a_page_and_every_page_a_rule() {
    let mut pages: Vec<String> = pages().into_iter().map(|(name, _)| name).collect();
    pages.sort_unstable();
    let mut rules: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
    rules.sort_unstable();
    assert_eq!(pages, rules);
}

#[test]
fn bad_examples_break_their_rule_and_good_ones_none() {
    let mut failures = Vec::new();
    for (rule, text) in pages() {
        let (mut bad, mut good) = (0, 0);
        for example in examples(&text) {
            let Some(mut found) = run(&example) else { continue };
            found.retain(|it| *it == rule || !is_off(it));
            let (expected, ok) = match example.section.as_str() {
                "Bad" => {
                    bad += 1;
                    (rule.as_str(), found.iter().any(|found| *found == rule))
                }
                _ => {
                    good += 1;
                    ("nothing", found.is_empty())
                }
            };
            if !ok {
                failures.push(format!("{rule}: expected {expected}, found {found:?} in\n{}", example.source));
            }
        }
        let has_source = !WITHOUT_SOURCE.contains(&rule.as_str());
        if (bad > 0) != has_source || (has_source && good == 0) {
            failures.push(format!("{rule}: {bad} bad and {good} good examples were run"));
        }
    }
    assert!(failures.is_empty(), "{} failures:\n\n{}", failures.len(), failures.join("\n"));
}

/// Returns the rules that an example breaks; `None` for an example that is only shown.
fn run(example: &Example) -> Option<Vec<&'static str>> {
    if example.source.starts_with("# file: ") {
        let found = Tree::read(&example.source).check().findings;
        return Some(
            found
                .iter()
                .filter_map(|it| RULES.iter().find(|rule| rule.name == it.rule))
                .map(|it| it.name)
                .collect(),
        );
    }
    let mut words = example.info.split(' ');
    let template = match words.next() {
        Some("puppet") => false,
        Some("epp") => true,
        _ => return None,
    };
    let mut mode = Mode { template, ..Mode::default() };
    let mut source = example.source.as_str();
    let mut path = None;
    for word in words {
        match word {
            "tasks" => mode.tasks = true,
            "no-newline" => source = source.strip_suffix('\n').unwrap_or(source),
            _ => path = Some(word.strip_prefix("path=").unwrap_or_else(|| panic!("unknown word `{word}`"))),
        }
    }
    Some(match path {
        Some(path) => marotte::rules_in_module(Utf8Path::new(path), source),
        None => marotte::diagnostics(source, mode).iter().map(|diagnostic| diagnostic.rule.name).collect(),
    })
}

/// Returns the pages in order of their names, with the names without extensions.
fn pages() -> Vec<(String, String)> {
    let mut paths = workspace::files_below(&workspace::root().join("docs/rules"), "md").expect("docs/rules");
    paths.retain(|path| !path.ends_with("README.md"));
    let read = |path: &std::path::PathBuf| {
        let name = path.file_stem().expect("a file").to_string_lossy().into_owned();
        (name, workspace::read(path).expect("a page"))
    };
    paths.iter().map(read).collect()
}

/// Returns the fences below the headings `Bad` and `Good`.
fn examples(page: &str) -> Vec<Example> {
    let mut examples = Vec::new();
    let mut section = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(heading) = line.strip_prefix("## ") {
            section = heading.trim().to_owned();
        } else if let Some(info) = line.strip_prefix("```") {
            let source =
                lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect();
            if section == "Bad" || section == "Good" {
                examples.push(Example { section: section.clone(), info: info.to_owned(), source });
            }
        }
    }
    examples
}
