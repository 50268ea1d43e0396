//! Asks the interpreter what `tests/oracle/ruby_core` has recorded of Ruby's own classes.
//!
//! An answer is Ruby's, or the interpreter says that it does not know. `wrong.tsv` lists wrong answers, which are to be corrected; `baseline.tsv` says how many rows of
//! each method are known, which must not become less. `MAROTTE_RECORD_BASELINE=1` writes both anew; `CORE=Array#zip` asks some rows only, and shows what is not known, too.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use marotte_ruby_eval::testing::eval;

const BASELINE: &str = "baseline.tsv";
const WRONG: &str = "wrong.tsv";

/// A row of the record.
pub(crate) struct Row {
    /// The class and the method: `Array#zip`.
    pub(crate) method: String,
    pub(crate) expression: String,
    pub(crate) answer: String,
}

/// The interpreter's result of a row compared with Ruby's.
pub(crate) enum Verdict {
    Equal,
    NotKnown(String),
    Wrong(String),
}

/// The number of rows of a method, the number of known results among them, and the wrong ones.
#[derive(Default)]
struct Tally {
    rows: usize,
    equal: usize,
    not_known: BTreeMap<String, usize>,
    wrong: Vec<(String, String)>,
}

#[test]
#[expect(clippy::print_stderr, reason = "tells how much is known")]
fn answers_are_rubys_or_not_known() {
    let only = std::env::var("CORE").ok();
    let files: Vec<PathBuf> = records();
    let tallies: BTreeMap<String, Tally> = std::thread::scope(|scope| {
        let handles: Vec<_> = files.iter().map(|file| scope.spawn(|| asked(file, only.as_deref()))).collect();
        handles.into_iter().flat_map(|it| it.join().expect("an answer")).collect()
    });
    let sum = |of: fn(&Tally) -> usize| tallies.values().map(of).sum::<usize>();
    let (rows, equal, wrong) = (sum(|it| it.rows), sum(|it| it.equal), sum(|it| it.wrong.len()));
    eprintln!("{rows} calls: {equal} equal, {wrong} wrong, {} not known", rows - equal - wrong);
    if only.is_some() {
        for (method, it) in &tallies {
            eprintln!(
                "{method}: {} of {} equal, {} wrong; not known: {:?}",
                it.equal,
                it.rows,
                it.wrong.len(),
                it.not_known
            );
        }
    } else {
        assert!(rows >= 30_000, "only {rows} calls");
        if std::env::var_os("MAROTTE_RECORD_BASELINE").is_some() {
            record(&tallies);
        }
    }
    let failures = failures(&tallies);
    let shown = failures.iter().take(200).cloned().collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{} answers are wrong or not known any more:\n{shown}", failures.len());
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle/ruby_core")
}

#[expect(clippy::disallowed_methods, reason = "tests read their records from disk")]
pub(crate) fn records() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder()).expect("the records");
    let mut files: Vec<PathBuf> = entries.map(|it| it.expect("a record").path()).collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "tsv"));
    files.retain(|it| !it.ends_with(BASELINE) && !it.ends_with(WRONG));
    files.sort();
    files
}

#[expect(clippy::disallowed_methods, reason = "tests read their records from disk")]
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

pub(crate) fn rows(file: &Path) -> Vec<Row> {
    let class = file.file_stem().and_then(|it| it.to_str()).unwrap_or_default().to_owned();
    let mut method = String::new();
    let mut rows = Vec::new();
    for line in read(file).lines() {
        if let Some(name) = line.strip_prefix("## ") {
            method = format!("{class}#{name}");
        } else if let (false, Some((expression, answer))) = (line.starts_with("# "), line.split_once('\t')) {
            let (expression, answer) = (expression.to_owned(), answer.to_owned());
            rows.push(Row { method: method.clone(), expression, answer });
        }
    }
    rows
}

fn asked(file: &Path, only: Option<&str>) -> BTreeMap<String, Tally> {
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    for row in rows(file) {
        if only.is_some_and(|only| !row.method.starts_with(only)) {
            continue;
        }
        let tally = tallies.entry(row.method.clone()).or_default();
        tally.rows += 1;
        match verdict(&row) {
            Verdict::Equal => tally.equal += 1,
            Verdict::NotKnown(what) => *tally.not_known.entry(what).or_default() += 1,
            Verdict::Wrong(answer) => tally.wrong.push((row.expression, answer)),
        }
    }
    tallies
}

fn verdict(row: &Row) -> Verdict {
    match catch_unwind(|| eval(&row.expression)) {
        Ok(answer) => compared(row, answer),
        Err(_) => Verdict::Wrong("a panic".to_owned()),
    }
}

/// Compares an answer of the interpreter with Ruby's.
pub(crate) fn compared(row: &Row, answer: String) -> Verdict {
    let refusals = ["not known: ", "syntax error: ", "exhausted: "];
    let is_refusal = refusals.iter().any(|it| answer.starts_with(it))
        || answer == "unknown"
        || answer == "left to the host";
    let is_equal = match row.answer.split_once(' ') {
        Some(("=", text)) => answer == text,
        // The class of an error, and the message unless it depends on the version of Ruby.
        Some((_, error)) if error.contains(": ") => answer == error,
        Some((_, class)) => answer.strip_prefix(class).is_some_and(|it| it.starts_with(": ")),
        None => false,
    };
    match (is_equal, is_refusal) {
        (true, _) => Verdict::Equal,
        (false, true) => Verdict::NotKnown(answer),
        (false, false) => Verdict::Wrong(answer),
    }
}

fn failures(tallies: &BTreeMap<String, Tally>) -> Vec<String> {
    let (admitted, baseline) = (read(&folder().join(WRONG)), read(&folder().join(BASELINE)));
    let admitted: BTreeSet<&str> =
        admitted.lines().filter_map(|line| Some(line.split_once('\t')?.0)).collect();
    let baseline: BTreeMap<&str, usize> = baseline
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .filter_map(|(method, equal)| Some((method, equal.parse().ok()?)))
        .collect();
    let mut failures = Vec::new();
    for (method, tally) in tallies {
        let new = tally.wrong.iter().filter(|(expression, _)| !admitted.contains(expression.as_str()));
        failures.extend(new.map(|(expression, answer)| format!("{method}: {expression}  gives  {answer}")));
        let before = baseline.get(method.as_str()).copied().unwrap_or_default();
        if tally.equal < before {
            failures.push(format!("{method}: {} rows are known, it was {before}", tally.equal));
        }
    }
    failures
}

#[expect(clippy::disallowed_methods, reason = "tests write their records to disk")]
fn record(tallies: &BTreeMap<String, Tally>) {
    let mut baseline = String::from(
        "# Rows that are known, of each method: must not become less. Written by `MAROTTE_RECORD_BASELINE=1 cargo test -p marotte_ruby_eval core_classes::`.\n",
    );
    let mut wrong =
        String::from("# Expressions whose answer is not those of Ruby, and the answer: to be corrected.\n");
    for (method, it) in tallies {
        if it.equal > 0 {
            let _ = writeln!(baseline, "{method}\t{}", it.equal);
        }
        for (expression, answer) in &it.wrong {
            let _ = writeln!(wrong, "{expression}\t{}", answer.replace('\n', "\\n").replace('\t', "\\t"));
        }
    }
    std::fs::write(folder().join(BASELINE), baseline).expect("the baseline");
    std::fs::write(folder().join(WRONG), wrong).expect("what is admitted");
}
