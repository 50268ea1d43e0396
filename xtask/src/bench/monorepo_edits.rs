//! Measures the processor time from an edit of a monorepo to the difference in findings.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use camino::Utf8PathBuf;
use marotte_db::DiskSystem;
use marotte_project::{ChangeBatch, Project, ProjectDatabase, ProjectOptions};
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

use super::measure::median;
use super::monorepo;
use super::report::{Bound, Report};
use super::scratch::Scratch;
use crate::{Result, console, files, process};

/// Make a monorepo, check it, edit it; prints what that took as JSON.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder to write it to; an absolute path.
    dir: PathBuf,
    /// The number of copies of the monorepo.
    #[arg(long, default_value_t = 1)]
    copies: usize,
    /// The number of files to edit in each way, each twice.
    #[arg(long, default_value_t = 50)]
    files: usize,
}

/// A kind of edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Kind {
    /// Adds a resource to a class.
    Body,
    /// Adds a variable to a class, which others may read.
    Variable,
    /// Adds a parameter to a class that 14 others include.
    Signature,
    /// Adds a class to the file of another class.
    Definition,
    /// An edit that removes a class.
    Removal,
    /// Changes the value of a parameter.
    Data,
    /// Adds a brace that closes nothing.
    Broken,
    /// Removes this brace.
    Repaired,
    /// Creates a manifest with a class.
    Created,
    /// Deletes this manifest.
    Deleted,
}

impl Kind {
    const ALL: [Kind; 10] = [
        Kind::Body,
        Kind::Variable,
        Kind::Signature,
        Kind::Definition,
        Kind::Removal,
        Kind::Data,
        Kind::Broken,
        Kind::Repaired,
        Kind::Created,
        Kind::Deleted,
    ];

    /// The label in the report, and the target in milliseconds.
    fn aim(self) -> (&'static str, Bound) {
        match self {
            Kind::Body => ("an edit of a body", Bound::AtMost(1.0)),
            Kind::Variable => ("a variable more of a class", Bound::AtMost(1.0)),
            // It is included by 14 classes, and by the class of the previous module.
            Kind::Signature => ("an edit of a signature with 15 users", Bound::AtMost(1.0 + 0.5 * 15.0)),
            Kind::Definition => ("a new definition", Bound::AtMost(2.0)),
            Kind::Removal => ("a removed definition", Bound::AtMost(2.0)),
            Kind::Data => ("another value in data", Bound::AtMost(1.0)),
            // An unreadable file may declare and read anything.
            Kind::Broken => ("a syntax error", Bound::None),
            Kind::Repaired => ("a repaired syntax error", Bound::None),
            Kind::Created => ("a new manifest", Bound::None),
            Kind::Deleted => ("a deleted manifest", Bound::None),
        }
    }

    /// Returns the file that edit number `number` changes, and its text after the edit, or None if the edit deletes it; the text
    /// or the file differs if `again`.
    fn edited(
        self,
        dir: &Path,
        copies: usize,
        number: usize,
        again: bool,
    ) -> Result<(PathBuf, Option<String>)> {
        let times = usize::from(again) + 1;
        // A prime, so that the edits spread.
        let (copy, module) = (number % copies, number * 37);
        let name = monorepo::name(copy, module);
        let role = monorepo::role(copy, module, number);
        let in_role = |statement: &str| -> Result<String> {
            let text = files::read(&dir.join(&role))?;
            let (before, after) = text.split_at(text.rfind('}').unwrap_or(text.len()));
            Ok(format!("{before}{statement}{after}"))
        };
        let created = || PathBuf::from(format!("modules/{name}/manifests/edit_{number}_{times}.pp"));
        let (path, text) = match self {
            Kind::Body => {
                let text = in_role(&format!("  notify {{ 'edit {number} {times}': }}\n"))?;
                (role, text)
            }
            Kind::Variable => {
                let text = in_role(&format!("  $edit_{number}_{times} = {number}\n"))?;
                (role, text)
            }
            Kind::Signature => {
                let path = monorepo::class(copy, module);
                let text = files::read(&dir.join(&path))?;
                let parameter = format!("  Optional[String] $edit_{number}_{times} = undef,\n");
                (path, text.replacen("(\n", &format!("(\n{parameter}"), 1))
            }
            Kind::Definition => {
                let text = files::read(&dir.join(&role))?;
                let class = format!("{name}::role{:02}::edit_{times}", number % monorepo::ROLES);
                (role, format!("{text}\nclass {class} {{ }}\n"))
            }
            Kind::Removal => {
                let text = files::read(&dir.join(&role))?;
                let end = text.rfind("\nclass ").unwrap_or(text.len());
                (role, text[..end].to_owned())
            }
            Kind::Data => {
                let path = monorepo::data_file(copy, module);
                let text = files::read(&dir.join(&path))?;
                let old =
                    text.lines().find(|it| it.starts_with(&format!("{name}::port:"))).unwrap_or_default();
                let new = format!("{name}::port: {}", 8000 + 2 * number + times);
                (path, text.replacen(old, &new, 1))
            }
            Kind::Broken => {
                let text = files::read(&dir.join(&role))?;
                (role, format!("{text}}}\n"))
            }
            Kind::Repaired => {
                let text = files::read(&dir.join(&role))?;
                let repaired = text.strip_suffix("}\n").unwrap_or(&text).to_owned();
                (role, repaired)
            }
            Kind::Created => {
                (created(), format!("class {name}::edit_{number}_{times} {{\n  include {name}\n}}\n"))
            }
            Kind::Deleted => return Ok((created(), None)),
        };
        Ok((path, Some(text)))
    }
}

