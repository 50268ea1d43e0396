//! `marotte affected`.

mod changed;
mod paths;

use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::{DiskSystem, System};
use marotte_diagnostics::printable;
use marotte_host::{Clock, Node};
use marotte_impact::Side;
use marotte_project::ChangeBatch;
use serde_json::{Value, json};

use crate::Status;
use crate::args::{AffectedArgs, NameFormat};
use crate::compilation::{BATCH, Compilation, Reuse, distinct};
use crate::failure::Failure;
use crate::impact::relative;
use crate::result_cache::{CachedResult, ResultCache};
use crate::sources::Sources;
use crate::terminal::{print, print_json};
use changed::{ChangedSystem, FileState};
use paths::{changes, decides_on_code, files};

/// Reports the nodes that a change of files can affect: those whose evaluation reads any of the files, or looks for them.
pub(crate) fn run(args: &AffectedArgs) -> Result<Status, Failure> {
    crate::evaluation::refuse_recording(&args.compilation.evaluation, "affected")?;
    let disk: Arc<dyn System> = Arc::new(DiskSystem::new()?);
    let changes = changes(args)?;
    let files = files(&changes, &*disk)?;
    let system = Arc::new(ChangedSystem::new(Arc::clone(&disk), &files));
    let code = Arc::<ChangedSystem>::clone(&system);
    let clock = Clock::Fixed(Clock::System.now());
    let sources = Sources::new(&args.compilation, &*disk)?;
    let reuse = if args.cache.no_cache { Reuse::AfterEdits } else { Reuse::BetweenRuns };
    let tracked = Compilation::of(&args.compilation, sources, Arc::clone(&disk), code, clock, reuse)?;
    let Some(mut tracked) = tracked else {
        return Ok(Status::Findings);
    };
    tracked.require_facts(args.node.iter().map(String::as_str))?;
    let names = if args.node.is_empty() { tracked.all_nodes()? } else { distinct(&args.node) };
    let batch: ChangeBatch = files.iter().cloned().collect();
    let mut nodes: Vec<NodeStatus> = Vec::new();
    for name in names {
        // Facts that can't be read now may be readable after the change.
        let node = tracked.describe(None, Some(&name)).ok();
        let is_touched = node.is_none() || tracked.is_described_by(Some(&name), &batch);
        nodes.push(NodeStatus {
            name,
            node,
            is_touched,
            is_incomplete: false,
            reasons: Vec::new(),
            cached: None,
        });
    }
    let mut cache = ResultCache::open(&args.cache, &args.compilation, &tracked, &[], Arc::clone(&disk))?;
    if let Some(cache) = &mut cache {
        let mut open: Vec<&mut NodeStatus> = nodes.iter_mut().filter(|it| !it.is_touched).collect();
        let asked: Vec<(String, Node)> =
            open.iter().filter_map(|it| Some((it.name.clone(), it.node?))).collect();
        let found = cache.find(&tracked, &asked, usize::MAX);
        for (it, found) in open.iter_mut().filter(|it| it.node.is_some()).zip(found) {
            it.is_incomplete = found.as_ref().is_some_and(|it| matches!(it.side(), Side::Incomplete(_)));
            it.cached = found;
        }
    }
    tell_what_is_never_read(&changes, &files, &tracked, &*disk)?;
    // The values of `--set` may have been computed by functions of the tree.
    let is_whole = learn(&mut nodes, &tracked, &mut cache) && args.compilation.evaluation.set.is_empty();
    let cache = cache.as_ref();
    cache.map_or(Ok(()), ResultCache::save)?;
    let decides = files.iter().any(|it| decides_on_code(it, &tracked, &*disk));
    if decides
        || !is_whole
        || touch(&mut nodes, &mut tracked, cache, (&ChangeBatch::everything(), &|state| system.set(state)))
    {
        nodes.iter_mut().for_each(|it| it.is_touched = true);
    }
    for it in tracked.unread_data() {
        writeln!(io::stderr().lock(), "{}", printable::line(&format!("warning: {it}")))?;
        nodes.iter_mut().for_each(|it| it.is_incomplete = true);
    }
    let all = nodes.len();
    let unknown: Vec<String> =
        nodes.iter().filter(|it| !it.is_touched && it.is_incomplete).map(|it| it.name.clone()).collect();
    if args.reasons {
        nodes.retain(|it| it.is_touched);
        reasons(&files, &mut nodes, &mut tracked, cache, (&system, &*disk))?;
    }
    report(args, &changes, (all, &unknown), &nodes)
}

