//! `marotte affected`.

mod changed;

use std::io::{self, Write as _};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::{DiskSystem, System};
use marotte_diagnostics::printable;
use marotte_host::{Clock, Node};
use marotte_project::ChangeBatch;
use serde_json::{Value, json};

use crate::Status;
use crate::args::{AffectedArgs, NameFormat};
use crate::compilation::{BATCH, Compilation};
use crate::failure::Failure;
use crate::sources::Sources;
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
    let sources = Sources::new(&args.compilation, &*disk)?;
    let tracked = Compilation::tracked(&args.compilation, sources, Arc::clone(&disk), code, clock)?;
    let Some(mut tracked) = tracked else {
        return Ok(Status::Findings);
    };
    tracked.require_facts(args.node.iter().map(String::as_str))?;
    let names = if args.node.is_empty() { tracked.all_nodes()? } else { args.node.clone() };
    let batch: ChangeBatch = files.iter().cloned().collect();
    let mut nodes: Vec<Known> = Vec::new();
    for name in names {
        // Facts that can't be read now may be readable after the change.
        let node = tracked.describe(None, Some(&name)).ok();
        let is_touched = node.is_none() || tracked.is_described_by(Some(&name), &batch);
        nodes.push(Known { name, node, is_touched, reasons: Vec::new() });
    }
    tell_what_is_never_read(args, &files, &tracked, &*disk)?;
    // The values of `--set` may have been computed by functions of the tree.
    let is_whole = look(&mut nodes, &tracked, None) && args.compilation.evaluation.set.is_empty();
    if !is_whole || touch(&mut nodes, &mut tracked, &|fate| system.set(fate), |it| it.is_touched = true) {
        nodes.iter_mut().for_each(|it| it.is_touched = true);
    }
    let all = nodes.len();
    if args.reasons {
        nodes.retain(|it| it.is_touched);
        reasons(&files, &mut nodes, &mut tracked, &system)?;
    }
    report(args, all, &nodes)
}

/// A node, and whether a change can affect it.
struct Known {
    name: String,
    /// None if its facts can't be read.
    node: Option<Node>,
    is_touched: bool,
    /// The numbers of the files whose change can affect it.
    reasons: Vec<usize>,
}

