//! Properties of the formatter: the same tree, the same comments, and no change the second time.

use marotte_format::{Error, LineEnding, Options, apply, edits, format, format_range};
use marotte_syntax::{Mode, parse, pn};
use marotte_tests::arbitrary::Choices;

/// Parts of manifests. `\u{1}` is replaced by an expression, `\u{2}` by a statement, `\u{3}` by a gap between tokens.
const EXPRESSIONS: &[&str] = &[
    "1",
    "$x",
    "'a'",
    "\"a${\u{1}}b\"",
    "\"a${x}\"",
    "[\u{1},\u{3}\u{1}]",
    "[\u{1},]",
    "{\u{1}=>\u{1},\u{3}\u{1}=>\u{1}}",
    "(\u{1})",
    "-\u{1}",
    "!\u{1}",
    "*\u{1}",
    "\u{1}+\u{3}\u{1}",
    "\u{1}\u{3}and \u{1}",
    "\u{1} in\u{3}\u{1}",
    "\u{1}[\u{1}]",
    "\u{1}?{\u{1}=>\u{1},\u{3}default=>\u{1}}",
    "\u{1}.f(\u{1})|$y|{\u{2}}",
    "f(\u{1},\u{3}\u{1})",
    "f(\u{1}) |Integer $y,\u{3}*$z| {\u{2}}",
    "Foo[\u{1}]",
    "Foo::Bar",
    "/r/",
    "@(E)\n a\n b\n | E\n",
    "@(\"E\"/L)\n a${\u{1}}\n \u{3}|- E\n",
    "undef",
    "if \u{1}{\u{2}}else{\u{2}}",
];

const STATEMENTS: &[&str] = &[
    "\u{1}",
    "$v=\u{1}",
    "$v+=\u{1}",
    "include \u{1}",
    "notice \u{1},\u{3}\u{1}",
    "\u{2}\n\u{2}",
    "\u{2}\u{3}\u{2}",
    "\u{2};\u{2}",
    "if \u{1}{\u{2}}elsif \u{1}{\u{3}\u{2}}else{\u{2}}",
    "unless \u{1} {\u{2}}",
    "case \u{1} {\u{1},\u{1}: {\u{2}}\u{3}default: {\u{2}}}",
    "file{\u{1}:\u{3}a=>\u{1},bcd=>\u{1},*=>\u{1};\u{1}:e=>\u{1}}",
    "@@file{\u{1}:a=>\u{1}}",
    "File{a=>\u{1},\u{3}bc=>\u{1}}",
    "File[\u{1}]{a=>\u{1}}",
    "File<|a==\u{1} and b!=\u{1}|>{c=>\u{1}}",
    "File<<||>>",
    "\u{1}->\u{3}\u{1}~>\u{1}",
    "class a(Integer $p=\u{1},\u{3}$q){\u{2}}",
    "class a inherits b{\u{2}}",
    "define a::b($p){\u{2}}",
    "function f($p)>>Integer{\u{2}}",
    "node 'a',\u{3}/b/{\u{2}}",
    "type A=Variant[\u{1},\u{3}\u{1}]",
    "# fmt: off\n\u{2}\n# fmt: on\n",
    "",
];

const GAPS: &[&str] = &[
    "",
    " ",
    "\n",
    "\n\n\n",
    "# c\n",
    "/* d */",
    "/* e\n f */",
    "\t",
    "\r\n",
    "# é \n",
    "# lint:ignore:a\n",
];

/// The maximal length of a generated text, in bytes.
const LONGEST: usize = 8192;

/// Formats bytes: the first says how, and whether the rest is the text or chooses the parts of one.
///
/// # Panics
/// If the formatted text means something else, or is formatted otherwise the second time.
pub fn check(bytes: &[u8]) {
    let [first, rest @ ..] = bytes else { return };
    let mode = Mode { template: first & 1 == 1, tasks: first & 2 == 2, ..Mode::default() };
    let options = Options {
        line_width: if first & 4 == 4 { 20 } else { 140 },
        indent_width: 2 + 6 * (first >> 3 & 1),
        tabs: first & 16 == 16,
        line_ending: if first & 32 == 32 { LineEnding::CrLf } else { LineEnding::Auto },
    };
    let text = match first & 64 {
        0 => String::from_utf8_lossy(rest).into_owned(),
        _ if mode.template => format!("a\n<% {} -%>\nb <%= \u{24}x %>", generated(rest)),
        _ => generated(rest),
    };
    let formatted = match format(&text, mode, &options) {
        Ok(formatted) => formatted,
        Err(Error::Syntax(errors)) => return assert!(!errors.is_empty(), "refused without an error"),
        Err(Error::Entangled | Error::TooLarge) => return,
    };
    assert_eq!(tree(&text, mode), tree(&formatted, mode), "another tree:\n{text}\n--\n{formatted}");
    assert_eq!(comments(&text, mode), comments(&formatted, mode), "other comments:\n{text}\n--\n{formatted}");
    let again = format(&formatted, mode, &options);
    assert_eq!(again.as_ref(), Ok(&formatted), "another layout the second time:\n{text}");
    assert_eq!(apply(&text, &edits(&text, &formatted)), formatted, "the edits lead elsewhere:\n{text}");
    let lines = text.lines().count().max(1);
    let some = format_range(&text, mode, &options, lines.div_ceil(2)..=lines);
    // Code may move from these lines to others.
    let Ok(some) = some else { return };
    let partly = apply(&text, &some);
    assert_eq!(tree(&text, mode), tree(&partly, mode), "another tree of some lines:\n{text}\n--\n{partly}");
}

fn tree(text: &str, mode: Mode) -> String {
    pn::to_pn(&parse(text, mode).program).to_string()
}

fn comments(text: &str, mode: Mode) -> Vec<String> {
    let comments = parse(text, mode).comments;
    comments.iter().map(|it| text[crate::bytes(it.range)].trim_end().to_owned()).collect()
}

/// The manifest that bytes choose part by part.
fn generated(bytes: &[u8]) -> String {
    let mut choices = Choices::new(bytes);
    let mut text = String::from("\u{2}");
    while let Some(at) = text.find(['\u{1}', '\u{2}', '\u{3}']) {
        let is_over = choices.is_over() || text.len() > LONGEST;
        let part = match text.as_bytes()[at] {
            1 if is_over => "1",
            1 => choices.choose(EXPRESSIONS),
            2 if is_over => "$v = 1",
            2 => choices.choose(STATEMENTS),
            _ if is_over => " ",
            _ => choices.choose(GAPS),
        };
        text.replace_range(at..=at, part);
    }
    text
}
