//! Findings that are known: a file lists them, so that only new ones are told, and an old tree starts at none.
//!
//! A finding is known by its file, its rule and its message, and by how often that stands in the file: it stays known when lines move,
//! and one more of its kind is new.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::rules::{self, Rule};
use crate::{Diagnostic, FileId};

/// The version of the format.
const VERSION: u32 = 1;

/// Known findings, with how many there are of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Baseline(BTreeMap<Entry, usize>);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    path: String,
    rule: String,
    message: String,
}

/// What became of the findings that were known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// They are still there.
    pub left: usize,
    /// They are not there any more.
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

/// Why a text is no baseline.
#[derive(Debug)]
pub struct BaselineError(String);

impl fmt::Display for BaselineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BaselineError {}

impl Baseline {
    /// Reads what [`Baseline::to_json`] wrote.
    ///
    /// # Errors
    /// If the text is no JSON of this form, or of a version that does not exist yet.
    pub fn from_json(text: &str) -> Result<Baseline, BaselineError> {
        let document: Document = serde_json::from_str(text).map_err(|it| BaselineError(it.to_string()))?;
        if document.version != VERSION {
            let message = format!("version {} of baselines is not known, {VERSION} is", document.version);
            return Err(BaselineError(message));
        }
        let mut known = BTreeMap::new();
        for Finding { path, rule, message, count } in document.findings {
            *known.entry(Entry { path, rule, message }).or_default() += count;
        }
        Ok(Baseline(known))
    }

    /// The text of the file: sorted, so that its differences tell which findings went and came.
    pub fn to_json(&self) -> String {
        let finding = |(entry, count): (&Entry, &usize)| {
            let Entry { path, rule, message } = entry.clone();
            Finding { path, rule, message, count: *count }
        };
        let document = Document { version: VERSION, findings: self.0.iter().map(finding).collect() };
        // Strings and numbers: nothing in it can fail to be written.
        serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
    }

    /// The baseline of these findings, whose paths `path` knows. What says that a file was not checked is no such finding.
    pub fn of(findings: &[Arc<Diagnostic>], path: impl Fn(FileId) -> String) -> Baseline {
        let mut known = BTreeMap::new();
        for finding in findings.iter().filter(|it| may_be_known(it)) {
            *known.entry(Entry::new(finding, &path)).or_default() += 1;
        }
        Baseline(known)
    }

    /// Adds what another one has of files that `is_wanted`.
    pub fn keep(&mut self, other: &Baseline, is_wanted: impl Fn(&str) -> bool) {
        let kept = other.0.iter().filter(|(it, _)| is_wanted(&it.path));
        self.0.extend(kept.map(|(entry, count)| (entry.clone(), *count)));
    }

    /// How many findings it lists.
    pub fn len(&self) -> usize {
        self.0.values().sum()
    }

    /// Whether it lists none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Removes the findings that are known, which are in order of place, and says how many of those there are left. Of files that
    /// were not checked (`was_checked`) nothing is known.
    pub fn apply(
        &self,
        findings: &mut Vec<Arc<Diagnostic>>,
        path: impl Fn(FileId) -> String,
        was_checked: impl Fn(&str) -> bool,
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
        let gone = left.iter().filter(|(entry, _)| was_checked(&entry.path)).map(|(_, count)| count).sum();
        Known { left: before - findings.len(), gone }
    }
}

impl Entry {
    fn new(finding: &Diagnostic, path: impl Fn(FileId) -> String) -> Entry {
        Entry { path: path(finding.file), rule: finding.rule.to_owned(), message: finding.message.clone() }
    }
}

fn may_be_known(finding: &Diagnostic) -> bool {
    !rules::rule(finding.rule).is_none_or(Rule::always)
}

#[cfg(test)]
mod tests {
    use marotte_text::TextRange;

    use super::*;
    use crate::Level;

    fn finding(file: u32, at: u32, rule: &'static str, message: &str) -> Arc<Diagnostic> {
        let range = TextRange::at(at.into(), 1.into());
        Arc::new(Diagnostic::new(rule, Level::Error, FileId(file), range, message.to_owned()))
    }

    fn path(file: FileId) -> String {
        format!("{}.pp", file.0)
    }

    fn known() -> Baseline {
        let twice = || finding(1, 3, "duplicate-key", "the key `a` stands twice");
        Baseline::of(
            &[twice(), twice(), finding(2, 0, "no-effect-at-all", "?"), finding(2, 0, "not-rvalue", "x")],
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
    fn known_findings_are_silent_wherever_they_stand_now() {
        let moved = finding(1, 99, "duplicate-key", "the key `a` stands twice");
        let new = finding(1, 120, "duplicate-key", "the key `b` stands twice");
        let mut findings = vec![moved, Arc::clone(&new)];
        let counts = known().apply(&mut findings, path, |_| true);
        assert_eq!(findings, [new]);
        assert_eq!(counts, Known { left: 1, gone: 2 });
    }

    #[test]
    fn one_more_of_a_kind_is_new() {
        let of = |at| finding(1, at, "duplicate-key", "the key `a` stands twice");
        let mut findings = vec![of(1), of(2), of(3)];
        assert_eq!(known().apply(&mut findings, path, |it| it == "1.pp"), Known { left: 2, gone: 0 });
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
        listed.unwrap().apply(&mut findings, path, |_| true);
        assert_eq!(findings, [unreadable()]);
    }

    #[test]
    fn files_that_are_not_checked_keep_what_is_known_of_them() {
        let mut new = Baseline::of(&[finding(1, 0, "not-rvalue", "y")], path);
        new.keep(&known(), |path| path == "2.pp");
        assert_eq!(new.len(), 2);
    }
}
