//! `marotte affected`.

mod changed;

use std::io::{self, Write as _};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::{DiskSystem, System};
use marotte_diagnostics::printable;
use marotte_host::{Clock, Node};
use marotte_project::ChangeBatch;
use serde_json::json;

use crate::Status;
use crate::args::{AffectedArgs, NameFormat};
use crate::compilation::{BATCH, Compilation};
use crate::failure::Failure;
use crate::terminal::{print, print_json};
use changed::{ChangedSystem, Fate};

/// Reports which nodes a change of files can affect: those whose evaluation reads any of the files, or looks for them.
pub(crate) fn run(args: &AffectedArgs) -> Result<Status, Failure> {
    crate::evaluation::refuse_recording(&args.compilation.evaluation, "affected")?;
    let disk: Arc<dyn System> = Arc::new(DiskSystem::new()?);
    let files = files(args, &*disk)?;
    let system = Arc::new(ChangedSystem::new(Arc::clone(&disk), &files));
    let code = Arc::<ChangedSystem>::clone(&system);
    let clock = Clock::Fixed(Clock::System.now());
    let Some(mut tracked) = Compilation::tracked(&args.compilation, disk, code, clock)? else {
        return Ok(Status::Findings);
    };
    let names = if args.node.is_empty() { tracked.all_nodes()? } else { args.node.clone() };
    let batch: ChangeBatch = files.iter().cloned().collect();
    let mut nodes: Vec<Known> = Vec::new();
    for name in names {
        // Facts that can't be read now may be readable after the change.
        let node = tracked.describe(None, Some(&name)).ok();
        let is_touched = node.is_none() || tracked.is_described_by(Some(&name), &batch);
        nodes.push(Known { name, node, is_touched });
    }
    // The values of `--set` may have been computed by functions of the tree.
    let is_whole = look(&mut nodes, &tracked, false) && args.compilation.evaluation.set.is_empty();
    let module_path = tracked.module_path().to_vec();
    for fate in [Fate::Unreadable, Fate::Gone] {
        system.set(fate);
        let applied = tracked.apply(&ChangeBatch::everything());
        if !is_whole || applied.is_err() || tracked.module_path() != module_path {
            nodes.iter_mut().for_each(|it| it.is_touched = true);
            break;
        }
        look(&mut nodes, &tracked, true);
    }
    report(args, &nodes)
}

/// A node, and whether a change can affect it.
struct Known {
    name: String,
    /// None if its facts can't be read.
    node: Option<Node>,
    is_touched: bool,
}

/// Returns the absolute paths of the files that change.
fn files(args: &AffectedArgs, disk: &dyn System) -> Result<Vec<Utf8PathBuf>, Failure> {
    let file = |path: &Utf8PathBuf| {
        let absolute = disk.absolute(path);
        if disk.is_directory(&absolute) {
            let message = format!("{path} is a folder; name the files in it that change, such as new ones");
            return Err(Failure::Message(message));
        }
        if disk.metadata(&absolute).is_err() {
            let text = format!("note: {path} does not exist: it is taken for a new file");
            writeln!(io::stderr().lock(), "{}", printable::line(&text))?;
        }
        Ok(absolute)
    };
    args.changes.iter().map(file).collect()
}

/// Evaluates the nodes that aren't known to be affected, and marks those that are evaluated anew. Returns whether all were
/// evaluated.
fn look(nodes: &mut [Known], tracked: &Compilation<'_>, marks: bool) -> bool {
    let mut all = true;
    for nodes in nodes.chunks_mut(BATCH) {
        let mut open: Vec<&mut Known> = nodes.iter_mut().filter(|it| !it.is_touched).collect();
        let known: Vec<Node> = open.iter().filter_map(|it| it.node).collect();
        let made = tracked.traced(&known, |it| *it, |_, _| ());
        for (it, made) in open.iter_mut().zip(made) {
            all &= made.is_ok();
            it.is_touched |= marks && !matches!(made, Ok(None));
        }
    }
    all
}

fn report(args: &AffectedArgs, nodes: &[Known]) -> Result<Status, Failure> {
    let touched: Vec<&str> = nodes.iter().filter(|it| it.is_touched).map(|it| &*it.name).collect();
    match args.output_format {
        NameFormat::Names => {
            let lines: String = touched.iter().map(|it| format!("{}\n", printable::line(it))).collect();
            print(&lines)?;
            let (some, all) = (touched.len(), nodes.len());
            writeln!(io::stderr().lock(), "{some} of {all} nodes can be touched")?;
        }
        NameFormat::Json => {
            let changes: Vec<&str> = args.changes.iter().map(|it| Utf8Path::as_str(it)).collect();
            let whole =
                json!({ "version": 1, "changes": changes, "nodes": nodes.len(), "affected": touched });
            let text = serde_json::to_string_pretty(&whole).map_err(io::Error::from)?;
            print_json(&(text + "\n"))?;
        }
    }
    Ok(if touched.is_empty() { Status::Clean } else { Status::Findings })
}
