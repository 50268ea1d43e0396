use std::fmt::Write as _;

use super::{because, count, declared, elsewhere, fault, ignored, names, plain, summary};
use crate::Report;

/// Writes a line for each change, with the nodes that have it, and a last line with the number of nodes of each verdict.
pub(super) fn write(report: &Report) -> String {
    let mut text = String::new();
    // Writing into a string cannot fail.
    for failing in &report.failing {
        let (number, names) = (count(failing.nodes.len(), "node"), names(report, &failing.nodes, plain));
        let cause = because(&failing.causes).map(|it| format!(", {it}")).unwrap_or_default();
        for it in &failing.faults {
            let _ = writeln!(text, "{number}: {}: {}{cause} [{names}]", failing.verdict.words(), fault(it));
        }
    }
    for group in &report.groups {
        let (number, names) = (count(group.nodes.len(), "node"), names(report, &group.nodes, plain));
        for grouped in &group.changes {
            let change = plain(&grouped.change.to_string());
            let places: Vec<String> = declared(grouped).into_iter().chain(because(&grouped.causes)).collect();
            let place = if places.is_empty() { String::new() } else { format!(" ({})", places.join(", ")) };
            let perhaps = if group.is_certain { "" } else { "perhaps " };
            let _ = writeln!(text, "{number}: {perhaps}{change}{place} [{names}]");
        }
    }
    if report.omitted > 0 {
        let _ = writeln!(text, "{} are not grouped", count(report.omitted, "more change"));
    }
    for (cause, nodes) in &report.unknown {
        let (number, names) = (count(nodes.len(), "node"), names(report, nodes, plain));
        let _ = writeln!(text, "{number}: not fully known, because of {} [{names}]", plain(cause));
    }
    for doubt in &report.doubts {
        let _ = writeln!(text, "not fully known: {}", plain(doubt));
    }
    for it in ignored(report) {
        let _ = writeln!(text, "{it}");
    }
    for it in elsewhere(report) {
        let _ = writeln!(text, "{it}");
    }
    let _ = writeln!(text, "{}", summary(&report.counts()));
    text
}
