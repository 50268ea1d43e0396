//! `cargo xtask oracle`: records the answers of the installed Puppet, so that the tests don't need Ruby.
//!
//! The Ruby scripts next to this crate query the reference; here their answers are merged and written. docs/oracle.md
//! describes the records.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Result, console, corpus, files, process};

/// Re-record the reference's answers under tests/oracle; needs the corpus and an installed `puppet`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The records to update; all of them by default.
    #[arg(value_enum)]
    records: Vec<Record>,
    /// The folder that `cargo xtask corpus` filled.
    #[arg(long, default_value = "corpus")]
    dir: PathBuf,
    /// A newer Puppet's `lib` folder to ask as well; where the two differ, its answer is recorded.
    #[arg(long, env = "PUPPET8_LIB")]
    puppet8: Option<PathBuf>,
    /// The number of mutations.
    #[arg(long, default_value_t = 2000)]
    count: usize,
    /// The seed of the choice of mutations.
    #[arg(long, default_value_t = 20_240_611)]
    seed: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Record {
    Corpus,
    Mutations,
    Types,
    Templates,
    RubyCore,
    Scenarios,
    Erb,
}

/// The script and the format of a record.
struct Layout {
    script: &'static str,
    file: &'static str,
    columns: &'static str,
    /// The number of leading columns that are the question; the others are the answer.
    question: usize,
}

const CORPUS: Layout = Layout {
    script: "corpus.rb",
    file: "corpus.tsv",
    columns: "path\tparse\tvalidate\tfindings\tsha256",
    question: 1,
};

const MUTATIONS: Layout = Layout {
    script: "mutations.rb",
    file: "mutations.tsv",
    columns: "path\toperation\tstart\tend\tnext_start\tnext_end\tverdict\tline\tcolumn",
    question: 6,
};

/// The answers of one version of the reference: a row for each question.
struct Answers {
    version: String,
    rows: Vec<String>,
}

/// Runs `cargo xtask oracle`.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let all = arguments.records.is_empty();
    if all || arguments.records.contains(&Record::Corpus) {
        record_corpus(arguments)?;
    }
    if all || arguments.records.contains(&Record::Mutations) {
        record_mutations(arguments)?;
    }
    if all || arguments.records.contains(&Record::Types) {
        newest(arguments, "cross.rb")?;
    }
    if all || arguments.records.contains(&Record::Templates) {
        newest(arguments, "templates.rb")?;
    }
    if all || arguments.records.contains(&Record::RubyCore) {
        newest(arguments, "ruby_core.rb")?;
    }
    if all || arguments.records.contains(&Record::Scenarios) {
        newest(arguments, "scenarios/record.rb")?;
    }
    if all || arguments.records.contains(&Record::Erb) {
        newest(arguments, "erb.rb")?;
    }
    Ok(())
}

/// Records the answers of only the newest version, with a script that writes its own records.
fn newest(arguments: &Arguments, script: &str) -> Result<()> {
    let mut ruby = Command::new("ruby");
    ruby.arg(files::repository().join("xtask/oracle").join(script)).env("CORPUS", &arguments.dir);
    if let Some(lib) = &arguments.puppet8 {
        ruby.env("PUPPET_LIB", lib);
    }
    console::say(process::output(&mut ruby)?.trim_end());
    Ok(())
}

fn record_corpus(arguments: &Arguments) -> Result<()> {
    let paths = files::regular_files(&corpus::tree(&arguments.dir), &["pp", "epp"])?;
    let paths: Vec<String> = paths.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    record(arguments, &CORPUS, &[], &paths)
}

fn record_mutations(arguments: &Arguments) -> Result<()> {
    // Mutants are created from manifests that the reference parses, which are in the other record.
    let corpus = files::read(&records().join(CORPUS.file))?;
    let paths: Vec<String> = corpus.lines().filter_map(parsed_manifest).collect();
    let (count, seed) = (arguments.count.to_string(), arguments.seed.to_string());
    record(arguments, &MUTATIONS, &[&count, &seed], &paths)
}

/// The path in a row of corpus.tsv, if it is a manifest that parses.
fn parsed_manifest(row: &str) -> Option<String> {
    let mut columns = row.split('\t');
    let path = columns.next()?;
    (path.ends_with(".pp") && columns.next()? == "ok").then(|| path.to_owned())
}

/// The folder of the records.
fn records() -> PathBuf {
    files::repository().join("tests/oracle")
}

fn record(arguments: &Arguments, layout: &Layout, options: &[&str], paths: &[String]) -> Result<()> {
    if paths.is_empty() {
        return Err("the corpus is empty: run `cargo xtask corpus` first".into());
    }
    let input = paths.join("\n");
    let installed = ask(arguments, layout, options, &input, None)?;
    let newer = match &arguments.puppet8 {
        Some(lib) => Some(ask(arguments, layout, options, &input, Some(lib))?),
        None => None,
    };
    let text = table(layout, &installed, newer.as_ref(), options, &corpus::versions(&arguments.dir)?)?;
    let file = records().join(layout.file);
    files::write(&file, &text)?;
    console::say(&format!("{}: {} rows", file.display(), installed.rows.len()));
    Ok(())
}