/// Lets files become unreadable, and then disappear, and marks the nodes whose evaluation is another one. Returns whether all
/// nodes can be affected, because the code that is evaluated may be elsewhere.
fn touch(
    nodes: &mut [Known],
    tracked: &mut Compilation<'_>,
    set: &dyn Fn(Fate),
    mark: fn(&mut Known),
) -> bool {
    let module_path = tracked.module_path().to_vec();
    for fate in [Fate::Unreadable, Fate::Gone] {
        set(fate);
        let applied = tracked.apply(&ChangeBatch::everything());
        if applied.is_err() || tracked.module_path() != module_path {
            return true;
        }
        look(nodes, tracked, Some(mark));
    }
    false
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

/// Finds the files because of which nodes can be affected: each file is changed alone.
fn reasons(
    files: &[Utf8PathBuf],
    nodes: &mut [Known],
    tracked: &mut Compilation<'_>,
    system: &ChangedSystem,
) -> Result<(), Failure> {
    let all = 0..files.len();
    for (number, file) in files.iter().enumerate() {
        let batch: ChangeBatch = [file.clone()].into_iter().collect();
        // All evaluations are those of the unchanged files again.
        system.set(Fate::Kept);
        tracked.apply(&ChangeBatch::everything())?;
        nodes.iter_mut().for_each(|it| it.is_touched = false);
        let is_whole = look(nodes, tracked, None);
        let all_are = !is_whole
            || touch(nodes, tracked, &|fate| system.set_only(number, fate), |it| it.is_touched = true);
        for it in nodes.iter_mut() {
            let is_described = it.node.is_none() || tracked.is_described_by(Some(&it.name), &batch);
            if all_are || it.is_touched || is_described {
                it.reasons.push(number);
            }
        }
    }
    for it in nodes.iter_mut() {
        it.is_touched = true;
        if it.reasons.is_empty() {
            it.reasons.extend(all.clone());
        }
    }
    Ok(())
}

/// Notes the files that no evaluation can read, wherever they are linked from.
fn tell_what_is_never_read(
    args: &AffectedArgs,
    files: &[Utf8PathBuf],
    tracked: &Compilation<'_>,
    disk: &dyn System,
) -> io::Result<()> {
    let paths = tracked.paths();
    // A module may be a link that leads elsewhere.
    let folders = paths.iter().map(Utf8PathBuf::as_path).chain(tracked.modules().iter().map(|(_, it)| it));
    let real: Vec<Utf8PathBuf> = folders.filter_map(|it| disk.canonicalize(it).ok()).collect();
    for (path, absolute) in args.changes.iter().zip(files) {
        let own = disk.canonicalize(absolute).unwrap_or_else(|_| absolute.clone());
        if !paths.iter().chain(&real).any(|it| absolute.starts_with(it) || own.starts_with(it)) {
            let text = format!(
                "note: {path} is outside of the code, the data and the facts: no catalog depends on it"
            );
            writeln!(io::stderr().lock(), "{}", printable::line(&text))?;
        }
    }
    Ok(())
}

/// Evaluates the nodes that aren't known to be affected, and marks those that are evaluated anew. Returns whether all were
/// evaluated.
fn look(nodes: &mut [Known], tracked: &Compilation<'_>, mark: Option<fn(&mut Known)>) -> bool {
    let mut all = true;
    for nodes in nodes.chunks_mut(BATCH) {
        let mut open: Vec<&mut Known> = nodes.iter_mut().filter(|it| !it.is_touched).collect();
        let known: Vec<Node> = open.iter().filter_map(|it| it.node).collect();
        let mut made = tracked.traced(&known, |it| *it, |_, _| ()).into_iter();
        for it in open.iter_mut().filter(|it| it.node.is_some()) {
            let made = made.next();
            all &= matches!(made, Some(Ok(_)));
            if let (Some(mark), Some(Err(_) | Ok(Some(())))) = (mark, made) {
                mark(it);
            }
        }
    }
    all
}

/// Writes the nodes that can be affected, of a number of all nodes.
fn report(args: &AffectedArgs, all: usize, nodes: &[Known]) -> Result<Status, Failure> {
    let touched: Vec<&Known> = nodes.iter().filter(|it| it.is_touched).collect();
    let changes: Vec<&str> = args.changes.iter().map(|it| Utf8Path::as_str(it)).collect();
    let reasons =
        |it: &Known| it.reasons.iter().filter_map(|it| changes.get(*it).copied()).collect::<Vec<_>>();
    match args.output_format {
        NameFormat::Names => {
            let line = |it: &&Known| match args.reasons {
                true => format!("{}: {}", it.name, reasons(it).join(", ")),
                false => it.name.clone(),
            };
            let lines: String =
                touched.iter().map(|it| format!("{}\n", printable::line(&line(it)))).collect();
            print(&lines)?;
            writeln!(io::stderr().lock(), "{} of {all} nodes can be touched", touched.len())?;
        }
        NameFormat::Json => {
            let names: Vec<&str> = touched.iter().map(|it| &*it.name).collect();
            let mut whole = json!({ "version": 1, "changes": changes, "nodes": all, "affected": names });
            if args.reasons {
                let reasons = touched.iter().map(|it| (it.name.clone(), json!(reasons(it))));
                whole["reasons"] = Value::Object(reasons.collect());
            }
            let text = serde_json::to_string_pretty(&whole).map_err(io::Error::from)?;
            print_json(&(text + "\n"))?;
        }
    }
    Ok(if touched.is_empty() { Status::Clean } else { Status::Findings })
}
