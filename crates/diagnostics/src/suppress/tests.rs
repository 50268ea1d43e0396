//! The expected lines come from puppet-lint 3.0.1, with one of its own rules in place of ours.

use marotte_text::TextRange;

use super::*;
use crate::{FileId, Level};

/// The lines, counted from 1, on which `rule` is silent.
fn silent_lines(source: &str, rule: &'static Rule) -> Vec<u32> {
    let index = LineIndex::new(source);
    let suppressions = Suppressions::new(&comments(source), source, &index);
    let silenced = Silenced::of(&suppressions.all);
    (0..index.line_count()).filter(|&line| silenced.covers(rule.name, line)).map(|line| line + 1).collect()
}

/// Returns all comments of a source without `#` or `/*` elsewhere.
fn comments(source: &str) -> Vec<Comment> {
    let mut comments = Vec::new();
    let mut at = 0;
    while let Some(start) = source[at..].find(['#', '/']).map(|found| at + found) {
        let rest = &source[start..];
        let len = if rest.starts_with('#') {
            rest.find('\n').unwrap_or(rest.len())
        } else {
            rest.find("*/").unwrap() + 2
        };
        at = start + len;
        let range = TextRange::new((start as u32).into(), (at as u32).into());
        comments.push(Comment { range });
    }
    comments
}

#[test]
fn a_comment_after_code_silences_its_line() {
    assert_eq!(silent_lines("$a = 08 # lint:ignore:duplicate-key why\n$b\n", rules::DUPLICATE_KEY), [1]);
}

#[test]
fn a_comment_on_its_own_line_opens_a_block() {
    let source = "$z\n  # lint:ignore:duplicate-key why\n$a\n$b\n  # lint:endignore\n$c\n";
    assert_eq!(silent_lines(source, rules::DUPLICATE_KEY), [2, 3, 4, 5]);
}

#[test]
fn an_indented_comment_on_the_first_line_silences_only_that_line() {
    let source = "  # lint:ignore:duplicate-key\n$a\n# lint:endignore\n";
    assert_eq!(silent_lines(source, rules::DUPLICATE_KEY), [1]);
}

#[test]
fn a_block_that_is_never_closed_silences_nothing() {
    assert_eq!(silent_lines("# lint:ignore:duplicate-key\n$a\n", rules::DUPLICATE_KEY), [0; 0]);
}

#[test]
fn blocks_nest_and_those_of_other_tools_count() {
    let source = "\n# lint:ignore:duplicate-key\n# lint:ignore:140chars\n$a\n# lint:endignore\n$b\n# lint:endignore\n$c\n";
    assert_eq!(silent_lines(source, rules::DUPLICATE_KEY), [2, 3, 4, 5, 6, 7]);
}

#[test]
fn one_comment_can_name_several_rules_and_one_end_closes_them() {
    let source = "# lint:ignore:140chars lint:ignore:duplicate-key lint:ignore:not-rvalue why\n$a\n# lint:endignore\n$b\n";
    assert_eq!(silent_lines(source, rules::DUPLICATE_KEY), [1, 2, 3]);
    assert_eq!(silent_lines(source, rules::NOT_RVALUE), [1, 2, 3]);
    assert_eq!(silent_lines(source, rules::SYNTAX_ERROR), [0; 0]);
}

#[test]
fn what_follows_a_word_of_the_reason_is_reason() {
    assert_eq!(silent_lines("$h # why lint:ignore:duplicate-key\n", rules::DUPLICATE_KEY), [0; 0]);
    assert_eq!(
        silent_lines("$h # lint:ignore:x because lint:ignore:duplicate-key\n", rules::DUPLICATE_KEY),
        [0; 0]
    );
    assert_eq!(
        silent_lines("$i #lint:ignore:x lint:ignore:duplicate-key:y foo\n", rules::DUPLICATE_KEY),
        [1]
    );
}

#[test]
fn long_comments_count_from_their_first_line() {
    let source = "$z\n/* lint:ignore:duplicate-key\n\n */ $c\n# lint:endignore why\n$f = /* lint:ignore:duplicate-key\n\n */ 1\n";
    assert_eq!(silent_lines(source, rules::DUPLICATE_KEY), [2, 3, 4, 5, 6]);
    assert_eq!(
        silent_lines("$z\n/** lint:ignore:duplicate-key */\n$a\n# lint:endignore\n", rules::DUPLICATE_KEY),
        [2, 3, 4]
    );
}

#[test]
fn that_a_file_was_not_looked_at_cannot_be_silenced() {
    let source = "# lint:ignore:internal-error lint:ignore:unreadable-file\n$a\n# lint:endignore\n";
    assert_eq!(silent_lines(source, rules::INTERNAL_ERROR), [0; 0]);
    assert_eq!(silent_lines(source, rules::UNREADABLE_FILE), [0; 0]);
}

