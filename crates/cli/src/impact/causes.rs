//! Finds the edits that caused changes: an edit is a cause if a change disappears when this edit alone is reverted.
//!
//! A cause of several nodes is confirmed on the first and on the last of them. Nothing is inferred from names or places. If an
//! edit cannot be reverted alone, because the rest of the code does not compile without it, it is a cause only if it is the only
//! edit that the evaluation has read.

mod confirmed;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_catalog::Catalog;
use marotte_db::System;
use marotte_db::system::resolve;
use marotte_host::{Node, NodeInput};
use marotte_impact::partial::{self, Search as Extent};
use marotte_impact::{Cause, Change, Edit, Fault, Hunk, Ignore, Outcome as Impact, Report, Side, hunks};
use marotte_project::ChangeBatch;

use super::patched::{Patch, PatchedSystem};
use super::relative;
use super::trees::{SIZE, exists, is_relinked};
use crate::args::ImpactArgs;
use crate::compilation::Compilation;
use crate::failure::Failure;

/// The maximum number of hunks of a file that are reverted one by one. For files with more hunks, causes have no line.
const HUNKS: usize = 16;

/// The first node with a change, or with a reason to fail.
pub(super) struct Sample {
    /// The number of the node in the report.
    pub(super) number: u32,
    pub(super) node: Node,
    /// The catalog of the node from the code before, or the errors.
    pub(super) before: Result<Catalog, Vec<Fault>>,
    /// The completeness of the node's catalog from the code after.
    pub(super) after: Side,
    /// The path of its facts after, and its descriptions before and after, if nodes may have had other facts.
    pub(super) facts: Option<(Option<Utf8PathBuf>, [NodeInput; 2])>,
}

/// The first node with a change, before it is compiled as a sample.
pub(super) struct Found {
    /// The number of the node in the report.
    pub(super) number: u32,
    /// The completeness of the node's catalog from the code after.
    pub(super) after: Side,
}

type Compiled = Result<Catalog, Vec<Fault>>;

/// Returns the maximum number of nodes that are compiled again to find causes.
pub(super) fn most_samples(args: &ImpactArgs) -> usize {
    if args.shard.is_some() { Extent::SAMPLES_OF_PART } else { Extent::SAMPLES }
}

/// The environment for compiling nodes with a single edit reverted. The database has the code after.
pub(super) struct Tracked<'a> {
    pub(super) compilation: Compilation<'a>,
    pub(super) before: Arc<dyn System>,
    pub(super) after: Arc<PatchedSystem>,
    pub(super) samples: Vec<Sample>,
    /// The numbers in the report of the nodes that were found as samples, in ascending order. Some of them are not compiled.
    pub(super) found: Vec<u32>,
    /// The files that differ and that an evaluation has read or looked for.
    pub(super) edited: BTreeSet<Utf8PathBuf>,
    /// Whether these files are the only differences.
    pub(super) is_whole: bool,
}

/// A file that differs, or a file or folder that only one tree has.
struct Edited {
    path: Utf8PathBuf,
    /// The path that causes name: that of the only file, if a folder contains no other, and where links lead to it, as git knows it.
    shown: Utf8PathBuf,
    texts: [Option<String>; 2],
    hunks: Vec<Hunk>,
}

/// A position in the report: a change of a group (both by number), or a group of failing nodes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Entry {
    Change(usize, usize),
    Failing(usize),
}

/// The result of compiling a node with an edit reverted.
enum Reverted {
    /// The evaluation has not read the edit.
    Unread,
    /// The node's catalogs cannot be compared.
    Unknown,
    /// The remaining changes. `None` if the node fails, before or after, and still does so.
    Changes(Option<HashSet<Change>>),
    /// The node failed, before or after, and no longer does so.
    Fixed,
}

