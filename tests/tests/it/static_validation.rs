//! Every issue that the reference's static validation can raise has a case with its place, or a reason why nothing raises it.
//!
//! The codes are those that `checker4_0.rb` and `tasks_checker.rb` of Puppet 8.11 hand to the acceptor; `literate.rs` compares each case with
//! the reference's recorded answer, and `rule_pages.rs` runs those that depend on where a file is.

use marotte_diagnostics::rules::{RULES, Subject};
use marotte_tests::workspace;

/// Where an issue is shown.
#[derive(Clone, Copy, PartialEq)]
enum Shown {
    /// In an answer of the chapters of `tests/language`, with its place.
    Language,
    /// On the page of its rule, whose examples have files, and are run by `rule_pages.rs`.
    Files,
    /// Nowhere: no text raises it.
    Never,
}
use Shown::{Files, Language, Never};

const ISSUES: [(&str, Shown); 48] = [
    ("APPENDS_DELETES_NO_LONGER_SUPPORTED", Language),
    ("CAPTURES_REST_NOT_LAST", Language),
    ("CAPTURES_REST_NOT_SUPPORTED", Language),
    ("CLASS_NOT_VIRTUALIZABLE", Language),
    ("CROSS_SCOPE_ASSIGNMENT", Language),
    ("DUPLICATE_DEFAULT", Language),
    ("DUPLICATE_KEY", Language),
    ("DUPLICATE_PARAMETER", Language),
    ("EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING", Language),
    ("EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING", Language),
    ("FUTURE_RESERVED_WORD", Language),
    ("IDEM_EXPRESSION_NOT_LAST", Language),
    ("IDEM_NOT_ALLOWED_LAST", Language),
    ("ILLEGAL_ASSIGNMENT", Language),
    ("ILLEGAL_ASSIGNMENT_CONTEXT", Language),
    // What is indexed is refused before its root is looked at.
    ("ILLEGAL_ASSIGNMENT_VIA_INDEX", Never),
    ("ILLEGAL_ATTRIBUTE_APPEND", Language),
    // The lexer makes no reference of such a name.
    ("ILLEGAL_CLASSREF", Never),
    ("ILLEGAL_DEFINITION_LOCATION", Files),
    ("ILLEGAL_DEFINITION_NAME", Language),
    ("ILLEGAL_EPP_PARAMETERS", Language),
    ("ILLEGAL_EXPRESSION", Language),
    ("ILLEGAL_HOSTNAME_CHARS", Language),
    ("ILLEGAL_HOSTNAME_INTERPOLATION", Language),
    ("ILLEGAL_INDEXED_ASSIGNMENT", Language),
    ("ILLEGAL_NODE_INHERITANCE", Language),
    ("ILLEGAL_NONLITERAL_PARAMETER_TYPE", Language),
    ("ILLEGAL_NUMERIC_ASSIGNMENT", Language),
    ("ILLEGAL_NUMERIC_PARAMETER", Language),
    ("ILLEGAL_NUMERIC_VAR_NAME", Language),
    ("ILLEGAL_PARAM_NAME", Language),
    ("ILLEGAL_QUERY_EXPRESSION", Language),
    ("ILLEGAL_TOP_CONSTRUCT_LOCATION", Files),
    // The code of both issues about type mappings.
    ("ILLEGAL_TYPE_MAPPING", Language),
    ("ILLEGAL_VAR_NAME", Language),
    // The grammar refuses an empty list of keys.
    ("MISSING_INDEX", Never),
    ("MULTIPLE_ATTRIBUTES_UNFOLD", Language),
    ("NOT_ABSOLUTE_TOP_LEVEL", Language),
    ("NOT_RVALUE", Language),
    ("NOT_TOP_LEVEL", Language),
    ("NOT_VIRTUALIZEABLE", Language),
    ("NUMERIC_OVERFLOW", Language),
    ("RESERVED_PARAMETER", Language),
    ("RESERVED_TYPE_NAME", Language),
    ("RESERVED_WORD", Language),
    ("RESOURCE_WITHOUT_TITLE", Language),
    ("UNSUPPORTED_EXPRESSION", Language),
    // The grammar has `* =>` only where it is supported.
    ("UNSUPPORTED_OPERATOR_IN_CONTEXT", Never),
];

fn chapters(folder: &str) -> String {
    let paths = workspace::files_below(&workspace::root().join(folder), "md").expect("chapters");
    paths.iter().map(|path| workspace::read(path).expect("a chapter")).collect()
}

/// Whether an answer has an issue with its line and column: `✗  NOT_RVALUE 1:6`.
fn is_placed(text: &str, code: &str) -> bool {
    let is_place = |text: &str| {
        let mut parts = text.split(|it: char| !it.is_ascii_digit() && it != ':');
        parts.next().and_then(|it| it.split_once(':')).is_some_and(|(line, column)| {
            [line, column].iter().all(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()))
        })
    };
    let after = |at: usize| text[at + code.len()..].strip_prefix(' ');
    text.match_indices(code).any(|(at, _)| {
        let stands_alone = !text[..at].ends_with(|it: char| it.is_ascii_alphanumeric() || it == '_');
        // The reference may know no place: `↦` is followed by ours.
        stands_alone
            && after(at).is_some_and(|it| is_place(it) || it.strip_prefix("↦ ").is_some_and(is_place))
    })
}

#[test]
fn every_issue_of_static_validation_has_a_case_with_its_place() {
    let language = chapters("tests/language");
    let mut missing = Vec::new();
    for (code, shown) in ISSUES {
        let is_shown = match shown {
            Language => is_placed(&language, code),
            Files => {
                RULES.iter().any(|it| it.issue == Some(code) && it.page.contains("## Bad\n\n```puppet path="))
            }
            Never => !is_placed(&language, code),
        };
        if !is_shown {
            missing.push(code);
        }
    }
    assert!(missing.is_empty(), "without a case, or with one that should not be there: {missing:?}");
}

#[test]
fn every_issue_that_is_shown_has_a_rule() {
    let has_rule = |code: &str| RULES.iter().any(|it| it.issue == Some(code) && it.subject == Subject::Text);
    let without: Vec<&str> = ISSUES
        .iter()
        .filter(|(_, shown)| *shown != Never)
        .map(|it| it.0)
        .filter(|it| !has_rule(it))
        .collect();
    assert!(without.is_empty(), "{without:?}");
}
