//! The reference implementation: run when expectations are recorded, never when they are tested.

use std::fmt;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

use crate::literate::{Expectation, Issue, Language, Notation};

/// The reason why the reference couldn't be run, or gave an answer that chapters can't represent.
#[derive(Debug)]
pub enum ReferenceError {
    /// The script can't be run.
    Io(io::Error),
    /// The script's answer is invalid.
    Answer(String),
}

impl fmt::Display for ReferenceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReferenceError::Io(error) => write!(f, "the reference cannot be asked: {error}"),
            ReferenceError::Answer(text) => write!(f, "the reference gives no usable answer: {text}"),
        }
    }
}

impl std::error::Error for ReferenceError {}

impl From<io::Error> for ReferenceError {
    fn from(error: io::Error) -> Self {
        ReferenceError::Io(error)
    }
}

#[derive(Serialize)]
struct Question<'a> {
    id: usize,
    code: &'a str,
    mode: &'static str,
}

#[derive(Deserialize)]
struct Answer {
    verdict: String,
    issues: Vec<Reported>,
    warnings: Vec<Reported>,
    pn: Option<String>,
}

#[derive(Deserialize)]
struct Reported {
    code: String,
    message: String,
    line: Option<u32>,
    column: Option<u32>,
}

/// Queries the reference about many texts at once. `script` is `tests/language/reference.rb`, which documents the protocol.
///
/// # Errors
/// If Ruby or the script can't be run, or if the script violates its protocol.
pub fn ask<'a>(
    script: &Path,
    texts: impl IntoIterator<Item = (Language, &'a str)>,
) -> Result<Vec<Expectation>, ReferenceError> {
    let mut questions = Vec::new();
    for (id, (language, code)) in texts.into_iter().enumerate() {
        let mode = match language {
            Language::Puppet => "pp",
            Language::Tasks => "tasks",
            Language::Epp => "epp",
        };
        let question = Question { id, code, mode };
        serde_json::to_writer(&mut questions, &question).map_err(io::Error::from)?;
        questions.push(b'\n');
    }
    let mut ruby = Command::new("ruby").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (stdin, stdout) = (ruby.stdin.take(), ruby.stdout.take());
    let (Some(mut stdin), Some(stdout)) = (stdin, stdout) else {
        return Err(ReferenceError::Answer("it has no standard input and output".to_owned()));
    };
    // Written from a separate thread: the script answers while it is still reading.
    let writer = std::thread::spawn(move || stdin.write_all(&questions));
    let answers = BufReader::new(stdout).lines().map(|line| read_answer(&line?)).collect();
    ruby.wait()?;
    writer.join().map_err(|_| ReferenceError::Answer("the writing thread failed".to_owned()))??;
    answers
}

fn read_answer(line: &str) -> Result<Expectation, ReferenceError> {
    let unusable = |reason: &str| ReferenceError::Answer(format!("{reason}: {line}"));
    let answer: Answer = serde_json::from_str(line).map_err(|error| unusable(&error.to_string()))?;
    if answer.verdict == "ok" && answer.pn.is_none() {
        // The reference's printer fails on `*$rest` parameters and `apply`, which its parser accepts.
        return Ok(Expectation { tree: Some(Notation::Atom("unprintable".to_owned())), issues: Vec::new() });
    }
    let mut issues = Vec::new();
    for (warning, reported) in answer
        .issues
        .iter()
        .map(|error| (false, error))
        .chain(answer.warnings.iter().map(|warning| (true, warning)))
    {
        // These two issues mean that collectors need a database, which this run of the reference doesn't have.
        if reported.code.starts_with("RT_NO_STORECONFIGS") {
            continue;
        }
        let code = code(reported).to_owned();
        issues.push(Issue { position: reported.line.zip(reported.column), code, warning, own: None });
    }
    let tree = match answer.pn {
        Some(text) if answer.issues.is_empty() => {
            Some(Notation::read(&text).map_err(|error| unusable(&error.to_string()))?)
        }
        _ => None,
    };
    if tree.is_none() && answer.issues.is_empty() {
        return Err(unusable("neither a tree nor an error"));
    }
    Ok(Expectation { tree, issues }.sorted())
}

/// Returns the code under which a chapter shows an issue: the reference's or, if it has none, the name of marotte's
/// rule. `CRASH` isn't a rule of marotte, so marotte's own answer must be next to it.
fn code(reported: &Reported) -> &str {
    match reported.code.as_str() {
        // Parse errors raised by the grammar's actions have no code.
        "UNCODED" => "SYNTAX_ERROR",
        "CRASH:RegexpError" => "invalid-regex",
        // The escape of a surrogate makes a string that isn't valid UTF-8, on which the lexer fails later.
        "CRASH:ArgumentError" if reported.message.contains("invalid byte sequence") => {
            "ILLEGAL_UNICODE_ESCAPE"
        }
        "ILLEGAL_JSON" | "ILLEGAL_BASE64" | "ILLEGAL_PP" | "ILLEGAL_EPP" => "heredoc-text",
        code if code.starts_with("CRASH:") => "CRASH",
        code => code,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_hide_the_tree() {
        let line = r#"{"verdict": "error", "issues": [{"code": "X", "message": "", "line": 1, "column": 2}], "warnings": [], "pn": "1"}"#;
        let answer = read_answer(line).unwrap();
        assert_eq!(answer.tree, None);
        assert_eq!(answer.issues, [Issue::read("X 1:2").unwrap()]);
    }

    #[test]
    fn a_breakdown_of_the_reference_is_shown_as_such() {
        let line = r#"{"verdict": "crash", "issues": [{"code": "CRASH:NoMethodError", "message": "", "line": null, "column": null}], "warnings": [], "pn": null}"#;
        assert_eq!(read_answer(line).unwrap().issues, [Issue::read("CRASH").unwrap()]);
    }

    #[test]
    fn an_answer_without_content_is_refused() {
        let line = r#"{"verdict": "crash", "issues": [], "warnings": [], "pn": null}"#;
        assert!(matches!(read_answer(line), Err(ReferenceError::Answer(_))));
    }
}
