//! Baselines: files that list known findings, so that only new ones are reported, and an old code base starts with none.
//!
//! A finding is identified by its file, its rule and its message, and counted per file: it stays known when lines move, and one
//! more of its kind is new.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::rules::Group;
use crate::{Diagnostic, FileId};

/// The version of the baseline format.
const VERSION: u32 = 1;

/// Known findings, each with its number of occurrences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline(BTreeMap<Entry, usize>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    path: String,
    rule: String,
    message: String,
}

/// The numbers of known findings after a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// Known findings that still occur.
    pub left: usize,
    /// Known findings that no longer occur.
    pub gone: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    version: u32,
    findings: Vec<Finding>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Finding {
    path: String,
    rule: String,
    message: String,
    #[serde(default = "once", skip_serializing_if = "is_once")]
    count: usize,
}

fn once() -> usize {
    1
}

fn is_once(count: &usize) -> bool {
    *count == 1
}

/// The error for a text that isn't a baseline.
#[derive(Debug)]
pub struct BaselineError(String);

impl fmt::Display for BaselineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BaselineError {}

impl Baseline {
    /// Parses the output of [`Baseline::to_json`].
    ///
    /// # Errors
    /// If the text isn't JSON of this form, or has an unknown version.
    pub fn from_json(text: &str) -> Result<Baseline, BaselineError> {
        let document: Document = serde_json::from_str(text).map_err(|it| BaselineError(it.to_string()))?;
        if document.version != VERSION {
            let message = format!("version {} of baselines is not known, {VERSION} is", document.version);
            return Err(BaselineError(message));
        }
        let mut known: BTreeMap<Entry, _> = BTreeMap::new();
        for Finding { path, rule, message, count } in document.findings {
            let total = known.entry(Entry { path, rule, message }).or_insert(0);
            // Any count may be in a file.
            *total = count.saturating_add(*total);
        }
        Ok(Baseline(known))
    }

    /// Serializes the baseline: sorted, so that a diff shows which findings appeared and disappeared.
    pub fn to_json(&self) -> String {
        let finding = |(entry, count): (&Entry, &usize)| {
            let Entry { path, rule, message } = entry.clone();
            Finding { path, rule, message, count: *count }
        };
        let document = Document { version: VERSION, findings: self.0.iter().map(finding).collect() };
        // Only strings and numbers: serialization cannot fail.
        serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
    }

    /// Creates a baseline of these findings; `path` returns the paths of their files. Findings that report an unchecked file
    /// are left out.
    pub fn of(findings: &[Arc<Diagnostic>], path: impl Fn(FileId) -> String) -> Baseline {
        let mut known = BTreeMap::new();
        for finding in findings.iter().filter(|it| may_be_known(it)) {
            *known.entry(Entry::new(finding, &path)).or_default() += 1;
        }
        Baseline(known)
    }

    /// Adds another baseline's findings for whose path and rule `is_wanted` holds.
    pub fn keep(&mut self, other: &Baseline, is_wanted: impl Fn(&str, &str) -> bool) {
        let kept = other.0.iter().filter(|(it, _)| is_wanted(&it.path, &it.rule));
        self.0.extend(kept.map(|(entry, count)| (entry.clone(), *count)));
    }

    /// The number of findings, occurrences included.
    pub fn len(&self) -> usize {
        self.0.values().copied().fold(0, usize::saturating_add)
    }

    /// Whether the baseline is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes known findings (the input is in order of place), and returns the numbers of known findings that still occur and
    /// that don't. Findings that were not looked for (`was_checked`, by path and rule) count as neither.
    pub fn apply(
        &self,
        findings: &mut Vec<Arc<Diagnostic>>,
        path: impl Fn(FileId) -> String,
        was_checked: impl Fn(&str, &str) -> bool,
    ) -> Known {
        let mut left = self.0.clone();
        let before = findings.len();
        findings.retain(|finding| {
            let known = may_be_known(finding).then(|| left.get_mut(&Entry::new(finding, &path))).flatten();
            match known {
                Some(count) if *count > 0 => {
                    *count -= 1;
                    false
                }
                _ => true,
            }
        });
        let was_checked = |entry: &Entry| was_checked(&entry.path, &entry.rule);
        let gone = left.iter().filter(|(entry, _)| was_checked(entry)).map(|(_, count)| *count);
        let gone = gone.fold(0, usize::saturating_add);
        Known { left: before - findings.len(), gone }
    }
}

