//! Compares the reference's answers for the corpus and its mutants with those of marotte.
//!
//! The corpus is real code that isn't part of the repository: `cargo xtask corpus` downloads it. Without it, these
//! tests print a note and pass; with `MAROTTE_REQUIRE_CORPUS` set, as in CI, they fail.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use marotte_syntax::{Mode, Parse, parse, pn};
use sha2::{Digest, Sha256};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the unpacked corpus, if it exists.
#[expect(clippy::print_stderr, reason = "says why nothing is compared")]
fn corpus() -> Option<PathBuf> {
    let tree = repository().join("corpus/tree");
    if tree.is_dir() {
        return Some(tree);
    }
    assert!(
        std::env::var_os("MAROTTE_REQUIRE_CORPUS").is_none(),
        "there is no corpus: run `cargo xtask corpus`"
    );
    eprintln!("not compared with the corpus, which is not here; `cargo xtask corpus` brings it");
    None
}

#[expect(clippy::disallowed_methods, reason = "records and corpus are read from disk")]
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the rows of a record, by column name.
fn rows(record: &str) -> Vec<BTreeMap<String, String>> {
    let text = read(&repository().join("tests/oracle").join(record));
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let columns: Vec<&str> = lines.next().expect("a header").split('\t').collect();
    lines
        .map(|line| {
            columns.iter().zip(line.split('\t')).map(|(key, cell)| ((*key).into(), cell.into())).collect()
        })
        .collect()
}

fn read_file(path: &Path) -> (String, Parse) {
    let source = read(path);
    let template = path.extension().is_some_and(|extension| extension == "epp");
    let parse = parse(&source, Mode { template, ..Mode::default() });
    (source, parse)
}

fn errors(parse: &Parse) -> usize {
    parse.errors.iter().filter(|error| !error.kind.is_warning()).count()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[test]
fn every_corpus_file_has_the_tree_that_the_reference_dumps() {
    let Some(tree) = corpus() else { return };
    let mut wrong = Vec::new();
    let rows = rows("corpus.tsv");
    assert!(rows.len() > 2_000);
    for row in rows {
        let (_, parse) = read_file(&tree.join(&row["path"]));
        // A file that the grammar rejects has no dump.
        if row["parse"] != "ok" {
            continue;
        }
        let digest = hex(&Sha256::digest(pn::to_pn(&parse.program).json()));
        if digest != row["sha256"] {
            wrong.push(row["path"].clone());
        }
    }
    assert!(wrong.is_empty(), "other trees than the reference's: {wrong:#?}");
}

#[test]
fn corpus_files_are_accepted_exactly_where_the_reference_accepts_them() {
    let Some(tree) = corpus() else { return };
    let mut wrong = Vec::new();
    for row in rows("corpus.tsv") {
        let (_, parse) = read_file(&tree.join(&row["path"]));
        let accepted = errors(&parse) == 0;
        let warned = errors(&parse) < parse.errors.len();
        let reference_warned = row["findings"] != "-" && row["validate"] == "ok";
        if accepted != (row["validate"] == "ok") || (accepted && warned && !reference_warned) {
            wrong.push(format!("{}: {} {:?}", row["path"], row["validate"], parse.errors));
        }
    }
    assert!(wrong.is_empty(), "other verdicts than the reference's: {wrong:#?}");
}

/// Rebuilds a mutant as described in docs/oracle.md.
fn mutant(source: &str, row: &BTreeMap<String, String>) -> String {
    let at = |column: &str| row[column].parse::<usize>().expect("an offset");
    let (start, end) = (at("start"), at("end"));
    match row["operation"].as_str() {
        "delete" => format!("{}{}", &source[..start], &source[end..]),
        "double" => format!("{} {}{}", &source[..end], &source[start..end], &source[end..]),
        "swap" => {
            let (next_start, next_end) = (at("next_start"), at("next_end"));
            let (token, next) = (&source[start..end], &source[next_start..next_end]);
            format!("{}{next}{}{token}{}", &source[..start], &source[end..next_start], &source[next_end..])
        }
        operation => panic!("unknown operation {operation}"),
    }
}

#[test]
fn mutants_are_accepted_where_the_reference_accepts_them() {
    let Some(tree) = corpus() else { return };
    let known: Vec<String> = rows("disagreements.tsv")
        .iter()
        .map(|row| format!("{} {} {}", row["path"], row["operation"], row["start"]))
        .collect();
    let rows = rows("mutations.tsv");
    assert_eq!(rows.len(), 2_000);
    let mut found = Vec::new();
    for row in &rows {
        let source = read(&tree.join(&row["path"]));
        let mutant = mutant(&source, row);
        let accepted = errors(&parse(&mutant, Mode::default())) == 0;
        if accepted != (row["verdict"] == "ok") {
            found.push(format!("{} {} {}", row["path"], row["operation"], row["start"]));
        }
    }
    assert_eq!(found, known, "the disagreements are not those that tests/oracle/disagreements.tsv explains");
    let agreement = 1.0 - found.len() as f64 / rows.len() as f64;
    assert!(agreement >= 0.995, "only {:.2} % agree", agreement * 100.0);
}

#[test]
fn one_wrong_token_is_one_error_and_most_definitions_stay() {
    let Some(tree) = corpus() else { return };
    let (mut broken, mut single, mut definitions, mut kept) = (0, 0, 0, 0);
    for row in rows("mutations.tsv").iter().filter(|row| row["verdict"] == "SYNTAX_ERROR") {
        let source = read(&tree.join(&row["path"]));
        let whole = count_definitions(&parse(&source, Mode::default()));
        let parse = parse(&mutant(&source, row), Mode::default());
        broken += 1;
        single += usize::from(errors(&parse) == 1);
        definitions += whole;
        kept += count_definitions(&parse).min(whole);
    }
    assert!(single * 100 >= broken * 90, "{single} of {broken} broken files have exactly one error");
    assert!(kept * 100 >= definitions * 85, "{kept} of {definitions} definitions and resources are kept");
}

/// Counts definitions and resources, wherever they are.
fn count_definitions(parse: &Parse) -> usize {
    use marotte_syntax::ast::{Expr, ExprKind};
    fn walk(expr: &Expr, count: &mut usize) {
        let counts = matches!(
            expr.kind,
            ExprKind::Class(_)
                | ExprKind::Define(_)
                | ExprKind::Function(_)
                | ExprKind::Node(_)
                | ExprKind::TypeAlias(_)
                | ExprKind::Resource(_)
        );
        *count += usize::from(counts);
        expr.for_each_child(&mut |child| walk(child, count));
    }
    let mut count = 0;
    parse.program.for_each_child(&mut |expr| walk(expr, &mut count));
    count
}