/// The unused suppressions, each with the text after applying its fix.
fn unused(source: &str, rules: &[(&'static str, u32)]) -> Vec<(String, Option<String>)> {
    let index = LineIndex::new(source);
    let finding = |(rule, line): &(&'static str, u32)| {
        let range = TextRange::empty(index.line_start(*line).unwrap());
        Diagnostic::new(crate::rules::rule(rule).unwrap(), Level::Error, FileId(0), range, String::new())
    };
    let mut findings = rules.iter().map(finding).collect();
    let unused = Suppressions::new(&comments(source), source, &index).apply(&mut findings, &index);
    let told = |it: Suppression| {
        let told = it.unused(FileId(0));
        let at = &source[told.range];
        let corrected = told.fix.map(|it| {
            let mut corrected = source.to_owned();
            corrected.replace_range(std::ops::Range::<usize>::from(it.edits[0].range), "");
            corrected
        });
        (format!("{at}: {}", told.message), corrected)
    };
    unused.into_iter().map(told).collect()
}

#[test]
fn what_silences_nothing_is_told_and_removed() {
    let source =
        "$a  # lint:ignore:duplicate-key why\n$b # lint:ignore:not-rvalue lint:ignore:duplicate-key\n";
    let found = unused(source, &[("not-rvalue", 1)]);
    let word = "lint:ignore:duplicate-key: `duplicate-key` finds nothing on this line".to_owned();
    let first = "$a\n$b # lint:ignore:not-rvalue lint:ignore:duplicate-key\n".to_owned();
    let second = "$a  # lint:ignore:duplicate-key why\n$b # lint:ignore:not-rvalue \n".to_owned();
    assert_eq!(found, [(word.clone(), Some(first)), (word, Some(second))]);
}

#[test]
fn a_block_that_silences_nothing_is_told() {
    let found = unused("# lint:ignore:duplicate-key\n$a\n# lint:endignore\n", &[]);
    let word = "lint:ignore:duplicate-key: `duplicate-key` finds nothing in this block".to_owned();
    assert_eq!(found, [(word, None)]);
}

/// The messages about suppression comments themselves. As in `puppet-lint` 3.0.1, each block that is never closed is reported
/// once, whatever it names, and so is each `lint:endignore` without a block.
fn faults(source: &str) -> Vec<String> {
    let suppressions = Suppressions::new(&comments(source), source, &LineIndex::new(source));
    let faults = suppressions.faults(FileId(0)).into_iter();
    faults.map(|it| format!("{}: {}", &source[it.range], it.message)).collect()
}

#[test]
fn comments_that_do_not_match_are_told() {
    assert_eq!(
        faults("/* lint:ignore:not-rvalue */\n$a\n"),
        [
            "/* lint:ignore:not-rvalue */: `not-rvalue` is not silenced: nothing closes the block that starts here"
        ]
    );
    assert_eq!(
        faults("# lint:ignore:140chars lint:ignore:not-rvalue\n$a\n"),
        ["lint:ignore:140chars: `140chars` is not silenced: nothing closes the block that starts here"]
    );
    assert_eq!(faults("$a\n # lint:endignore\n"), ["lint:endignore: this closes no block"]);
    assert_eq!(faults("# lint:ignore:140chars\n$a\n# lint:endignore\n$b # lint:ignore:140chars\n"), [""; 0]);
    assert_eq!(
        faults("# lint:ignore:nonsense\n$a\n"),
        [
            "lint:ignore:nonsense: there is no rule `nonsense`",
            "lint:ignore:nonsense: `nonsense` is not silenced: nothing closes the block that starts here"
        ]
    );
}

/// To puppet-lint, too, such a comment is no control comment.
#[test]
fn a_name_apart_from_its_word_is_told() {
    for (written, name) in [
        ("lint:ignore: 140chars", "140chars"),
        ("lint:ignore duplicate-key", "duplicate-key"),
        ("lint:ignore :140chars", "140chars"),
        ("lint:ignore::140chars", "140chars"),
    ] {
        let message =
            format!("{written}: `{name}` is not silenced: it has to be directly after `lint:ignore:`");
        assert_eq!(faults(&format!("$a # {written} why\n")), std::slice::from_ref(&message));
        assert_eq!(faults(&format!("#{written}, why\n$a\n")), [message]);
    }
    let source = "$a #  lint:ignore: not-rvalue why\n";
    let suppressions = Suppressions::new(&comments(source), source, &LineIndex::new(source));
    let fix = suppressions.faults(FileId(0)).remove(0).fix.unwrap();
    let mut fixed = source.to_owned();
    fixed.replace_range(std::ops::Range::<usize>::from(fix.edits[0].range), &fix.edits[0].text);
    assert_eq!((fix.safe, fixed.as_str()), (false, "$a #  lint:ignore:not-rvalue why\n"));
    for prose in ["lint:ignore: a name", "lint:ignore is a word", "see lint:ignore: 140chars", "lint:ignore:"]
    {
        assert_eq!(faults(&format!("$a # {prose}\n")), [""; 0]);
    }
}

#[test]
fn what_silences_something_or_belongs_to_others_is_not_told() {
    let source = "$a # lint:ignore:duplicate-key\n$b # lint:ignore:140chars\n";
    assert_eq!(unused(source, &[("duplicate-key", 0)]), []);
    let silenced = "$a # lint:ignore:duplicate-key lint:ignore:unused-suppression\n";
    assert_eq!(unused(silenced, &[]), []);
}
