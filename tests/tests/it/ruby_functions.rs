//! Calls functions of the corpus that are written in Ruby, and compares with what the reference answered.
//!
//! No answer may differ from the reference's. `tests/oracle/ruby_functions_baseline.tsv` has the number of known answers,
//! which must not decrease; `MAROTTE_RECORD_BASELINE=1` rewrites it. `FUNCTION=merge` only calls the functions of that
//! name, and prints details. `MAROTTE_FUNCTIONS=FOLDER MAROTTE_MODULES=FOLDER` compares other records with the modules of
//! another folder, and prints what is wrong or not known.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use marotte_catalog::rich_data::rich_data;
use marotte_hiera::data::parse_json;
use marotte_pcore::value::{Hash, Value};
use marotte_tests::scenarios::{MessageCompiler, module_path};
use marotte_tests::workspace;

const BASELINE: &str = "tests/oracle/ruby_functions_baseline.tsv";

/// The beginnings of errors that do not come from the function itself.
const OF_THE_PROGRAM: [&str; 2] =
    ["A Literal Integer resulted in a value outside of", "Language validation logged 2 errors"];

/// A call, its recorded answer, the facts of its node as JSON, and code that precedes the call, as JSON.
struct Call {
    expression: String,
    answer: String,
    facts: String,
    before: String,
}

/// The variable that names a folder of other records.
const OTHER_CALLS: &str = "MAROTTE_FUNCTIONS";

/// The counts of the calls of a function, by result.
#[derive(Default)]
struct Tally {
    calls: usize,
    equal: usize,
    unknown: Vec<String>,
    wrong: Vec<String>,
}

#[test]
#[expect(clippy::print_stderr, reason = "tells how much is known")]
fn functions_answer_as_in_the_reference() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("functions");
    let Some(modules) = module_path(&scratch).expect("links to the modules") else { return };
    let only = std::env::var("FUNCTION").ok();
    let mut compiler = MessageCompiler::new(modules, scratch).expect("a compiler");
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for call in calls() {
        let name = call.expression.split('(').next().unwrap_or_default().to_owned();
        if only.as_ref().is_none_or(|only| name.contains(only.as_str())) {
            judge(&mut compiler, &call, tallies.entry(name).or_default());
        }
    }
    let sum = |of: fn(&Tally) -> usize| tallies.values().map(of).sum::<usize>();
    eprintln!(
        "{} calls of {} functions: {} equal, {} not known, {} wrong",
        sum(|it| it.calls),
        tallies.len(),
        sum(|it| it.equal),
        sum(|it| it.unknown.len()),
        sum(|it| it.wrong.len())
    );
    let is_other = std::env::var_os(OTHER_CALLS).is_some();
    if only.is_some() || is_other {
        for (name, it) in &tallies {
            eprintln!("{name}: {} equal, {} not known, {} wrong", it.equal, it.unknown.len(), it.wrong.len());
            it.unknown.iter().for_each(|it| eprintln!("  {it}"));
        }
    } else {
        assert!(tallies.len() >= 100, "only {} functions", tallies.len());
        if std::env::var_os("MAROTTE_RECORD_BASELINE").is_some() {
            record(&tallies);
        }
    }
    let baseline = workspace::root().join(BASELINE);
    let baseline = if is_other { String::new() } else { workspace::read(&baseline).unwrap_or_default() };
    let failures = failures(&tallies, &baseline);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn calls() -> Vec<Call> {
    let own = || workspace::root().join("tests/oracle/ruby_functions");
    let folder = std::env::var_os(OTHER_CALLS).map_or_else(own, PathBuf::from);
    let mut calls = Vec::new();
    for file in workspace::files_below(&folder, "tsv").expect("the records") {
        let text = workspace::read(&file).expect("a record");
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut cells = line.split('\t').map(str::to_owned);
            let mut cell = || cells.next().unwrap_or_default();
            calls.push(Call { expression: cell(), answer: cell(), facts: cell(), before: cell() });
        }
    }
    calls
}

