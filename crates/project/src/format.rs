//! Formats the files of a project in memory, in parallel: nothing is written.

use std::ops::RangeInclusive;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::system::{WalkProblem, is_ignore_file};
use marotte_db::{File, may_be_hiera, mode, source_text};
use marotte_diagnostics::{Diagnostic, Level, syntax};
use marotte_format::{Error, Options, apply, format, format_range};

use crate::driver::{Workers, caught, in_parallel};
use crate::{Project, ProjectDatabase, discovery};

/// The result of formatting a file.
#[derive(Clone, Debug)]
pub struct Formatted {
    /// The absolute path of the file.
    pub path: Utf8PathBuf,
    /// The outcome for the file.
    pub outcome: Outcome,
}

/// The outcome of formatting a file.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The file is already formatted.
    Same,
    /// Formatting changes the file.
    Changed {
        /// The text before formatting.
        before: String,
        /// The text after formatting.
        after: String,
    },
    /// The file has syntax errors.
    Unreadable(Vec<Arc<Diagnostic>>),
    /// The file cannot be formatted; the reason, as a sentence about the file.
    Refused(String),
}

/// Returns the paths that could not be read, although code to format may be there, or although they list what is not formatted,
/// if `ignores` says that this counts.
pub fn unread(project: &Project, ignores: bool) -> impl Iterator<Item = (&Utf8Path, &WalkProblem)> {
    let all = project.problems().iter().map(|(path, problem)| (path.as_path(), problem));
    all.filter(move |(path, problem)| {
        let is_named = || project.targets().iter().any(|it| path.starts_with(&it.path));
        match problem {
            // What a loop leads to is found under other paths, and settings name no code to format.
            WalkProblem::Loop(_) | WalkProblem::NotAFolder => false,
            WalkProblem::LeavesTree | WalkProblem::TooMuch | WalkProblem::NotUtf8 => is_named(),
            WalkProblem::Unreadable(_) => {
                ignores && is_ignore_file(path)
                    || is_named() && (!is_of_checks(path) || project.system().is_directory(path))
            }
        }
    })
}

/// Whether only checks read a file, judging by its name.
fn is_of_checks(path: &Utf8Path) -> bool {
    discovery::is_landmark(path) || discovery::is_support(path) || may_be_hiera(path)
}

/// Whether a file is code that can be formatted: a manifest or a template.
pub fn is_code(path: &Utf8Path) -> bool {
    matches!(path.extension(), Some("pp" | "epp"))
}

/// Formats files, in order. `options` returns the options for a path; if `lines` is given, only these lines are formatted.
pub(crate) fn format_files(
    db: ProjectDatabase,
    workers: &Workers,
    files: &[File],
    options: &(dyn Fn(&Utf8Path) -> Options + Sync),
    lines: Option<&RangeInclusive<usize>>,
) -> Vec<Formatted> {
    in_parallel(db, workers, files, |db, &file| {
        let path = file.path(db).to_owned();
        let outcome = caught(db, || outcome(db, file, options(&path), lines)).unwrap_or_else(|panic| {
            Outcome::Refused(format!("marotte failed on this file, which is a bug: {panic}"))
        });
        Formatted { path, outcome }
    })
}

fn outcome(
    db: &ProjectDatabase,
    file: File,
    options: Options,
    lines: Option<&RangeInclusive<usize>>,
) -> Outcome {
    let source = source_text(db, file);
    if let Some(error) = source.error() {
        return Outcome::Refused(error.to_string());
    }
    let (text, mode) = (source.text(), mode(db, file));
    let formatted = match lines {
        None => format(text, mode, &options),
        Some(lines) => format_range(text, mode, &options, lines.clone()).map(|edits| apply(text, &edits)),
    };
    match formatted {
        Ok(after) if after == text => Outcome::Same,
        Ok(after) => Outcome::Changed { before: text.to_owned(), after },
        Err(Error::Syntax(errors)) => {
            let diagnostics = errors.iter().map(|error| syntax::diagnostic(file.id(db), error, text));
            Outcome::Unreadable(diagnostics.filter(|it| it.level == Level::Error).map(Arc::new).collect())
        }
        Err(error) => Outcome::Refused(error.to_string()),
    }
}
