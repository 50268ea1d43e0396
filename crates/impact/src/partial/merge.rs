use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use foldhash::HashSet;
use foldhash::fast::RandomState;
use indexmap::IndexMap;
use marotte_text::Str;

use super::{Inputs, Part, Search, Shard};
use crate::group::{Changes, Entry, LIMIT};
use crate::{Cause, Change, Failing, Fault, GroupedChange, Ignored, NodeSet, Origin, Report, Verdict};

/// The reason why parts cannot be merged. Files are named as the caller names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MergeError {
    /// There are no parts.
    Nothing,
    /// Two parts have different total numbers of parts.
    Number([(String, Shard); 2]),
    /// Two files have the same part.
    Twice([String; 2], Shard),
    /// Two parts were created from different inputs, named by the text.
    Inputs([String; 2], &'static str),
    /// Parts are missing: their numbers, and the total number.
    Missing(Vec<u32>, u32),
}

impl fmt::Display for MergeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MergeError::Nothing => out.write_str("there are no partial results to merge"),
            MergeError::Number([(one, shard), (other, other_shard)]) => {
                write!(out, "{one} is part {shard}, and {other} is part {other_shard}")
            }
            MergeError::Twice([one, other], shard) => write!(out, "{one} and {other} are both part {shard}"),
            MergeError::Inputs([one, other], what) => {
                write!(out, "{one} and {other} are no parts of one report: {what} not the same")
            }
            MergeError::Missing(numbers, of) => {
                let shown: Vec<String> = numbers.iter().take(10).map(u32::to_string).collect();
                let more = match numbers.len().saturating_sub(10) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                match &shown[..] {
                    [only] => write!(out, "part {only} of {of} is missing"),
                    all => write!(out, "parts {}{more} of {of} are missing", all.join(", ")),
                }
            }
        }
    }
}

impl std::error::Error for MergeError {}

/// The merged data of a change, with the numbers of nodes in the whole report.
struct Merged {
    nodes: NodeSet,
    /// The number of the change in its part, which keeps the order of changes that have the same first node.
    number: usize,
    /// The change as on the first node.
    change: Arc<Change>,
    origin: Origin,
    causes: Vec<Cause>,
}

/// Merges parts into the report on all nodes, which equals the one of a single process. Each part has the name of its file.
pub fn merge(mut parts: Vec<(String, Part)>) -> Result<Report, MergeError> {
    parts.sort_by_key(|(_, it)| it.shard.number());
    check(&parts)?;
    let parts: Vec<Part> = parts.into_iter().map(|(_, it)| it).collect();
    let mut changes = changes(&parts);
    let mut failing = failing(&parts);
    let known = known_causes(&parts, &changes, &failing);
    let first = |nodes: &NodeSet| nodes.first().copied().unwrap_or_default();
    changes
        .iter_mut()
        .filter(|(_, it)| !known.contains(&first(&it.nodes)))
        .for_each(|(_, it)| it.causes.clear());
    failing.iter_mut().filter(|it| !known.contains(&first(&it.nodes))).for_each(|it| it.causes.clear());
    let (groups, omitted) = grouped(changes);
    let unknown = by_cause(&parts, |it| &it.unknown);
    let elsewhere = by_cause(&parts, |it| &it.elsewhere);
    let ignored = ignored(&parts);
    let total = parts.iter().map(|it| it.report.nodes.len()).sum();
    let mut nodes: Vec<_> = Vec::with_capacity(total);
    let (mut before, mut after) = Default::default();
    let mut doubts: Vec<String> = Vec::new();
    let mut own: Vec<_> = Vec::with_capacity(parts.len());
    for Part { report, .. } in parts {
        (before, after) = (report.before, report.after);
        // Some come from what the nodes of a part have read.
        for doubt in report.doubts {
            if !doubts.contains(&doubt) {
                doubts.push(doubt);
            }
        }
        own.push(report.nodes.into_iter());
    }
    while nodes.len() < total {
        nodes.extend(own.iter_mut().filter_map(Iterator::next));
    }
    let mut report =
        Report { before, after, doubts, nodes, failing, groups, unknown, ignored, elsewhere, omitted };
    report.apply_doubts();
    report.sort();
    Ok(report)
}

