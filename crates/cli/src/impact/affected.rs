//! Compiles from the code after only those nodes whose evaluation read something that is different there.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use marotte_catalog::Catalog;
use marotte_host::{Clock, Node};
use marotte_impact::{Fault, Gathering, Ignore, Outcome as Impact, Side};
use marotte_project::ChangeBatch;

use super::causes::{Found, Sample, Tracked, most_samples};
use super::patched::PatchedSystem;
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
    /// The known part of that catalog, or the errors as the report has them.
    side: Side,
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

/// Adds all nodes to a report, and returns what is needed to find causes. None if trees are so different that all nodes have to
/// be compiled from both.
///
/// The database switches back and forth between the two trees, each time for as many nodes as have room for their catalogs.
pub(super) fn gather<'a>(
    args: &ImpactArgs,
    trees: &'a Trees,
    clock: Clock,
    names: &[Option<String>],
    sides: [&Compilation<'_>; 2],
    ignore: &Ignore,
    gathering: &mut Gathering,
) -> Result<Option<Tracked<'a>>, Failure> {
    let [before, after] = sides;
    let Some((mut tracked, system, patched)) = tracked(trees, clock, sides)? else { return Ok(None) };
    let (mut samples, mut edited, mut is_whole) = (Vec::new(), BTreeSet::new(), true);
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
        edited.extend(trees.edits(tracked.fleet().edited()));
        is_whole &= trees.explain(tracked.fleet().edited());
        let known = tracked.fleet().known();
        if args.from_facts_dir.is_some() {
            nodes.iter_mut().for_each(|it| it.describe(after, &mut tracked));
        }
        effort.compiled +=
            compare(nodes, &tracked, root, ignore, gathering, &mut samples, most_samples(args));
        edited.extend(trees.edits(&tracked.fleet().known_after(known)));
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
    let found = samples.iter().map(|it| it.number).collect();
    if args.from_facts_dir.is_some() {
        samples.iter_mut().for_each(|it| describe(it, names, sides));
        // Of nodes without facts on one side, code is not the cause.
        samples.retain(|it| it.facts.is_some());
    }
    edited.extend(trees.edits(&layout(sides, root)));
    let before = trees.before.code();
    Ok(Some(Tracked { compilation: tracked, before, after: patched, samples, found, edited, is_whole }))
}

/// Compiles samples from both trees in one database, after all nodes were compiled from each tree on its own: returns what is
/// needed to find causes.
pub(super) fn sampled<'a>(
    args: &ImpactArgs,
    trees: &'a Trees,
    clock: Clock,
    names: &[Option<String>],
    sides: [&Compilation<'_>; 2],
    found: Vec<Found>,
) -> Result<Option<Tracked<'a>>, Failure> {
    let [before, after] = sides;
    let Some((mut tracked, system, patched)) = tracked(trees, clock, sides)? else { return Ok(None) };
    let root = after.root().unwrap_or(Utf8Path::new("/"));
    let mut samples = Vec::new();
    let numbers = found.iter().map(|it| it.number).collect();
    for Found { number, before: outcome, after: side } in found {
        let name = names.get(usize::try_from(number).unwrap_or(usize::MAX)).and_then(Option::as_deref);
        // Of nodes without facts on one side, code is not the cause.
        let Ok(described) = before.described(name) else { continue };
        let node = tracked.fleet().add(described);
        samples.push(Sample { number, node, before: outcome, after: side, facts: None });
    }
    tracked.traced(&samples, |it| it.node, |_, _| ());
    system.show_after(true);
    tracked.apply(&ChangeBatch::everything())?;
    let is_whole = trees.explain(tracked.fleet().edited());
    let mut edited: BTreeSet<Utf8PathBuf> = trees.edits(tracked.fleet().edited()).collect();
    let known = tracked.fleet().known();
    if args.from_facts_dir.is_some() {
        for it in &mut samples {
            describe(it, names, sides);
            if let Some((_, [_, new])) = &it.facts {
                tracked.fleet().describe(it.node, new.clone());
            }
        }
        samples.retain(|it| it.facts.is_some());
    }
    tracked.traced(&samples, |it| it.node, |_, _| ());
    edited.extend(trees.edits(&tracked.fleet().known_after(known)));
    edited.extend(trees.edits(&layout(sides, root)));
    let before = trees.before.code();
    let found = numbers;
    Ok(Some(Tracked { compilation: tracked, before, after: patched, samples, found, edited, is_whole }))
}

