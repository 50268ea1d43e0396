//! Applies fixes to files in memory.

mod write;

pub use write::{NotWritten, write};

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::{Db as _, OverlaySystem, System, source_text};
use marotte_diagnostics::{Diagnostic, Fix, Level, Settings};

use crate::{Project, ProjectDatabase, ProjectOptions};

/// Fixes may reveal further findings; the number of rounds is limited.
const ROUNDS: usize = 10;

/// The fixes to apply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FixSafety {
    /// Fixes that preserve the intended meaning.
    #[default]
    Safe,
    /// All fixes, including unsafe ones, which may change the meaning.
    All,
}

/// A file's text before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The absolute path of the file.
    pub path: Utf8PathBuf,
    /// The text without the fixes.
    pub before: String,
    /// The text with the fixes applied.
    pub after: String,
    /// The number of applied fixes.
    pub fixes: usize,
}

/// Applies all fixes of findings that the settings show, and of those that these fixes reveal, to the files of a project, in
/// memory: nothing is written. By path; unchanged files are left out.
///
/// Unsafe fixes are applied only if they are wanted. A fix must help: a round is undone for a file that has no fewer findings of
/// the rules whose fixes were applied, or that has more errors of other rules, unless the fixes revealed them.
pub fn fixed(
    system: &Arc<dyn System>,
    project: &Project,
    findings: &[Arc<Diagnostic>],
    settings: &Settings,
    safety: FixSafety,
    options: &ProjectOptions,
) -> Vec<Fixed> {
    let mut done: BTreeMap<Utf8PathBuf, Fixed> = BTreeMap::new();
    let mut candidates = round(project, findings, safety);
    for _ in 0..ROUNDS {
        if candidates.is_empty() {
            break;
        }
        let overlay = OverlaySystem::new(Arc::clone(system));
        for candidate in &candidates {
            overlay.insert(&candidate.path, candidate.after.clone().into_bytes());
        }
        let paths: Vec<_> = candidates.iter().map(|candidate| candidate.path.clone()).collect();
        let next = Project::new(ProjectDatabase::frozen(Arc::new(overlay)), &paths, options.clone());
        let mut left = next.check(&()).findings;
        settings.apply(&mut left, |it| next.path(it));
        candidates.retain(|candidate| {
            let after = Counts::new(&next, &left, &candidate.path, &candidate.rules);
            after.is_better_than(&candidate.counts)
        });

        for candidate in candidates {
            let fixed = done.entry(candidate.path.clone()).or_insert_with(|| Fixed {
                path: candidate.path,
                before: candidate.before,
                after: String::new(),
                fixes: 0,
            });
            fixed.after = candidate.after;
            fixed.fixes += candidate.fixes;
        }
        candidates = round(&next, &left, safety);
        // Files that a round didn't improve keep their previous text.
        candidates.retain(|candidate| {
            done.get(&candidate.path).is_some_and(|fixed| fixed.after == candidate.before)
        });
    }
    done.into_values().collect()
}

/// The result of one round for a file.
struct Candidate {
    path: Utf8PathBuf,
    before: String,
    after: String,
    fixes: usize,
    /// The names of the rules whose findings the fixes are for.
    rules: BTreeSet<&'static str>,
    /// The findings before the round.
    counts: Counts,
}

/// The numbers of findings in a file.
struct Counts {
    /// Findings of the rules whose fixes were applied.
    fixed: usize,
    /// Errors of other rules.
    errors: usize,
    /// Findings that hide others: those about the syntax.
    hiding: usize,
}

impl Counts {
    fn new(
        project: &Project,
        findings: &[Arc<Diagnostic>],
        path: &Utf8Path,
        rules: &BTreeSet<&'static str>,
    ) -> Counts {
        let file = project.db().files().known(path).map(|file| file.id(project.db()));
        let mut counts = Counts { fixed: 0, errors: 0, hiding: 0 };
        for finding in findings.iter().filter(|finding| Some(finding.file) == file) {
            let is_fixed = rules.contains(finding.rule.name);
            counts.fixed += usize::from(is_fixed);
            counts.errors += usize::from(!is_fixed && finding.level == Level::Error);
            counts.hiding += usize::from(finding.rule.stops_others());
        }
        counts
    }

    fn is_better_than(&self, before: &Counts) -> bool {
        self.fixed < before.fixed && (self.errors <= before.errors || self.hiding < before.hiding)
    }
}

