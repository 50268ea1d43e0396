//! `marotte compile --watch`.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, Write as _};
use std::sync::mpsc;
use std::time::Instant;

use marotte_catalog::wire::Envelope;
use marotte_project::ChangeBatch;
use marotte_project::evaluation::Node;
use marotte_project::watch::{self, Debounce, FileWatcher, Signal};
use marotte_text::Str;

use super::{Written, envelope, names, written};
use crate::Status;
use crate::args::CompileArgs;
use crate::compilation::{BATCH, Compilation, Outcome};
use crate::failure::Failure;

/// A node, and what was written for it last.
struct Watched {
    node: Result<Node, String>,
    /// The edition that was looked at last.
    edition: Option<u64>,
    /// A number for what was written last.
    shown: Option<u64>,
}

/// Compiles, and compiles again after every change, until the user interrupts it.
pub(super) fn run(args: &CompileArgs) -> Result<Status, Failure> {
    let Some(mut compilation) = Compilation::kept(&args.compilation)? else { return Ok(Status::Findings) };
    let (signals, received) = mpsc::channel();
    let stop = signals.clone();
    ctrlc::set_handler(move || {
        // The loop has ended already if it does not listen.
        let _ = stop.send(Signal::Stop);
    })
    .map_err(|error| format!("cannot react to interrupts: {error}"))?;
    let told = |error: watch::WatchError| Failure::Message(error.to_string());
    // Watching starts first, so that no change falls between the first look and the first event.
    let mut watcher = FileWatcher::new(compilation.system(), compilation.paths(), signals).map_err(told)?;

    let mut nodes = BTreeMap::new();
    let mut batch = ChangeBatch::everything();
    loop {
        let started = Instant::now();
        describe(args, &mut compilation, &batch, &mut nodes)?;
        let count = show(args, &compilation, &mut nodes)?;
        let (all, seconds) = (nodes.len(), started.elapsed().as_secs_f64());
        let mut out = io::stderr().lock();
        writeln!(out, "{count} of {all} catalogs are new, after {seconds:.2} s. Waiting for changes.")?;
        drop(out);
        match watch::changes(&received, Debounce::default()) {
            Some(changes) => batch = changes,
            None => return Ok(Status::Clean),
        }
        watcher.follow(&batch).map_err(told)?;
        compilation.apply(&batch)?;
    }
}

/// Reads anew what is known of the nodes, as far as it may be different.
fn describe(
    args: &CompileArgs,
    compilation: &mut Compilation<'_>,
    batch: &ChangeBatch,
    nodes: &mut BTreeMap<Option<String>, Watched>,
) -> Result<(), Failure> {
    let names = names(args, compilation)?;
    nodes.retain(|name, _| names.contains(name));
    for name in names {
        let known = nodes.get(&name).and_then(|it| it.node.as_ref().ok().copied());
        if nodes.contains_key(&name) && !compilation.is_described_by(name.as_deref(), batch) {
            continue;
        }
        let node = compilation.describe(known, name.as_deref()).map_err(|failure| failure.to_string());
        nodes.entry(name).or_insert(Watched { node: Err(String::new()), edition: None, shown: None }).node =
            node;
    }
    Ok(())
}

/// Writes what is different from what was written last; gives how many that are.
fn show(
    args: &CompileArgs,
    compilation: &Compilation<'_>,
    nodes: &mut BTreeMap<Option<String>, Watched>,
) -> Result<usize, Failure> {
    let mut count = 0;
    let mut nodes: Vec<&mut Watched> = nodes.values_mut().collect();
    for nodes in nodes.chunks_mut(BATCH) {
        let known = nodes.iter().filter_map(|it| Some((*it.node.as_ref().ok()?, it.edition)));
        let known: Vec<(Node, Option<u64>)> = known.collect();
        let mut made = compilation.remembered(&known, |outcome| compare(args, &outcome)).into_iter();
        for it in nodes.iter_mut() {
            let made = match &it.node {
                Ok(_) => made.next().unwrap_or(Ok(None)),
                Err(message) => Err(message.clone().into()),
            };
            let (number, written) = match made {
                Ok(None) => continue,
                Ok(Some((edition, made))) => {
                    it.edition = Some(edition);
                    made
                }
                Err(failure) => failed(&failure),
            };
            if it.shown != Some(number) {
                it.shown = Some(number);
                count += 1;
                io::stderr().lock().write_all(&written.told)?;
                io::stdout().lock().write_all(&written.text)?;
            }
        }
    }
    io::stdout().lock().flush()?;
    Ok(count)
}

/// What is written for a node, with a number by which it is known again.
fn compare(args: &CompileArgs, outcome: &Outcome) -> Result<(u64, Written), Failure> {
    // When it was compiled makes no catalog another.
    let timeless = Envelope { version: 0.into(), uuid: Str::new() };
    let number = number(&written(args.format, outcome, &timeless)?);
    Ok((number, written(args.format, outcome, &envelope())?))
}

/// The same for a node of which nothing came.
fn failed(failure: &Failure) -> (u64, Written) {
    let told = format!("error: {failure}\n").into_bytes();
    let written = Written { told, text: Vec::new(), is_whole: false };
    (number(&written), written)
}

fn number(written: &Written) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&written.told, &written.text).hash(&mut hasher);
    hasher.finish()
}
