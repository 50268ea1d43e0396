//! Compiles from the code after only those nodes whose evaluation read something that differs there.

use std::collections::{BTreeSet, HashMap};
use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use marotte_catalog::Catalog;
use marotte_host::{Clock, Node};
use marotte_impact::{Fault, Ignore, Outcome as Impact, ReportBuilder, Side};
use marotte_project::ChangeBatch;
use marotte_text::Str;

use super::cached::{CachedNode, Edits, cached_nodes};
use super::causes::{Found, Sample, Tracked, most_samples};
use super::patched::PatchedSystem;
use super::switched::SwitchedSystem;
use super::trees::Trees;
use super::{fault, impact, relative, shown_name};
use crate::args::ImpactArgs;
use crate::compilation::{BATCH, Compilation, Outcome as Compiled, Reuse};
use crate::failure::Failure;
use crate::result_cache::{CachedResult, ResultCache};

/// The maximum number of resources in catalogs from the code before that are kept until they are compared.
const KEPT: usize = 250_000;

/// A node, with its catalog from the code before, or the errors.
struct Known {
    name: Option<String>,
    node: Option<Node>,
    outcome: Result<Catalog, Vec<Fault>>,
    /// The completeness of that catalog, or its errors in the form of the report.
    side: Side,
    /// The errors that prevent a catalog from the code after, if the node's facts can't be read.
    fails_after: Option<Vec<Fault>>,
    /// The sources of files whose contents are not in the code before.
    elsewhere: Vec<Str>,
    /// Whether it is known from other runs that its evaluation reads nothing that is different. Then there is no catalog here.
    is_unaffected: bool,
    /// The result of another run that has its catalog from the code after.
    cached_after: Option<Box<CachedResult>>,
}

/// How comparisons become a report.
pub(super) struct Reporting<'r> {
    /// The changes that are counted and not shown.
    pub(super) ignore: &'r Ignore,
    /// The report in the making.
    pub(super) builder: &'r mut ReportBuilder,
}

/// The amount of work, for `--verbose`.
#[derive(Default)]
struct Effort {
    /// The number of nodes that read something that is different.
    compiled: usize,
    /// The number of nodes that are known from other runs.
    known: usize,
    /// The number of catalogs from the code after that other runs have kept.
    known_after: usize,
    before: Duration,
    after: Duration,
}

