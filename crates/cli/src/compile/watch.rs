//! `marotte compile --watch`.

mod changes;
mod texts;

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Write as _};
use std::sync::mpsc;
use std::time::Instant;

use marotte_catalog::Catalog;
use marotte_catalog::wire::Envelope;
use marotte_diagnostics::printable;
use marotte_host::Node;
use marotte_impact::Fault;
use marotte_project::ChangeBatch;
use marotte_project::watch::{self, Debounce, FileWatcher, Signal};
use marotte_text::Str;

use super::{Written, envelope, names, print_catalog, written};
use crate::Status;
use crate::args::{CatalogFormat, CompileArgs};
use crate::compilation::{BATCH, Compilation, NodeReport, Outcome, Reports};
use crate::failure::Failure;
use crate::interrupt::stop_on_interrupt;
use texts::Texts;

/// A node, with its last output.
struct Watched {
    node: Result<Node, String>,
    /// The edition that was processed last.
    edition: Option<u64>,
    /// A hash of the last output.
    shown: Option<u64>,
    /// The last catalog, or the errors, if differences are to be reported.
    last: Option<Result<Catalog, Vec<Fault>>>,
    /// The last catalog, while compilations fail.
    compiled: Option<Catalog>,
}

impl Watched {
    /// Keeps the outcome of a compilation, and the last catalog if it is an error.
    fn keep(&mut self, new: Result<Catalog, Vec<Fault>>) {
        let is_catalog = new.is_ok();
        match self.last.replace(new) {
            Some(Ok(catalog)) if !is_catalog => self.compiled = Some(catalog),
            _ if is_catalog => self.compiled = None,
            _ => {}
        }
    }

    /// The last catalog, whatever has failed since.
    fn last_catalog(&self) -> Option<&Catalog> {
        self.last.as_ref()?.as_ref().ok().or(self.compiled.as_ref())
    }
}

/// An output for a node.
struct New {
    /// The hash of the output.
    number: u64,
    written: Written,
}

type Nodes = BTreeMap<Option<String>, Watched>;

/// Compiles, and compiles again after every change, until the user interrupts it.
pub(super) fn run(args: &CompileArgs) -> Result<Status, Failure> {
    let Some(mut compilation) = Compilation::kept(&args.compilation)? else { return Ok(Status::Findings) };
    names(args, &compilation)?;
    compilation.require_facts(args.nodes.iter().map(String::as_str))?;
    let (signals, received) = mpsc::channel();
    stop_on_interrupt(signals.clone())?;
    // Watching starts first, so that no change is lost between the first compilation and the first event.
    let mut watcher = FileWatcher::new(compilation.system(), compilation.watched(), signals.clone())
        .map_err(watch_failure)?;

    let (mut nodes, mut texts) = (Nodes::new(), Texts::default());
    describe(args, &mut compilation, &ChangeBatch::everything(), &mut nodes)?;
    // Changes that have not been processed.
    let mut batch = ChangeBatch::new();
    loop {
        let started = Instant::now();
        match look(args, &mut compilation, &mut watcher, &batch, &mut nodes) {
            Ok(()) => {
                batch = ChangeBatch::new();
                let count = match args.format {
                    CatalogFormat::Summary => changes::show(args, &compilation, &mut nodes, &mut texts)?,
                    _ => show(args, &compilation, &mut nodes)?,
                };
                // Links may have led the compilation out of the tree.
                let new = watcher.set(compilation.watched()).map_err(watch_failure)?;
                if !new.is_empty() {
                    // The receiver exists: it is below.
                    let _ = signals.send(Signal::Changed(new));
                }
                let (all, seconds) = (nodes.len(), started.elapsed().as_secs_f64());
                writeln!(
                    io::stderr().lock(),
                    "{count} of {all} catalogs are new, after {seconds:.2} s. Waiting for changes."
                )?;
            }
            // A missing folder may come back: a deployment takes a moment.
            Err(failure) => {
                let text = failure.to_string();
                let text = printable::text(&text);
                writeln!(io::stderr().lock(), "error: {text}. Waiting for changes.")?;
            }
        }
        match watch::changes(&received, Debounce::default()) {
            Some(changes) => batch.merge(changes),
            None => return Ok(Status::Clean),
        }
        watcher.follow(&batch).map_err(watch_failure)?;
    }
}

fn watch_failure(error: watch::WatchError) -> Failure {
    Failure::Message(error.to_string())
}

