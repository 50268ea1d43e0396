//! Confirms causes on a second node of a group. Nodes with the same change may have it because of different edits.

use std::collections::{BTreeMap, BTreeSet, btree_map};

use marotte_host::Node;
use marotte_impact::{Cause, Change, Hunk, Outcome as Impact, Report};

use super::super::patched::Patch;
use super::{Compiled, Edited, Entry, HUNKS, Search, still_fails};
use crate::failure::Failure;

/// The maximum number of nodes on which causes are confirmed. The causes of further nodes are unknown.
const NODES: usize = 64;

/// The causes that were found on the first node of each entry.
type Found = BTreeMap<Entry, BTreeSet<Cause>>;

impl Search<'_, '_> {
    /// Removes the causes that don't, or may not, apply to the last node of an entry.
    pub(super) fn confirm(
        &mut self,
        report: &Report,
        files: &[Edited],
        found: &mut Found,
    ) -> Result<(), Failure> {
        let mut entries: BTreeMap<u32, Vec<Entry>> = BTreeMap::new();
        for entry in found.keys() {
            if let [_, .., last] = entry.nodes(report) {
                entries.entry(*last).or_default().push(*entry);
            }
        }
        // The only edit needs no proof, but of several lines of a file another one may be the cause.
        let is_certain = self.tracked.is_whole && files.len() == 1 && !self.has_any_other_facts();
        if is_certain && !files.iter().any(has_lines) {
            return Ok(());
        }
        for (index, (number, entries)) in entries.into_iter().enumerate() {
            let name = report.names(&[number]).next().map(str::to_owned);
            let described = self.tracked.compilation.described(name.as_deref());
            let confirmed = match described.map(|it| self.tracked.compilation.fleet().add(it)) {
                Ok(node) if index < NODES => self.of_node(node, &entries, files, report, found)?,
                _ if is_certain => {
                    let whole: BTreeSet<Cause> = files.iter().map(|it| self.whole(it)).collect();
                    entries.iter().map(|it| (*it, whole.clone())).collect()
                }
                _ => BTreeMap::new(),
            };
            for entry in entries {
                found.insert(entry, confirmed.get(&entry).cloned().unwrap_or_default());
            }
        }
        Ok(())
    }

    /// Returns the causes that also apply to a node.
    fn of_node(
        &mut self,
        node: Node,
        entries: &[Entry],
        files: &[Edited],
        report: &Report,
        found: &Found,
    ) -> Result<Found, Failure> {
        let mut confirmed = Found::new();
        let Some(after) = self.evaluated(node, None)? else { return Ok(confirmed) };
        let read: BTreeSet<usize> = self.read(node, files)?.into_iter().collect();
        let is_sure = self.tracked.is_whole && !self.has_any_other_facts();
        let is_only = |number: usize| is_sure && read.len() == 1 && read.contains(&number);
        // What the node becomes without an edit: None if it does not read it, an error if nothing can be compiled then.
        let mut reverted: BTreeMap<(usize, Option<usize>), Result<Option<Compiled>, Failure>> =
            BTreeMap::new();
        for entry in entries {
            for cause in found.get(entry).into_iter().flatten() {
                let is_of = |it: &Edited| *it.shown == *cause.file;
                let Some(number) = files.iter().position(is_of) else {
                    // Facts: each node has its own.
                    if read.is_empty() {
                        confirmed.entry(*entry).or_default().insert(of_folder(cause));
                    }
                    continue;
                };
                if !read.contains(&number) {
                    continue;
                }
                let file = &files[number];
                let hunk = hunk(file, cause);
                let key = (number, hunk.map(|(at, _)| at));
                let made = match reverted.entry(key) {
                    btree_map::Entry::Occupied(known) => known.into_mut(),
                    btree_map::Entry::Vacant(place) => {
                        let text = match (hunk, &file.texts) {
                            (Some((_, hunk)), [Some(before), Some(after)]) => {
                                Some(hunk.revert(before, after))
                            }
                            _ => None,
                        };
                        let made = self.evaluated(node, Some(Patch { path: file.path.clone(), text }));
                        self.evaluated(node, None)?;
                        place.insert(made)
                    }
                };
                let has = match made {
                    Ok(Some(made)) => self.is_undone(*entry, made, &after, report).unwrap_or(is_only(number)),
                    Ok(None) => false,
                    Err(_) => is_only(number),
                };
                if has {
                    confirmed.entry(*entry).or_default().insert(cause.clone());
                } else if hunk.is_some() && is_only(number) {
                    // Another line of the only file that the node reads.
                    confirmed.entry(*entry).or_default().insert(self.whole(file));
                }
            }
        }
        Ok(confirmed)
    }