/// Checks that parts, in the order of their numbers, belong to the same report.
fn check(parts: &[(String, Part)]) -> Result<(), MergeError> {
    let Some((first_name, first)) = parts.first() else { return Err(MergeError::Nothing) };
    let of = first.shard.of();
    if let Some((name, part)) = parts.iter().find(|(_, it)| it.shard.of() != of) {
        let named = |name: &String, part: &Part| (name.clone(), part.shard);
        return Err(MergeError::Number([named(first_name, first), named(name, part)]));
    }
    for pair in parts.windows(2) {
        if let [(one, part), (other, next)] = pair
            && part.shard == next.shard
        {
            return Err(MergeError::Twice([one.clone(), other.clone()], part.shard));
        }
    }
    for (name, part) in parts {
        if let Some(what) = difference(first, part) {
            return Err(MergeError::Inputs([first_name.clone(), name.clone()], what));
        }
    }
    let there: BTreeSet<u32> = parts.iter().map(|(_, it)| it.shard.number()).collect();
    let missing: Vec<u32> = (1..=of).filter(|it| !there.contains(it)).collect();
    if missing.is_empty() { Ok(()) } else { Err(MergeError::Missing(missing, of)) }
}

/// Returns the input in which two parts differ, with a verb, so that "not the same" can follow.
fn difference(one: &Part, other: &Part) -> Option<&'static str> {
    let Inputs { before, after, facts, nodes, options } = &one.inputs;
    let (report, inputs) = (&other.report, &other.inputs);
    let differences = [
        (*facts != inputs.facts, "the facts are"),
        (*nodes != inputs.nodes || one.nodes != other.nodes, "the names of the nodes are"),
        (*options != inputs.options || one.options != other.options, "the options are"),
        (*before != inputs.before || one.report.before != report.before, "the code before is"),
        (*after != inputs.after || one.report.after != report.after, "the code after is"),
    ];
    differences.into_iter().find(|(is_different, _)| *is_different).map(|(_, what)| what)
}

/// Returns the numbers in the whole report of some nodes of a part.
fn places(shard: Shard, nodes: &NodeSet) -> impl Iterator<Item = u32> {
    // The number of all nodes is one of 32 bits.
    nodes.iter().map(move |it| u32::try_from(shard.place(*it)).unwrap_or(u32::MAX))
}

/// Adds the nodes of a part to those of other parts. Returns whether its first node comes before all others.
fn add(nodes: &mut NodeSet, shard: Shard, own: &NodeSet) -> bool {
    let first = nodes.iter().min().copied();
    nodes.extend(places(shard, own));
    first.is_none_or(|it| places(shard, own).next() < Some(it))
}

type ChangesOfAll = IndexMap<(Arc<Change>, bool), Merged, RandomState>;

/// Returns the changes of all parts, in the order in which a single process finds them.
fn changes(parts: &[Part]) -> ChangesOfAll {
    let mut all = ChangesOfAll::default();
    for part in parts {
        let mut number = 0;
        for group in &part.report.groups {
            for GroupedChange { change, origin, causes } in &group.changes {
                number += 1;
                let entry = all.entry((Arc::clone(change), group.is_certain)).or_insert_with(|| Merged {
                    nodes: NodeSet::new(),
                    number,
                    change: Arc::clone(change),
                    origin: origin.clone(),
                    causes: causes.clone(),
                });
                // Each part has confirmed its causes with its own nodes.
                let agreed = agreed(&entry.causes, causes);
                // What is shown of equal changes is what the first node has.
                if add(&mut entry.nodes, part.shard, &group.nodes) {
                    let (change, origin, causes) = (Arc::clone(change), origin.clone(), Vec::new());
                    *entry =
                        Merged { nodes: std::mem::take(&mut entry.nodes), number, change, origin, causes };
                }
                entry.causes = agreed;
            }
        }
    }
    all.values_mut().for_each(|it| in_order(&mut it.nodes));
    all.sort_by(|_, one, _, other| {
        let key = |it: &Merged| (it.nodes.first().copied(), it.number);
        key(one).cmp(&key(other))
    });
    all
}

/// Returns the causes that two parts have in common.
fn agreed(one: &[Cause], other: &[Cause]) -> Vec<Cause> {
    one.iter().filter(|it| other.contains(it)).cloned().collect()
}

fn in_order(nodes: &mut NodeSet) {
    nodes.sort_unstable();
    nodes.dedup();
}

/// Returns the groups of changes, and the number of changes beyond the limit, which are in none.
fn grouped(mut all: ChangesOfAll) -> (Vec<crate::Group>, usize) {
    let mut changes = Changes::default();
    let omitted = all.split_off(LIMIT.min(all.len()));
    changes.omitted = omitted.values().map(|it| it.nodes.len()).sum();
    for ((_, is_certain), Merged { nodes, change, origin, causes, .. }) in all {
        changes.known.insert((change, is_certain), Entry { nodes, origin, causes });
    }
    changes.groups()
}

