//! `cargo xtask documents`: the statements of the specification's documents, sentence by sentence, and the tests for them.
//!
//! The documents aren't part of the repository. The pages of rows quote the sentences that they test; a table lists the
//! sentences without rows, with the intended difference, or the reason why nothing can be run. `statements.tsv` has the
//! places of all sentences, so that a sentence without any of these is found even without the documents; the text of the
//! quotes is only compared with the documents.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::{Result, console, files};

/// Compare what the pages and the table quote of the specification with the documents.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder of the documents, `NNN_….txt`
    #[arg(env = "SPEC_DOCUMENTS")]
    folder: Option<PathBuf>,

    /// List all sentences and examples, with their places
    #[arg(long)]
    list: bool,

    /// Write the places of all sentences and examples into `statements.tsv`
    #[arg(long, requires = "folder")]
    record: bool,
}

/// A sentence or example: its line, and its index in the line, both from 1.
type Place = (usize, usize);

/// The sentences and examples of a document; without the document, their texts are empty.
type Statements = BTreeMap<Place, String>;

/// The beginning of a sentence or example, as a page or the table quotes it.
struct Quote {
    document: String,
    place: Place,
    text: String,
    /// The kind of coverage: a row, a divergence, or a reason.
    what: &'static str,
    /// The position of the quote.
    origin: String,
}

/// The start of a quote above the rows that test it.
const QUOTE: &str = "> ";
/// The end of a quote that is shorter than the sentence.
const CUT: &str = " …";

/// Runs `cargo xtask documents`.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let (mut quotes, mut wrong) = (Vec::new(), Vec::new());
    for page in files::regular_files(&values(), &["md"])? {
        if !page.ends_with("README.md") {
            read_page(&page, &files::read(&values().join(&page))?, &mut quotes, &mut wrong);
        }
    }
    read_table(&mut quotes, &mut wrong)?;
    if !wrong.is_empty() {
        return Err(wrong.join("\n").into());
    }
    let documents = match &arguments.folder {
        Some(folder) => read_documents(folder, arguments, &quotes, &mut wrong)?,
        None => {
            console::say("no folder of documents: what the quotes say is not compared");
            recorded()?
        }
    };
    let known: BTreeMap<(&str, Place), &'static str> =
        quotes.iter().map(|it| ((it.document.as_str(), it.place), it.what)).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (document, places) in &documents {
        for (place, text) in places {
            match known.get(&(document.as_str(), *place)) {
                Some(what) => *counts.entry(what).or_default() += 1,
                None => wrong.push(format!(
                    "{document}:{}.{} {text}: neither row, divergence nor reason",
                    place.0, place.1
                )),
            }
        }
    }
    wrong.extend(
        quotes
            .iter()
            .filter(|it| !documents.get(&it.document).is_some_and(|places| places.contains_key(&it.place)))
            .map(|it| {
                format!("{}: there is no sentence {}:{}.{}", it.origin, it.document, it.place.0, it.place.1)
            }),
    );
    for (what, count) in &counts {
        console::say(&format!("{count} by {what}"));
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(format!("{}\n{} wrong", wrong.join("\n"), wrong.len()).into()),
    }
}

/// Compares the quotes with the documents, and the record of places with them. Returns the places of all statements.
fn read_documents(
    folder: &Path,
    arguments: &Arguments,
    quotes: &[Quote],
    wrong: &mut Vec<String>,
) -> Result<BTreeMap<String, Statements>> {
    let mut documents = BTreeMap::new();
    let numbers: BTreeSet<&String> = quotes.iter().map(|it| &it.document).collect();
    for document in numbers {
        let statements: Statements =
            statements(&files::read(&file_of(folder, document)?)?).into_iter().collect();
        if arguments.list {
            for ((line, index), text) in &statements {
                console::say(&format!("{document}:{line}.{index}\t{text}"));
            }
        }
        let own = quotes.iter().filter(|it| it.document == *document && statements.contains_key(&it.place));
        wrong.extend(own.filter(|it| !it.fits(&statements)).map(|it| {
            format!("{}: not what {document}:{}.{} says: {}", it.origin, it.place.0, it.place.1, it.text)
        }));
        documents.insert(document.clone(), statements);
    }
    if arguments.record {
        files::write(&record(), &written(&documents))?;
    } else if files::read(&record())? != written(&documents) {
        wrong.push(
            "statements.tsv has other places than the documents: write it again with `--record`".into(),
        );
    }
    Ok(documents)
}

/// Returns the path of the file with the places of all statements: a document, a line, and the number of statements in the
/// line.
fn record() -> PathBuf {
    values().join("statements.tsv")
}

fn written(documents: &BTreeMap<String, Statements>) -> String {
    let mut text = String::from("# document\tline\tstatements in the line\n");
    for (document, places) in documents {
        let mut lines: BTreeMap<usize, usize> = BTreeMap::new();
        for (line, _) in places.keys() {
            *lines.entry(*line).or_default() += 1;
        }
        for (line, count) in lines {
            let _ = writeln!(text, "{document}\t{line}\t{count}");
        }
    }
    text
}

fn recorded() -> Result<BTreeMap<String, Statements>> {
    let mut documents: BTreeMap<String, Statements> = BTreeMap::new();
    for row in files::read(&record())?.lines().filter(|row| !row.starts_with('#')) {
        let [document, line, count] = row.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("statements.tsv: not a row: {row}").into());
        };
        let (line, count): (usize, usize) = (line.parse()?, count.parse()?);
        documents
            .entry(document.to_owned())
            .or_default()
            .extend((1..=count).map(|index| ((line, index), String::new())));
    }
    Ok(documents)
}

