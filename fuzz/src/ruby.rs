//! Programs in Ruby and ERB templates: any bytes, and programs that the generator builds from constructs that double, recurse,
//! repeat and match.

use marotte_ruby_eval::testing::{eval, render};

/// Parts of hostile programs. `$` stands for a further part, `@` for a number.
const PARTS: &[&str] = &[
    "x",
    "@",
    "'a'",
    "[$, $]",
    "{ $ => $ }",
    "$ + $",
    "$ * @",
    "x << $",
    "x = $; $",
    "@.times { $ }",
    "loop { $ }",
    "[$].each { |x| $ }",
    "[*1..@].map { |x| $ }",
    "while $; $; end",
    "begin; $; rescue; retry; end",
    "def f(x); $; end; f($)",
    "f($)",
    "->(x) { $ }.call($)",
    "x = [x, x]; $",
    "x = \"#{x}#{x}\"; $",
    "'a' * @ =~ /(a*)*b/",
    "$.to_s.gsub(/(.|a)+/) { $ }",
    "$.to_s =~ Regexp.new($.to_s)",
    "$.inspect",
    "$.hash",
    "$.flatten",
    "$.product($, $)",
    "$.to_s.to_sym",
    "$.to_s.unpack('C*').pack('U*')",
    "format(\"%@d %s\", $, $)",
    "$ ? $ : $",
    "class A; def to_s; $.to_s; end; end; A.new",
    "Hash.new { |x, k| x[k] = $ }[$]",
    "$.to_json",
    "$.to_yaml",
    "catch(:x) { throw :x, $ }",
    "$.to_s.crypt(\"\\x241\\x24ab\")",
];

/// Numbers, most of which are too large for what they count.
const NUMBERS: &[&str] = &["0", "1", "7", "1000", "10**6", "10**12", "2**70", "-1", "1.5"];

/// The maximal length of a generated program, in bytes.
const LONGEST: usize = 8192;

/// Evaluates bytes as a program, as a template, or, if their first byte is even, as the choices of a generated program.
///
/// # Panics
/// If the interpreter does, or if it answers the same program in two ways.
pub fn check(bytes: &[u8]) {
    let [first, rest @ ..] = bytes else { return };
    let program = match first % 2 {
        0 => generated(rest),
        _ => String::from_utf8_lossy(rest).into_owned(),
    };
    let answer = eval(&program);
    assert!(!answer.is_empty(), "an answer without a text");
    assert_eq!(answer, eval(&program), "two answers to one program");
    render(&format!("<% {program} -%>\n<%= x %>"));
    render(&program);
}

/// The program that bytes choose part by part.
fn generated(bytes: &[u8]) -> String {
    let mut choices = bytes.iter().map(|it| usize::from(*it));
    let mut program = String::from("x = [1]; $");
    while let Some(at) = program.find(['$', '@']) {
        if program.len() > LONGEST {
            break;
        }
        let part = match (program.as_bytes()[at], choices.next()) {
            (b'@', Some(choice)) => NUMBERS[choice % NUMBERS.len()],
            (_, Some(choice)) => PARTS[choice % PARTS.len()],
            (_, None) => "1",
        };
        program.replace_range(at..=at, part);
    }
    program
}
