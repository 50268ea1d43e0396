//! Properties that hold for every text, however broken: see `docs/fuzzing.md`.

mod answers;
mod data;
mod evaluate;
mod eyaml;
mod families;
mod git;
mod layout;
mod meaning;
mod messages;
mod objects;
mod reports;
mod ruby;
mod tree;

pub use answers::check as check_answer;
pub use data::read as read_data;
pub use evaluate::{evaluate, render};
pub use eyaml::check as check_eyaml;
pub use families::check as check_family;
pub use git::check as check_git;
pub use layout::check as check_layout;
pub use meaning::check as check_meaning;
pub use messages::check as check_messages;
pub use objects::check as check_object;
pub use ruby::check as check_ruby;

use std::ops::Range;

use marotte_syntax::{Mode, Parse, parse, pn};
use marotte_text::{TextRange, TextSize};

/// Reads `bytes` as a manifest or a template and checks everything that is promised about the answer.
///
/// An odd number of bytes is read in tasks mode. Bytes that are not UTF-8 are replaced, as no text reaches the parser
/// otherwise.
///
/// # Panics
/// If a promise is broken, which is how a fuzzer notices it.
pub fn check(bytes: &[u8], template: bool) {
    let source = String::from_utf8_lossy(bytes);
    let mode = Mode { template, tasks: bytes.len() % 2 == 1, ..Mode::default() };
    let parsed = parse(&source, mode);

    ranges_fit(&source, &parsed);
    reports::check(&source, &parsed.errors);
    let printed = printed(&parsed);

    let again = parse(&source, mode);
    assert_eq!(parsed.errors, again.errors, "the errors differ when the text is read again");
    assert_eq!(parsed.comments, again.comments, "the comments differ when the text is read again");
    assert_eq!(printed, self::printed(&again), "the tree differs when the text is read again");
}

/// All ranges are pieces of the text.
fn ranges_fit(source: &str, parsed: &Parse) {
    let text = Text(source);
    for error in &parsed.errors {
        text.holds(error.range, "an error");
    }
    for comment in &parsed.comments {
        text.holds(comment.range, "a comment");
    }
    assert!(parsed.errors.is_sorted_by_key(|error| error.range.start()), "the errors are out of order");
    assert!(
        parsed.comments.is_sorted_by_key(|comment| comment.range.start()),
        "the comments are out of order"
    );
    tree::check(text, &parsed.program);
}

/// The tree in Puppet Notation. Where the text is right, it can be printed as JSON too.
fn printed(parsed: &Parse) -> String {
    let notation = pn::to_pn(&parsed.program);
    if parsed.errors.is_empty() {
        assert!(!notation.json().is_empty(), "no JSON");
    }
    notation.to_string()
}

/// The text that ranges are checked against.
#[derive(Clone, Copy)]
struct Text<'t>(&'t str);

impl Text<'_> {
    /// Returns the range of the whole text.
    fn all(self) -> TextRange {
        TextRange::up_to(TextSize::of(self.0))
    }

    /// `range` lies in the text, and between characters.
    fn holds(self, range: TextRange, what: &str) {
        assert!(self.0.get(bytes(range)).is_some(), "{what} is at {range:?}, which is no piece of the text");
    }
}

fn bytes(range: TextRange) -> Range<usize> {
    range.start().into()..range.end().into()
}
