use std::collections::BTreeSet;

use foldhash::fast::RandomState;
use indexmap::IndexMap;
use marotte_catalog::Catalog;
use marotte_text::Str;
use serde::{Deserialize, Serialize};

use crate::compare::compare_without;
use crate::group::Changes;
use crate::{Cause, Finding, Group, Ignore, NodeSet};

/// An error in a node's code or data that prevents its catalog.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fault {
    /// The message, as one sentence.
    pub message: String,
    /// The file and line.
    pub place: Option<(String, u32)>,
}

/// The completeness of a node's catalog, before or after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Side {
    /// The catalog is complete.
    Known,
    /// The catalog is incomplete, for these reasons.
    Incomplete(Vec<Str>),
    /// The catalog doesn't exist, because of these errors.
    Failed(Vec<Fault>),
}

/// The effects of a change on one node.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The completeness of its catalog before.
    pub before: Side,
    /// The completeness of its catalog after.
    pub after: Side,
    /// The changes. Empty if one of the catalogs doesn't exist.
    pub findings: Vec<Finding>,
    /// The reasons why changes are ignored, each with the number of ignored changes.
    pub ignored: Vec<(Str, usize)>,
    /// The sources of files whose contents are not in the code, before or after.
    pub elsewhere: Vec<Str>,
}

/// The result for a node, the most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// The node had a catalog, and no longer has one.
    FailsNow,
    /// The catalog certainly differs.
    Changed,
    /// The node had no catalog, and has one now. Its changes are unknown.
    CompilesNow,
    /// The node has no catalog, before or after. Its changes are unknown.
    FailsStill,
    /// No difference is certain, and parts of the catalogs are unknown.
    NotFullyKnown,
    /// Both catalogs are complete, and equal.
    Unchanged,
}

/// A node of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// The name of the node.
    pub name: String,
    /// The result for the node.
    pub verdict: Verdict,
    /// Whether both of its catalogs are complete. If not, there may be more changes.
    pub is_fully_known: bool,
}

/// Nodes that fail for the same reasons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failing {
    /// When the nodes fail: now, still, or only before.
    pub verdict: Verdict,
    /// The errors that the nodes have in common.
    pub faults: Vec<Fault>,
    /// The failing nodes.
    pub nodes: NodeSet,
    /// The edits without which the first of the nodes would still fail or compile. Empty if they are unknown.
    pub causes: Vec<Cause>,
}

/// The changes that are ignored for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ignored {
    /// The rule as the user wrote it, or the option.
    pub reason: Str,
    /// The number of changes, on all nodes.
    pub changes: usize,
    /// The nodes with such changes.
    pub nodes: NodeSet,
}

/// The number of nodes of each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All nodes.
    pub nodes: usize,
    /// Nodes with [`Verdict::Changed`].
    pub changed: usize,
    /// Nodes with [`Verdict::Changed`] that may have more changes.
    pub partly_known: usize,
    /// Nodes with [`Verdict::Unchanged`].
    pub unchanged: usize,
    /// Nodes with [`Verdict::NotFullyKnown`].
    pub not_fully_known: usize,
    /// Nodes with [`Verdict::FailsNow`].
    pub failing_now: usize,
    /// Nodes with [`Verdict::CompilesNow`].
    pub failing_before: usize,
    /// Nodes with [`Verdict::FailsStill`].
    pub failing_still: usize,
}

/// The effects of a change on all nodes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The user's name for the code before.
    pub before: String,
    /// The user's name for the code after.
    pub after: String,
    /// The reasons why no node can be certainly unchanged, apart from unknown parts of single catalogs.
    pub doubts: Vec<String>,
    /// The nodes, in the order in which they were added.
    pub nodes: Vec<Node>,
    /// The nodes that fail, before or after.
    pub failing: Vec<Failing>,
    /// The changes, grouped by the nodes that have them.
    pub groups: Vec<Group>,
    /// The causes of unknown parts of catalogs, each with the nodes that it affects.
    pub unknown: Vec<(Str, NodeSet)>,
    /// The ignored changes. They aren't in any group, and a node with only ignored changes isn't a changed one.
    pub ignored: Vec<Ignored>,
    /// The sources of files whose contents are not in the code, and were not compared, each with the nodes that fetch them.
    pub elsewhere: Vec<(Str, NodeSet)>,
    /// The number of changes beyond the limit, which are in no group.
    pub omitted: usize,
}