/// Runs a script: the first line of its output is the version, the other lines are rows.
fn ask(
    arguments: &Arguments,
    layout: &Layout,
    options: &[&str],
    input: &str,
    lib: Option<&Path>,
) -> Result<Answers> {
    let mut ruby = Command::new("ruby");
    ruby.arg(files::repository().join("xtask/oracle").join(layout.script));
    ruby.arg(corpus::tree(&arguments.dir)).args(options);
    match lib {
        Some(lib) => ruby.env("PUPPET_LIB", lib),
        None => ruby.env_remove("PUPPET_LIB"),
    };
    let output = process::filter(&mut ruby, input)?;
    let mut lines = output.lines();
    let version = lines.next().ok_or("the oracle script wrote nothing")?.to_owned();
    Ok(Answers { version, rows: lines.map(str::to_owned).collect() })
}

/// Builds a record. The last column names the version whose answer differs from the row.
fn table(
    layout: &Layout,
    installed: &Answers,
    newer: Option<&Answers>,
    options: &[&str],
    packages: &BTreeMap<String, String>,
) -> Result<String> {
    let mut text =
        String::from("# Recorded by `cargo xtask oracle`; docs/oracle.md describes the columns.\n");
    for answers in [Some(installed), newer].into_iter().flatten() {
        writeln!(text, "# puppet {}", answers.version)?;
    }
    if let [count, seed] = options {
        writeln!(text, "# {count} mutations, seed {seed}")?;
    }
    for (name, version) in packages {
        writeln!(text, "# package {name} {version}")?;
    }
    writeln!(text, "{}\texcept", layout.columns)?;
    let newest = newer.unwrap_or(installed);
    if newest.rows.len() != installed.rows.len() {
        return Err("the two versions of Puppet were asked different questions".into());
    }
    for (row, older) in newest.rows.iter().zip(&installed.rows) {
        if question(layout, row) != question(layout, older) {
            return Err(format!(
                "the two versions of Puppet were asked different questions: {row} | {older}"
            )
            .into());
        }
        writeln!(text, "{row}\t{}", if row == older { "-" } else { &installed.version })?;
    }
    Ok(text)
}

/// Returns the columns of a row that are the question.
fn question<'row>(layout: &Layout, row: &'row str) -> Vec<&'row str> {
    row.split('\t').take(layout.question).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Answers, CORPUS, Layout, MUTATIONS, parsed_manifest, records, table};
    use crate::files;

    fn answers(version: &str, rows: &[&str]) -> Answers {
        Answers { version: version.to_owned(), rows: rows.iter().map(|row| (*row).to_owned()).collect() }
    }

    /// Returns the columns of a committed record's rows; their number is checked against the heading.
    fn committed(layout: &Layout) -> Vec<Vec<String>> {
        let text = files::read(&records().join(layout.file)).expect("a committed record");
        let mut rows = text.lines().filter(|line| !line.starts_with('#')).map(columns);
        let heading = rows.next().expect("a heading");
        assert_eq!(heading[..heading.len() - 1].join("\t"), layout.columns);
        let rows: Vec<Vec<String>> = rows.collect();
        assert!(rows.iter().all(|row| row.len() == heading.len()));
        rows
    }

    fn columns(line: &str) -> Vec<String> {
        line.split('\t').map(str::to_owned).collect()
    }

    #[test]
    fn committed_corpus_record_is_sorted_and_whole() {
        let rows = committed(&CORPUS);
        assert!(rows.is_sorted_by(|a, b| a[0] < b[0]));
        // A file has a digest exactly if it parses.
        assert!(rows.iter().all(|row| (row[1] == "ok") == (row[4].len() == 64)));
    }

    #[test]
    fn committed_mutations_are_evenly_mixed() {
        let rows = committed(&MUTATIONS);
        for operation in ["delete", "double", "swap"] {
            let share = rows.iter().filter(|row| row[1] == operation).count();
            assert!(share.abs_diff(rows.len() / 3) <= 1, "{operation}: {share}");
        }
        assert!(rows.iter().all(|row| (row[1] == "swap") == (row[4] != "-")));
    }

    #[test]
    fn newer_answer_wins_and_says_so() {
        let old = answers("7.23.0", &["a.pp\tok\tok\t-\t1", "b.pp\tok\tok\t-\t2"]);
        let new = answers("8.11.0", &["a.pp\tok\tok\t-\t1", "b.pp\tok\tX\tX:1:1\t2"]);
        let text = table(&CORPUS, &old, Some(&new), &[], &BTreeMap::new()).expect("equal questions");
        let rows: Vec<&str> = text.lines().filter(|line| line.contains(".pp")).collect();
        assert_eq!(rows, ["a.pp\tok\tok\t-\t1\t-", "b.pp\tok\tX\tX:1:1\t2\t7.23.0"]);
        assert!(text.contains("# puppet 7.23.0\n# puppet 8.11.0\n"));
    }

    #[test]
    fn different_questions_are_refused() {
        let old = answers("7.23.0", &["a.pp\tok\tok\t-\t1"]);
        let new = answers("8.11.0", &["b.pp\tok\tok\t-\t1"]);
        assert!(table(&CORPUS, &old, Some(&new), &[], &BTreeMap::new()).is_err());
    }

    #[test]
    fn mutants_come_from_parsed_manifests() {
        assert_eq!(parsed_manifest("a.pp\tok\tX\t-\t1\t-").as_deref(), Some("a.pp"));
        assert_eq!(parsed_manifest("a.pp\tSYNTAX_ERROR\tSYNTAX_ERROR\t-\t-\t-"), None);
        assert_eq!(parsed_manifest("a.epp\tok\tok\t-\t1\t-"), None);
        assert_eq!(parsed_manifest("# puppet 7.23.0"), None);
    }
}