impl Entry {
    fn new(finding: &Diagnostic, path: impl Fn(FileId) -> String) -> Entry {
        Entry {
            path: path(finding.file),
            rule: finding.rule.name.to_owned(),
            message: finding.message.clone(),
        }
    }
}

fn may_be_known(finding: &Diagnostic) -> bool {
    finding.rule.group != Group::Evaluation && !finding.rule.always()
}

#[cfg(test)]
mod tests {
    use marotte_text::TextRange;

    use super::*;
    use crate::{Level, issues};

    fn finding(file: u32, at: u32, rule: &str, message: &str) -> Arc<Diagnostic> {
        let range = TextRange::at(at.into(), 1.into());
        Arc::new(Diagnostic::new(
            issues::declared(rule),
            Level::Error,
            FileId(file),
            range,
            message.to_owned(),
        ))
    }

    fn path(file: FileId) -> String {
        format!("{}.pp", file.0)
    }

    fn known() -> Baseline {
        let twice = || finding(1, 3, "duplicate-key", "the key `a` appears twice");
        Baseline::of(
            &[twice(), twice(), finding(2, 0, "unknown-variable", "?"), finding(2, 0, "not-rvalue", "x")],
            path,
        )
    }

    #[test]
    fn what_is_written_is_read() {
        let text = known().to_json();
        assert_eq!(Baseline::from_json(&text).unwrap(), known());
        assert!(text.contains("\"count\": 2"), "{text}");
        assert_eq!(known().len(), 3, "what no rule reports, nobody knows");
    }

    #[test]
    fn what_is_no_baseline_is_refused() {
        let error = |text: &str| Baseline::from_json(text).unwrap_err().to_string();
        assert_eq!(error(r#"{"version": 2, "findings": []}"#), "version 2 of baselines is not known, 1 is");
        assert!(error("[]").contains("line 1"), "{}", error("[]"));
        assert!(error(r#"{"version": 1, "findings": [{"file": "x"}]}"#).contains("unknown field `file`"));
    }

    #[test]
    fn counts_that_are_too_large_are_the_largest() {
        let one = format!(r#"{{"path": "a.pp", "rule": "x", "message": "y", "count": {}}}"#, usize::MAX);
        let text = format!(r#"{{"version": 1, "findings": [{one}, {one}]}}"#);
        assert_eq!(Baseline::from_json(&text).unwrap().len(), usize::MAX);
    }

    #[test]
    fn known_findings_are_silent_wherever_they_stand_now() {
        let moved = finding(1, 99, "duplicate-key", "the key `a` appears twice");
        let new = finding(1, 120, "duplicate-key", "the key `b` appears twice");
        let mut findings = vec![moved, Arc::clone(&new)];
        let counts = known().apply(&mut findings, path, |_, _| true);
        assert_eq!(findings, [new]);
        assert_eq!(counts, Known { left: 1, gone: 2 });
    }

    #[test]
    fn one_more_of_a_kind_is_new() {
        let of = |at| finding(1, at, "duplicate-key", "the key `a` appears twice");
        let mut findings = vec![of(1), of(2), of(3)];
        assert_eq!(known().apply(&mut findings, path, |it, _| it == "1.pp"), Known { left: 2, gone: 0 });
        assert_eq!(findings, [of(3)]);
    }

    #[test]
    fn what_was_not_checked_is_always_told() {
        let unreadable = || finding(1, 0, "unreadable-file", "a file cannot be read");
        assert!(Baseline::of(&[unreadable()], path).is_empty());
        let listed = Baseline::from_json(
            r#"{"version": 1, "findings": [{"path": "1.pp", "rule": "unreadable-file", "message": "a file cannot be read"}]}"#,
        );
        let mut findings = vec![unreadable()];
        listed.unwrap().apply(&mut findings, path, |_, _| true);
        assert_eq!(findings, [unreadable()]);
    }

    #[test]
    fn files_that_are_not_checked_keep_what_is_known_of_them() {
        let mut new = Baseline::of(&[finding(1, 0, "not-rvalue", "y")], path);
        new.keep(&known(), |path, _| path == "2.pp");
        assert_eq!(new.len(), 2);
    }
}