/// Adds all nodes to a report, and returns the data for the search for causes. None if the trees are so different that all nodes
/// have to be compiled from both.
///
/// The database switches between the two trees, each time for as many nodes as there is memory for their catalogs.
pub(super) fn gather<'a>(
    args: &ImpactArgs,
    trees: &'a Trees,
    clock: Clock,
    names: &[Option<String>],
    sides: [&Compilation<'_>; 2],
    Reporting { ignore, builder }: Reporting<'_>,
    mut cache: Option<ResultCache>,
) -> Result<Option<Tracked<'a>>, Failure> {
    let [before, after] = sides;
    let Some((mut tracked, system, patched)) = tracked(trees, clock, sides, cache.is_some())? else {
        return Ok(None);
    };
    let mut edits = Seen { trees, edited: BTreeSet::new(), is_whole: true };
    let mut samples = Vec::new();
    let cached = match &mut cache {
        Some(it) => {
            let has_other_facts = args.from_facts_dir.is_some();
            cached_nodes(names, sides, &mut tracked, &system, it, has_other_facts, &mut edits)?
        }
        None => names.iter().map(|_| CachedNode::Nothing).collect(),
    };
    let root = after.root().unwrap_or(Utf8Path::new("/"));
    let most = args.nodes_at_a_time.map(|it| usize::try_from(it).unwrap_or(usize::MAX));
    let mut effort = Effort::default();
    let named: Vec<(&Option<String>, CachedNode)> = names.iter().zip(cached).collect();
    let mut batches = in_batches(named, BATCH.min(most.unwrap_or(BATCH))).peekable();
    while batches.peek().is_some() {
        let started = Instant::now();
        let (mut nodes, mut resources) = (Vec::new(), 0);
        let has_room = |nodes: &[Known], resources| match most {
            Some(most) => nodes.len() < most,
            None => resources < KEPT,
        };
        while has_room(&nodes, resources)
            && let Some(names) = batches.next()
        {
            let (names, catalogs) = loaded(names, before, &tracked, cache.as_ref());
            effort.known += names.iter().filter(|(_, it)| !matches!(it, CachedNode::Nothing)).count();
            if system.shows_after() && names.iter().any(|(_, it)| matches!(it, CachedNode::Nothing)) {
                system.show_after(false);
                tracked.apply(&ChangeBatch::everything())?;
                cache.iter_mut().for_each(ResultCache::forget_answers);
            }
            let known = evaluated(names, catalogs, before, &mut tracked, root, &mut cache);
            resources += known.iter().map(Known::resources).sum::<usize>();
            nodes.extend(known);
        }
        let between = Instant::now();
        if !system.shows_after() {
            system.show_after(true);
            tracked.apply(&ChangeBatch::everything())?;
            cache.iter_mut().for_each(ResultCache::forget_answers);
            edits.switched(&mut tracked);
        }
        let known = tracked.fleet().known();
        if args.from_facts_dir.is_some() {
            nodes.iter_mut().filter(|it| !it.is_unaffected).for_each(|it| it.describe(after, &mut tracked));
        }
        let reporting = Reporting { ignore, builder };
        let most = most_samples(args);
        let [compiled, loaded] =
            compare(nodes, after, &tracked, root, reporting, &mut samples, most, &mut cache);
        effort.compiled += compiled;
        effort.known_after += loaded;
        edits.read(&mut tracked, known);
        effort.before += between - started;
        effort.after += between.elapsed();
    }
    if trees.compilation.evaluation.verbose {
        let Effort { compiled, known, known_after, before, after } = effort;
        let (all, before, after) = (names.len(), before.as_secs_f64(), after.as_secs_f64());
        let mut out = std::io::stderr().lock();
        writeln!(out, "the code before took {before:.2} s\nthe code after took {after:.2} s")?;
        writeln!(out, "{compiled} of {all} nodes read something that is different")?;
        if cache.is_some() {
            writeln!(out, "{known} of {all} nodes are known from other runs")?;
            writeln!(out, "{known_after} catalogs from the code after are known from other runs")?;
        }
    }
    if let Some(cache) = cache {
        cache.save()?;
    }
    let Seen { mut edited, is_whole, .. } = edits;
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

/// Compiles samples from both trees in one database, after all nodes were compiled from each tree separately: returns the data
/// for the search for causes.
pub(super) fn sampled<'a>(
    args: &ImpactArgs,
    trees: &'a Trees,
    clock: Clock,
    names: &[Option<String>],
    sides: [&Compilation<'_>; 2],
    found: Vec<Found>,
) -> Result<Option<Tracked<'a>>, Failure> {
    let [before, after] = sides;
    let Some((mut tracked, system, patched)) = tracked(trees, clock, sides, false)? else { return Ok(None) };
    let root = after.root().unwrap_or(Utf8Path::new("/"));
    let numbers = found.iter().map(|it| it.number).collect();
    let described = found.into_iter().filter_map(|it| {
        let name = names.get(usize::try_from(it.number).unwrap_or(usize::MAX)).and_then(Option::as_deref);
        // Of nodes without facts on one side, code is not the cause.
        Some((tracked.fleet().add(before.described(name).ok()?), it))
    });
    let described: Vec<(Node, Found)> = described.collect();
    let made = tracked.traced(&described, |(node, _)| *node, |_, outcome| relative(outcome, root));
    let samples = described.into_iter().zip(made).filter_map(|((node, found), made)| {
        let before = made.unwrap_or_else(|failure| Some(Err(vec![fault(&failure)])))?;
        Some(Sample { number: found.number, node, before, after: found.after, facts: None })
    });
    let mut samples: Vec<Sample> = samples.collect();
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