/// A node, with the result for it.
struct NodeStatus {
    name: String,
    /// The node. None if its facts can't be read.
    node: Option<Node>,
    is_touched: bool,
    /// Whether part of its catalog is unknown: what wasn't evaluated may read any file.
    is_incomplete: bool,
    /// The indices of the files whose change can affect the node.
    reasons: Vec<usize>,
    /// The result of its evaluation in another run, which replaces the evaluation.
    cached: Option<CachedResult>,
}

/// Tries each state of the files that change, whose paths `batch` has: unreadable files, files that are gone, and unreadable folders
/// in place of paths that are not files. Marks the nodes whose evaluation changes. Returns whether all nodes can be affected, because
/// the evaluated code may be elsewhere.
fn touch(
    nodes: &mut [NodeStatus],
    tracked: &mut Compilation<'_>,
    cache: Option<&ResultCache>,
    (batch, set): (&ChangeBatch, &dyn Fn(FileState)),
) -> bool {
    let module_path = tracked.module_path().to_vec();
    for state in [FileState::Unreadable, FileState::Gone, FileState::Folder] {
        set(state);
        let applied = tracked.apply(batch);
        if applied.is_err() || tracked.module_path() != module_path {
            return true;
        }
        look(nodes, tracked, true);
        ask(nodes, tracked, cache);
    }
    false
}

/// Finds the files that can affect nodes: each file is changed alone.
fn reasons(
    files: &[Utf8PathBuf],
    nodes: &mut [NodeStatus],
    tracked: &mut Compilation<'_>,
    cache: Option<&ResultCache>,
    (system, disk): (&ChangedSystem, &dyn System),
) -> Result<(), Failure> {
    let all = 0..files.len();
    let mut last = ChangeBatch::everything();
    for (number, file) in files.iter().enumerate() {
        let batch: ChangeBatch = system.paths_of(number).cloned().collect();
        // All evaluations are those of the unchanged files again.
        system.set(FileState::Kept);
        tracked.apply(&last)?;
        nodes.iter_mut().for_each(|it| it.is_touched = false);
        let is_whole = look(nodes, tracked, false);
        let all_are = !is_whole
            || decides_on_code(file, tracked, disk)
            || touch(nodes, tracked, cache, (&batch, &|state| system.set_only(number, state)));
        for it in nodes.iter_mut() {
            let is_described = it.node.is_none() || tracked.is_described_by(Some(&it.name), &batch);
            if all_are || it.is_touched || is_described {
                it.reasons.push(number);
            }
        }
        last = batch;
    }
    for it in nodes.iter_mut() {
        it.is_touched = true;
        if it.reasons.is_empty() {
            it.reasons.extend(all.clone());
        }
    }
    Ok(())
}