impl Quote {
    /// Whether the document contains the quote at that place.
    fn fits(&self, statements: &Statements) -> bool {
        let Some(statement) = statements.get(&self.place) else { return false };
        let statement = statement.split_whitespace().collect::<Vec<_>>().join(" ");
        match self.text.strip_suffix(CUT) {
            Some(beginning) => !beginning.is_empty() && statement.starts_with(beginning),
            None => statement == self.text,
        }
    }
}

fn values() -> PathBuf {
    files::repository().join("tests/values/documents")
}

/// Reads the quotes of a page. Each must be followed by a row or another quote; each row of a section must be below a quote.
fn read_page(page: &Path, text: &str, quotes: &mut Vec<Quote>, wrong: &mut Vec<String>) {
    let (mut in_rows, mut quoted, mut open) = (false, false, false);
    for (index, line) in text.lines().enumerate() {
        let origin = format!("{}:{}", page.display(), index + 1);
        if line.starts_with("```") {
            if open {
                wrong.push(format!("{origin}: no row below the quote"));
            }
            (in_rows, quoted, open) = (line == "```rows", false, false);
        } else if in_rows && let Some(quote) = line.strip_prefix(QUOTE) {
            match read_quote(quote, "row", origin.clone()) {
                Some(it) => quotes.push(it),
                None => wrong.push(format!("{origin}: not a quote")),
            }
            (quoted, open) = (true, true);
        } else if in_rows && !line.is_empty() {
            if !quoted {
                wrong.push(format!("{origin}: a row that quotes nothing"));
            }
            open = false;
        }
    }
}

/// Reads `001:12.3 The beginning …`.
fn read_quote(quote: &str, what: &'static str, origin: String) -> Option<Quote> {
    let (source, text) = quote.split_once(' ')?;
    let (document, at) = source.split_once(':')?;
    Some(Quote { document: document.to_owned(), place: place(at)?, text: text.to_owned(), what, origin })
}

/// Reads the table of sentences without rows.
fn read_table(quotes: &mut Vec<Quote>, wrong: &mut Vec<String>) -> Result<()> {
    let divergences = files::read(&files::repository().join("docs/divergences.md"))?;
    let differences: Vec<&str> = divergences.lines().filter_map(|line| line.strip_prefix("| ")).collect();
    let text = files::read(&values().join("coverage.tsv"))?;
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        let origin = format!("coverage.tsv:{}", index + 1);
        let [document, at, what, target, text] = line.split('\t').collect::<Vec<_>>()[..] else {
            wrong.push(format!("{origin}: not a row of the table"));
            continue;
        };
        let what = match what {
            "divergence" if differences.iter().any(|row| row.starts_with(target)) => "divergence",
            "reason" if !target.is_empty() => "reason",
            _ => {
                wrong.push(format!("{origin}: there is no {what} `{target}`"));
                continue;
            }
        };
        match place(at) {
            Some(place) => {
                let (document, text) = (document.to_owned(), text.to_owned());
                quotes.push(Quote { document, place, text, what, origin });
            }
            None => wrong.push(format!("{origin}: not a place")),
        }
    }
    Ok(())
}

/// Parses a place: `12.3` is the third sentence of line 12.
fn place(text: &str) -> Option<Place> {
    let (line, index) = text.split_once('.')?;
    Some((line.parse().ok()?, index.parse().ok()?))
}

/// Returns the file of a document, by its number.
fn file_of(folder: &Path, document: &str) -> Result<PathBuf> {
    let prefix = format!("{document}_");
    let found = files::regular_files(folder, &["txt"])?
        .into_iter()
        .find(|it| it.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix)));
    let found = found.map(|it| folder.join(it));
    found.ok_or_else(|| format!("{} has no document {document}", folder.display()).into())
}

/// Returns the sentences and the lines of examples of a document: a line is split where a sentence ends and another
/// begins, unless it is separate. Lines without letters and digits are ignored.
fn statements(text: &str) -> Vec<(Place, String)> {
    let mut found = Vec::new();
    let mut fenced = false;
    for (index, line) in text.lines().enumerate() {
        let trimmed = line.trim();
        if trimmed.starts_with("```") {
            fenced = !fenced;
            continue;
        }
        if !without_tags(trimmed).chars().any(|it| !" \t=-|_:;{}()[]*#`.,".contains(it)) {
            continue;
        }
        let apart = fenced || line.starts_with("    ") || line.starts_with('\t');
        let sentences = if apart { vec![trimmed] } else { sentences(trimmed) };
        for (number, sentence) in sentences.into_iter().enumerate() {
            found.push(((index + 1, number + 1), sentence.to_owned()));
        }
    }
    found
}

/// Removes the tags from a line that starts with one.
fn without_tags(line: &str) -> String {
    let (mut text, mut in_tag) = (String::new(), false);
    for it in line.chars() {
        match it {
            '<' if line.starts_with('<') => in_tag = true,
            '>' if in_tag => in_tag = false,
            _ if !in_tag => text.push(it),
            _ => {}
        }
    }
    text
}

fn sentences(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, _) in line.match_indices(['.', '!', '?']) {
        let (before, rest) = line.split_at(at + 1);
        let next = rest.trim_start();
        let ends =
            rest.len() > next.len() && next.starts_with(|it: char| it.is_ascii_uppercase() || it == '`');
        if ends && !["e.g.", "i.e.", "etc."].iter().any(|it| before.ends_with(it)) {
            found.push(line[start..=at].trim());
            start = line.len() - next.len();
        }
    }
    found.push(line[start..].trim());
    found
}