/// Adds causes to the changes of a report, as far as they are found. Returns the extent of the search.
///
/// The work for a node, and the effort that is counted for it, depend on this node alone, so that a process that has only some of
/// the nodes gets the same results.
pub(super) fn find(
    report: &mut Report,
    mut tracked: Tracked<'_>,
    ignore: &Ignore,
    is_part: bool,
) -> Result<Extent, Failure> {
    let root = tracked.compilation.root().unwrap_or(Utf8Path::new("/")).to_owned();
    // The files of a new folder belong to the edit that created it.
    let within = |it: &Utf8PathBuf| it.ancestors().skip(1).any(|it| tracked.edited.contains(it));
    let edited = tracked.edited.iter().filter(|it| !within(it));
    let files: Vec<Edited> =
        edited.map(|it| Edited::of(it, &root, [&*tracked.before, &*tracked.after])).collect();
    // Programs may print something else each time.
    tracked.is_whole &= !tracked.compilation.runs_programs();
    let is_whole = tracked.is_whole;
    let numbers = std::mem::take(&mut tracked.found);
    let most = if is_part { Extent::EFFORT_OF_PART } else { Extent::EFFORT };
    let (mut spent, mut efforts) = (0u32, BTreeMap::new());
    let mut search = Search { tracked, root: &root, ignore, patched: None };
    let mut found: BTreeMap<Entry, BTreeSet<Cause>> = BTreeMap::new();
    for (index, entries) in assigned(report, &search.tracked.samples) {
        let number = search.tracked.samples.get(index).map(|it| it.number);
        if spent > most {
            efforts.extend(number.map(|it| (it, None)));
            continue;
        }
        let (mut read, mut effort) = (Vec::new(), 0u32);
        // The trees may have been switched since it was compiled.
        search.compiled_with(index, None)?;
        for (number, file) in files.iter().enumerate() {
            // The only edit needs no proof: nothing else is different.
            let is_only = is_whole && files.len() == 1 && !search.has_other_facts(index);
            let reverted = match is_only {
                true => Reverted::Unknown,
                false => search.without(index, &Patch { path: file.path.clone(), text: None })?,
            };
            if !matches!(reverted, Reverted::Unread) {
                effort = effort.saturating_add(file.effort());
                read.push((number, reverted));
            }
            if spent.saturating_add(effort) > most {
                break;
            }
        }
        let facts = search.without_facts(index)?;
        effort = effort.saturating_add(u32::from(facts.is_some()));
        spent = spent.saturating_add(effort);
        efforts.extend(number.map(|it| (it, (spent <= most).then_some(effort))));
        if spent > most {
            continue;
        }
        let is_only = is_whole && read.len() == 1 && facts.is_none();
        for (number, reverted) in read {
            let file = &files[number];
            let own: Vec<Entry> =
                entries.iter().copied().filter(|it| is_only || reverted.removes(*it, report)).collect();
            if !own.is_empty() {
                search.lines(index, file, &own, report, &mut found)?;
            }
        }
        if let Some((cause, reverted)) = facts {
            for entry in entries.iter().filter(|it| reverted.removes(**it, report)) {
                found.entry(*entry).or_default().insert(cause.clone());
            }
        }
    }
    search.confirm(report, &files, &mut found)?;
    for (entry, causes) in found {
        let place = match entry {
            Entry::Change(group, number) => {
                report.groups.get_mut(group).and_then(|it| Some(&mut it.changes.get_mut(number)?.causes))
            }
            Entry::Failing(number) => report.failing.get_mut(number).map(|it| &mut it.causes),
        };
        if let Some(place) = place {
            *place = causes.into_iter().collect();
        }
    }
    let effort = |node: &u32| efforts.get(node).copied().unwrap_or(Some(0));
    let samples = numbers.into_iter().map(|node| partial::Sample { node, effort: effort(&node) });
    Ok(Extent { samples: samples.collect(), is_whole })
}

/// Returns the samples, each with the entries of the report whose first node it is.
fn assigned(report: &Report, samples: &[Sample]) -> Vec<(usize, Vec<Entry>)> {
    let index: BTreeMap<u32, usize> = samples.iter().enumerate().map(|(at, it)| (it.number, at)).collect();
    let mut all: BTreeMap<usize, Vec<Entry>> = BTreeMap::new();
    let mut assign = |nodes: &[u32], entry| {
        if let Some(sample) = nodes.first().and_then(|it| index.get(it)) {
            all.entry(*sample).or_default().push(entry);
        }
    };
    for (number, group) in report.groups.iter().enumerate() {
        for (at, listed) in group.changes.iter().enumerate() {
            // Whether two values that are not known differ is not known either: no edit is the reason for that.
            if group.is_certain || !listed.change.is_unknown_on_both_sides() {
                assign(&group.nodes, Entry::Change(number, at));
            }
        }
    }
    for (number, failing) in report.failing.iter().enumerate() {
        assign(&failing.nodes, Entry::Failing(number));
    }
    all.into_iter().collect()
}

