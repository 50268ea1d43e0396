//! `cargo xtask documents`: what the specification's documents say, sentence by sentence, and where that is tested.
//!
//! The documents are not part of the repository; the table says of their lines what has rows, which differences mean to differ,
//! and what can't be executed, and why. Without the documents, only the table itself is looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::{Result, console, files};

/// Compare the table of what is tested of the specification with the documents.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder of the documents, `NNN_….txt`
    #[arg(env = "SPEC_DOCUMENTS")]
    folder: Option<PathBuf>,

    /// List all sentences and examples, with their places
    #[arg(long)]
    list: bool,
}

/// A sentence or example: its line, and which one of the line it is, both from 1.
type Place = (usize, usize);

/// A row of the table: what covers the sentences between two places.
struct Entry {
    document: String,
    from: Place,
    to: Place,
    what: String,
    target: String,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let entries = entries()?;
    let targets = wrong_targets(&entries)?;
    if !targets.is_empty() {
        return Err(targets.join("\n").into());
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let Some(folder) = &arguments.folder else {
        console::say("the table is sound; skipped: no folder of documents, so no sentences were compared");
        return Ok(());
    };
    let mut uncovered = Vec::new();
    let mut documents: Vec<&str> = entries.iter().map(|it| it.document.as_str()).collect();
    documents.dedup();
    for document in documents {
        let own: Vec<&Entry> = entries.iter().filter(|it| it.document == document).collect();
        for (place, text) in statements(&files::read(&file_of(folder, document)?)?) {
            let (line, index) = place;
            if arguments.list {
                console::say(&format!("{document}:{line}.{index}\t{text}"));
            }
            match own.iter().find(|it| it.from <= place && place <= it.to) {
                Some(entry) => *counts.entry(&entry.what).or_default() += 1,
                None => uncovered.push(format!("{document}:{line}.{index} {text}")),
            }
        }
    }
    for (what, count) in &counts {
        console::say(&format!("{count} by {what}"));
    }
    match uncovered.is_empty() {
        true => Ok(()),
        false => {
            Err(format!("{}\n{} without row, divergence or reason", uncovered.join("\n"), uncovered.len())
                .into())
        }
    }
}

fn values() -> PathBuf {
    files::repository().join("tests/values/documents")
}

fn entries() -> Result<Vec<Entry>> {
    let path = values().join("coverage.tsv");
    let text = files::read(&path)?;
    let mut entries = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        let wrong = || format!("{}:{}: not a row of the table", path.display(), index + 1);
        let [document, from, to, what, target] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(wrong().into());
        };
        entries.push(Entry {
            document: document.to_owned(),
            from: place(from).ok_or_else(wrong)?,
            to: place(to).ok_or_else(wrong)?,
            what: what.to_owned(),
            target: target.to_owned(),
        });
    }
    Ok(entries)
}

/// `12.3`: the third of line 12.
fn place(text: &str) -> Option<Place> {
    let (line, index) = text.split_once('.')?;
    Some((line.parse().ok()?, index.parse().ok()?))
}

/// What is wrong with the targets of the table.
fn wrong_targets(entries: &[Entry]) -> Result<Vec<String>> {
    let divergences = files::read(&files::repository().join("docs/divergences.md"))?;
    let differences: BTreeSet<&str> =
        divergences.lines().filter_map(|line| line.strip_prefix("| ")).collect();
    let mut pages: BTreeMap<String, String> = BTreeMap::new();
    let mut wrong = Vec::new();
    for it in entries {
        let is_there = match &*it.what {
            "row" | "section" => {
                let (page, rest) = it.target.split_once(" § ").unwrap_or((&it.target, ""));
                let (section, question) = rest.split_once(" § ").unwrap_or((rest, ""));
                if !pages.contains_key(page) {
                    pages.insert(page.to_owned(), files::read(&values().join(page))?);
                }
                pages.get(page).is_some_and(|text| has_row(text, section, question))
            }
            "divergence" => differences.iter().any(|row| row.starts_with(&it.target)),
            "reason" => !it.target.is_empty(),
            _ => false,
        };
        if !is_there {
            let (line, index) = it.from;
            wrong.push(format!("{}:{line}.{index}: there is no {} `{}`", it.document, it.what, it.target));
        }
    }
    Ok(wrong)
}

/// Whether a section of a page has a row whose question begins so.
fn has_row(page: &str, section: &str, question: &str) -> bool {
    let (mut is_section, mut in_rows) = (false, false);
    for line in page.lines() {
        if line.starts_with("```") {
            in_rows = line == "```rows";
        } else if let Some(name) = line.strip_prefix("## ").filter(|_| !in_rows) {
            is_section = name == section;
        } else if is_section && in_rows && !line.is_empty() && line.starts_with(question) {
            return true;
        }
    }
    false
}

/// The file of a document, by its number.
fn file_of(folder: &Path, document: &str) -> Result<PathBuf> {
    let prefix = format!("{document}_");
    let found = files::regular_files(folder, &["txt"])?
        .into_iter()
        .find(|it| it.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix)));
    let found = found.map(|it| folder.join(it));
    found.ok_or_else(|| format!("{} has no document {document}", folder.display()).into())
}

/// The sentences and lines of examples of a document: a line is split where a sentence ends and another begins, unless it stands
/// apart. Lines without letters and digits say nothing.
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

/// A line that starts with a tag, without its tags.
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