/// Returns one database for both trees, which initially has the code before. None if the trees are so different that all nodes
/// have to be compiled from both.
#[expect(clippy::type_complexity, reason = "the parts are taken apart at once")]
fn tracked<'a>(
    trees: &'a Trees,
    clock: Clock,
    [before, after]: [&Compilation<'_>; 2],
    records_reads: bool,
) -> Result<Option<(Compilation<'a>, Arc<SwitchedSystem>, Arc<PatchedSystem>)>, Failure> {
    // These are values of settings, which are the same for a whole run; variables may call functions of the tree.
    if before.module_path() != after.module_path() || !trees.compilation.evaluation.set.is_empty() {
        return Ok(None);
    }
    let patched = Arc::new(PatchedSystem::new(trees.after.code(), trees.before.code()));
    let system = Arc::new(SwitchedSystem::new(trees.before.code(), Arc::<PatchedSystem>::clone(&patched)));
    let code = Arc::<SwitchedSystem>::clone(&system);
    let (sources, disk) = (trees.sources(), trees.disk());
    let reuse = if records_reads { Reuse::BetweenRuns } else { Reuse::AfterEdits };
    let tracked = Compilation::of(&trees.compilation, sources, disk, code, clock, reuse)?;
    Ok(tracked.map(|it| (it, system, patched)))
}

/// Sets the facts of a node before and after, if they can be read.
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
    /// Sets the reasons why there is no catalog from the code before.
    fn fail(&mut self, faults: Vec<Fault>) {
        self.outcome = Err(faults.clone());
        self.side = Side::Failed(faults);
    }

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

/// The edits that were seen so far.
struct Seen<'t> {
    trees: &'t Trees,
    edited: BTreeSet<Utf8PathBuf>,
    is_whole: bool,
}

impl Edits for Seen<'_> {
    fn switched(&mut self, tracked: &mut Compilation<'_>) {
        self.edited.extend(self.trees.edits(tracked.fleet().edited()));
        self.is_whole &= self.trees.explain(tracked.fleet().edited());
    }

    fn read(&mut self, tracked: &mut Compilation<'_>, known: usize) {
        self.edited.extend(self.trees.edits(&tracked.fleet().known_after(known)));
    }
}

/// The items in batches of a size.
fn in_batches<T>(items: Vec<T>, size: usize) -> impl Iterator<Item = Vec<T>> {
    let mut items = items.into_iter();
    std::iter::from_fn(move || {
        let batch: Vec<T> = items.by_ref().take(size).collect();
        (!batch.is_empty()).then_some(batch)
    })
}

