//! Pages that follow a document: its sections, in its order, with its statements as rows.

use std::path::{Path, PathBuf};

use crate::catalogs::{Scenario, brief, compile};
use crate::programs::{Program, Runner};
use crate::types::{Evaluator, Row};
use crate::workspace;

const ARROW: &str = " → ";
/// The start of the reference's answer, if it differs from the document.
const REFERENCE: &str = " ⚑ ";
/// The reference's answer if it crashes.
const CRASH: &str = "CRASH";
/// The start of the reason after that.
const REASON: &str = " — ";
/// The start of the paragraph about the parts of a section without rows.
const NOT_EXECUTED: &str = "Not executed: ";
/// The start of a line that quotes the sentence that the rows below test.
const QUOTE: &str = "> ";
/// The start of a main manifest, whose answer is its log and the resources of its catalog.
const COMPILE: &str = "compile ";
/// The signs of questions about types, which can't be expressed in programs.
const ABOUT_TYPES: [&str; 4] = [" ∪ ", " ⊇ ", " ∈ ", " calls "];

/// A section of a document.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// The heading of the section in the document.
    pub name: String,
    /// The statements of the section, as rows.
    pub lines: Vec<Line>,
    /// The parts without rows, with the reasons.
    pub not_executed: String,
}

/// A row: a question, with the answers of the document and of the reference.
#[derive(Clone, Debug)]
pub struct Line {
    /// The place of the row: the page and the line in it, from 1.
    pub place: String,
    /// The text before the arrow: a question about types, or a program.
    pub question: String,
    /// The answer of the document.
    pub document: String,
    /// The different answer of the reference, with the reason; `None` if the answers are equal.
    pub reference: Option<(String, String)>,
}

/// Returns the pages of a document, in order.
///
/// # Errors
/// If the folder can't be listed.
pub fn pages(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut pages = workspace::files_below(folder, "md")?;
    pages.retain(|page| !page.ends_with("README.md"));
    Ok(pages)
}

/// Returns the sections of a page.
///
/// # Errors
/// If a row has no answer.
pub fn sections(page: &str, text: &str) -> Result<Vec<Section>, String> {
    let mut sections: Vec<Section> = Vec::new();
    let mut in_rows = false;
    for (index, line) in text.lines().enumerate() {
        let place = format!("{page}:{}", index + 1);
        if line.starts_with("```") {
            in_rows = line == "```rows";
        } else if let Some(name) = line.strip_prefix("## ").filter(|_| !in_rows) {
            sections.push(Section { name: name.to_owned(), ..Section::default() });
        } else if let Some(section) = sections.last_mut() {
            if let Some(what) = line.strip_prefix(NOT_EXECUTED) {
                what.clone_into(&mut section.not_executed);
            } else if in_rows && !line.is_empty() && !line.starts_with(QUOTE) {
                section.lines.push(row(place, line)?);
            }
        } else if in_rows {
            return Err(format!("{place}: a row before the first section"));
        }
    }
    Ok(sections)
}

fn row(place: String, line: &str) -> Result<Line, String> {
    let (line, reference) = match line.rsplit_once(REFERENCE) {
        Some((line, remark)) => {
            let (answer, reason) =
                remark.rsplit_once(REASON).ok_or_else(|| format!("{place}: a remark without a reason"))?;
            (line, Some((answer.to_owned(), reason.to_owned())))
        }
        None => (line, None),
    };
    let (question, document) =
        line.rsplit_once(ARROW).ok_or_else(|| format!("{place}: a row without an answer"))?;
    Ok(Line { place, question: question.to_owned(), document: document.to_owned(), reference })
}

impl Line {
    /// Returns the answer of the reference; if it crashes, that of the document.
    pub fn reference(&self) -> &str {
        let answer = self.reference.as_ref().map(|(answer, _)| answer).filter(|it| *it != CRASH);
        answer.unwrap_or(&self.document)
    }

    /// Returns marotte's answer in a dialect; all errors are `✗`.
    pub fn ask(&self, evaluator: &Evaluator, runner: &Runner) -> String {
        let question = &*self.question.replace('⏎', "\n");
        let answer = if let Some(manifest) = question.strip_prefix(COMPILE) {
            let scenario = Scenario { dialect: Some(evaluator.dialect), ..Scenario::of(manifest) };
            compile(&scenario).map_or_else(|error| format!("✗ {error}"), |it| brief(&it))
        } else if ABOUT_TYPES.iter().any(|sign| question.contains(sign)) {
            Row { line: 0, question, answer: None }.ask(evaluator)
        } else {
            runner.run(&Program::of(question))
        };
        without_message(&answer)
    }
}

/// Removes the message of an error from an answer: `notice: 1 · ✗ …` becomes `notice: 1 · ✗`.
fn without_message(answer: &str) -> String {
    match answer.split_once('✗') {
        Some((before, _)) if before.is_empty() || before.ends_with(" · ") => format!("{before}✗"),
        _ => answer.to_owned(),
    }
}
