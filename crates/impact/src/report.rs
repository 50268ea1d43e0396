use foldhash::fast::RandomState;
use indexmap::IndexMap;
use marotte_catalog::Catalog;
use marotte_text::Str;
use serde::{Deserialize, Serialize};

use crate::compare::compare_without;
use crate::group::Changes;
use crate::{Cause, Finding, Group, Ignore, NodeSet};

/// What is wrong with a node's code or data, so that it has no catalog.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fault {
    /// One sentence.
    pub message: String,
    /// Where.
    pub place: Option<(String, u32)>,
}

/// What is known of a node's catalog, before or after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Side {
    /// All of it.
    Known,
    /// Not all: because of what.
    Incomplete(Vec<Str>),
    /// There is none: why.
    Failed(Vec<Fault>),
}

/// What a change does to one node.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What is known of its catalog before.
    pub before: Side,
    /// What is known of its catalog after.
    pub after: Side,
    /// The changes. None if one of the catalogs is not there.
    pub findings: Vec<Finding>,
    /// The reasons why changes are ignored, each with the number of changes.
    pub ignored: Vec<(Str, usize)>,
}

/// What a report says of a node, the most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// It has no catalog any more.
    FailsNow,
    /// Its catalog is different for certain.
    Changed,
    /// It had no catalog, and has one now. What is different is not known.
    CompilesNow,
    /// It has no catalog, before or after. What would be different is not known.
    FailsStill,
    /// Nothing is different as far as it is known, and not all is known.
    NotFullyKnown,
    /// All is known, and equal.
    Unchanged,
}

/// A node of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// What is said of it.
    pub verdict: Verdict,
    /// Whether all of its catalogs is known. There may be more changes if not.
    pub is_fully_known: bool,
}

/// Nodes that fail for the same reasons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failing {
    /// When: now, still, or before and no longer.
    pub verdict: Verdict,
    /// Why.
    pub faults: Vec<Fault>,
    /// Which nodes.
    pub nodes: NodeSet,
    /// The edits without which the first of the nodes would still fail or compile. Empty if they are not known.
    pub causes: Vec<Cause>,
}

/// The changes that are ignored for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ignored {
    /// The rule, as the user writes it, or the option.
    pub reason: Str,
    /// The number of changes, on all nodes.
    pub changes: usize,
    /// The nodes with such changes.
    pub nodes: NodeSet,
}

/// How many nodes there are of each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All.
    pub nodes: usize,
    /// [`Verdict::Changed`].
    pub changed: usize,
    /// [`Verdict::Changed`], and there may be more changes.
    pub partly_known: usize,
    /// [`Verdict::Unchanged`].
    pub unchanged: usize,
    /// [`Verdict::NotFullyKnown`].
    pub not_fully_known: usize,
    /// [`Verdict::FailsNow`].
    pub failing_now: usize,
    /// [`Verdict::CompilesNow`].
    pub failing_before: usize,
    /// [`Verdict::FailsStill`].
    pub failing_still: usize,
}

/// What a change does to all nodes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The code before, in words of the user.
    pub before: String,
    /// The code after.
    pub after: String,
    /// Why no node is known to be unchanged, beside what is not known of single nodes.
    pub doubts: Vec<String>,
    /// The nodes, in the order in which they came.
    pub nodes: Vec<Node>,
    /// The nodes that fail, before or after.
    pub failing: Vec<Failing>,
    /// What is different.
    pub groups: Vec<Group>,
    /// What keeps catalogs from being known to the end, and of which nodes.
    pub unknown: Vec<(Str, NodeSet)>,
    /// The ignored changes. They aren't in any group, and a node with only ignored changes isn't a changed one.
    pub ignored: Vec<Ignored>,
    /// How many changes are in no group, because they are too many.
    pub omitted: usize,
}

/// A report in the making.
#[derive(Debug, Default)]
pub struct Gathering {
    report: Report,
    changes: Changes,
    failing: IndexMap<(Verdict, Vec<Fault>), NodeSet, RandomState>,
    unknown: IndexMap<Str, NodeSet, RandomState>,
    ignored: IndexMap<Str, (usize, NodeSet), RandomState>,
}

impl Side {
    /// What is known of a catalog.
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

impl Outcome {
    /// Compares what became of a node before and after.
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
        Outcome { before: side(before), after: side(after), findings, ignored }
    }

    /// A node whose catalog is the same, without comparing it: nothing is different that it was made of.
    pub fn unaffected(side: Side) -> Outcome {
        Outcome { before: side.clone(), after: side, findings: Vec::new(), ignored: Vec::new() }
    }

    /// What is said of the node.
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

    /// Whether all is known of both catalogs.
    fn is_fully_known(&self) -> bool {
        self.before == Side::Known && self.after == Side::Known
    }
}

impl Gathering {
    /// A report on what comes between two trees of code, named in words of the user. With doubts, no node is unchanged.
    pub fn new(before: String, after: String, doubts: Vec<String>) -> Gathering {
        Gathering { report: Report { before, after, doubts, ..Report::default() }, ..Gathering::default() }
    }

    /// The number that the next node will have.
    pub fn number(&self) -> u32 {
        u32::try_from(self.report.nodes.len()).unwrap_or(u32::MAX)
    }

    /// Adds a node. Returns whether it is the first one with any of its changes, or that fails for its reasons.
    pub fn add(&mut self, name: String, outcome: Outcome) -> bool {
        let number = self.number();
        let is_doubtful = !self.report.doubts.is_empty();
        let is_fully_known = outcome.is_fully_known() && !is_doubtful;
        let verdict = match outcome.verdict() {
            Verdict::Unchanged if is_doubtful => Verdict::NotFullyKnown,
            verdict => verdict,
        };
        let Outcome { before, after, findings, ignored } = outcome;
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
        is_first |= self.changes.add(number, findings);
        self.report.nodes.push(Node { name, verdict, is_fully_known });
        is_first
    }

    /// The report on all nodes that were added.
    pub fn finish(self) -> Report {
        let Gathering { mut report, changes, failing, unknown, ignored } = self;
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
        report.sort();
        report
    }
}

impl Verdict {
    /// All of them.
    pub const ALL: [Verdict; 6] = [
        Verdict::FailsNow,
        Verdict::Changed,
        Verdict::CompilesNow,
        Verdict::FailsStill,
        Verdict::NotFullyKnown,
        Verdict::Unchanged,
    ];

    /// A word for it, for programs.
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

    /// Words for it, for people.
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
    /// Puts what is said of many nodes first. What is said of as many stays in the order in which the nodes came.
    pub(crate) fn sort(&mut self) {
        self.failing.sort_by_key(|it| (it.verdict, std::cmp::Reverse(it.nodes.len())));
        self.unknown.sort_by_key(|(_, nodes)| std::cmp::Reverse(nodes.len()));
    }

    /// How many nodes there are of each verdict.
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

    /// The names of some nodes.
    pub fn names<'r>(&'r self, nodes: &'r [u32]) -> impl Iterator<Item = &'r str> {
        let node = |it: &u32| usize::try_from(*it).ok().and_then(|it| self.nodes.get(it));
        nodes.iter().filter_map(move |it| Some(&*node(it)?.name))
    }
}