/// Returns the failing nodes, in the order of the first node of each entry.
fn failing(parts: &[Part]) -> Vec<Failing> {
    let mut all: IndexMap<(Verdict, &[Fault]), Failing, RandomState> = IndexMap::default();
    for part in parts {
        for it in &part.report.failing {
            let none = || Failing { nodes: NodeSet::new(), ..it.clone() };
            let merged = all.entry((it.verdict, &it.faults)).or_insert_with(none);
            merged.causes = agreed(&merged.causes, &it.causes);
            add(&mut merged.nodes, part.shard, &it.nodes);
        }
    }
    let mut all: Vec<Failing> = all.into_values().collect();
    all.iter_mut().for_each(|it| in_order(&mut it.nodes));
    all.sort_by_key(|it| it.nodes.first().copied());
    all
}

/// Returns texts with their nodes, such as the causes of unknown parts, in the order of their first nodes, and alphabetically for
/// the same node.
fn by_cause(parts: &[Part], of: fn(&Report) -> &[(Str, NodeSet)]) -> Vec<(Str, NodeSet)> {
    let mut all: IndexMap<Str, NodeSet, RandomState> = IndexMap::default();
    for part in parts {
        for (cause, nodes) in of(&part.report) {
            add(all.entry(cause.clone()).or_default(), part.shard, nodes);
        }
    }
    let mut all: Vec<(Str, NodeSet)> = all.into_iter().collect();
    all.iter_mut().for_each(|(_, nodes)| in_order(nodes));
    all.sort_by(|one, other| (one.1.first(), &one.0).cmp(&(other.1.first(), &other.0)));
    all
}

/// Returns the ignored changes, in the order in which a single process finds them.
fn ignored(parts: &[Part]) -> Vec<Ignored> {
    let mut all: IndexMap<Str, (Ignored, usize), RandomState> = IndexMap::default();
    for part in parts {
        for (number, Ignored { reason, changes, nodes }) in part.report.ignored.iter().enumerate() {
            let none = || (Ignored { reason: reason.clone(), changes: 0, nodes: NodeSet::new() }, number);
            let (merged, of_first) = all.entry(reason.clone()).or_insert_with(none);
            merged.changes = merged.changes.saturating_add(*changes);
            if add(&mut merged.nodes, part.shard, nodes) {
                *of_first = number;
            }
        }
    }
    let mut all: Vec<(Ignored, usize)> = all.into_values().collect();
    all.iter_mut().for_each(|(it, _)| in_order(&mut it.nodes));
    all.sort_by_key(|(it, number)| (it.nodes.first().copied(), *number));
    all.into_iter().map(|(it, _)| it).collect()
}

/// Returns the nodes that a single process would have examined for causes, and that their part has examined by the same rules.
fn known_causes(parts: &[Part], changes: &ChangesOfAll, failing: &[Failing]) -> HashSet<u32> {
    let failing = failing.iter().filter(|it| it.verdict != Verdict::FailsStill).map(|it| &it.nodes);
    let changed = changes.values().take(LIMIT).map(|it| &it.nodes);
    // The first nodes with a change, or that fail for a reason.
    let first: BTreeSet<u32> = changed.chain(failing).filter_map(|it| it.first().copied()).collect();
    let is_whole = parts.iter().all(|it| it.search.is_whole);
    let (mut known, mut samples, mut effort) = (HashSet::default(), 0, 0u32);
    for node in first {
        // There is at least one part, and the parts are in order.
        let of = u32::try_from(parts.len()).unwrap_or(u32::MAX).max(1);
        let Some(part) = parts.get(usize::try_from(node % of).unwrap_or(usize::MAX)) else { break };
        let Some(sample) = part.search.sample(node / of) else { continue };
        let Some(own) = sample else { break };
        samples += 1;
        effort = effort.saturating_add(own);
        if samples > Search::SAMPLES || effort > Search::EFFORT {
            break;
        }
        // If all edits are known, the only edit that a node reads is taken for the cause.
        if part.search.is_whole == is_whole {
            known.insert(node);
        }
    }
    known
}

impl Search {
    /// Returns the effort for a node. None if the node cannot have been examined, `Some(None)` if it was omitted.
    fn sample(&self, node: u32) -> Option<Option<u32>> {
        match self.samples.binary_search_by_key(&node, |it| it.node) {
            Ok(at) => self.samples.get(at).map(|it| it.effort),
            // It comes after all that there was room for.
            Err(at) if at == self.samples.len() && at >= Search::SAMPLES_OF_PART => Some(None),
            Err(_) => None,
        }
    }
}
