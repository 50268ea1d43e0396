//! Unrealistic texts: extreme nesting, endless chains, rubbish. Each is parsed within a second of processor time on a
//! stack of 16 MiB, and errors are reported.

use std::thread;
use std::time::Duration;

use marotte_syntax::{Mode, SyntaxErrorKind, parse};

const STACK: usize = 16 << 20;
const DEEP: usize = 10_000;
const LONG: usize = 100_000;
/// A second in a release build; the test build is slower.
const LIMIT: Duration = Duration::from_secs(2);

/// Returns the processor time of this thread, which doesn't include other threads.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Returns the errors of a text, parsed on a small stack.
fn errors(source: String, mode: Mode) -> Vec<SyntaxErrorKind> {
    let reader = thread::Builder::new().stack_size(STACK).spawn(move || {
        let start = processor_time();
        let parse = parse(&source, mode);
        let errors: Vec<_> = parse.errors.iter().map(|error| error.kind.clone()).collect();
        // Dropping the tree recurses like building it.
        drop(parse);
        (errors, processor_time().saturating_sub(start))
    });
    let (errors, time) = reader.expect("a thread").join().expect("no panic");
    assert!(time < LIMIT, "it took {time:?}");
    errors
}

fn is_limit(kind: &SyntaxErrorKind) -> bool {
    matches!(kind, SyntaxErrorKind::NestingLimit(_) | SyntaxErrorKind::ChainLimit(_))
}

/// Declares tests that nest `open`, then `middle`, then `close`, ten thousand deep, closed and not.
macro_rules! nested {
    ($($name:ident: $open:expr, $middle:expr, $close:expr;)*) => {
        $(#[test] fn $name() {
            let closed = [&$open.repeat(DEEP), $middle, &$close.repeat(DEEP)].concat();
            let found = errors(closed, Mode::default());
            assert!(found.iter().any(is_limit), "no limit is reported, but {:?}", found.first());
            assert!(!errors($open.repeat(DEEP), Mode::default()).is_empty());
        })*
    };
}

nested! {
    parentheses: "(", "1", ")";
    lists: "[", "1", "]";
    hashes: "{ a => ", "1", "}";
    braces: "if true {", "", "}";
    bare_braces: "{", "", "}";
    indexes: "$x[", "1", "]";
    calls: "f(", "1", ")";
    interpolations: "\"${", "1", "}\"";
    cases: "case $x { 1: {", "", "}}";
    selectors: "$x ? { 1 => ", "1", "}";
    lambdas: "f() |$a| { ", "1", "}";
    lambda_defaults: "f() |$a = ", "1", "| { }";
    classes: "class a {", "", "}";
    resources: "a { b: c => ", "1", "}";
    elses: "if $x { } else { ", "", "}";
    splats: "[*", "1", "]";
}

/// The text must be parsed; whether it is rejected is decided by a limit, not by the stack.
fn survives(source: String) {
    for mode in
        [Mode::default(), Mode { template: true, ..Mode::default() }, Mode { tasks: true, ..Mode::default() }]
    {
        errors(source.clone(), mode);
    }
}

#[test]
fn prefix_operators() {
    for operator in ["!", "-", "*", "@", "! -", "- "] {
        survives(format!("$x = {}1", operator.repeat(DEEP)));
        survives(operator.repeat(DEEP));
    }
}

#[test]
fn openers_alone() {
    for opener in [
        "<|",
        "<<|",
        "|",
        "|$a|",
        "|$a = ",
        "? ",
        "?{",
        "File <| ",
        "@(",
        "@(a)\n",
        "'",
        "\"",
        "\"$",
        "/*",
        "/",
        "\\",
        "<%",
        "<%=",
        "<%#",
        "$x ? 1 => ",
        "if ",
        "if true ",
        "if $x { } els",
        "unless $x {",
        "case ",
        "case $x {",
        "node a {",
        "function f() {",
        "define a(",
        "class a(",
        "type A = B[",
        "class a inherits ",
        "a { ",
        "a { 'b': ",
        "@a { 'b': ",
    ] {
        survives(opener.repeat(DEEP));
    }
}

#[test]
fn heredocs_in_interpolations() {
    let mut source = "1".to_owned();
    for depth in 0..200 {
        source = format!("@(\"E{depth}\")\n${{{source}}}\nE{depth}\n");
    }
    survives(format!("$x = {source}"));
    // The parser searches for the end of each, without success: that must not take a scan of the rest of the file for each.
    survives("\"${@(\"E\")\n".repeat(3 * DEEP));
    survives("@(\"E\")\n${".repeat(3 * DEEP));
    survives(format!("f({})\n{}", "@(E), ".repeat(DEEP), "a\nE\n".repeat(DEEP)));
}

/// Declares tests of chains: `first`, then `link` a hundred thousand times.
macro_rules! chains {
    ($($name:ident: $first:expr, $link:expr, $last:expr;)*) => {
        $(#[test] fn $name() { survives([$first, &$link.repeat(LONG), $last].concat()); })*
    };
}

chains! {
    sums: "$x = 1", " + 1", "";
    relations: "A[1]", " -> A[1]", "";
    methods: "$x", ".m()", "";
    attributes: "$x", ".m", "";
    accesses: "$x", "[1]", "";
    elsifs: "if $x { }", " elsif $x { }", "";
    assignments: "$x = ", "$x = ", "1";
    ands: "$x = true", " and true", "";
    comparisons: "$x = 1", " == 1", "";
    selections: "$x = 1", " ? 1 => 2", "";
    long_lists: "[", "1, ", "]";
    long_hashes: "$x = {", "a => 1, ", "}";
    statements: "", "$x = 1\n", "";
    missing_commas: "[", "1 ", "]";
    wrong_arrows: "a { 'b':", " c = 1,", "}";
    stray_closers: "", ")", "";
    qualified_names: "a", "::a", "";
    segments: "\"", "${x} ", "\"";
}

#[test]
fn rubbish() {
    survives("\0".repeat(LONG));
    survives("\u{FEFF}".repeat(LONG));
    survives("\u{1F600}".repeat(LONG));
    survives("\r".repeat(LONG));
    survives("\\\n".repeat(LONG));
    survives("a'".repeat(LONG));
    survives("@(".repeat(LONG));
    survives("08 ".repeat(LONG));
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let bytes: Vec<u8> = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[0]
    })
    .take(LONG)
    .collect();
    survives(String::from_utf8_lossy(&bytes).into_owned());
}
