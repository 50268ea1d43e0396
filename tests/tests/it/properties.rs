//! Properties of every text, valid or not.

use marotte_syntax::{Mode, Parse, parse};
use marotte_text::TextRange;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

/// Pieces whose combinations are interesting: tokens, halves of tokens, and surrounding text.
const PIECES: &[&str] = &[
    "class",
    "define",
    "node",
    "function",
    "type",
    "plan",
    "apply",
    "if",
    "elsif",
    "else",
    "unless",
    "case",
    "default",
    "in",
    "and",
    "or",
    "inherits",
    "true",
    "undef",
    "include",
    "notice",
    "a",
    "b::c",
    "::d",
    "Foo",
    "Foo::Bar",
    "_x",
    "a-b",
    "$x",
    "$::y",
    "$",
    "${",
    "1",
    "0x1F",
    "077",
    "1.5e3",
    "08",
    "1_0",
    "'s'",
    "'",
    "\"s\"",
    "\"",
    "\"${",
    "}\"",
    "\"$x ${y}\"",
    "/re/",
    "/",
    "//",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<|",
    "|>",
    "<<|",
    "|>>",
    "|",
    "||",
    ",",
    ";",
    ":",
    "::",
    ".",
    "=",
    "==",
    "=~",
    "=>",
    "+>",
    "+=",
    "->",
    "~>",
    "<-",
    "<~",
    "!",
    "!=",
    "!~",
    "<",
    ">",
    "<=",
    ">=",
    "<<",
    ">>",
    "+",
    "-",
    "*",
    "%",
    "?",
    "@",
    "@@",
    "@(",
    "@(END)",
    "@(\"END\":json/t)",
    "\n  | END\n",
    "\n  |- END\n",
    "END",
    "\\",
    "\\u{41}",
    "# c",
    "/* c */",
    "/*",
    "<%",
    "<%=",
    "<%-",
    "<%#",
    "<%%",
    "%>",
    "-%>",
    "%%>",
    " ",
    "\n",
    "\t",
    "\r\n",
    "\u{A0}",
    "é",
    "😀",
    "\u{FEFF}",
    "\0",
    "“",
    "attr",
    "import 'a'",
];

fn modes() -> impl Strategy<Value = Mode> {
    (any::<bool>(), any::<bool>()).prop_map(|(template, tasks)| Mode { template, tasks, ..Mode::default() })
}

fn pieces() -> impl Strategy<Value = String> {
    proptest::collection::vec((proptest::sample::select(PIECES), any::<bool>()), 0..40).prop_map(|pieces| {
        pieces
            .into_iter()
            .map(|(piece, blank)| if blank { format!("{piece} ") } else { piece.to_owned() })
            .collect()
    })
}

/// Checks that all ranges of a parse are in the text, at character boundaries, and in order.
fn check_ranges(source: &str, parse: &Parse) {
    let check = |what: &str, range: TextRange| {
        let inside = source.get(usize::from(range.start())..usize::from(range.end()));
        assert!(inside.is_some(), "{what} at {range:?} is not a part of {source:?}");
    };
    for comment in &parse.comments {
        check("a comment", comment.range);
    }
    for error in &parse.errors {
        check("an error", error.range);
    }
    assert!(parse.comments.is_sorted_by_key(|comment| comment.range.start()), "comments of {source:?}");
    assert!(parse.errors.is_sorted_by_key(|error| error.range.start()), "errors of {source:?}");
}

/// A fixed seed and no regression files: every run has the same texts.
fn config(cases: u32) -> Config {
    Config { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(20_240_611), ..Config::default() }
}

proptest! {
    #![proptest_config(config(1024))]

    #[test]
    fn any_sequence_of_tokens_can_be_read(source in pieces(), mode in modes()) {
        check_ranges(&source, &parse(&source, mode));
    }

    #[test]
    fn any_text_can_be_read(source in "\\PC{0,80}", mode in modes()) {
        check_ranges(&source, &parse(&source, mode));
    }

    #[test]
    fn any_bytes_can_be_read(bytes in proptest::collection::vec(any::<u8>(), 0..200), mode in modes()) {
        let source = String::from_utf8_lossy(&bytes);
        check_ranges(&source, &parse(&source, mode));
    }

    #[test]
    fn the_same_text_gives_the_same(source in pieces(), mode in modes()) {
        let (first, second) = (parse(&source, mode), parse(&source, mode));
        prop_assert_eq!(first.errors, second.errors);
        prop_assert_eq!(first.comments, second.comments);
    }
}
