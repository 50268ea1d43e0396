//! Compiles from the code after only those nodes whose evaluation read something that is different there.

use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use camino::Utf8Path;
use marotte_catalog::Catalog;
use marotte_host::{Clock, Node};
use marotte_impact::{Fault, Gathering, Ignore, Outcome as Impact, Side};
use marotte_project::ChangeBatch;

use super::switched::SwitchedSystem;
use super::trees::Trees;
use super::{fault, impact, relative, shown_name};
use crate::args::ImpactArgs;
use crate::compilation::{BATCH, Compilation};
use crate::failure::Failure;

/// The maximum number of resources in catalogs from the code before that are kept until they are compared.
const KEPT: usize = 250_000;

/// A node, with its catalog from the code before, or the errors.
struct Known {
    name: Option<String>,
    node: Option<Node>,
    outcome: Result<Catalog, Vec<Fault>>,
    /// The reason why there is no catalog from the code after, if its facts can't be read.
    fails_after: Option<Vec<Fault>>,
}

/// The work that was done, for `--verbose`.
#[derive(Default)]
struct Effort {
    /// The number of nodes that were compiled from the code after.
    compiled: usize,
    before: Duration,
    after: Duration,
}

/// Adds all nodes to a report. False if trees are so different that all nodes have to be compiled from both.
///
/// The database switches back and forth between the two trees, each time for as many nodes as have room for their catalogs.
pub(super) fn gather(
    args: &ImpactArgs,
    trees: &Trees,
    clock: Clock,
    names: &[Option<String>],
    sides: [&Compilation<'_>; 2],
    ignore: &Ignore,
    gathering: &mut Gathering,
) -> Result<bool, Failure> {
    let [before, after] = sides;
    // These are values of settings, which are the same for a whole run; variables may call functions of the tree.
    if before.module_path() != after.module_path() || !trees.compilation.evaluation.set.is_empty() {
        return Ok(false);
    }
    let system = Arc::new(SwitchedSystem::new(trees.before.code(), trees.after.code()));
    let code = Arc::<SwitchedSystem>::clone(&system);
    let Some(mut tracked) = Compilation::tracked(&trees.compilation, trees.disk(), code, clock)? else {
        return Ok(false);
    };
    let root = after.root().unwrap_or(Utf8Path::new("/"));
    let most = args.nodes_at_a_time.map(|it| usize::try_from(it).unwrap_or(usize::MAX));
    let mut effort = Effort::default();
    let mut batches = names.chunks(BATCH.min(most.unwrap_or(BATCH))).peekable();
    while batches.peek().is_some() {
        let started = Instant::now();
        if system.shows_after() {
            system.show_after(false);
            tracked.apply(&ChangeBatch::everything())?;
        }
        let (mut nodes, mut resources) = (Vec::new(), 0);
        let has_room = |nodes: &[Known], resources| match most {
            Some(most) => nodes.len() < most,
            None => resources < KEPT,
        };
        while has_room(&nodes, resources)
            && let Some(names) = batches.next()
        {
            let known = evaluated(names, before, &mut tracked, root);
            resources += known.iter().map(Known::resources).sum::<usize>();
            nodes.extend(known);
        }
        let between = Instant::now();
        system.show_after(true);
        tracked.apply(&ChangeBatch::everything())?;
        if args.from_facts_dir.is_some() {
            nodes.iter_mut().for_each(|it| it.describe(after, &mut tracked));
        }
        effort.compiled += compare(nodes, &tracked, root, ignore, gathering);
        effort.before += between - started;
        effort.after += between.elapsed();
    }
    if trees.compilation.evaluation.verbose {
        let Effort { compiled, before, after } = effort;
        let (all, before, after) = (names.len(), before.as_secs_f64(), after.as_secs_f64());
        let mut out = std::io::stderr().lock();
        writeln!(out, "the code before took {before:.2} s\nthe code after took {after:.2} s")?;
        writeln!(out, "{compiled} of {all} nodes read something that is different")?;
    }
    Ok(true)
}

impl Known {
    fn resources(&self) -> usize {
        self.outcome.as_ref().map_or(0, |it| it.resources.len())
    }

    /// Sets the facts that a node has after the change.
    fn describe(&mut self, after: &Compilation<'_>, tracked: &mut Compilation<'_>) {
        match (after.described(self.name.as_deref()), self.node) {
            (Ok(described), Some(node)) => {
                tracked.fleet().describe(node, described);
            }
            (Ok(described), None) => self.node = Some(tracked.fleet().add(described)),
            (Err(failure), node) => {
                self.fails_after = node.map(|_| vec![fault(&failure)]);
                self.node = None;
            }
        }
    }
}

/// Evaluates nodes from the code before.
fn evaluated(
    names: &[Option<String>],
    before: &Compilation<'_>,
    tracked: &mut Compilation<'_>,
    root: &Utf8Path,
) -> Vec<Known> {
    let described = names.iter().map(|it| before.described(it.as_deref()));
    let described: Vec<Result<Node, Vec<Fault>>> = described
        .map(|it| it.map(|it| tracked.fleet().add(it)).map_err(|failure| vec![fault(&failure)]))
        .collect();
    let nodes: Vec<Node> = described.iter().filter_map(|it| it.as_ref().ok().copied()).collect();
    let mut made = tracked.traced(&nodes, |it| *it, |_, outcome| relative(outcome, root)).into_iter();
    let known = names.iter().zip(described).map(|(name, described)| {
        let node = described.as_ref().ok().copied();
        let outcome = described.and_then(|_| match made.next() {
            Some(Ok(Some(made))) => made,
            Some(Err(failure)) => Err(vec![fault(&failure)]),
            Some(Ok(None)) | None => Err(Vec::new()),
        });
        Known { name: name.clone(), node, outcome, fails_after: None }
    });
    known.collect()
}

/// Evaluates nodes from the code after if anything that they read is different, and adds all of them to a report. Returns
/// the number of evaluated nodes.
fn compare(
    nodes: Vec<Known>,
    tracked: &Compilation<'_>,
    root: &Utf8Path,
    ignore: &Ignore,
    gathering: &mut Gathering,
) -> usize {
    // Facts that can't be read cause the same error on both sides.
    let described: Vec<(&Known, Node)> = nodes.iter().filter_map(|it| Some((it, it.node?))).collect();
    let node = |(_, node): &(&Known, Node)| *node;
    let failed = |it: &Known, faults| {
        let name = shown_name(it.name.as_deref(), &[&it.outcome]);
        (name, impact(&it.outcome, &Err(faults), ignore))
    };
    let make = |(it, _): &(&Known, Node), outcome| {
        let new = relative(outcome, root);
        (shown_name(it.name.as_deref(), &[&it.outcome, &new]), impact(&it.outcome, &new, ignore))
    };
    let mut made = tracked.traced(&described, node, make).into_iter();
    let mut compiled = 0;
    for it in &nodes {
        let anew = match (&it.fails_after, it.node) {
            (Some(faults), _) => Some(failed(it, faults.clone())),
            (None, None) => None,
            (None, Some(_)) => match made.next() {
                Some(Ok(made)) => made,
                Some(Err(failure)) => Some(failed(it, vec![fault(&failure)])),
                None => None,
            },
        };
        compiled += usize::from(anew.is_some());
        let (name, outcome) = anew.unwrap_or_else(|| {
            let side = match &it.outcome {
                Ok(catalog) => Side::of(catalog),
                Err(faults) => Side::Failed(faults.clone()),
            };
            (shown_name(it.name.as_deref(), &[&it.outcome]), Impact::unaffected(side))
        });
        gathering.add(name, outcome);
    }
    compiled
}