fn judge(compiler: &mut MessageCompiler, call: &Call, tally: &mut Tally) {
    tally.calls += 1;
    let expression = &call.expression;
    let (sign, expected) = call.answer.split_once(' ').unwrap_or((&call.answer, ""));
    let is_statement = sign == "=" && expected.is_empty();
    let before: String = serde_json::from_str(&call.before).unwrap_or_default();
    let manifest = match is_statement {
        true => format!("{before}\n{expression}\nnotify {{ 'answer': message => [undef] }}\n"),
        false => format!("{before}\nnotify {{ 'answer': message => [{expression}] }}\n"),
    };
    let made = compiler.compile(&manifest, facts(&call.facts)).expect("a manifest");
    let value = made.values.get("answer");
    let answer = match value {
        Some(Value::Array(elements)) if elements.len() == 1 && !elements[0].has_unknown() => {
            Some(&elements[0])
        }
        _ => None,
    };
    let say = |what: String| format!("{expression}: {what}");
    match (sign, answer, &made.error) {
        // What is wrong with the text of the program itself is compared elsewhere, and worded otherwise.
        ("!", None, Some(_)) if OF_THE_PROGRAM.iter().any(|it| expected.starts_with(it)) => tally.equal += 1,
        ("!", _, Some(error)) if normalised(error) == expected => tally.equal += 1,
        // Ruby's parser of JSON shows lines of its own code in some versions.
        ("!", _, Some(error)) if expected.strip_prefix("859: ") == Some(&*normalised(error)) => {
            tally.equal += 1
        }
        // What is undefined is worded by Ruby's version.
        ("!", _, Some(error))
            if expected.ends_with("undefined method") && error.contains("undefined method") =>
        {
            tally.equal += 1;
        }
        (_, _, Some(error)) => tally.wrong.push(say(format!(
            "expected `{}`, but got the error {:?}",
            call.answer,
            normalised(error)
        ))),
        ("!", Some(answer), None) => {
            tally.wrong.push(say(format!("expected the error {expected:?}, but got {}", rich_data(answer))))
        }
        ("=", Some(_), None) if is_statement => tally.equal += 1,
        ("=", Some(answer), None) if is_same(answer, expected) => tally.equal += 1,
        ("=", Some(answer), None) => {
            tally.wrong.push(say(format!("expected {expected}, but got {}", rich_data(answer))))
        }
        _ => tally.unknown.push(say(format!("expected `{}`; {}", call.answer, made.reasons.join("; ")))),
    }
}

fn is_same(answer: &Value, expected: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(expected).is_ok_and(|expected| rich_data(answer) == expected)
}

/// The message as the record has it.
fn normalised(error: &str) -> String {
    let mut text = error.strip_prefix("Evaluation Error: ").unwrap_or(error);
    for start in ["Error while evaluating a Function Call, ", "Error while evaluating a Resource Statement, "]
    {
        text = text.strip_prefix(start).unwrap_or(text);
    }
    let text = text.strip_prefix("Evaluation Error: ").unwrap_or(text).trim();
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t").chars().take(400).collect()
}

fn facts(text: &str) -> Arc<Hash> {
    let mut facts: Hash = [(Value::from("fqdn"), Value::from("node1.example.com"))].into_iter().collect();
    if let Ok(Value::Hash(given)) = parse_json(text).map(|document| document.value) {
        for (name, value) in given.iter() {
            facts.insert(name.clone(), value.clone());
        }
    }
    Arc::new(facts)
}

fn failures(tallies: &BTreeMap<String, Tally>, baseline: &str) -> Vec<String> {
    let baseline: BTreeMap<&str, usize> = baseline
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(name, equal)| Some((name, equal.parse().ok()?)))
        .collect();
    let mut failures: Vec<String> = tallies.values().flat_map(|it| it.wrong.iter().cloned()).collect();
    for (name, it) in tallies {
        let before = baseline.get(name.as_str()).copied().unwrap_or_default();
        if it.equal < before {
            failures.push(format!("{name}: {} calls are known, it was {before}", it.equal));
        }
    }
    failures
}

fn record(tallies: &BTreeMap<String, Tally>) {
    let mut text = String::from(
        "# Calls that are known, of each function: must not become less. Written by `MAROTTE_RECORD_BASELINE=1 cargo test -p marotte_tests ruby_functions::`.\n",
    );
    for (name, it) in tallies.iter().filter(|(_, it)| it.equal > 0) {
        let _ = writeln!(text, "{name}\t{}", it.equal);
    }
    workspace::write(&workspace::root().join(BASELINE), &text).expect("the baseline");
}