/// Reports the files that no evaluation can read, through any links.
fn tell_what_is_never_read(
    changes: &[Utf8PathBuf],
    files: &[Utf8PathBuf],
    tracked: &Compilation<'_>,
    disk: &dyn System,
) -> io::Result<()> {
    let paths = tracked.paths();
    // A module may be a link that leads elsewhere.
    let folders = paths.iter().map(Utf8PathBuf::as_path).chain(tracked.modules().iter().map(|(_, it)| it));
    let real: Vec<Utf8PathBuf> = folders.filter_map(|it| disk.canonicalize(it).ok()).collect();
    for (path, absolute) in changes.iter().zip(files) {
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

/// Evaluates the nodes that other runs know nothing of, and keeps what they have read. Returns whether all were evaluated.
fn learn(nodes: &mut [NodeStatus], tracked: &Compilation<'_>, cache: &mut Option<ResultCache>) -> bool {
    let Some(cache) = cache else { return look(nodes, tracked, false) };
    let root = tracked.root().unwrap_or(Utf8Path::new("/"));
    let mut all = true;
    for nodes in nodes.chunks_mut(BATCH) {
        let open = nodes.iter().filter(|it| !it.is_touched && it.cached.is_none());
        let open: Vec<(&String, Node)> = open.filter_map(|it| Some((&it.name, it.node?))).collect();
        let keeper = &*cache;
        let made = tracked.traced(
            &open,
            |(_, node)| *node,
            |_, mut outcome| {
                let asked = outcome.asked.take();
                (outcome.is_incomplete(), keeper.draft(asked, &relative(outcome, root)))
            },
        );
        all &= made.iter().all(Result::is_ok);
        let mut drafts = Vec::new();
        let mut incomplete = BTreeSet::new();
        for ((name, node), made) in open.iter().zip(made) {
            let Some((is_incomplete, draft)) = made.ok().flatten() else { continue };
            if is_incomplete {
                incomplete.insert((*name).clone());
            }
            drafts.extend(draft.map(|it| ((*name).clone(), *node, it)));
        }
        cache.add(tracked, drafts);
        nodes.iter_mut().for_each(|it| it.is_incomplete |= incomplete.contains(&it.name));
    }
    all
}

/// Asks again what evaluations of other runs have asked, and marks the nodes for which an answer is another one.
fn ask(nodes: &mut [NodeStatus], tracked: &Compilation<'_>, cache: Option<&ResultCache>) {
    let Some(cache) = cache else { return };
    let mut open: Vec<(&mut NodeStatus, Node)> = Vec::new();
    for it in nodes.iter_mut().filter(|it| !it.is_touched && it.cached.is_some()) {
        if let Some(node) = it.node {
            open.push((it, node));
        }
    }
    let asked = open.iter().filter_map(|(it, node)| Some((*node, it.cached.as_ref()?)));
    let asked: Vec<(Node, &CachedResult)> = asked.collect();
    let valid = cache.are_valid(tracked, &asked, false);
    for ((it, _), is_valid) in open.iter_mut().zip(valid) {
        it.is_touched |= !is_valid;
    }
}

/// Evaluates the nodes that aren't known to be affected, unless other runs know what they read, and marks those that are evaluated
/// anew if that is asked for. Returns whether all were evaluated.
fn look(nodes: &mut [NodeStatus], tracked: &Compilation<'_>, marks: bool) -> bool {
    let mut all = true;
    for nodes in nodes.chunks_mut(BATCH) {
        let mut open: Vec<&mut NodeStatus> =
            nodes.iter_mut().filter(|it| !it.is_touched && it.cached.is_none()).collect();
        let known: Vec<Node> = open.iter().filter_map(|it| it.node).collect();
        let mut made = tracked.traced(&known, |it| *it, |_, outcome| outcome.is_incomplete()).into_iter();
        for it in open.iter_mut().filter(|it| it.node.is_some()) {
            let made = made.next();
            all &= matches!(made, Some(Ok(_)));
            match made {
                Some(Err(_) | Ok(Some(_))) if marks => it.is_touched = true,
                Some(Ok(Some(is_incomplete))) => it.is_incomplete |= is_incomplete,
                _ => {}
            }
        }
    }
    all
}

/// Writes the nodes that can be affected, with the number of all nodes and those that are not fully known.
fn report(
    args: &AffectedArgs,
    changes: &[Utf8PathBuf],
    (all, unknown): (usize, &[String]),
    nodes: &[NodeStatus],
) -> Result<Status, Failure> {
    let touched: Vec<&NodeStatus> = nodes.iter().filter(|it| it.is_touched).collect();
    let changes: Vec<&str> = changes.iter().map(|it| it.as_str()).collect();
    let reasons =
        |it: &NodeStatus| it.reasons.iter().filter_map(|it| changes.get(*it).copied()).collect::<Vec<_>>();
    match args.output_format {
        NameFormat::Names => {
            let line = |it: &&NodeStatus| match args.reasons {
                true => format!("{}: {}", it.name, reasons(it).join(", ")),
                false => it.name.clone(),
            };
            let lines: String =
                touched.iter().map(|it| format!("{}\n", printable::line(&line(it)))).collect();
            print(&lines)?;
            let mut out = io::stderr().lock();
            writeln!(out, "{} of {all} nodes can be touched", touched.len())?;
            if let Some(name) = unknown.first() {
                let (count, name) = (unknown.len(), printable::line(name));
                writeln!(out, "{count} more are not fully known, and may read any file, such as {name}")?;
            }
        }
        NameFormat::Json => {
            let names: Vec<&str> = touched.iter().map(|it| &*it.name).collect();
            let mut whole = json!({
                "version": 1, "changes": changes, "nodes": all, "affected": names, "incomplete": unknown,
            });
            if args.reasons {
                let reasons = touched.iter().map(|it| (it.name.clone(), json!(reasons(it))));
                whole["reasons"] = Value::Object(reasons.collect());
            }
            let text = serde_json::to_string_pretty(&whole).map_err(io::Error::from)?;
            print_json(&(text + "\n"))?;
        }
    }
    Ok(match (touched.is_empty(), unknown.is_empty() || args.compilation.allow_incomplete) {
        (false, _) => Status::Findings,
        (true, false) => Status::Incomplete,
        (true, true) => Status::Clean,
    })
}
