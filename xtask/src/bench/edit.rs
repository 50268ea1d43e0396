//! Measures the time from an edit to fresh findings, with the database kept alive like in `check --watch`.

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

/// Check a folder, then edit its manifests one after the other, each some times, and check again; prints what that took as JSON.
///
/// The files in the folder are changed: pass a copy.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder with manifests; an absolute path.
    dir: PathBuf,
    /// The number of files to edit in each way.
    #[arg(long, default_value_t = 50)]
    files: usize,
    /// The number of edits of each file before the next one.
    #[arg(long, default_value_t = 3)]
    edits: usize,
}

/// A kind of edit.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Kind {
    /// Adds a statement to a body.
    Body,
    /// Adds a parameter to a class.
    Signature,
    /// An edit that adds a class.
    Definition,
}

impl Kind {
    const ALL: [Kind; 3] = [Kind::Body, Kind::Signature, Kind::Definition];

    /// Returns the text of a manifest after the edit. `None` if the edit isn't applicable.
    fn edited(self, text: &str, number: usize) -> Option<String> {
        if self == Kind::Body {
            let (before, after) = text.split_at(text.rfind('}').unwrap_or(text.len()));
            return Some(format!("{before}\n  $edit_{number} = {number}\n{after}"));
        }
        let class = text.lines().find_map(|it| it.strip_prefix("class "))?;
        let name = class.split(|it: char| !it.is_ascii_alphanumeric() && it != '_' && it != ':').next()?;
        if self == Kind::Definition {
            return Some(format!("{text}\nclass {name}::edit_{number} {{ }}\n"));
        }
        let (head, rest) = text.split_at(text.find(class)? + name.len());
        let parameter = format!("Optional[String] $edit_{number} = undef");
        match rest.trim_start().chars().next()? {
            '(' => Some(format!("{head}{}", rest.replacen('(', &format!("({parameter}, "), 1))),
            '{' => Some(format!("{head}({parameter}){rest}")),
            _ => None,
        }
    }

    /// The label in the report, and the target in milliseconds.
    fn aim(self) -> (&'static str, f64) {
        match self {
            Kind::Body => ("an edit of a body to fresh findings", 5.0),
            Kind::Signature => ("an edit of a signature to fresh findings", 15.0),
            Kind::Definition => ("a new definition to fresh findings", 20.0),
        }
    }
}

/// The result of the edits.
#[derive(Serialize, Deserialize)]
struct Outcome {
    /// The seconds of the first check.
    first: f64,
    /// The edits that were made.
    edits: Vec<Edit>,
}

/// The result of one edit.
#[derive(Serialize, Deserialize)]
struct Edit {
    kind: Kind,
    /// Whether it is the first edit of this file.
    first: bool,
    /// The seconds until the findings of the whole project are available.
    seconds: f64,
    /// The number of files that were checked again.
    checked: usize,
}

/// The stride from one edited file to the next; a prime, so that edits spread over the corpus.
const STRIDE: usize = 7919;

/// Runs the hidden subcommand `edit-passes`, which measures in a separate process.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let manifests = files::regular_files(&arguments.dir, &["pp"])?;
    if manifests.is_empty() {
        return Err("there is nothing to edit".into());
    }
    let root = utf8(arguments.dir.clone())?;
    let start = Instant::now();
    let database = ProjectDatabase::new(Arc::new(DiskSystem::new()?));
    let mut project = Project::new(database, &[root], ProjectOptions::default());
    project.update(&ChangeBatch::new());
    let first = start.elapsed().as_secs_f64();

    let mut outcome = Outcome { first, edits: Vec::new() };
    let mut next = 0;
    for kind in Kind::ALL {
        for number in 0..arguments.files * arguments.edits {
            let (file, edit) = (number / arguments.edits, number % arguments.edits);
            let path = arguments.dir.join(&manifests[(next + file) * STRIDE % manifests.len()]);
            let Some(edited) = kind.edited(&files::read(&path)?, number) else { continue };
            files::write(&path, &edited)?;
            let start = Instant::now();
            let mut batch = ChangeBatch::new();
            batch.touch(utf8(path)?);
            let checked = project.update(&batch).checked;
            let seconds = start.elapsed().as_secs_f64();
            outcome.edits.push(Edit { kind, first: edit == 0, seconds, checked });
        }
        next += arguments.files;
    }
    console::say(&serde_json::to_string(&outcome)?);
    Ok(())
}

fn utf8(path: PathBuf) -> Result<Utf8PathBuf> {
    Utf8PathBuf::from_path_buf(path).map_err(|path| format!("{} is not UTF-8", path.display()).into())
}

/// Edits a copy of the corpus, in a process of its own.
pub(super) fn measure(xtask: &Path, tree: &Path, report: &mut Report) -> Result<()> {
    let scratch = Scratch::new("edits")?;
    // Includes all files that names depend on: the metadata of modules, their Ruby code, their data.
    let extensions = ["pp", "epp", "json", "rb", "erb", "yaml", "yml"];
    let copy = scratch.copy(tree, &extensions, "copy")?;
    let mut command = Command::new(xtask);
    command.arg("edit-passes").arg(copy);
    let outcome: Outcome = serde_json::from_str(&process::output(&mut command)?)?;
    for (kind, first) in Kind::ALL.into_iter().flat_map(|kind| [(kind, true), (kind, false)]) {
        let edits: Vec<&Edit> =
            outcome.edits.iter().filter(|it| it.kind == kind && it.first == first).collect();
        let seconds: Vec<f64> = edits.iter().map(|it| it.seconds).collect();
        let slowest = seconds.iter().copied().fold(0.0, f64::max);
        let most = edits.iter().map(|it| it.checked).max().unwrap_or(0);
        let note = format!(
            "median of {}, slowest {:.1} ms, at most {most} files checked again; the first check took {:.0} ms",
            edits.len(),
            slowest * 1e3,
            outcome.first * 1e3
        );
        let (what, aim) = kind.aim();
        let what = format!("{what}, {}", if first { "the first of a file" } else { "further ones" });
        report.add(&what, median(seconds) * 1e3, "ms", Bound::AtMost(aim), &note);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn statement_goes_to_the_end_of_the_last_block() {
        let edited = |text: &str| Kind::Body.edited(text, 3).unwrap();
        assert_eq!(edited("class a { b { 'c': } }\n"), "class a { b { 'c': } \n  $edit_3 = 3\n}\n");
        assert_eq!(edited("include a\n"), "include a\n\n  $edit_3 = 3\n");
    }

    #[test]
    fn classes_get_parameters_and_neighbours() {
        let parameter = "Optional[String] $edit_1 = undef";
        let edited = |text: &str| Kind::Signature.edited(text, 1);
        assert_eq!(
            edited("# a\nclass a::b ($x) { }"),
            Some(format!("# a\nclass a::b ({parameter}, $x) {{ }}"))
        );
        assert_eq!(edited("class a {\n}"), Some(format!("class a({parameter}) {{\n}}")));
        assert_eq!(edited("class a inherits b { }"), None);
        assert_eq!(
            Kind::Definition.edited("class a { }\n", 1).unwrap(),
            "class a { }\n\nclass a::edit_1 { }\n"
        );
        assert_eq!(Kind::Definition.edited("include a\n", 1), None);
    }
}
