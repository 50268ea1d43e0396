use std::sync::Arc;

use foldhash::fast::RandomState;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::partial::shared;
use crate::{Cause, Change, Finding, Origin};

/// The maximum number of different changes that are kept. Further ones are only counted.
pub(crate) const LIMIT: usize = 500_000;

/// A set of nodes of a report, by their numbers, in ascending order.
pub type NodeSet = Vec<u32>;

/// The changes that exactly the same nodes have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// The nodes that have the changes.
    pub nodes: NodeSet,
    /// The changes of these nodes, the most important ones first.
    pub changes: Vec<GroupedChange>,
    /// Whether the changes are certain. If not, unknown parts of catalogs may be the only reason for them.
    pub is_certain: bool,
}

/// A change of a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupedChange {
    /// The change between two catalogs.
    #[serde(with = "shared")]
    pub change: Arc<Change>,
    /// The origin of the resource, on the first of the nodes.
    pub origin: Origin,
    /// The edits without which the first of the nodes would not have the change, in the order of files. Empty if they are
    /// unknown.
    pub causes: Vec<Cause>,
}

/// The accumulated data of a change, while nodes are added.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) nodes: NodeSet,
    pub(crate) origin: Origin,
    pub(crate) causes: Vec<Cause>,
}

/// The changes of all nodes, each change once.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// The data of each change, keyed by the change and its certainty, in the order of discovery.
    pub(crate) known: IndexMap<(Arc<Change>, bool), Entry, RandomState>,
    pub(crate) omitted: usize,
}

impl Changes {
    /// Adds the changes of a node whose number is higher than those of all nodes before it. Returns whether the node is the first
    /// one with any of them.
    pub(crate) fn add(&mut self, node: u32, findings: Vec<Finding>) -> bool {
        let mut is_first = false;
        for Finding { change, is_certain, origin } in findings {
            let key = (Arc::new(change), is_certain);
            if let Some(entry) = self.known.get_mut(&key) {
                if entry.nodes.last() != Some(&node) {
                    entry.nodes.push(node);
                }
            } else if self.known.len() < LIMIT {
                self.known.insert(key, Entry { nodes: vec![node], origin, causes: Vec::new() });
                is_first = true;
            } else {
                self.omitted += 1;
            }
        }
        is_first
    }

    /// Returns the groups, and the number of changes that are in none. Certain groups come first, then those of many nodes.
    pub(crate) fn groups(self) -> (Vec<Group>, usize) {
        let mut groups: IndexMap<(NodeSet, bool), Vec<GroupedChange>, RandomState> = IndexMap::default();
        for ((change, is_certain), Entry { nodes, origin, causes }) in self.known {
            groups.entry((nodes, is_certain)).or_default().push(GroupedChange { change, origin, causes });
        }
        let mut groups: Vec<Group> = groups
            .into_iter()
            .map(|((nodes, is_certain), mut changes)| {
                // Those of equal importance stay in the order of the catalogs.
                changes.sort_by_key(|it| it.change.rank());
                Group { nodes, changes, is_certain }
            })
            .collect();
        groups.sort_by(|a, b| {
            let key = |it: &Group| (!it.is_certain, std::cmp::Reverse(it.nodes.len()));
            key(a).cmp(&key(b)).then_with(|| a.nodes.cmp(&b.nodes))
        });
        (groups, self.omitted)
    }
}
