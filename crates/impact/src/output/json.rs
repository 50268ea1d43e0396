use marotte_catalog::{Line, Reference};
use serde_json::{Map, Value, json};

use crate::{Cause, Change, Content, Counts, Edit, GroupedChange, Report, Shown, TextDiff};

/// The version of the format. It changes when fields change their meaning.
const VERSION: u32 = 1;

/// Writes the report as one JSON object.
pub(super) fn write(report: &Report) -> String {
    let names = |nodes: &[u32]| report.names(nodes).map(str::to_owned).collect::<Vec<_>>();
    let fault = |it: &crate::Fault| {
        let (file, line) = it.place.clone().unzip();
        json!({ "message": it.message, "file": file, "line": line })
    };
    let whole = json!({
        "version": VERSION,
        "before": report.before,
        "after": report.after,
        "counts": counts(&report.counts()),
        "doubts": report.doubts,
        "nodes": report.nodes.iter().map(|it| json!({
            "name": it.name,
            "verdict": it.verdict.name(),
            "fully_known": it.is_fully_known,
        })).collect::<Vec<_>>(),
        "failing": report.failing.iter().map(|it| json!({
            "verdict": it.verdict.name(),
            "faults": it.faults.iter().map(fault).collect::<Vec<_>>(),
            "nodes": names(&it.nodes),
            "causes": causes(&it.causes),
        })).collect::<Vec<_>>(),
        "groups": report.groups.iter().map(|it| json!({
            "certain": it.is_certain,
            "nodes": names(&it.nodes),
            "changes": it.changes.iter().map(change).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "unknown": report.unknown.iter().map(|(cause, nodes)| json!({
            "cause": cause.as_str(),
            "nodes": names(nodes),
        })).collect::<Vec<_>>(),
        "ignored": report.ignored.iter().map(|it| json!({
            "reason": it.reason.as_str(),
            "changes": it.changes,
            "nodes": names(&it.nodes),
        })).collect::<Vec<_>>(),
        "not_compared": report.elsewhere.iter().map(|(source, nodes)| json!({
            "source": source.as_str(),
            "nodes": names(nodes),
        })).collect::<Vec<_>>(),
        "omitted": report.omitted,
    });
    // All keys are strings, so that nothing can fail.
    serde_json::to_string_pretty(&whole).unwrap_or_default() + "\n"
}

fn counts(counts: &Counts) -> Value {
    json!({
        "nodes": counts.nodes,
        "changed": counts.changed,
        "partly_known": counts.partly_known,
        "unchanged": counts.unchanged,
        "not_fully_known": counts.not_fully_known,
        "failing_now": counts.failing_now,
        "failing_before": counts.failing_before,
        "failing_still": counts.failing_still,
    })
}

fn change(grouped: &GroupedChange) -> Value {
    let change = &*grouped.change;
    let mut map = Map::new();
    let mut set = |key: &str, value: Value| {
        map.insert(key.to_owned(), value);
    };
    set("kind", change.kind().into());
    if let Some(resource) = change.resource() {
        set("resource", resource.to_string().into());
    }
    set("exported", change.is_exported().into());
    match change.unwrapped() {
        Change::Added { attributes, within, .. } => {
            let attributes = attributes.iter().map(|(name, it)| (name.to_string(), shown(it)));
            set("attributes", Value::Object(attributes.collect()));
            set("within", references(within));
        }
        Change::Removed { within, .. } => {
            set("within", references(within));
        }
        Change::Attribute { name, before, after, .. } => {
            set("attribute", name.as_str().into());
            set("before", before.as_ref().map_or(Value::Null, shown));
            set("after", after.as_ref().map_or(Value::Null, shown));
        }
        Change::Text { name, diff, .. } => {
            set("attribute", name.as_str().into());
            lines(diff, &mut set);
        }
        Change::Content { below, sources: [source_before, source_after], before, after, diff, .. } => {
            set("path_below", below.as_str().into());
            set("source_before", source_before.as_str().into());
            set("source_after", source_after.as_str().into());
            set("before", before.as_ref().map_or(Value::Null, content));
            set("after", after.as_ref().map_or(Value::Null, content));
            if let Some(diff) = diff {
                lines(diff, &mut set);
            }
        }
        Change::Relationship { name, other, .. } => {
            set("attribute", name.as_str().into());
            set("other", other.to_string().into());
        }
        Change::Tags { tags, .. } => {
            set("tags", tags.iter().map(|it| Value::from(it.as_str())).collect());
        }
        Change::Property { name, before, after, .. } => {
            set("property", name.as_str().into());
            set("before", before.as_str().into());
            set("after", after.as_str().into());
        }
        Change::Containment { before, after, .. } => {
            set("before", references(before));
            set("after", references(after));
        }
        // It is unwrapped.
        Change::Exported(_) => {}
        Change::Class { name, .. } => {
            set("class", name.as_str().into());
        }
        Change::Order { moved, more } => {
            set("moved", references(moved));
            set("more", (*more).into());
        }
    }
    let [before, after] = &grouped.origin.places;
    set("declared_before", place(before.as_ref()));
    set("declared_after", place(after.as_ref()));
    set("containing_class", grouped.origin.class.as_ref().map_or(Value::Null, |it| it.as_str().into()));
    set("causes", causes(&grouped.causes));
    Value::Object(map)
}

/// Sets the changed lines of a text.
fn lines(diff: &TextDiff, set: &mut dyn FnMut(&str, Value)) {
    set("diff", diff.hunks.as_str().into());
    set("added_lines", diff.added.into());
    set("removed_lines", diff.removed.into());
    set("omitted_lines", diff.more.into());
}

/// Returns a file that agents fetch. The key `type` says which other keys there are.
fn content(content: &Content) -> Value {
    match content {
        Content::File { path, size, digest } => {
            json!({ "type": "file", "path": path.as_str(), "bytes": size, "sha256": digest.as_str() })
        }
        Content::Folder => json!({ "type": "folder" }),
        Content::Link(target) => json!({ "type": "link", "target": target.as_str() }),
    }
}

/// Returns the edits that caused a change, each with a word for the kind of edit.
fn causes(all: &[Cause]) -> Value {
    let cause = |it: &Cause| match it.edit {
        Edit::Lines { before, after } => {
            json!({ "file": it.file.as_str(), "edit": "changed", "line_before": before, "line_after": after })
        }
        Edit::New => json!({ "file": it.file.as_str(), "edit": "new" }),
        Edit::Gone => json!({ "file": it.file.as_str(), "edit": "gone" }),
    };
    all.iter().map(cause).collect()
}

fn place(line: Option<&Line>) -> Value {
    line.map_or(Value::Null, |it| json!({ "file": it.file.as_str(), "line": it.line }))
}

fn references(all: &[Reference]) -> Value {
    all.iter().map(|it| Value::from(it.to_string())).collect()
}

/// Returns an object with one key, which distinguishes known, sensitive and unknown values.
fn shown(value: &Shown) -> Value {
    match value {
        Shown::Value(text) => json!({ "value": text.as_str() }),
        Shown::Sensitive => json!({ "sensitive": true }),
        Shown::Withheld(what) => json!({ "withheld": what.as_str() }),
        Shown::Unknown(why) => json!({ "unknown": why.as_str() }),
    }
}
