use std::collections::HashMap;
use std::fmt::Write as _;

use super::{NAMES, because, count, elsewhere, fault, ignored, plain, summary};
use crate::{Report, Verdict};

/// The maximum number of changes that are written for a node. The rest are only counted.
const CHANGES: usize = 50;

/// Writes a test case for each node. A node that fails now is an error; a node that is changed or compiles now is a
/// failure; a node that still fails or isn't fully known is skipped, because it isn't a success.
pub(super) fn write(report: &Report) -> String {
    let mut changes: HashMap<u32, Vec<String>> = HashMap::new();
    for group in &report.groups {
        let perhaps = if group.is_certain { "" } else { "perhaps " };
        for node in &group.nodes {
            let own = changes.entry(*node).or_default();
            own.extend(group.changes.iter().map(|it| {
                let cause = because(&it.causes).map(|it| format!(" ({it})")).unwrap_or_default();
                format!("{perhaps}{}{cause}", plain(&it.change.to_string()))
            }));
        }
    }
    for (cause, nodes) in &report.unknown {
        for node in nodes {
            changes.entry(*node).or_default().push(format!("not fully known, because of {}", plain(cause)));
        }
    }
    let mut faults: HashMap<u32, Vec<String>> = HashMap::new();
    for failing in &report.failing {
        for node in &failing.nodes {
            let own = faults.entry(*node).or_default();
            own.extend(failing.faults.iter().map(fault));
            own.extend(because(&failing.causes));
        }
    }
    let counts = report.counts();
    let (all, errors) = (counts.nodes, counts.failing_now);
    let failures = counts.changed + counts.failing_before;
    let skipped = counts.not_fully_known + counts.failing_still;
    let numbers = format!(r#"tests="{all}" failures="{failures}" errors="{errors}" skipped="{skipped}""#);
    let title = escape(&format!("impact from {} to {}", report.before, report.after));
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"marotte\" {numbers}>\n  <testsuite name=\"{title}\" {numbers}>\n"
    );
    for (number, node) in (0_u32..).zip(&report.nodes) {
        let name = escape(&node.name);
        let of = |map: &HashMap<u32, Vec<String>>| map.get(&number).cloned().unwrap_or_default();
        let (element, lines) = match node.verdict {
            Verdict::Unchanged => {
                let _ = writeln!(text, r#"    <testcase name="{name}" classname="impact"/>"#);
                continue;
            }
            Verdict::FailsNow => ("error", of(&faults)),
            Verdict::Changed => ("failure", of(&changes)),
            Verdict::CompilesNow => ("failure", of(&faults)),
            Verdict::FailsStill => ("skipped", of(&faults)),
            Verdict::NotFullyKnown => ("skipped", of(&changes)),
        };
        let mut message = node.verdict.words().to_owned();
        if !node.is_fully_known && node.verdict == Verdict::Changed {
            message.push_str(", and not fully known");
        }
        if node.verdict == Verdict::Changed {
            let _ = write!(message, ": {}", lines.iter().take(NAMES).cloned().collect::<Vec<_>>().join("; "));
        }
        let mut body: String = lines.iter().take(CHANGES).map(|it| format!("{}\n", escape(it))).collect();
        if let more @ 1.. = lines.len().saturating_sub(CHANGES) {
            let _ = writeln!(body, "{}", count(more, "more change"));
        }
        let _ = writeln!(text, r#"    <testcase name="{name}" classname="impact">"#);
        let message = escape(&message);
        let _ = writeln!(text, "      <{element} message=\"{message}\">{}</{element}>", body.trim_end());
        text.push_str("    </testcase>\n");
    }
    let mut told = vec![summary(&counts)];
    told.extend(report.doubts.iter().map(|it| format!("Not fully known: {}", plain(it))));
    told.extend(ignored(report));
    told.extend(elsewhere(report));
    if report.omitted > 0 {
        told.push(format!("{} are not grouped", count(report.omitted, "more change")));
    }
    let told: Vec<String> = told.iter().map(|it| escape(it)).collect();
    let _ = writeln!(text, "    <system-out>{}</system-out>", told.join("\n"));
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

/// Escapes text for an attribute or an element.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for it in plain(text).chars() {
        match it {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            it => out.push(it),
        }
    }
    out
}
