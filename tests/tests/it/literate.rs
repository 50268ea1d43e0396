//! Runs the chapters of `tests/language`, and checks that no item of the language is left out.

use std::collections::BTreeMap;

use marotte_tests::literate::{Case, Chapter};
use marotte_tests::{marotte, workspace};

#[test]
fn every_chapter_holds() {
    let mut failures = Vec::new();
    let mut count = 0;
    for (name, case) in all_cases() {
        count += 1;
        if let Some(failure) = failure(&case) {
            failures.push(format!(
                "{name}:{}: {}\n{}\n{failure}",
                case.line,
                case.heading,
                case.source.trim_end()
            ));
        }
    }
    assert!(count > 0, "no chapter was found");
    assert!(failures.is_empty(), "{} of {count} cases fail:\n\n{}", failures.len(), failures.join("\n"));
}

/// Describes how marotte's answer to a case differs from the expected one.
fn failure(case: &Case) -> Option<String> {
    let Some(reference) = &case.expected else {
        return Some("no expectation is recorded: run the `record` command".to_owned());
    };
    let expected = case.marotte.as_ref().unwrap_or(reference);
    let answer = marotte::answer(&case.source, case.language);
    (!expected.is_met_by(&answer)).then(|| format!("expected:\n{expected}but marotte gives:\n{answer}"))
}

#[test]
fn every_case_keeps_its_tree_when_it_is_formatted() {
    let tree = |source: &str, mode| {
        marotte_syntax::pn::to_pn(&marotte_syntax::parse(source, mode).program).to_string()
    };
    let options = marotte_format::Options::default();
    let mut count = 0;
    for (name, case) in all_cases() {
        let mode = marotte_syntax::Mode::from(case.language);
        let Ok(formatted) = marotte_format::format(&case.source, mode, &options) else { continue };
        count += 1;
        let place = format!("{name}:{}:\n{}\n{formatted}", case.line, case.source);
        assert_eq!(tree(&case.source, mode), tree(&formatted, mode), "{place}");
        let again = marotte_format::format(&formatted, mode, &options);
        assert_eq!(again.as_deref(), Ok(&*formatted), "{place}");
    }
    assert!(count > 500, "only {count} cases can be formatted");
}

#[test]
fn no_chapter_lets_marotte_differ_without_need() {
    for (name, case) in all_cases() {
        if let (Some(reference), Some(own)) = (&case.expected, &case.marotte) {
            assert!(
                !reference.is_met_by(own),
                "{name}:{}: marotte does not differ from the reference here",
                case.line
            );
        }
    }
}

#[test]
fn every_item_has_its_chapter() {
    let index = workspace::read(&workspace::root().join("tests/language/README.md")).unwrap();
    let headings = headings_with_cases();
    let mut items = BTreeMap::new();
    for row in index.lines().filter_map(item_row) {
        assert!(items.insert(row.0, row.1).is_none(), "{} is listed twice", row.0);
    }
    let known = (1..=104).map(|n| format!("A{n}")).chain((1..=82).map(|n| format!("B{n}")));
    for item in known {
        let place = items.remove(item.as_str()).unwrap_or_else(|| panic!("{item} is not listed"));
        if let Some(reason) = place.strip_prefix("not syntax: ") {
            assert!(!reason.is_empty(), "{item} needs a reason");
            continue;
        }
        let chapter = place.split_once("](").and_then(|(_, link)| link.strip_suffix(')'));
        let chapter = chapter.unwrap_or_else(|| panic!("{item} links to no chapter: {place}"));
        let cited = headings.iter().any(|(name, heading)| name == chapter && cites(heading, &item));
        assert!(cited, "no heading with examples in {chapter} cites {item}");
    }
    assert!(items.is_empty(), "there are no such items: {items:?}");
}

/// Parses `| A1 | [Text](lexical/text.md) |`.
fn item_row(line: &str) -> Option<(&str, &str)> {
    let mut cells = line.strip_prefix("| ")?.strip_suffix(" |")?.splitn(2, " | ");
    let (item, place) = (cells.next()?, cells.next()?);
    let number = item.strip_prefix(['A', 'B'])?;
    (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())).then_some((item, place.trim()))
}

/// Whether a heading such as `Octal integers (A12)` cites an item.
fn cites(heading: &str, item: &str) -> bool {
    let cited = heading.strip_suffix(')').and_then(|heading| heading.rsplit_once('('));
    cited.is_some_and(|(_, items)| items.split(", ").any(|cited| cited == item))
}

fn headings_with_cases() -> Vec<(String, String)> {
    let mut headings: Vec<_> = all_cases().into_iter().map(|(name, case)| (name, case.heading)).collect();
    headings.dedup();
    headings
}

/// Returns the cases of all chapters, each with the chapter's path below `tests/language`.
fn all_cases() -> Vec<(String, Case)> {
    let folder = workspace::root().join("tests/language");
    let mut all = Vec::new();
    for path in workspace::chapters().expect("tests/language") {
        let name = path.strip_prefix(&folder).expect("a chapter").display().to_string();
        let chapter = Chapter::read(&workspace::read(&path).expect("a chapter"))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let cases = chapter.cases().unwrap_or_else(|error| panic!("{name}: {error}"));
        all.extend(cases.into_iter().map(|case| (name.clone(), case)));
    }
    all
}
