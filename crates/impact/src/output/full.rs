use std::fmt::Write as _;

use super::{
    DOUBTFUL, because, because_of, because_of_all, count, declared, details, elsewhere, fault, ignored,
    names, plain, summary,
};
use crate::{Report, Verdict};

/// Writes all changes with their values.
pub(super) fn write(report: &Report) -> String {
    let mut text = format!("From {} to {}\n", plain(&report.before), plain(&report.after));
    // Writing into a string cannot fail.
    let _ = writeln!(text, "{}", summary(&report.counts()));
    for doubt in &report.doubts {
        let _ = writeln!(text, "NOT FULLY KNOWN: {}", plain(doubt));
    }
    for it in ignored(report) {
        let _ = writeln!(text, "{it}");
    }
    for it in elsewhere(report) {
        let _ = writeln!(text, "{it}");
    }
    for failing in &report.failing {
        let nodes = count(failing.nodes.len(), "node");
        let words = capitalized(failing.verdict);
        let _ = writeln!(text, "\n{words}: {nodes}: {}", names(report, &failing.nodes, plain));
        let when = if failing.verdict == Verdict::CompilesNow { "  before: " } else { "  " };
        for it in &failing.faults {
            let _ = writeln!(text, "{when}{}", fault(it));
        }
        if let Some(it) = because(&failing.causes) {
            let _ = writeln!(text, "  {it}");
        }
    }
    for group in &report.groups {
        let nodes = count(group.nodes.len(), "node");
        let names = names(report, &group.nodes, plain);
        match group.is_certain {
            true => writeln!(text, "\nChanged: {nodes}: {names}"),
            false => writeln!(text, "\nPerhaps changed ({DOUBTFUL}): {nodes}: {names}"),
        }
        .unwrap_or_default();
        if let Some(it) = because_of_all(group) {
            let _ = writeln!(text, "  {it}");
        }
        for grouped in &group.changes {
            let place = declared(grouped).map(|it| format!("  # {it}")).unwrap_or_default();
            let sign = if group.is_certain { "  " } else { "  ? " };
            let _ = writeln!(text, "{sign}{}{place}", plain(&grouped.change.to_string()));
            if let Some(it) = because_of(grouped, group) {
                let _ = writeln!(text, "      {it}");
            }
            for line in details(&grouped.change) {
                let _ = writeln!(text, "      {line}");
            }
        }
    }
    if report.omitted > 0 {
        let _ = writeln!(text, "\n{} are not grouped.", count(report.omitted, "more change"));
    }
    if !report.unknown.is_empty() {
        text.push_str("\nNot known, because of\n");
        for (cause, nodes) in &report.unknown {
            let (number, names) = (count(nodes.len(), "node"), names(report, nodes, plain));
            let _ = writeln!(text, "  {}: {number}: {names}", plain(cause));
        }
    }
    text
}

fn capitalized(verdict: Verdict) -> String {
    let words = verdict.words();
    let (first, rest) = words.split_at(1);
    format!("{}{rest}", first.to_uppercase())
}