/// Collects the outcomes of nodes, and groups their changes into a [`Report`].
#[derive(Debug, Default)]
pub struct ReportBuilder {
    report: Report,
    changes: Changes,
    failing: IndexMap<(Verdict, Vec<Fault>), NodeSet, RandomState>,
    unknown: IndexMap<Str, NodeSet, RandomState>,
    ignored: IndexMap<Str, (usize, NodeSet), RandomState>,
    elsewhere: IndexMap<Str, NodeSet, RandomState>,
}

impl Side {
    /// Returns the completeness of a catalog.
    pub fn of(catalog: &Catalog) -> Side {
        if catalog.completeness().is_complete() {
            return Side::Known;
        }
        let told = |cause: &Str, reason: Option<&Str>| match reason {
            Some(reason) => format!("{cause}: {reason}").into(),
            None => cause.clone(),
        };
        Side::Incomplete(catalog.told_gaps().iter().map(|it| told(&it.cause, it.reason.as_ref())).collect())
    }
}

/// Returns the sources of files whose contents are not in the code of catalogs, sorted.
fn elsewhere(catalogs: [&Catalog; 2]) -> Vec<Str> {
    let all: BTreeSet<Str> = catalogs.into_iter().flat_map(Catalog::elsewhere).collect();
    all.into_iter().collect()
}

impl Outcome {
    /// Compares the results for a node before and after.
    pub fn of(
        before: Result<&Catalog, Vec<Fault>>,
        after: Result<&Catalog, Vec<Fault>>,
        ignore: &Ignore,
    ) -> Outcome {
        let (findings, ignored) = match (&before, &after) {
            (Ok(before), Ok(after)) => compare_without(before, after, ignore),
            _ => Default::default(),
        };
        let side = |it: Result<&Catalog, Vec<Fault>>| it.map_or_else(Side::Failed, Side::of);
        let elsewhere = match (&before, &after) {
            (Ok(before), Ok(after)) if before.contents.is_some() => elsewhere([before, after]),
            _ => Vec::new(),
        };
        Outcome { before: side(before), after: side(after), findings, ignored, elsewhere }
    }

    /// Returns the outcome for a node whose catalog is the same without a comparison, because none of its inputs differ.
    /// `elsewhere` has the sources of files whose contents are not in the code.
    pub fn unaffected(side: Side, elsewhere: Vec<Str>) -> Outcome {
        Outcome { before: side.clone(), after: side, findings: Vec::new(), ignored: Vec::new(), elsewhere }
    }

    /// Returns the result for the node.
    pub fn verdict(&self) -> Verdict {
        match (&self.before, &self.after) {
            (Side::Failed(_), Side::Failed(_)) => Verdict::FailsStill,
            (Side::Failed(_), _) => Verdict::CompilesNow,
            (_, Side::Failed(_)) => Verdict::FailsNow,
            _ if self.findings.iter().any(|it| it.is_certain) => Verdict::Changed,
            (Side::Known, Side::Known) if self.findings.is_empty() => Verdict::Unchanged,
            _ => Verdict::NotFullyKnown,
        }
    }

    /// Whether both catalogs are complete.
    fn is_fully_known(&self) -> bool {
        self.before == Side::Known && self.after == Side::Known
    }
}

impl ReportBuilder {
    /// Creates a report on the difference between two code trees, with the user's names for them. If there are doubts, no node
    /// counts as unchanged.
    pub fn new(before: String, after: String, doubts: Vec<String>) -> ReportBuilder {
        ReportBuilder {
            report: Report { before, after, doubts, ..Report::default() },
            ..ReportBuilder::default()
        }
    }

    /// Adds reasons why no node can be certainly unchanged.
    pub fn doubt(&mut self, doubts: Vec<String>) {
        self.report.doubts.extend(doubts);
    }

    /// Returns the number of the next node.
    pub fn number(&self) -> u32 {
        u32::try_from(self.report.nodes.len()).unwrap_or(u32::MAX)
    }

    /// Adds a node. Returns whether it is the first node with one of its changes, or the first to fail for its reasons.
    pub fn add(&mut self, name: String, outcome: Outcome) -> bool {
        let number = self.number();
        let (is_fully_known, verdict) = (outcome.is_fully_known(), outcome.verdict());
        let Outcome { before, after, findings, ignored, elsewhere } = outcome;
        let mut causes: Vec<Str> = Vec::new();
        let mut faults = Vec::new();
        for side in [before, after] {
            match side {
                Side::Known => {}
                Side::Incomplete(own) => causes.extend(own),
                // Of those that fail still, what is wrong now matters more.
                Side::Failed(own) => faults = own,
            }
        }
        causes.sort_unstable();
        causes.dedup();
        for cause in causes {
            self.unknown.entry(cause).or_default().push(number);
        }
        let mut is_first = false;
        if matches!(verdict, Verdict::FailsNow | Verdict::FailsStill | Verdict::CompilesNow) {
            let nodes = self.failing.entry((verdict, faults)).or_default();
            is_first = nodes.is_empty() && verdict != Verdict::FailsStill;
            nodes.push(number);
        }
        for (reason, count) in ignored {
            let (changes, nodes) = self.ignored.entry(reason).or_default();
            *changes += count;
            nodes.push(number);
        }
        for source in elsewhere {
            self.elsewhere.entry(source).or_default().push(number);
        }
        is_first |= self.changes.add(number, findings);
        self.report.nodes.push(Node { name, verdict, is_fully_known });
        is_first
    }

