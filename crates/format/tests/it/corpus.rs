//! Formatting keeps the trees and comments of real manifests and templates, and formatting twice changes nothing.

use std::fmt::Write as _;

use marotte_format::{LineEnding, Options};

use crate::support::{corpus, formatted};

/// Formats every `nth` text of the corpus.
fn check(options: &Options, nth: usize) {
    let mut failures = String::new();
    let mut unreadable = 0;
    let texts = corpus();
    for (path, text, mode) in texts.iter().step_by(nth) {
        match formatted(text, *mode, options) {
            Ok(Some(_)) => {}
            Ok(None) => unreadable += 1,
            Err(failure) => {
                let _ = writeln!(failures, "{}: {failure}", path.display());
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
    // Few files of the corpus have errors.
    assert!(unreadable * 100 <= texts.len(), "{unreadable} texts cannot be read");
}

#[test]
fn the_corpus_keeps_its_meaning() {
    check(&Options::default(), 1);
}

#[test]
fn no_line_means_something_else_at_another_width() {
    for (line_width, nth) in [(1, 7), (40, 5), (80, 3), (u16::MAX, 7)] {
        check(&Options { line_width, ..Options::default() }, nth);
    }
}

#[test]
fn indentation_and_line_ends_mean_nothing() {
    let options =
        Options { tabs: true, indent_width: 4, line_ending: LineEnding::CrLf, ..Options::default() };
    check(&options, 5);
}