fn round(project: &Project, findings: &[Arc<Diagnostic>], safety: FixSafety) -> Vec<Candidate> {
    let db = project.db();
    let mut by_path: BTreeMap<&Utf8Path, Vec<(&'static str, &Fix)>> = BTreeMap::new();
    for finding in findings {
        if let (Some(file), Some(fix)) = (db.files().by_id(finding.file), &finding.fix)
            && (fix.safe || safety == FixSafety::All)
        {
            by_path.entry(file.path(db)).or_default().push((finding.rule.name, fix));
        }
    }
    let candidate = |(path, fixes): (&Utf8Path, Vec<(&'static str, &Fix)>)| {
        let before = source_text(db, db.files().known(path)?).text();
        let (after, rules) = apply(before, fixes);
        let fixes = rules.len();
        let rules = rules.into_iter().collect();
        (after != before).then(|| Candidate {
            path: path.to_owned(),
            before: before.to_owned(),
            after,
            fixes,
            counts: Counts::new(project, findings, path, &rules),
            rules,
        })
    };
    by_path.into_iter().filter_map(candidate).collect()
}

/// Applies fixes from top to bottom; a fix that overlaps an earlier one waits for the next round. The text, and the rule of each
/// applied fix.
fn apply<'r>(text: &str, mut fixes: Vec<(&'r str, &Fix)>) -> (String, Vec<&'r str>) {
    fixes.retain(|(_, fix)| !fix.edits.is_empty());
    fixes.sort_by_key(|(_, fix)| fix.edits[0].range.start());
    let mut result = String::with_capacity(text.len());
    let mut copied = 0;
    let mut applied = Vec::new();
    for (rule, fix) in fixes {
        // The edits of a fix are in order of position, so the first and the last delimit it.
        let start = usize::from(fix.edits[0].range.start());
        if start < copied || !applied.is_empty() && start == copied {
            continue;
        }
        for edit in &fix.edits {
            result.push_str(&text[copied..edit.range.start().into()]);
            result.push_str(&edit.text);
            copied = edit.range.end().into();
        }
        applied.push(rule);
    }
    result.push_str(&text[copied..]);
    (result, applied)
}

#[cfg(test)]
mod tests {
    use marotte_db::MemorySystem;
    use marotte_diagnostics::Edit;
    use marotte_text::TextRange;

    use super::*;

    fn fix(edits: &[(u32, u32, &str)]) -> Fix {
        let edit = |(start, end, text): &(u32, u32, &str)| Edit {
            range: TextRange::new((*start).into(), (*end).into()),
            text: (*text).to_owned(),
        };
        Fix { title: String::new(), safe: true, edits: edits.iter().map(edit).collect() }
    }

    #[test]
    fn fixes_are_applied_in_order_of_position() {
        let (one, other) = (fix(&[(3, 4, "=>")]), fix(&[(0, 1, "A"), (2, 2, "!")]));
        assert_eq!(
            apply("ab = c", vec![("x", &one), ("y", &other)]),
            ("Ab! => c".to_owned(), vec!["y", "x"])
        );
    }

    #[test]
    fn a_fix_that_overlaps_another_waits() {
        let (one, other) = (fix(&[(0, 2, "x")]), fix(&[(1, 3, "y")]));
        assert_eq!(apply("abc", vec![("x", &one), ("y", &other)]), ("xc".to_owned(), vec!["x"]));
    }

    fn fixed_text(text: &str) -> Option<String> {
        fixed_with(text, FixSafety::Safe)
    }

    fn fixed_with(text: &str, safety: FixSafety) -> Option<String> {
        let system: Arc<dyn System> = Arc::new(MemorySystem::with_files([("/a.pp", text)]));
        let options = ProjectOptions::default();
        let project =
            Project::new(ProjectDatabase::frozen(Arc::clone(&system)), &["/".into()], options.clone());
        let findings = project.check(&()).findings;
        let fixed = fixed(&system, &project, &findings, &Settings::default(), safety, &options);
        assert_eq!(system.read("/a.pp".into(), 999), Ok(text.as_bytes().to_vec()), "nothing is written");
        fixed.into_iter().next().map(|fixed| fixed.after)
    }

    #[test]
    fn safe_fixes_are_applied_until_none_is_left() {
        let slip = "user { 'a':\n  ensure = present,\n  uid = 7,\n}\n";
        assert_eq!(fixed_text(slip), Some(slip.replace(" = ", " => ")));
    }

    #[test]
    fn a_fix_may_reveal_other_findings() {
        let hidden = "file { '/a':\n  ensure = file,\n}\nnotify { 'b': message => $::osfamily, meessage => $undefined }\n";
        let fixed = hidden.replace("ensure =", "ensure =>").replace("$::osfamily", "$facts['os']['family']");
        assert_eq!(fixed_text(hidden), Some(fixed));
    }

    #[test]
    fn unsafe_fixes_are_applied_only_if_requested() {
        assert_eq!(fixed_text("notice(0888)\n"), None);
        assert_eq!(fixed_with("notice(0888)\n", FixSafety::All), Some("notice(888)\n".to_owned()));
    }

    #[test]
    fn what_is_right_stays_as_it_is() {
        assert_eq!(fixed_text("user { 'a':\n  ensure => present,\n}\n"), None);
    }

    #[test]
    fn suppressed_findings_are_not_fixed() {
        assert_eq!(fixed_text("notice($::osfamily)\n"), Some("notice($facts['os']['family'])\n".to_owned()));
        assert_eq!(fixed_text("notice($::osfamily) # lint:ignore:legacy-fact\n"), None);
        // Comments don't suppress syntax errors.
        let broken = "user { 'a':\n  ensure = present, # lint:ignore:syntax-error\n}\n";
        assert_eq!(fixed_text(broken), Some(broken.replace(" = ", " => ")));
    }
}
