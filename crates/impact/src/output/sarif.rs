use serde_json::{Value, json};

use super::{count, elsewhere, ignored, names, plain, summary};
use crate::{Cause, Report, Verdict};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The maximum number of results that are written, which is the limit of services. The rest are only counted.
const RESULTS: usize = 5_000;

/// The rules: their names, descriptions and levels.
const RULES: [(&str, &str, &str); 4] = [
    ("node-fails", "error", "A node has no catalog any more"),
    ("catalog-changes", "note", "The catalogs of nodes change"),
    ("catalog-may-change", "note", "The catalogs of nodes may change: something of them is not known"),
    ("not-fully-known", "warning", "Something of the catalogs of nodes is not known"),
];

/// Writes a result for each change and for each reason why nodes fail, at its place in the code.
pub(super) fn write(report: &Report) -> String {
    let mut results = Vec::new();
    let mut omitted = report.omitted;
    let mut add = |rule: usize, text: String, causes: &[Cause], place: Option<(&str, u32)>| {
        if results.len() >= RESULTS {
            omitted += 1;
            return;
        }
        let (id, level, _) = RULES[rule];
        let mut result =
            json!({ "ruleId": id, "ruleIndex": rule, "level": level, "message": { "text": text } });
        // Services annotate the code after the change: the edits that led to it, or else what has changed.
        let mut locations: Vec<Value> =
            causes.iter().filter_map(|it| location((&it.file, it.line_after()?), None)).collect();
        let declared = place.and_then(|it| location(it, None));
        if locations.is_empty() {
            locations.extend(declared);
        } else if let Some(it) = place.and_then(|it| location(it, Some("declared here"))) {
            result["relatedLocations"] = json!([it]);
        }
        if !locations.is_empty() {
            result["locations"] = Value::Array(locations);
        }
        results.push(result);
    };
    for failing in &report.failing {
        let rule = if failing.verdict == Verdict::FailsNow { 0 } else { 3 };
        let of = on(report, &failing.nodes);
        let why = &failing.causes;
        let words = failing.verdict.words();
        for it in &failing.faults {
            let place = it.place.as_ref().map(|(file, line)| (&**file, *line));
            add(rule, format!("{of}, {words}: {}", plain(&it.message)), why, place);
        }
    }
    for group in &report.groups {
        let of = on(report, &group.nodes);
        for grouped in &group.changes {
            let [before, after] = &grouped.origin.places;
            let place = after.as_ref().or(before.as_ref()).map(|it| (&*it.file, it.line));
            let text = format!("{of}: {}", plain(&grouped.change.to_string()));
            add(if group.is_certain { 1 } else { 2 }, text, &grouped.causes, place);
        }
    }
    for (cause, nodes) in &report.unknown {
        add(3, format!("{}: because of {}", on(report, nodes), plain(cause)), &[], None);
    }
    for doubt in &report.doubts {
        add(3, plain(doubt), &[], None);
    }
    let mut told = vec![summary(&report.counts())];
    told.extend(ignored(report));
    told.extend(elsewhere(report));
    if omitted > 0 {
        told.push(format!("{} are not grouped", count(omitted, "more change")));
    }
    let notifications: Vec<Value> =
        told.iter().map(|it| json!({ "level": "note", "message": { "text": it } })).collect();
    let rules = RULES.map(|(id, level, text)| {
        json!({ "id": id, "shortDescription": { "text": text }, "defaultConfiguration": { "level": level } })
    });
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "marotte impact",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "invocations": [{ "executionSuccessful": true, "toolExecutionNotifications": notifications }],
            "results": results,
        }],
    });
    // Serialization can't fail, because all keys are strings.
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

/// A line of a file in the environment. Files outside of it have absolute paths, which services don't know.
fn location((file, line): (&str, u32), message: Option<&str>) -> Option<Value> {
    if file.starts_with(['/', '<']) {
        return None;
    }
    let place = json!({ "artifactLocation": { "uri": uri(file) }, "region": { "startLine": line } });
    Some(match message {
        None => json!({ "physicalLocation": place }),
        Some(text) => json!({ "physicalLocation": place, "message": { "text": text } }),
    })
}

/// Lists the nodes of a result.
fn on(report: &Report, nodes: &[u32]) -> String {
    format!("{} ({})", count(nodes.len(), "node"), names(report, nodes, plain))
}

/// Converts a relative path to a URI reference.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
