//! From an edit to fresh findings, with the database kept alive as `check --watch` keeps it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use camino::Utf8PathBuf;
use marotte_db::DiskSystem;
use marotte_project::{ChangeBatch, Project, ProjectDatabase, ProjectOptions};
use serde::{Deserialize, Serialize};

use super::measure::median;
use super::report::{Bound, Report};
use super::scratch::Scratch;
use crate::{Result, console, files, process};

/// Check a folder, then edit its manifests one after the other and check again; prints what that took as JSON.
///
/// The folder is changed: give it a copy.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder with manifests; an absolute path.
    dir: PathBuf,
    /// How many edits.
    #[arg(long, default_value_t = 200)]
    edits: usize,
}

/// What the edits took.
#[derive(Serialize, Deserialize)]
struct Outcome {
    /// Seconds of the first check.
    first: f64,
    /// Seconds from each edit to the findings of the whole project.
    seconds: Vec<f64>,
    /// How many files each edit caused to be checked again.
    checked: Vec<usize>,
}

/// The stride from one edited file to the next; a prime, so that edits spread over the corpus.
const STRIDE: usize = 7919;

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let manifests = files::regular_files(&arguments.dir, &["pp"])?;
    if manifests.is_empty() {
        return Err("there is nothing to edit".into());
    }
    let root = utf8(arguments.dir.clone())?;
    let start = Instant::now();
    let database = ProjectDatabase::new(Arc::new(DiskSystem::new()?));
    let mut project = Project::new(database, &[root], ProjectOptions::default());
    project.check(&());
    let first = start.elapsed().as_secs_f64();

    let mut outcome = Outcome { first, seconds: Vec::new(), checked: Vec::new() };
    for number in 0..arguments.edits {
        let path = arguments.dir.join(&manifests[number * STRIDE % manifests.len()]);
        files::write(&path, &edited(&files::read(&path)?, number))?;
        let start = Instant::now();
        let mut batch = ChangeBatch::new();
        batch.touch(utf8(path)?);
        project.apply(&batch);
        let report = project.check(&());
        outcome.seconds.push(start.elapsed().as_secs_f64());
        outcome.checked.push(report.checked);
    }
    console::say(&serde_json::to_string(&outcome)?);
    Ok(())
}

/// The text with one more statement before its last brace: at the end of a class's body, in most manifests.
fn edited(text: &str, number: usize) -> String {
    let (before, after) = text.split_at(text.rfind('}').unwrap_or(text.len()));
    format!("{before}\n  $edit_{number} = {number}\n{after}")
}

fn utf8(path: PathBuf) -> Result<Utf8PathBuf> {
    Utf8PathBuf::from_path_buf(path).map_err(|path| format!("{} is not UTF-8", path.display()).into())
}

/// Edits a copy of the corpus, in a process of its own.
pub(super) fn measure(xtask: &Path, tree: &Path, report: &mut Report) -> Result<()> {
    let scratch = Scratch::new("edits")?;
    let copy = scratch.copy(tree, "copy")?;
    let mut command = Command::new(xtask);
    command.arg("edit-passes").arg(copy);
    let outcome: Outcome = serde_json::from_str(&process::output(&mut command)?)?;
    let slowest = outcome.seconds.iter().copied().fold(0.0, f64::max);
    let edits = outcome.seconds.len();
    let note = format!(
        "median of {edits} edits, slowest {:.1} ms; the first check took {:.0} ms",
        slowest * 1e3,
        outcome.first * 1e3
    );
    report.add("an edit to fresh findings", median(outcome.seconds) * 1e3, "ms", Bound::AtMost(5.0), &note);
    let most = outcome.checked.iter().copied().max().unwrap_or(0);
    report.add("files checked again for an edit, at most", most as f64, "files", Bound::AtMost(1.0), "");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::edited;

    #[test]
    fn statement_goes_to_the_end_of_the_last_block() {
        assert_eq!(edited("class a { b { 'c': } }\n", 3), "class a { b { 'c': } \n  $edit_3 = 3\n}\n");
        assert_eq!(edited("include a\n", 0), "include a\n\n  $edit_0 = 0\n");
    }
}
