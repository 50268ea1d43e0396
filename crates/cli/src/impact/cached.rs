//! Finds out what is known of nodes from other runs: which have a catalog, and which read nothing that is different.

use std::sync::Arc;

use marotte_catalog::Catalog;
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
    /// Its catalog from the code before.
    Before(Box<Catalog>, Side),
}

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
    let found = cache.find(tracked, &asked);
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
    let wanted: Vec<Option<&Entry>> =
        known.iter().zip(&valid).map(|((.., it), is_same)| (!is_same).then_some(it)).collect();
    let keeper = &*cache;
    let catalogs = tracked.ask(&wanted, |_, _, entry| keeper.catalog((*entry)?));
    for (((at, _, entry), is_same), catalog) in known.into_iter().zip(valid).zip(catalogs) {
        let made = match is_same {
            true => CachedNode::Unaffected(entry.side(), entry.elsewhere()),
            false => match catalog.flatten() {
                Some(mut catalog) => {
                    // The cache has none: they are those of the code before, since all answers are the same.
                    catalog.contents = Some(Arc::new(before.contents(&catalog)));
                    CachedNode::Before(Box::new(catalog), entry.side())
                }
                None => continue,
            },
        };
        cache.renew(&entry);
        if let Some(place) = cached.get_mut(at) {
            *place = made;
        }
    }
    Ok(cached)
}
