//! Hides parts of the code whose answers `tests/oracle/ruby_core` and `language.txt` have recorded. What the interpreter still
//! answers must be what Ruby answers: anything else depends on the hidden part, and is not known.

use std::panic::catch_unwind;

use marotte_ruby_eval::testing::eval_with_unknown;

use crate::core_classes::{Row, Verdict, compared, records, rows};

/// The global variable with the unknown value.
const HIDDEN: &str = "$unknown";

/// The records of values that have parts.
const FILES: [&str; 7] =
    ["Array.tsv", "Hash.tsv", "JSON.tsv", "Kernel.tsv", "Set.tsv", "Struct.tsv", "YAML.tsv"];

#[test]
fn values_that_depend_on_an_unknown_one_are_not_known() {
    let mut sources: Vec<Vec<Row>> = vec![language()];
    let files = records().into_iter().filter(|it| FILES.iter().any(|name| it.ends_with(name)));
    // Each third row, which is enough: rows of a method differ little.
    sources.extend(files.map(|it| rows(&it).into_iter().step_by(3).collect()));
    let counts: Vec<(usize, usize, Vec<String>)> = std::thread::scope(|scope| {
        let handles: Vec<_> = sources.iter().map(|rows| scope.spawn(|| asked(rows))).collect();
        handles.into_iter().map(|it| it.join().expect("answers")).collect()
    });
    let (asked, known) = counts.iter().fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
    let wrong: Vec<&String> = counts.iter().flat_map(|it| &it.2).collect();
    let shown = wrong.iter().take(100).map(|it| it.as_str()).collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} of {asked} answers are wrong ({known} equal):\n{shown}", wrong.len());
    assert!(asked > 5_000 && known > 500, "{asked} questions, {known} answers");
}

/// Asks about all rows: the number of questions, of equal answers, and the wrong ones.
fn asked(rows: &[Row]) -> (usize, usize, Vec<String>) {
    let (mut asked, mut known, mut wrong) = (0, 0, Vec::new());
    for row in rows {
        for code in with_hidden_literals(&row.expression) {
            asked += 1;
            let answer = catch_unwind(|| eval_with_unknown(&code)).unwrap_or("a panic".to_owned());
            match compared(row, answer) {
                Verdict::Equal => known += 1,
                Verdict::NotKnown(_) => {}
                Verdict::Wrong(answer) => wrong.push(format!("{code}\t{answer}, not {}", row.answer)),
            }
        }
    }
    (asked, known, wrong)
}

/// The snippets about the language.
fn language() -> Vec<Row> {
    let (mut expression, mut rows) = (String::new(), Vec::new());
    for line in include_str!("../../src/vm/language.txt").lines().skip(1) {
        match line.strip_prefix("=> ") {
            Some(answer) => {
                let expression = std::mem::take(&mut expression).trim().to_owned();
                rows.push(Row { method: "language".to_owned(), expression, answer: format!("= {answer}") });
            }
            None => expression += &format!("{line}\n"),
        }
    }
    rows
}

/// Returns the code with each of its literals in turn replaced by the unknown value: those of numbers and of strings that are
/// elements of arrays, values of hashes or arguments. Code with literals that this does not tell apart is left out.
fn with_hidden_literals(code: &str) -> Vec<String> {
    if code.contains(['/', '%', '`', '$']) || code.contains("\\") {
        return Vec::new();
    }
    let bytes = code.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let start = at;
        match byte {
            b'\'' | b'"' => {
                at += 1 + bytes[at + 1..].iter().position(|it| it == byte).unwrap_or(bytes.len() - at - 1);
                at += 1;
            }
            b'0'..=b'9' => {
                at += bytes[at..]
                    .iter()
                    .position(|it| !it.is_ascii_alphanumeric() && *it != b'_')
                    .unwrap_or(bytes.len() - at);
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'@' | b':' | b'.' | b'-' => {
                at += 1 + bytes[at + 1..]
                    .iter()
                    .position(|it| !it.is_ascii_alphanumeric() && *it != b'_')
                    .unwrap_or(bytes.len() - at - 1);
                continue;
            }
            _ => {
                at += 1;
                continue;
            }
        }
        let before = code[..start].trim_end().chars().next_back();
        let after = code.get(at..).unwrap_or_default().trim_start();
        let is_part = before.is_none_or(|it| matches!(it, '[' | '(' | ',' | '>')) && !after.starts_with(':');
        if is_part && !after.starts_with('.') {
            found.push(format!("{}{HIDDEN}{}", &code[..start], &code[at.min(code.len())..]));
        }
    }
    found
}

#[test]
fn literals_are_hidden_one_by_one() {
    assert_eq!(
        with_hidden_literals("[1, 'a'].zip([:b, -2], k: 3.5, x => \"y\")"),
        [
            "[$unknown, 'a'].zip([:b, -2], k: 3.5, x => \"y\")",
            "[1, $unknown].zip([:b, -2], k: 3.5, x => \"y\")",
            "[1, 'a'].zip([:b, -2], k: 3.5, x => $unknown)"
        ]
    );
}

/// The methods of enumerators call those that only hand elements on, and look at the results themselves.
#[test]
fn blocks_of_enumerators_give_no_unknown_results() {
    for code in [
        "[1, 2].each_with_index.reject { |x| $unknown }",
        "3.times.select { $unknown }",
        "1.upto(3).count { $unknown }",
        "[1, 2, 3].each_slice(2).find { $unknown }",
        "[1, 2].each.with_index(1).select { $unknown }",
        "{ 'a' => 1 }.each_pair.all? { $unknown }",
        "[1, 2].map.partition { $unknown }",
        "[1, 2].each_with_index.group_by { $unknown }.size",
        "{ 'a' => 1 }.each.max_by { $unknown }",
        "[1, 2].each_with_index.slice_when { $unknown }.to_a",
    ] {
        assert_eq!(eval_with_unknown(code), "unknown", "{code}");
    }
    assert_eq!(eval_with_unknown("[1, 2].each { $unknown }.map { |x| x + 1 }"), "[2, 3]");
}

/// An array in place of a part of another is spread.
#[test]
fn unknown_parts_of_arrays_have_no_known_size() {
    for code in ["a = [1, 2]; a[0, 1] = $unknown; a.size", "a = [1, 2]; a[0..0] = $unknown; a.size"] {
        assert_eq!(eval_with_unknown(code), "unknown", "{code}");
    }
    assert_eq!(eval_with_unknown("a = [1, 2]; a[0] = $unknown; a.size"), "2");
}

/// Built-in methods of structs look at the members, which code may set one by one.
#[test]
fn structs_have_no_unknown_members() {
    let of = |code: &str| eval_with_unknown(&format!("c = Struct.new(:a, :b); s = c.new(1, 2); {code}"));
    for code in ["s.a = $unknown; s == c.new(3, 2)", "s[:a] = $unknown; s.to_a.size", "c.new($unknown, 1).b"]
    {
        assert_eq!(of(code), "unknown", "{code}");
    }
    // Equal structs are one key.
    for code in
        ["[s, c.new(1, 2)].uniq.size", "([s] - [c.new(1, 2)]).size", "[[s], [c.new(1, 2)]].tally.size"]
    {
        assert_eq!(of(code), "not known: a struct as a key", "{code}");
    }
}