/// Loads the catalogs from the code before that other runs have kept. Nodes whose catalogs are not there any more are known from
/// no other run.
#[expect(clippy::type_complexity, reason = "nodes and their catalogs")]
fn loaded<'n>(
    mut names: Vec<(&'n Option<String>, CachedNode)>,
    before: &Compilation<'_>,
    tracked: &Compilation<'_>,
    cache: Option<&ResultCache>,
) -> (Vec<(&'n Option<String>, CachedNode)>, Vec<Option<Catalog>>) {
    let wanted: Vec<Option<&CachedResult>> = names
        .iter()
        .map(|(_, it)| match it {
            CachedNode::Before(entry, _) => Some(&**entry),
            _ => None,
        })
        .collect();
    let catalogs = catalogs(&wanted, before, tracked, cache);
    for ((_, it), catalog) in names.iter_mut().zip(&catalogs) {
        if matches!(it, CachedNode::Before(..)) && catalog.is_none() {
            *it = CachedNode::Nothing;
        }
    }
    (names, catalogs)
}

/// Loads catalogs of other runs, which are from the code of a side.
fn catalogs(
    wanted: &[Option<&CachedResult>],
    side: &Compilation<'_>,
    tracked: &Compilation<'_>,
    cache: Option<&ResultCache>,
) -> Vec<Option<Catalog>> {
    let catalogs = match cache {
        Some(cache) if wanted.iter().any(Option::is_some) => {
            tracked.ask(wanted, |_, _, entry| cache.catalog((*entry)?))
        }
        _ => wanted.iter().map(|_| None).collect(),
    };
    // The cache has no contents: they are those of the code, since all answers are the same.
    let whole = |mut catalog: Catalog| {
        catalog.contents = Some(Arc::new(side.contents(&catalog)));
        catalog
    };
    catalogs.into_iter().map(|it| it.flatten().map(whole)).collect()
}

/// Evaluates nodes from the code before, unless their catalogs are known from other runs.
fn evaluated(
    names: Vec<(&Option<String>, CachedNode)>,
    catalogs: Vec<Option<Catalog>>,
    before: &Compilation<'_>,
    tracked: &mut Compilation<'_>,
    root: &Utf8Path,
    cache: &mut Option<ResultCache>,
) -> Vec<Known> {
    let mut known: Vec<Known> = Vec::with_capacity(names.len());
    let mut open: Vec<(usize, Node)> = Vec::new();
    for (index, ((name, cached), catalog)) in names.into_iter().zip(catalogs).enumerate() {
        let mut it = Known {
            name: name.clone(),
            node: None,
            outcome: Err(Vec::new()),
            side: Side::Known,
            elsewhere: Vec::new(),
            fails_after: None,
            is_unaffected: false,
            cached_after: None,
        };
        let described = match cached {
            CachedNode::Unaffected(side, elsewhere) => {
                (it.side, it.elsewhere, it.is_unaffected) = (side, elsewhere, true);
                known.push(it);
                continue;
            }
            _ => before.described(name.as_deref()).map(|it| tracked.fleet().add(it)),
        };
        match (described, cached, catalog) {
            (Ok(node), CachedNode::Before(entry, after), Some(catalog)) => {
                (it.node, it.side, it.elsewhere) = (Some(node), entry.side(), catalog.elsewhere());
                (it.outcome, it.cached_after) = (Ok(catalog), after);
            }
            (Ok(node), ..) => {
                it.node = Some(node);
                open.push((index, node));
            }
            (Err(failure), ..) => it.fail(vec![fault(&failure)]),
        }
        known.push(it);
    }
    let keeper = cache.as_ref();
    let made = tracked.traced(
        &open,
        |(_, node)| *node,
        |_, mut outcome| {
            let asked = outcome.asked.take();
            let made = relative(outcome, root);
            let draft = keeper.and_then(|it| it.draft(asked, &made));
            let side = match &made {
                Ok(catalog) => Side::of(catalog),
                Err(faults) => Side::Failed(faults.clone()),
            };
            (made, side, draft)
        },
    );
    let mut drafts = Vec::new();
    for ((index, node), made) in open.into_iter().zip(made) {
        let Some(it) = known.get_mut(index) else { continue };
        match made {
            Ok(Some((outcome, side, draft))) => {
                it.elsewhere = outcome.as_ref().map(Catalog::elsewhere).unwrap_or_default();
                (it.outcome, it.side) = (outcome, side);
                drafts.extend(it.name.clone().zip(draft).map(|(name, draft)| (name, node, draft)));
            }
            Err(failure) => it.fail(vec![fault(&failure)]),
            Ok(None) => it.fail(Vec::new()),
        }
    }
    if let Some(cache) = cache {
        cache.add(tracked, drafts);
    }
    known
}

/// Compares nodes whose catalogs from the code after other runs have kept: the results, by the index of the node.
fn compared_with_loaded(
    nodes: &[Known],
    after: &Compilation<'_>,
    tracked: &Compilation<'_>,
    ignore: &Ignore,
    cache: Option<&ResultCache>,
) -> HashMap<usize, (String, Impact)> {
    let cached = nodes.iter().enumerate().filter(|(_, it)| it.node.is_some() && it.fails_after.is_none());
    let cached: Vec<(usize, &Known, &CachedResult)> =
        cached.filter_map(|(at, it)| Some((at, it, it.cached_after.as_deref()?))).collect();
    let mut found = HashMap::new();
    for cached in cached.chunks(BATCH) {
        let wanted: Vec<Option<&CachedResult>> = cached.iter().map(|(.., entry)| Some(*entry)).collect();
        let catalogs = catalogs(&wanted, after, tracked, cache);
        let both: Vec<_> = cached.iter().zip(catalogs).map(|((_, it, _), new)| (*it, new.map(Ok))).collect();
        let compared = tracked.ask(&both, |_, _, (it, new)| {
            let new = new.as_ref()?;
            let name = shown_name(it.name.as_deref(), &[&it.outcome, new]);
            Some((name, impact(&it.outcome, new, ignore)))
        });
        let compared = cached.iter().zip(compared);
        found.extend(compared.filter_map(|((at, ..), it)| Some((*at, it.flatten()?))));
    }
    found
}

/// Drops catalogs on a separate thread: dropping many of them takes a while, which would delay the caller.
fn drop_aside(catalogs: Vec<Result<Catalog, Vec<Fault>>>) {
    let thread = std::thread::Builder::new().name("drop".to_owned());
    // Without a thread, they are dropped here.
    let _ = thread.spawn(|| drop(catalogs));
}

/// Evaluates nodes from the code after if anything that they read differs, and adds all of them to a report. Returns the number
/// of nodes with other results, and how many of these other runs have kept. The first nodes with a change become samples, up to
/// `most` of them.
#[expect(clippy::too_many_arguments, reason = "both sides, the report and the cache")]
fn compare(
    nodes: Vec<Known>,
    after: &Compilation<'_>,
    tracked: &Compilation<'_>,
    root: &Utf8Path,
    Reporting { ignore, builder }: Reporting<'_>,
    samples: &mut Vec<Sample>,
    most: usize,
    cache: &mut Option<ResultCache>,
) -> [usize; 2] {
    // Facts that can't be read cause the same error on both sides.
    let mut loaded = compared_with_loaded(&nodes, after, tracked, ignore, cache.as_ref());
    let known = loaded.len();
    let described = nodes.iter().enumerate().filter(|(at, _)| !loaded.contains_key(at));
    let described: Vec<(&Known, Node)> = described.filter_map(|(_, it)| Some((it, it.node?))).collect();
    let node = |(_, node): &(&Known, Node)| *node;
    let failed = |it: &Known, faults| {
        let name = shown_name(it.name.as_deref(), &[&it.outcome]);
        (name, impact(&it.outcome, &Err(faults), ignore))
    };
    let keeper = cache.as_ref();
    let make = |(it, _): &(&Known, Node), mut outcome: Compiled| {
        let asked = outcome.asked.take();
        let new = relative(outcome, root);
        let draft = keeper.and_then(|it| it.draft(asked, &new));
        let named = (shown_name(it.name.as_deref(), &[&it.outcome, &new]), impact(&it.outcome, &new, ignore));
        (named, draft)
    };
    let mut made = tracked.traced(&described, node, make).into_iter();
    let (mut compiled, mut drafts) = (0, Vec::new());
    let mut news = Vec::with_capacity(nodes.len());
    for (at, it) in nodes.iter().enumerate() {
        let anew = match (&it.fails_after, it.node) {
            _ if loaded.contains_key(&at) => loaded.remove(&at),
            (Some(faults), _) => Some(failed(it, faults.clone())),
            (None, None) => None,
            (None, Some(_)) => match made.next() {
                Some(Ok(Some((named, draft)))) => {
                    let named_node = it.name.clone().zip(it.node);
                    drafts.extend(named_node.zip(draft).map(|((name, node), draft)| (name, node, draft)));
                    Some(named)
                }
                Some(Ok(None)) => None,
                Some(Err(failure)) => Some(failed(it, vec![fault(&failure)])),
                None => None,
            },
        };
        compiled += usize::from(anew.is_some());
        let (name, outcome) = anew.unwrap_or_else(|| {
            let unaffected = Impact::unaffected(it.side.clone(), it.elsewhere.clone());
            (shown_name(it.name.as_deref(), &[&it.outcome]), unaffected)
        });
        news.push((name, outcome));
    }
    if let Some(cache) = cache {
        cache.add(tracked, drafts);
    }
    let mut unused = Vec::with_capacity(nodes.len());
    for (it, (name, outcome)) in nodes.into_iter().zip(news) {
        let after = outcome.after.clone();
        let number = builder.number();
        let is_first = builder.add(name, outcome);
        if let Some(node) = it.node.filter(|_| is_first && samples.len() < most) {
            if it.cached_after.is_some() {
                // The search for causes needs what the evaluation reads.
                tracked.traced(&[node], |it| *it, |_, _| ());
            }
            samples.push(Sample { number, node, before: it.outcome, after, facts: None });
        } else {
            unused.push(it.outcome);
        }
    }
    drop_aside(unused);
    [compiled, known]
}
