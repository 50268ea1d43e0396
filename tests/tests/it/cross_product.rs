//! Every type with every type, every value with every type: compares the answers of the reference for all pairs with
//! those of marotte.
//!
//! docs/oracle.md describes the records in `tests/oracle/types`. If marotte deliberately differs, `differences.tsv` has
//! the reason; pairs on which the reference crashes, in `crashes.tsv`, aren't compared.

use std::collections::BTreeSet;

use marotte_pcore::dialect::Dialect;
use marotte_pcore::format::{interpolated, string_new};
use marotte_pcore::infer::{common, infer, infer_set};
use marotte_pcore::relation::{assignable, equal_types, instance_of};
use marotte_pcore::types::Type;
use marotte_tests::types::pool::{Pool, folder};
use marotte_tests::workspace;
use sha2::{Digest, Sha256};

/// At most one pair in this number may differ, for a documented reason.
const ONE_IN: usize = 500;

fn pool() -> Pool {
    Pool::read(Dialect::puppet8()).unwrap_or_else(|failure| panic!("{failure}"))
}

/// The rows of a record, its first column before the others.
fn record(name: &str) -> Vec<Vec<String>> {
    let text = workspace::read(&folder().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// Whether the bit for a type is set: four of them make a digit.
fn bit(digits: &str, index: usize) -> bool {
    let digit = digits.as_bytes()[index / 4];
    let digit = char::from(digit).to_digit(16).expect("a hexadecimal digit");
    digit >> (3 - index % 4) & 1 == 1
}

/// The pairs on which marotte deliberately differs from the reference, or the reference crashes.
struct Known {
    pairs: BTreeSet<(String, String, String)>,
}

impl Known {
    fn read() -> Known {
        let rows = record("differences.tsv").into_iter().chain(record("crashes.tsv"));
        Known { pairs: rows.map(|row| (row[0].clone(), row[1].clone(), row[2].clone())).collect() }
    }

    fn has(&self, a: &str, operation: &str, b: &str) -> bool {
        self.pairs.contains(&(a.to_owned(), operation.to_owned(), b.to_owned()))
    }
}

fn report(what: &str, count: usize, wrong: &[String]) {
    let shown: Vec<_> = wrong.iter().take(60).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} of {count} {what} differ, the first:\n{}", wrong.len(), shown.join("\n"));
}

#[test]
fn the_pools_are_large_and_are_those_that_were_recorded() {
    let pool = pool();
    assert!(pool.types.len() >= 400 && pool.values.len() >= 600);
    let names = |rows: Vec<Vec<String>>| rows.into_iter().map(|row| row[0].clone()).collect::<Vec<_>>();
    assert_eq!(names(record("pairs.tsv")), pool.types.iter().map(|(it, _)| it.clone()).collect::<Vec<_>>());
    assert_eq!(names(record("values.tsv")), pool.values.iter().map(|(it, _)| it.clone()).collect::<Vec<_>>());
}

#[test]
fn every_type_accepts_and_equals_the_types_that_the_reference_says() {
    let (pool, known) = (pool(), Known::read());
    type Relation = fn(&Dialect, &Type, &Type) -> bool;
    let relations: [(usize, &str, Relation); 2] = [(1, "⊇", assignable), (2, "==", equal_types)];
    let mut wrong = Vec::new();
    for (row, (a, a_type)) in record("pairs.tsv").iter().zip(&pool.types) {
        for (index, (b, b_type)) in pool.types.iter().enumerate() {
            for (column, operation, holds) in relations {
                let expected = bit(&row[column], index);
                if holds(Dialect::puppet8(), a_type, b_type) != expected && !known.has(a, operation, b) {
                    wrong.push(format!("{a} {operation} {b} → {expected}"));
                }
            }
        }
    }
    report("pairs", pool.types.len() * pool.types.len() * 2, &wrong);
}

/// Digests only show which row differs. Then both sides' rows are written for comparison.
#[test]
fn every_two_types_have_in_common_what_the_reference_says() {
    let (pool, known) = (pool(), Known::read());
    let mut wrong = Vec::new();
    for (row, (a, a_type)) in record("pairs.tsv").iter().zip(&pool.types) {
        let all: Vec<String> = pool
            .types
            .iter()
            .map(|(b, b_type)| match known.has(a, "∪", b) {
                true => String::new(),
                false => common(Dialect::puppet8(), a_type, b_type).to_string(),
            })
            .collect();
        if digest(&all) != row[3] {
            let rows = pool.types.iter().zip(&all).map(|((b, _), it)| format!("{a} ∪ {b} → {it}\n"));
            let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.rows", row[3]));
            workspace::write(&path, &rows.collect::<String>()).expect("a folder for what differs");
            wrong.push(format!(
                "ruby xtask/oracle/cross.rb '{}' | diff - {}",
                a.replace('\'', "'\\''"),
                path.display()
            ));
        }
    }
    report("rows of common types", pool.types.len(), &wrong);
}

fn digest(all: &[String]) -> String {
    use std::fmt::Write;
    let bytes = Sha256::digest(all.join("\n"));
    bytes.iter().take(8).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[test]
fn every_value_is_an_instance_of_the_types_that_the_reference_says() {
    let (pool, known) = (pool(), Known::read());
    let mut wrong = Vec::new();
    for (row, (source, value)) in record("values.tsv").iter().zip(&pool.values) {
        for (index, (name, it)) in pool.types.iter().enumerate() {
            let expected = bit(&row[3], index);
            if instance_of(Dialect::puppet8(), it, value) != expected && !known.has(source, "∈", name) {
                wrong.push(format!("{source} ∈ {name} → {expected}"));
            }
        }
    }
    report("values and types", pool.values.len() * pool.types.len(), &wrong);
}

#[test]
fn every_value_has_the_types_that_the_reference_infers() {
    let (pool, known) = (pool(), Known::read());
    let mut wrong = Vec::new();
    for (row, (source, value)) in record("values.tsv").iter().zip(&pool.values) {
        let inferred = [infer(Dialect::puppet8(), value), infer_set(Dialect::puppet8(), value)];
        for ((column, how), it) in [(1, "reduced"), (2, "detailed")].into_iter().zip(inferred) {
            let expected: String = serde_json::from_str(&row[column]).unwrap_or_else(|_| row[column].clone());
            if (it.to_string() != expected) != known.has(source, how, "") {
                wrong.push(format!("{source}, {how}\n  expected {expected}\n  but got  {it}"));
            }
        }
    }
    report("inferred types", pool.values.len() * 2, &wrong);
}

#[test]
fn every_value_is_written_as_the_reference_writes_it() {
    let (pool, known) = (pool(), Known::read());
    let dialect = Dialect::puppet8();
    let mut wrong = Vec::new();
    for (row, (source, value)) in record("values.tsv").iter().zip(&pool.values) {
        let written = [
            (4, "interpolated", Ok(interpolated(dialect, value))),
            (5, "string", string_new(dialect, value, None)),
            (6, "programmatic", string_new(dialect, value, Some(&"%p".into()))),
        ];
        for (column, how, text) in written {
            let expected: String = serde_json::from_str(&row[column]).unwrap_or_else(|_| row[column].clone());
            // The notation of the platform's objects isn't compared.
            if expected.contains("#<Puppet::") {
                continue;
            }
            let text = text.unwrap_or_else(|error| format!("✗ {error}"));
            if (text != expected) != known.has(source, how, "") {
                wrong.push(format!("{source}, {how}\n  expected {expected}\n  but got  {text}"));
            }
        }
    }
    report("texts", pool.values.len() * 3, &wrong);
}

/// Types whose text, as in the reference, has another meaning: no parameters are written as their number, resource
/// types are unknown here, all type sets are written as one, and anonymous `Object` types have no content.
const READ_AS_OTHERS: [&str; 6] = [
    "Callable[[], Integer]",
    "Callable[[], Undef]",
    "Resource['foo::bar', 'x']",
    "Resource['foo::bar']",
    "TypeSet",
    "Object[{attributes => {x => Integer}}]",
];

/// The text of a type is parsed as the same type.
#[test]
fn every_type_can_be_read_back() {
    let pool = pool();
    let mut wrong = Vec::new();
    for (source, it) in &pool.types {
        let text = it.to_string();
        if READ_AS_OTHERS.contains(&&**source) {
            continue;
        }
        match pool.evaluator.evaluate_type(&text) {
            Ok(again) if equal_types(Dialect::puppet8(), it, &again) && again.to_string() == text => {}
            Ok(again) => wrong.push(format!("{source}: {text} is read as {again}")),
            Err(failure) => wrong.push(format!("{source}: {text}: {failure}")),
        }
    }
    report("types", pool.types.len(), &wrong);
}

#[test]
fn differences_are_few_and_explained() {
    let rows = record("differences.tsv");
    assert!(rows.iter().all(|row| row.len() == 4 && !row[3].is_empty()), "a reason is missing");
    let pool = pool();
    let asked = 3 * pool.types.len().pow(2) + pool.values.len() * pool.types.len();
    assert!(rows.len() * ONE_IN <= asked, "{} differences", rows.len());
}