    /// Returns the cause that consists of all edits of a file.
    fn whole(&self, file: &Edited) -> Cause {
        file.cause([&*self.tracked.before, &*self.tracked.after])
    }

    /// Returns the indices of the files whose edits a node's evaluation reads.
    fn read(&mut self, node: Node, files: &[Edited]) -> Result<Vec<usize>, Failure> {
        let mut read = Vec::new();
        for (number, file) in files.iter().enumerate() {
            let patch = Patch { path: file.path.clone(), text: None };
            if !matches!(self.evaluated(node, Some(patch)), Ok(None)) {
                read.push(number);
                self.evaluated(node, None)?;
            }
        }
        Ok(read)
    }

    /// Whether an entry of the report no longer applies to a node if an edit is reverted. None if that is unknown.
    fn is_undone(&self, entry: Entry, made: &Compiled, after: &Compiled, report: &Report) -> Option<bool> {
        match (entry, made, after) {
            (Entry::Failing(_), Ok(_), Err(_)) => Some(true),
            (Entry::Failing(number), Err(made), _) => {
                let faults = &report.failing.get(number)?.faults;
                still_fails(faults, made).then_some(true)
            }
            (Entry::Change(group, number), Ok(made), Ok(after)) => {
                let listed = report.groups.get(group)?.changes.get(number)?;
                let changes = Impact::of(Ok(made), Ok(after), self.ignore).findings;
                Some(changes.iter().any(|it| is_about(&it.change, &listed.change)))
            }
            _ => None,
        }
    }

    /// Whether any node may have had other facts.
    fn has_any_other_facts(&self) -> bool {
        self.tracked.samples.iter().any(|it| it.facts.is_some())
    }
}

impl Entry {
    /// Returns the numbers of the nodes.
    fn nodes(self, report: &Report) -> &[u32] {
        match self {
            Entry::Change(group, _) => report.groups.get(group).map(|it| &*it.nodes),
            Entry::Failing(number) => report.failing.get(number).map(|it| &*it.nodes),
        }
        .unwrap_or_default()
    }
}

/// Whether several edits of a file are reverted one by one, so that causes have lines.
fn has_lines(file: &Edited) -> bool {
    (2..=HUNKS).contains(&file.hunks.len())
}

/// Returns the hunk that a cause names, with its index, if it is one of several that were reverted one by one.
fn hunk<'f>(file: &'f Edited, cause: &Cause) -> Option<(usize, &'f Hunk)> {
    let hunks = file.hunks.iter().enumerate().filter(|_| has_lines(file));
    hunks.into_iter().find(|(_, it)| it.edit() == cause.edit)
}

/// Returns the cause for the facts of several nodes, which names their folder, given the cause for the first one.
fn of_folder(cause: &Cause) -> Cause {
    let folder = cause.file.rsplit_once('/').map_or(".", |(folder, _)| folder);
    Cause { file: folder.into(), edit: cause.edit }
}

/// Whether a change that an edit makes is a part of another change: of the same attribute, or of the whole resource.
fn is_about(change: &Change, listed: &Change) -> bool {
    let name = |it: &Change| match it.unwrapped() {
        Change::Attribute { name, .. } | Change::Text { name, .. } | Change::Relationship { name, .. } => {
            Some(name.to_string())
        }
        Change::Property { name, .. } => Some((*name).to_string()),
        Change::Content { below, .. } => Some(format!("content of {below}")),
        _ => None,
    };
    let is_whole = |it: &Change| matches!(it.unwrapped(), Change::Added { .. } | Change::Removed { .. });
    if change.resource() != listed.resource() {
        return false;
    }
    match (change.resource(), is_whole(change)) {
        (None, _) => {
            change == listed || matches!((change, listed), (Change::Order { .. }, Change::Order { .. }))
        }
        (Some(_), true) => true,
        (Some(_), false) => name(change) == name(listed) && is_whole(change) == is_whole(listed),
    }
}