/// The result of the edits.
#[derive(Serialize, Deserialize)]
struct Outcome {
    manifests: usize,
    /// The seconds of processor time of the first check.
    first: f64,
    edits: Vec<Edit>,
}

/// The result of one edit.
#[derive(Serialize, Deserialize)]
struct Edit {
    kind: Kind,
    /// Whether it isn't the first edit of this kind and file.
    again: bool,
    /// The seconds of processor time.
    seconds: f64,
    /// The number of files that the edit may affect.
    asked: usize,
    /// The number of files that were checked again.
    checked: usize,
    /// The number of files whose findings changed.
    changed: usize,
}

/// Returns the seconds of processor time that this process has used.
fn used() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Runs the hidden subcommand `monorepo-passes`, which measures in a separate process.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { dir, copies, files: count } = arguments;
    let manifests = monorepo::write(dir, *copies)?;
    let root = utf8(dir.clone())?;
    let start = used();
    let database = ProjectDatabase::new(Arc::new(DiskSystem::new()?));
    let mut project = Project::new(database, &[root], ProjectOptions::default());
    project.update(&ChangeBatch::new());
    let mut outcome = Outcome { manifests, first: used() - start, edits: Vec::new() };
    for kind in Kind::ALL {
        for number in 0..*count {
            for again in [false, true] {
                let (path, text) = kind.edited(dir, *copies, number, again)?;
                let path = dir.join(path);
                match text {
                    Some(text) => files::write(&path, &text)?,
                    None => files::remove_file(&path)?,
                }
                let mut batch = ChangeBatch::new();
                batch.touch(utf8(path)?);
                let start = used();
                let delta = project.update(&batch);
                let seconds = used() - start;
                let (asked, checked, changed) = (delta.asked, delta.checked, delta.changed.len());
                outcome.edits.push(Edit { kind, again, seconds, asked, checked, changed });
            }
        }
    }
    console::say(&serde_json::to_string(&outcome)?);
    Ok(())
}

fn utf8(path: PathBuf) -> Result<Utf8PathBuf> {
    Utf8PathBuf::from_path_buf(path).map_err(|path| format!("{} is not UTF-8", path.display()).into())
}

/// Generates and edits the monorepo, each size in a separate process.
pub(super) fn measure(xtask: &Path, report: &mut Report) -> Result<()> {
    for copies in [1, 4, 16] {
        let scratch = Scratch::new("monorepo")?;
        let mut command = Command::new(xtask);
        command.arg("monorepo-passes").arg(scratch.folder().join("tree"));
        command.args(["--copies", &copies.to_string()]);
        let outcome: Outcome = serde_json::from_str(&process::output(&mut command)?)?;
        let what = format!("first check of {} manifests", outcome.manifests);
        report.add(&what, outcome.first * 1e3, "ms", Bound::None, "processor time");
        for (kind, again) in Kind::ALL.into_iter().flat_map(|kind| [(kind, false), (kind, true)]) {
            let edits: Vec<&Edit> =
                outcome.edits.iter().filter(|it| it.kind == kind && it.again == again).collect();
            let seconds: Vec<f64> = edits.iter().map(|it| it.seconds).collect();
            let slowest = seconds.iter().copied().fold(0.0, f64::max);
            let most = |count: fn(&Edit) -> usize| edits.iter().map(|it| count(it)).max().unwrap_or(0);
            let note = format!(
                "processor time, median of {}, slowest {:.2} ms, at most {} files asked and {} checked again",
                edits.len(),
                slowest * 1e3,
                most(|it| it.asked),
                most(|it| it.checked),
            );
            let (what, aim) = kind.aim();
            let which = if again { "again" } else { "first of its file" };
            let what = format!("{what}, {copies} copies, {which}");
            report.add(&what, median(seconds) * 1e3, "ms", aim, &note);
        }
    }
    Ok(())
}
