//! The formats of reports: one file each.

mod concise;
mod full;
mod html;
mod json;
mod junit;
mod markdown;
mod sarif;

use std::fmt::Write as _;

use marotte_catalog::{Contents, Line};
use marotte_diagnostics::printable;

use crate::{Cause, Change, Counts, Fault, Group, GroupedChange, Report};

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// All changes with their values, for people.
    Full,
    /// A line for each change.
    Concise,
    /// One object, for other programs.
    Json,
    /// A comment on a merge request, of limited size: the most important changes first.
    Markdown,
    /// A page for browsers, with filters.
    Html,
    /// JUnit XML with a test case for each node, for servers that show test results.
    Junit,
    /// SARIF with a result for each change, for services that annotate code.
    Sarif,
}

/// The number of names of nodes that are shown of a group.
const NAMES: usize = 3;

/// Writes a report. Its texts contain no control sequences or markup that a terminal or service would interpret.
pub fn write(format: Format, report: &Report) -> String {
    match format {
        Format::Full => full::write(report),
        Format::Concise => concise::write(report),
        Format::Json => printable::json(&json::write(report)).into_owned(),
        Format::Markdown => markdown::write(report),
        Format::Html => html::write(report),
        Format::Junit => junit::write(report),
        Format::Sarif => printable::json(&sarif::write(report)).into_owned(),
    }
}

/// Formats a number with a noun in the singular or plural.
fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}

/// Formats the first names of some nodes, and the number of further ones.
fn names(report: &Report, nodes: &[u32], show: impl Fn(&str) -> String) -> String {
    // One more name is as short as its number.
    let shown = if nodes.len() == NAMES + 1 { NAMES + 1 } else { NAMES };
    let mut text = report.names(nodes).take(shown).map(show).collect::<Vec<_>>().join(", ");
    if let more @ 1.. = nodes.len().saturating_sub(shown) {
        // Writing into a string cannot fail.
        let _ = write!(text, " and {more} more");
    }
    text
}

/// Returns a name on one line.
fn plain(name: &str) -> String {
    printable::line(name).into_owned()
}

/// Returns the number of nodes of each verdict, as one sentence.
fn summary(counts: &Counts) -> String {
    let Counts {
        nodes,
        changed,
        partly_known,
        unchanged,
        not_fully_known,
        failing_now,
        failing_before,
        failing_still,
    } = *counts;
    let changed_words = match partly_known {
        0 => format!("{changed} changed"),
        partly => format!("{changed} changed ({partly} of them not fully known)"),
    };
    let parts = [
        (failing_now, format!("{failing_now} failing now")),
        (changed, changed_words),
        (failing_before, format!("{failing_before} failing before, compiling now")),
        (failing_still, format!("{failing_still} failing before and now")),
        (not_fully_known, format!("{not_fully_known} not fully known")),
        (unchanged, format!("{unchanged} unchanged")),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|(number, _)| *number > 0).map(|it| it.1).collect();
    match &parts[..] {
        [] => "no nodes".to_owned(),
        parts => format!("{}: {}", count(nodes, "node"), parts.join(", ")),
    }
}

/// Returns the number of changes that aren't shown, as a sentence for each reason.
fn ignored(report: &Report) -> impl Iterator<Item = String> {
    report.ignored.iter().map(|it| {
        let (changes, nodes) = (count(it.changes, "change"), count(it.nodes.len(), "node"));
        format!("Ignored because of {}: {changes} on {nodes}", plain(&it.reason))
    })
}

/// The maximum number of sources that are listed in texts for people.
const SOURCES: usize = 10;

/// Returns the sources whose contents were not looked at, as a sentence for each.
fn elsewhere(report: &Report) -> impl Iterator<Item = String> {
    let more = report.elsewhere.len().saturating_sub(SOURCES);
    let sources = report.elsewhere.iter().take(SOURCES).map(|(source, nodes)| {
        let what = if &**source == Contents::IMPORTS { "Not compared" } else { "Content not compared" };
        format!("{what}: {} on {}", plain(source), count(nodes.len(), "node"))
    });
    sources.chain((more > 0).then(|| format!("Content not compared: {}", count(more, "more source"))))
}

/// Formats the place where a resource is declared: the place after, or the place before if the resource was removed. Both, if the
/// files differ.
fn declared(grouped: &GroupedChange) -> Option<String> {
    let place = |it: &Line| plain(&format!("{}:{}", it.file, it.line));
    match &grouped.origin.places {
        [Some(before), Some(after)] if before.file != after.file => {
            Some(format!("{}, before: {}", place(after), place(before)))
        }
        [_, Some(it)] | [Some(it), None] => Some(place(it)),
        [None, None] => None,
    }
}

/// Formats the edits that caused changes, on one line. None if they are unknown.
fn because(causes: &[Cause]) -> Option<String> {
    let shown: Vec<String> = causes.iter().take(NAMES).map(|it| plain(&it.to_string())).collect();
    let more = match causes.len().saturating_sub(NAMES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!shown.is_empty()).then(|| format!("because of {}{more}", shown.join(" and ")))
}

/// Formats the edits that caused all changes of a group. None if changes have different causes, or if these are unknown.
fn because_of_all(group: &Group) -> Option<String> {
    let causes = &group.changes.first()?.causes;
    group.changes.iter().all(|it| it.causes == *causes).then(|| because(causes)).flatten()
}

/// Formats the edits that caused a change, unless they caused all changes of its group.
fn because_of(grouped: &GroupedChange, group: &Group) -> Option<String> {
    because(&grouped.causes).filter(|_| because_of_all(group).is_none())
}

/// Formats an error on one line.
fn fault(it: &Fault) -> String {
    let place = it.place.as_ref().map(|(file, line)| format!(" ({file}:{line})")).unwrap_or_default();
    plain(&format!("{}{place}", it.message))
}

/// Returns the lines of a change after its first: attributes of new resources, containers of a resource, lines of texts.
fn details(change: &Change) -> Vec<String> {
    match change.unwrapped() {
        Change::Added { attributes, within, .. } => {
            let attributes = attributes.iter().map(|(name, it)| plain(&format!("  {name} => {it}")));
            let within = within.iter().map(|it| plain(&format!("  contained in {it}")));
            attributes.chain(within).collect()
        }
        Change::Text { diff, .. } | Change::Content { diff: Some(diff), .. } => {
            let mut lines: Vec<String> = diff.hunks.split_terminator('\n').map(plain).collect();
            if diff.more > 0 {
                lines.push(format!("… {} more lines", diff.more));
            }
            lines
        }
        _ => Vec::new(),
    }
}

/// The words for possible differences that introduce a list of uncertain changes.
const DOUBTFUL: &str = "may only be that something is not known";
