//! Runs the rows of `tests/values/data`: texts of YAML, JSON and HOCON, with the reference's results.

use marotte_hiera::data::{
    DataError, DataErrorKind, Document, Inner, Permitted, Places, parse_hocon, parse_json, parse_yaml,
};
use marotte_pcore::print::literal;
use marotte_tests::workspace;
use proptest::prelude::*;

// Fewer rows mean that pages aren't found or not read.
const LEAST: usize = 1_050;

/// The start of marotte's different answer, after the reference's; `docs/divergences.md` has the reason.
const DIFFERENT: &str = " ≠ ";

#[test]
fn every_row_holds() {
    let folder = workspace::root().join("tests/values/data");
    let pages = workspace::files_below(&folder, "md").expect("the folder of pages");
    let (mut count, mut failures) = (0, Vec::new());
    for path in pages {
        let text = workspace::read(&path).expect("a page of text");
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut kind = "";
        for (line, row) in text.lines().enumerate() {
            if let Some(fence) = row.strip_prefix("```") {
                kind = fence;
                continue;
            }
            let read: fn(&str) -> Result<Document, DataError> = match kind {
                "yaml-rows" => |text| parse_yaml(text, Permitted::DATA),
                "json-rows" => parse_json,
                "hocon-rows" => parse_hocon,
                _ => continue,
            };
            let Some((question, expected)) = row.rsplit_once(" → ") else { continue };
            count += 1;
            let expected = match expected.split_once(DIFFERENT) {
                Some((reference, ours)) => {
                    assert_ne!(reference, ours, "{name}:{}: there is no difference", line + 1);
                    ours
                }
                None => expected,
            };
            let answer = answer(read(&question.replace('⏎', "\n").replace('⇥', "\t")));
            if answer != expected {
                failures.push(format!(
                    "{name}:{}: {question}\n  expected {expected}\n  but got  {answer}",
                    line + 1
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{} of {count} rows fail:\n{}", failures.len(), failures.join("\n"));
    assert!(count >= LEAST, "only {count} rows were found");
}

fn answer(read: Result<Document, DataError>) -> String {
    match read {
        Ok(document) => literal(&document.value).replace('\n', "⏎"),
        Err(DataError { kind: DataErrorKind::Syntax(_), .. }) => "✗ syntax".to_owned(),
        Err(error) => format!("✗ {error}"),
    }
}

/// Pieces for texts that look like YAML and JSON without being valid.
const PIECES: &[&str] = &[
    "a",
    "b: ",
    "- ",
    "? ",
    ": ",
    "\n",
    "\n  ",
    "\n\t",
    "[",
    "]",
    "{",
    "}",
    ", ",
    "&a ",
    "a.b",
    " = ",
    " += ",
    "${a}",
    "${?b}",
    "\"\"\"",
    "*a",
    "!x ",
    "!!str ",
    "!",
    "'",
    "\"",
    "|",
    ">",
    "|-\n",
    ">+\n ",
    "#",
    " # ",
    "---\n",
    "...\n",
    "%YAML 1.1\n",
    "%TAG ! x\n",
    "<<: ",
    "~",
    "1:30",
    "0x",
    "\\",
    "\\u00e9",
    "\u{feff}",
    "é",
    "\r",
    "\u{85}",
    "\u{2028}",
    "@",
    "`",
    "%",
    "=",
    "\0",
    "1e5",
    "-1",
    ".5",
    "true",
    "null",
    "/*",
    "*/",
    "//",
    "!<x> ",
    "!e!x ",
    "%41",
    "&",
    "*",
    "?",
    ":",
    "-",
];

proptest! {
    #[test]
    fn no_text_is_too_much(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40)) {
        let text = pieces.concat();
        for read in [parse_yaml(&text, Permitted::DATA), parse_json(&text), parse_hocon(&text)] {
            let places = match read {
                Ok(document) => document.places,
                Err(error) => Places { range: error.range, inner: Inner::Scalar },
            };
            check(&text, &places);
        }
    }
}

/// Checks that all places are in the text.
fn check(text: &str, places: &Places) {
    assert!(text.get(std::ops::Range::<usize>::from(places.range)).is_some(), "{text:?}: {:?}", places.range);
    match &places.inner {
        Inner::Scalar => {}
        Inner::Elements(elements) => elements.iter().for_each(|it| check(text, it)),
        Inner::Entries(entries) => entries.iter().for_each(|(key, it)| {
            assert!(text.get(std::ops::Range::<usize>::from(*key)).is_some(), "{text:?}: {key:?}");
            check(text, it);
        }),
    }
}
