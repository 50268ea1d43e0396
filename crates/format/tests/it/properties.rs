//! Properties of formatting on unusual texts.

use marotte_format::{Error, LineEnding, Options, format};
use marotte_syntax::Mode;

use crate::support::{TEMPLATE, formatted};

#[test]
fn texts_with_errors_are_refused() {
    for text in ["class {", "$x = ", "'open", "@(END)\n", "\u{feff}$x = 1", "a ? b"] {
        assert!(
            matches!(format(text, Mode::default(), &Options::default()), Err(Error::Syntax(_))),
            "{text}"
        );
    }
}

#[test]
fn templates_with_text_that_is_called_are_refused() {
    // On a line of its own, the parenthesis would be a statement.
    for text in ["a<% (f(1)); $x %>b", "a<% (if true {1}) %>"] {
        assert!(matches!(format(text, TEMPLATE, &Options::default()), Err(Error::Syntax(_))), "{text}");
    }
    let text = "a<%\n  (f(1))\n  $x\n%>b";
    assert_eq!(format(text, TEMPLATE, &Options::default()).as_deref(), Ok(text));
}

#[test]
fn what_a_rule_refuses_can_be_formatted() {
    // A value without effect, a class in a conditional.
    let text = "if $x{class a{}}\n1\n$y=2";
    let expected = "if $x {\n  class a {}\n}\n1\n$y = 2\n";
    assert_eq!(format(text, Mode::default(), &Options::default()).as_deref(), Ok(expected));
}

#[test]
fn separators_that_mean_something_stay() {
    for text in ["$a = 1; -1", "$a; {1=>2}", "$a; /x/", "notice; -1", "$a; *$b", "$a ;[1]", "$a; (1)"] {
        assert_eq!(
            formatted(text, Mode::default(), &Options::default()).map(|it| it.is_some()),
            Ok(true),
            "{text}"
        );
    }
}

#[test]
fn what_reaches_into_a_heredoc_is_refused() {
    let texts = [
        "f(@(END), \"a\n  text\n  | END\n\")\n",
        "$x = @(END) /* a\n text\n | END\n */\n",
        "<%= @(A) %>\na\n| A\n",
    ];
    for text in texts {
        for mode in [Mode::default(), TEMPLATE] {
            // Whatever the result, the tree is the same.
            assert!(
                !matches!(formatted(text, mode, &Options::default()), Err(ref it) if it.contains("tree")),
                "{text}"
            );
        }
    }
}

#[test]
fn deep_and_long_texts_take_linear_time() {
    let deep = format!("$x = {}1{}", "[".repeat(200), "]".repeat(200));
    let long = format!("$x = 1{}", " + 1".repeat(2_000));
    let wide = format!("$x = [{}]", "'aaaaaaaaaaaaaaaa', ".repeat(20_000));
    let comments = format!("$x = [{}]", "1, # one\n".repeat(20_000));
    let pads = format!("f {{ 'a': {} }}", (0..20_000).map(|it| format!("a{it} => 1,")).collect::<String>());
    for text in [deep, long, wide, comments, pads] {
        let result = formatted(&text, Mode::default(), &Options::default());
        assert!(matches!(result, Ok(Some(_))), "{:?}", result.err());
    }
}

#[test]
fn hostile_texts_do_no_harm() {
    let options = Options::default();
    let deep = format!("$x = {}{}{}", "[".repeat(200), "1,".repeat(200_000), "]".repeat(200));
    assert_eq!(format(&deep, Mode::default(), &options), Err(Error::TooLarge));
    let wide = format!("$x = {{ '{}' => 1, {} }}", "a".repeat(100_000), "b => 1,".repeat(20_000));
    assert!(format(&wide, Mode::default(), &options).is_ok_and(|it| it.len() < wide.len() * 4));
    let comments = format!("$x = [{}]", "/**/".repeat(300_000));
    let tags = "<% $a %>".repeat(50_000);
    let kept = "# fmt: off\n$a  = 1\n# fmt: on\n".repeat(20_000);
    let suppressed = "f { a: b  => 1 } # lint:ignore:x\n".repeat(20_000);
    let within = format!("$x = {{{}}}", "a => [ { b  => 1, c => 2 }], # lint:ignore:x\n".repeat(20_000));
    let nested =
        format!("{}{}", "if $x { f(1,\n2) # lint:ignore:x\n".repeat(100), "} # lint:ignore:y\n".repeat(100));
    let manifests = [comments, kept, suppressed, within, nested].map(|it| (it, Mode::default()));
    for (text, mode) in manifests.into_iter().chain([(tags, TEMPLATE)]) {
        assert!(format(&text, mode, &options).is_ok());
    }
}

/// Pieces that are combined at random.
const PIECES: &[&str] = &[
    "class a",
    "if $x",
    "else",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "'a'",
    "\"b${c}d\"",
    "$x",
    "1",
    "=",
    "=>",
    ",",
    ";",
    "->",
    "+",
    "-",
    "*",
    "!",
    "# c\n",
    "/* d */",
    "\n",
    "\n\n",
    " ",
    "Foo",
    "bar",
    "include",
    "@(E)\n x\n | E\n",
    "/r/",
    "?",
    ".each",
    "|$y|",
    "file",
    ":",
    "<|",
    "|>",
    "and",
    "in",
    "default",
    "@",
    "/* m\n n */",
    "case $x",
    "notice",
];

#[test]
fn random_texts_keep_their_meaning_or_are_refused() {
    let mut state = 42_u64;
    let mut next = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 9) as usize % limit
    };
    let mut readable = 0;
    for _ in 0..60_000 {
        let count = 1 + next(9);
        let text: String = (0..count).map(|_| PIECES[next(PIECES.len())]).collect();
        match formatted(&text, Mode::default(), &Options { line_width: 20, ..Options::default() }) {
            Ok(Some(_)) => readable += 1,
            Ok(None) => {}
            Err(failure) => assert!(failure.contains("heredoc"), "{failure}:\n{text}"),
        }
    }
    assert!(readable > 1_000, "{readable}");
}

/// A comment behind an operator moves before it, where it ends the line of the whole left side, and breaks no part of it.
#[test]
fn a_comment_after_a_part_does_not_break_it() {
    for (text, expected) in [
        ("$a = 1 in 2 or # c\n3\n", "$a = 1 in 2 # c\n  or 3\n"),
        ("if 1 in 2 and # c\n 3 { }\n", "if 1 in 2 # c\n    and 3 {}\n"),
        ("A['a'] + 2 -> # c\nB['b']\n", "A['a'] + 2 # c\n-> B['b']\n"),
    ] {
        let formatted = format(text, Mode::default(), &Options::default()).unwrap();
        assert_eq!(formatted, expected);
        assert_eq!(format(&formatted, Mode::default(), &Options::default()), Ok(formatted));
    }
}

/// The text of a template does not change, so that other line ends in its code would be mixed with those of the text.
#[test]
fn code_in_a_template_has_the_line_ends_of_the_text() {
    for (line_ending, line_end) in [(LineEnding::CrLf, "\n"), (LineEnding::Lf, "\r\n")] {
        let text = "a\n<% b() c() %>\n".replace('\n', line_end);
        let expected = "a\n<%\n  b()\n  c()\n%>\n".replace('\n', line_end);
        let options = Options { line_ending, ..Options::default() };
        assert_eq!(format(&text, TEMPLATE, &options), Ok(expected));
    }
}
