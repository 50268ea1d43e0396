//! Finds out what is known of nodes from other runs: which have a catalog, and which read nothing that is different.

use marotte_host::Node;
use marotte_impact::Side;
use marotte_project::ChangeBatch;
use marotte_text::Str;

use super::switched::SwitchedSystem;
use crate::compilation::Compilation;
use crate::failure::Failure;
use crate::result_cache::{CachedResult as Entry, ResultCache};

/// The results of other runs for a node.
pub(super) enum CachedNode {
    /// Nothing: it has to be evaluated.
    Nothing,
    /// Its evaluation reads nothing that is different. What is known of its catalog, and the sources of files whose contents are not
    /// in the code.
    Unaffected(Side, Vec<Str>),
    /// Its catalog from the code before is known, and perhaps the one from the code after.
    Before(Box<Entry>, Option<Box<Entry>>),
}

/// The number of records of other runs that are searched for results of the code after. Whoever compares the same trees again has
/// them in the latest one.
const LATEST: usize = 2;

/// The code after, as far as it was looked at.
pub(super) trait Edits {
    /// Called when the database has changed from the code before to the code after.
    fn switched(&mut self, tracked: &mut Compilation<'_>);

    /// Called after evaluations and questions about the code after. `known` is the number of files that were known before.
    fn read(&mut self, tracked: &mut Compilation<'_>, known: usize);
}

/// Asks again what evaluations of nodes have asked in other runs, first about the code before, and then about the code after.
/// `has_other_facts` says whether nodes may have other facts after the change.
pub(super) fn cached_nodes(
    names: &[Option<String>],
    [before, after]: [&Compilation<'_>; 2],
    tracked: &mut Compilation<'_>,
    system: &SwitchedSystem,
    cache: &mut ResultCache,
    has_other_facts: bool,
    edits: &mut dyn Edits,
) -> Result<Vec<CachedNode>, Failure> {
    let mut cached: Vec<CachedNode> = names.iter().map(|_| CachedNode::Nothing).collect();
    if cache.is_empty() {
        return Ok(cached);
    }
    let mut nodes: Vec<(usize, (String, Node))> = Vec::new();
    for (at, (name, described)) in names.iter().zip(before.all_described(names)).enumerate() {
        // Facts that can't be read are told by who compiles the node.
        if let (Some(name), Some(described)) = (name, described) {
            nodes.push((at, (name.clone(), tracked.fleet().add(described))));
        }
    }
    let asked: Vec<(String, Node)> = nodes.iter().map(|(_, it)| it.clone()).collect();
    let found = cache.find(tracked, &asked, usize::MAX);
    let mut known: Vec<(usize, (String, Node), Entry)> =
        nodes.into_iter().zip(found).filter_map(|((at, node), it)| Some((at, node, it?))).collect();
    if known.is_empty() {
        return Ok(cached);
    }
    system.show_after(true);
    tracked.apply(&ChangeBatch::everything())?;
    cache.forget_answers();
    edits.switched(tracked);
    let files = tracked.fleet().known();
    if has_other_facts {
        known.retain(|(_, (name, node), _)| match after.described(Some(name)) {
            Ok(described) => {
                tracked.fleet().describe(*node, described);
                true
            }
            Err(_) => false,
        });
    }
    let asked: Vec<(Node, &Entry)> = known.iter().map(|(_, (_, node), it)| (*node, it)).collect();
    let valid = cache.are_valid(tracked, &asked, has_other_facts);
    edits.read(tracked, files);
    let mut different: Vec<(usize, (String, Node), Entry)> = Vec::new();
    for ((at, node, entry), is_same) in known.into_iter().zip(valid) {
        match (is_same, cached.get_mut(at)) {
            (true, Some(place)) => {
                *place = CachedNode::Unaffected(entry.side(), entry.elsewhere());
                cache.renew(&entry);
            }
            (false, Some(_)) if ResultCache::has_catalog(&entry) => different.push((at, node, entry)),
            _ => {}
        }
    }
    let asked: Vec<(String, Node)> = different.iter().map(|(_, node, _)| node.clone()).collect();
    let after = cache.find(tracked, &asked, LATEST);
    for ((at, _, entry), after) in different.into_iter().zip(after) {
        let after = after.filter(ResultCache::has_catalog);
        cache.renew(&entry);
        after.iter().for_each(|it| cache.renew(it));
        if let Some(place) = cached.get_mut(at) {
            *place = CachedNode::Before(Box::new(entry), after.map(Box::new));
        }
    }
    Ok(cached)
}