    /// Returns the report on all added nodes.
    pub fn finish(self) -> Report {
        let ReportBuilder { mut report, changes, failing, unknown, ignored, elsewhere } = self;
        let ignored = ignored.into_iter();
        report.ignored =
            ignored.map(|(reason, (changes, nodes))| Ignored { reason, changes, nodes }).collect();
        (report.groups, report.omitted) = changes.groups();
        let failing = failing.into_iter();
        let failing = failing.map(|((verdict, faults), nodes)| (verdict, faults, nodes));
        report.failing = failing
            .map(|(verdict, faults, nodes)| Failing { verdict, faults, nodes, causes: Vec::new() })
            .collect();
        report.unknown = unknown.into_iter().collect();
        report.elsewhere = elsewhere.into_iter().collect();
        report.apply_doubts();
        report.sort();
        report
    }
}

impl Verdict {
    /// All verdicts, the most important first.
    pub const ALL: [Verdict; 6] = [
        Verdict::FailsNow,
        Verdict::Changed,
        Verdict::CompilesNow,
        Verdict::FailsStill,
        Verdict::NotFullyKnown,
        Verdict::Unchanged,
    ];

    /// Returns the name of the verdict in machine-readable output.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::FailsNow => "failing-now",
            Verdict::Changed => "changed",
            Verdict::CompilesNow => "failing-before",
            Verdict::FailsStill => "failing-still",
            Verdict::NotFullyKnown => "not-fully-known",
            Verdict::Unchanged => "unchanged",
        }
    }

    /// Returns the words for the verdict in output for people.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::FailsNow => "failing now",
            Verdict::Changed => "changed",
            Verdict::CompilesNow => "failing before, compiling now",
            Verdict::FailsStill => "failing before and now",
            Verdict::NotFullyKnown => "not fully known",
            Verdict::Unchanged => "unchanged",
        }
    }
}

impl Report {
    /// Lets no node count as unchanged or fully known if there are doubts.
    pub(crate) fn apply_doubts(&mut self) {
        if self.doubts.is_empty() {
            return;
        }
        for it in &mut self.nodes {
            it.is_fully_known = false;
            if it.verdict == Verdict::Unchanged {
                it.verdict = Verdict::NotFullyKnown;
            }
        }
    }

    /// Sorts the entries by the number of their nodes, the largest first. Entries with equally many nodes stay in the order in
    /// which the nodes were added.
    pub(crate) fn sort(&mut self) {
        self.failing.sort_by_key(|it| (it.verdict, std::cmp::Reverse(it.nodes.len())));
        self.unknown.sort_by_key(|(_, nodes)| std::cmp::Reverse(nodes.len()));
        self.elsewhere.sort_by_key(|(_, nodes)| std::cmp::Reverse(nodes.len()));
    }

    /// Returns the number of nodes of each verdict.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts { nodes: self.nodes.len(), ..Counts::default() };
        for it in &self.nodes {
            *match it.verdict {
                Verdict::FailsNow => &mut counts.failing_now,
                Verdict::Changed => &mut counts.changed,
                Verdict::CompilesNow => &mut counts.failing_before,
                Verdict::FailsStill => &mut counts.failing_still,
                Verdict::NotFullyKnown => &mut counts.not_fully_known,
                Verdict::Unchanged => &mut counts.unchanged,
            } += 1;
            counts.partly_known += usize::from(it.verdict == Verdict::Changed && !it.is_fully_known);
        }
        counts
    }

    /// Returns the names of some nodes.
    pub fn names<'r>(&'r self, nodes: &'r [u32]) -> impl Iterator<Item = &'r str> {
        let node = |it: &u32| usize::try_from(*it).ok().and_then(|it| self.nodes.get(it));
        nodes.iter().filter_map(move |it| Some(&*node(it)?.name))
    }
}