impl Edited {
    fn of(path: &Utf8Path, root: &Utf8Path, trees: [&dyn System; 2]) -> Edited {
        if is_relinked(path, trees) {
            // The link itself was edited, and what it leads to was not.
            let shown = path.strip_prefix(root).unwrap_or(path).to_owned();
            return Edited { path: path.to_owned(), shown, texts: [None, None], hunks: Vec::new() };
        }
        let text = |it: &dyn System| String::from_utf8(it.read(path, SIZE).ok()?).ok();
        let texts = trees.map(text);
        let found = match &texts {
            [Some(before), Some(after)] => hunks(before, after),
            _ => Vec::new(),
        };
        Edited { path: path.to_owned(), shown: shown(path, root, trees), texts, hunks: found }
    }

    /// Returns the number of compilations that are needed to determine the relevant lines.
    fn effort(&self) -> u32 {
        let lines = Some(self.hunks.len()).filter(|it| (2..=HUNKS).contains(it));
        u32::try_from(1 + lines.unwrap_or_default()).unwrap_or(u32::MAX)
    }

    /// Returns the cause that consists of all edits of the file.
    fn cause(&self, trees: [&dyn System; 2]) -> Cause {
        let edit = match (trees.map(|it| exists(&self.path, it)), &self.hunks[..]) {
            ([false, true], _) => Edit::New,
            ([true, false], _) => Edit::Gone,
            (_, [only]) => only.edit(),
            _ => Edit::Lines { before: None, after: None },
        };
        Cause { file: self.shown.as_str().into(), edit }
    }
}

/// The path, relative to `root`, by which a cause names an edited path.
fn shown(path: &Utf8Path, root: &Utf8Path, trees: [&dyn System; 2]) -> Utf8PathBuf {
    let mut path = path.to_owned();
    if let Some(system) = trees.into_iter().find(|it| it.is_directory(&path)) {
        while let Some([only]) = system.entries(&path).ok().as_deref() {
            path.push(&only.name);
        }
    }
    let system = trees.into_iter().rev().find(|it| it.metadata(&path).is_ok());
    let own = system.and_then(|it| {
        let own = resolve(it, &path).real;
        Some(own.strip_prefix(resolve(it, root).real).ok()?.to_owned())
    });
    own.unwrap_or_else(|| path.strip_prefix(root).map(Utf8Path::to_owned).unwrap_or(path))
}

impl Reverted {
    /// Whether a change of the report no longer occurs.
    fn removes(&self, entry: Entry, report: &Report) -> bool {
        match (self, entry) {
            (Reverted::Changes(Some(left)), Entry::Change(group, number)) => {
                let listed = report.groups.get(group).and_then(|it| it.changes.get(number));
                listed.is_some_and(|it| !left.contains(&*it.change))
            }
            (Reverted::Fixed, Entry::Failing(_)) => true,
            _ => false,
        }
    }
}

struct Search<'s, 'a> {
    tracked: Tracked<'a>,
    root: &'s Utf8Path,
    ignore: &'s Ignore,
    /// The path of the last patch.
    patched: Option<Utf8PathBuf>,
}

/// Whether a node still fails for all previous reasons; their lines may differ, because other edits move them.
fn still_fails(before: &[Fault], made: &[Fault]) -> bool {
    before.iter().all(|it| made.iter().any(|other| other.message == it.message))
}

impl Search<'_, '_> {
    /// Adds the lines of a file that cause changes of a node.
    fn lines(
        &mut self,
        index: usize,
        file: &Edited,
        entries: &[Entry],
        report: &Report,
        found: &mut BTreeMap<Entry, BTreeSet<Cause>>,
    ) -> Result<(), Failure> {
        let whole = file.cause([&*self.tracked.before, &*self.tracked.after]);
        let mut left: BTreeSet<Entry> = entries.iter().copied().collect();
        if let [Some(before), Some(after)] = &file.texts
            && (2..=HUNKS).contains(&file.hunks.len())
        {
            for hunk in &file.hunks {
                let text = Some(hunk.revert(before, after));
                let reverted = self.without(index, &Patch { path: file.path.clone(), text })?;
                for entry in entries.iter().filter(|it| reverted.removes(**it, report)) {
                    left.remove(entry);
                    let cause = Cause { file: file.shown.as_str().into(), edit: hunk.edit() };
                    found.entry(*entry).or_default().insert(cause);
                }
            }
        }
        for entry in left {
            found.entry(entry).or_default().insert(whole.clone());
        }
        Ok(())
    }