/// One database for both trees, which has the code before at first. None if trees are so different that all nodes have to be
/// compiled from both.
#[expect(clippy::type_complexity, reason = "the parts are taken apart at once")]
fn tracked<'a>(
    trees: &'a Trees,
    clock: Clock,
    [before, after]: [&Compilation<'_>; 2],
) -> Result<Option<(Compilation<'a>, Arc<SwitchedSystem>, Arc<PatchedSystem>)>, Failure> {
    // These are values of settings, which are the same for a whole run; variables may call functions of the tree.
    if before.module_path() != after.module_path() || !trees.compilation.evaluation.set.is_empty() {
        return Ok(None);
    }
    let patched = Arc::new(PatchedSystem::new(trees.after.code(), trees.before.code()));
    let system = Arc::new(SwitchedSystem::new(trees.before.code(), Arc::<PatchedSystem>::clone(&patched)));
    let code = Arc::<SwitchedSystem>::clone(&system);
    let tracked = Compilation::tracked(&trees.compilation, trees.sources(), trees.disk(), code, clock)?;
    Ok(tracked.map(|it| (it, system, patched)))
}

/// Sets the facts that a node had before and has after, if they can be read.
fn describe(sample: &mut Sample, names: &[Option<String>], [before, after]: [&Compilation<'_>; 2]) {
    let name = names.get(usize::try_from(sample.number).unwrap_or(usize::MAX)).and_then(Option::as_deref);
    if let (Ok(old), Ok(new), Some(name)) = (before.described(name), after.described(name), name) {
        sample.facts = Some((after.facts_path(name), [old, new]));
    }
}

/// The paths that are read before any evaluation.
fn layout(sides: [&Compilation<'_>; 2], root: &Utf8Path) -> Vec<Utf8PathBuf> {
    let modules = sides.into_iter().flat_map(|it| it.modules().iter().map(|(_, folder)| folder.to_owned()));
    modules.chain([root.join("environment.conf")]).collect()
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
    let made = |_: &Node, outcome| {
        let made = relative(outcome, root);
        let side = match &made {
            Ok(catalog) => Side::of(catalog),
            Err(faults) => Side::Failed(faults.clone()),
        };
        (made, side)
    };
    let mut made = tracked.traced(&nodes, |it| *it, made).into_iter();
    let failed = |faults: Vec<Fault>| (Err(faults.clone()), Side::Failed(faults));
    let known = names.iter().zip(described).map(|(name, described)| {
        let node = described.as_ref().ok().copied();
        let (outcome, side) = match described.map(|_| made.next()) {
            Ok(Some(Ok(Some(made)))) => made,
            Ok(Some(Err(failure))) => failed(vec![fault(&failure)]),
            Ok(Some(Ok(None)) | None) => failed(Vec::new()),
            Err(faults) => failed(faults),
        };
        Known { name: name.clone(), node, outcome, side, fails_after: None }
    });
    known.collect()
}

/// Drops catalogs on a thread of their own: many of them take a while, for which nothing has to wait.
fn drop_aside(catalogs: Vec<Result<Catalog, Vec<Fault>>>) {
    let thread = std::thread::Builder::new().name("drop".to_owned());
    // Without a thread, they are dropped here.
    let _ = thread.spawn(|| drop(catalogs));
}

/// Evaluates nodes from the code after if anything that they read is different, and adds all of them to a report. Returns
/// the number of evaluated nodes. The first nodes with a change become samples, up to `most` of them.
fn compare(
    nodes: Vec<Known>,
    tracked: &Compilation<'_>,
    root: &Utf8Path,
    ignore: &Ignore,
    gathering: &mut Gathering,
    samples: &mut Vec<Sample>,
    most: usize,
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
    let mut news = Vec::with_capacity(nodes.len());
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
            (shown_name(it.name.as_deref(), &[&it.outcome]), Impact::unaffected(it.side.clone()))
        });
        news.push((name, outcome));
    }
    let mut unused = Vec::with_capacity(nodes.len());
    for (it, (name, outcome)) in nodes.into_iter().zip(news) {
        let after = outcome.after.clone();
        let number = gathering.number();
        let is_first = gathering.add(name, outcome);
        if let Some(node) = it.node.filter(|_| is_first && samples.len() < most) {
            samples.push(Sample { number, node, before: it.outcome, after, facts: None });
        } else {
            unused.push(it.outcome);
        }
    }
    drop_aside(unused);
    compiled
}