/// Handles a batch of changes.
fn look(
    args: &CompileArgs,
    compilation: &mut Compilation<'_>,
    watcher: &mut FileWatcher,
    batch: &ChangeBatch,
    nodes: &mut Nodes,
) -> Result<(), Failure> {
    compilation.apply(batch)?;
    // The environment may have changed its module path.
    let new = watcher.set(compilation.watched()).map_err(watch_failure)?;
    if !new.is_empty() {
        compilation.apply(&new)?;
    }
    describe(args, compilation, batch, nodes)
}

/// Updates the descriptions of the nodes, as far as they may have changed.
fn describe(
    args: &CompileArgs,
    compilation: &mut Compilation<'_>,
    batch: &ChangeBatch,
    nodes: &mut Nodes,
) -> Result<(), Failure> {
    let names = names(args, compilation)?;
    if !nodes.is_empty() {
        let listed = |all: Vec<&Option<String>>| {
            let all: Vec<&str> = all.into_iter().flatten().map(String::as_str).collect();
            (!all.is_empty()).then(|| printable::line(&all.join(", ")).into_owned())
        };
        let mut told = io::stderr().lock();
        if let Some(new) = listed(names.iter().filter(|it| !nodes.contains_key(*it)).collect()) {
            writeln!(told, "New: {new}")?;
        }
        if let Some(gone) = listed(nodes.keys().filter(|it| !names.contains(it)).collect()) {
            writeln!(told, "Gone: {gone}")?;
        }
    }
    nodes.retain(|name, _| names.contains(name));
    for name in names {
        let known = nodes.get(&name).and_then(|it| it.node.as_ref().ok().copied());
        if nodes.contains_key(&name) && !compilation.is_described_by(name.as_deref(), batch) {
            continue;
        }
        let node = compilation.describe(known, name.as_deref()).map_err(|failure| failure.to_string());
        nodes
            .entry(name)
            .or_insert(Watched {
                node: Err(String::new()),
                edition: None,
                shown: None,
                last: None,
                compiled: None,
            })
            .node = node;
    }
    Ok(())
}

/// Writes the outputs that have changed; returns their number.
fn show(args: &CompileArgs, compilation: &Compilation<'_>, nodes: &mut Nodes) -> Result<usize, Failure> {
    let (mut count, mut reports) = (0, Reports::default());
    let mut nodes: Vec<(&Option<String>, &mut Watched)> = nodes.iter_mut().collect();
    for nodes in nodes.chunks_mut(BATCH) {
        let known = nodes.iter().filter_map(|(_, it)| Some((*it.node.as_ref().ok()?, &**it)));
        let known: Vec<(Node, &Watched)> = known.collect();
        let node = |(node, it): &(Node, &Watched)| (*node, it.edition);
        let make = |(_, it): &(Node, &Watched), outcome| anew(args, it.shown, &outcome);
        let mut made = compilation.changed(&known, node, make).into_iter();
        for (name, it) in nodes.iter_mut() {
            let made = match &it.node {
                Ok(_) => made.next().unwrap_or(Ok(None)),
                Err(message) => Err(message.clone().into()),
            };
            let new = match made {
                Ok(None) => None,
                Ok(Some((edition, new))) => {
                    it.edition = Some(edition);
                    new
                }
                Err(failure) => Some(failed(&failure)).filter(|new| it.shown != Some(new.number)),
            };
            if let Some(New { number, written }) = new {
                it.shown = Some(number);
                count += 1;
                let failed = name.as_deref().filter(|_| written.name.is_none());
                io::stderr().lock().write_all(&reports.add(&written.report, failed))?;
                print_catalog(args.format, &written.text)?;
            }
        }
    }
    if let Some(line) = reports.repeated() {
        writeln!(io::stderr().lock(), "{}", printable::line(&line))?;
    }
    io::stdout().lock().flush()?;
    Ok(count)
}

/// Returns the output for a node. None if the same output was already shown.
fn anew(args: &CompileArgs, shown: Option<u64>, outcome: &Outcome) -> Result<Option<New>, Failure> {
    // The time of compilation does not make a catalog a different one.
    let timeless = written(args.format, outcome, &Envelope { version: 0.into(), uuid: Str::new() }, false)?;
    let number = number(&timeless);
    if shown == Some(number) {
        return Ok(None);
    }
    let written = match args.format {
        CatalogFormat::Json => written(args.format, outcome, &envelope(), false)?,
        _ => timeless,
    };
    Ok(Some(New { number, written }))
}

/// The output for a node whose compilation failed, with its hash.
fn failed(failure: &Failure) -> New {
    let report = NodeReport::of(format!("error: {}\n", printable::text(&failure.to_string())));
    let written = Written { name: None, report, text: Vec::new(), status: Status::Findings };
    New { number: number(&written), written }
}

fn number(written: &Written) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&written.report, &written.text).hash(&mut hasher);
    hasher.finish()
}