    /// Compiles a node from the code after with one edit reverted.
    fn without(&mut self, index: usize, patch: &Patch) -> Result<Reverted, Failure> {
        let made = self.compiled_with(index, Some(patch.clone()));
        let reverted = self.reverted(index, made);
        // The next evaluation is compared with one of the code after.
        self.compiled_with(index, None)?;
        Ok(reverted)
    }

    /// Whether a node may have had other facts.
    fn has_other_facts(&self, index: usize) -> bool {
        self.tracked.samples.get(index).is_some_and(|it| it.facts.is_some())
    }

    /// Compiles a node from the code after with the facts before. None if these are the same, or if they are not known to matter.
    fn without_facts(&mut self, index: usize) -> Result<Option<(Cause, Reverted)>, Failure> {
        let Some(sample) = self.tracked.samples.get(index) else { return Ok(None) };
        let (node, Some((path, [before, after]))) = (sample.node, sample.facts.clone()) else {
            return Ok(None);
        };
        let changed = self.tracked.compilation.fleet().describe(node, before);
        let made = self.compiled_with(index, None);
        let reverted = self.reverted(index, made);
        self.tracked.compilation.fleet().describe(node, after);
        self.compiled_with(index, None)?;
        let cause = path.filter(|_| changed).map(|path| Cause {
            file: path.as_str().into(),
            edit: Edit::Lines { before: None, after: None },
        });
        Ok(cause.map(|it| (it, reverted)))
    }

    /// Compares the result for a node without an edit with the result before.
    fn reverted(&self, index: usize, made: Result<Option<Compiled>, Failure>) -> Reverted {
        let Some(sample) = self.tracked.samples.get(index) else { return Reverted::Unknown };
        match (&sample.before, made) {
            (_, Ok(None)) => Reverted::Unread,
            (_, Err(_)) => Reverted::Unknown,
            (Ok(before), Ok(Some(Ok(made)))) => match &sample.after {
                Side::Failed(_) => Reverted::Fixed,
                // What is not known may hide a change.
                after if !matches!(Side::of(&made), Side::Known) && Side::of(&made) != *after => {
                    Reverted::Unknown
                }
                _ => {
                    let findings = Impact::of(Ok(before), Ok(&made), self.ignore).findings;
                    Reverted::Changes(Some(findings.into_iter().map(|it| it.change).collect()))
                }
            },
            (Ok(_), Ok(Some(Err(_)))) => Reverted::Unknown,
            // It may fail for another reason, since only a part of the edits is reverted.
            (Err(before), Ok(Some(Err(made)))) if still_fails(before, &made) => Reverted::Fixed,
            (Err(_), Ok(Some(Err(_)))) => Reverted::Unknown,
            (Err(_), Ok(Some(Ok(_)))) => Reverted::Changes(None),
        }
    }

    /// Compiles a node with a patch. None if nothing that the last compilation read differs.
    fn compiled_with(&mut self, index: usize, patch: Option<Patch>) -> Result<Option<Compiled>, Failure> {
        match self.tracked.samples.get(index).map(|it| it.node) {
            Some(node) => self.evaluated(node, patch),
            None => Ok(None),
        }
    }

    /// Compiles any node of the fleet, like [`Search::compiled_with`].
    fn evaluated(&mut self, node: Node, patch: Option<Patch>) -> Result<Option<Compiled>, Failure> {
        let Tracked { compilation, after, .. } = &mut self.tracked;
        let path = patch.as_ref().map(|it| it.path.clone());
        let batch: ChangeBatch = self.patched.iter().chain(&path).cloned().collect();
        self.patched = path;
        after.set(patch);
        compilation.apply(&batch)?;
        let root = self.root;
        let made = compilation.traced(&[node], |it| *it, |_, outcome| relative(outcome, root));
        made.into_iter().next().unwrap_or(Ok(None))
    }
}
