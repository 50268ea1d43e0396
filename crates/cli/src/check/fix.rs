//! `marotte check --fix` and `--diff`.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::sync::Arc;

use camino::Utf8PathBuf;
use marotte_db::System;
use marotte_diagnostics::output::Color;
use marotte_diagnostics::printable;
use marotte_project::fix::{self, Fixed, fixed};
use marotte_project::{Project, ProjectDatabase};
use similar::udiff::UnifiedHunkHeader;
use similar::{Algorithm, ChangeTag, DiffOp, capture_diff, group_diff_ops};

use super::options::Options;
use super::summary::count;
use super::{Ending, leave_out_others, nothing_to_check, once};
use crate::Status;
use crate::failure::Failure;
use crate::terminal::{is_raw, styled};

/// Writes the fixed files, then checks again.
pub(super) fn write(
    system: Arc<dyn System>,
    paths: &[Utf8PathBuf],
    options: Options,
) -> Result<Status, Failure> {
    let (_, files) = fixed_files(&system, paths, &options);
    let roots: Vec<Utf8PathBuf> = paths.iter().map(|path| system.absolute(path)).collect();
    for file in &files {
        fix::write(&*system, &file.path, &file.before, &file.after, &roots)
            .map_err(|error| format!("cannot write {}: {error}", file.path))?;
    }
    if !options.quiet && !files.is_empty() {
        let fixes = count(files.iter().map(|file| file.fixes).sum(), "finding");
        writeln!(io::stderr().lock(), "Fixed {fixes} in {}", count(files.len(), "file"))?;
    }
    once(system, paths, options, Ending::OfFix)
}

/// Prints the changes that the fixes would make.
pub(super) fn diff(
    system: Arc<dyn System>,
    paths: &[Utf8PathBuf],
    options: &Options,
) -> Result<Status, Failure> {
    let (project, files) = fixed_files(&system, paths, options);
    let mut text = String::new();
    for file in &files {
        let path = file.path.strip_prefix(system.current_dir()).unwrap_or(&file.path);
        unified(path.as_str(), &file.before, &file.after, options.color, is_raw(), &mut text);
    }
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    if nothing_to_check(&project, paths, options)? {
        return Ok(Status::Error);
    }
    Ok(if files.is_empty() || options.exit_zero { Status::Clean } else { Status::Findings })
}

/// Checks the tree, and applies the requested fixes to its files in memory.
fn fixed_files(system: &Arc<dyn System>, paths: &[Utf8PathBuf], options: &Options) -> (Project, Vec<Fixed>) {
    let project = Project::new(ProjectDatabase::frozen(Arc::clone(system)), paths, options.project.clone());
    let mut findings = project.check(&()).findings;
    leave_out_others(&project, &mut findings, options);
    options.rules.apply(&mut findings, |it| project.path(it));
    let fixed = fixed(system, &project, &findings, &options.rules, options.fixes, &options.project);
    (project, fixed)
}

/// The number of unchanged lines around changed ones in a diff.
const CONTEXT: usize = 3;

/// The most lines that are compared with each other: the time grows with the square of the lines that differ.
const MOST_LINES: usize = 2_000;

/// Returns the parts in which two texts differ, and the equal parts between them.
fn differences(before: &[&str], after: &[&str]) -> Vec<DiffOp> {
    let start = before.iter().zip(after).take_while(|(old, new)| old == new).count();
    let ends = before[start..].iter().rev().zip(after[start..].iter().rev());
    let end = ends.take_while(|(old, new)| old == new).count();
    let (old_end, new_end) = (before.len() - end, after.len() - end);
    let (old_len, new_len) = (old_end - start, new_end - start);
    let equal = |old_index, new_index, len| DiffOp::Equal { old_index, new_index, len };
    let mut parts = Vec::new();
    if start > 0 {
        parts.push(equal(0, 0, start));
    }
    if old_len + new_len <= MOST_LINES {
        parts.extend(capture_diff(Algorithm::Myers, before, start..old_end, after, start..new_end));
    } else if old_len == new_len {
        // Most fixes change lines one by one.
        let lines = before[start..old_end].iter().zip(&after[start..new_end]);
        let is_equal: Vec<bool> = lines.map(|(old, new)| old == new).collect();
        let mut at = start;
        for run in is_equal.chunk_by(|one, other| one == other) {
            let len = run.len();
            parts.push(match run.first() {
                Some(true) => equal(at, at, len),
                _ => DiffOp::Replace { old_index: at, old_len: len, new_index: at, new_len: len },
            });
            at += len;
        }
    } else {
        parts.push(DiffOp::Replace { old_index: start, old_len, new_index: start, new_len });
    }
    if end > 0 {
        parts.push(equal(old_end, new_end, end));
    }
    parts
}

/// Formats a unified diff, as `patch` reads it.
pub(crate) fn unified(path: &str, before: &str, after: &str, color: Color, exact: bool, text: &mut String) {
    let path = if exact { path.into() } else { printable::line(path) };
    let _ = writeln!(
        text,
        "{}\n{}",
        styled(color, "1", &format!("--- {path}")),
        styled(color, "1", &format!("+++ {path}"))
    );
    let before: Vec<&str> = before.split_inclusive('\n').collect();
    let after: Vec<&str> = after.split_inclusive('\n').collect();
    for hunk in group_diff_ops(differences(&before, &after), CONTEXT) {
        let _ = writeln!(text, "{}", styled(color, "36", &UnifiedHunkHeader::new(&hunk).to_string()));
        for change in hunk.iter().flat_map(|it| it.iter_changes(&before, &after)) {
            let (sign, style) = match change.tag() {
                ChangeTag::Delete => ('-', Some("31")),
                ChangeTag::Insert => ('+', Some("32")),
                ChangeTag::Equal => (' ', None),
            };
            let line = format!("{sign}{}", change.value().trim_end_matches('\n'));
            let line = if exact { line } else { printable::text(&line).into_owned() };
            let _ =
                writeln!(text, "{}", style.map_or_else(|| line.clone(), |style| styled(color, style, &line)));
            if change.missing_newline() {
                let _ = writeln!(text, "\\ No newline at end of file");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(before: &str, after: &str) -> String {
        let mut text = String::new();
        unified("x.pp", before, after, Color::Never, true, &mut text);
        text
    }

    #[test]
    fn diffs_have_hunks_with_context() {
        let before: String = (1..=20).map(|it| format!("{it}\n")).collect();
        let after = before.replace("\n5\n", "\nfive\n").replace("18\n", "").trim_end().to_owned();
        let expected = "--- x.pp\n+++ x.pp\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n@@ -15,6 +15,5 @@\n 15\n 16\n 17\n-18\n 19\n-20\n+20\n\\ No newline at end of file\n";
        assert_eq!(diff(&before, &after), expected);
        assert_eq!(diff(&before, &before), "--- x.pp\n+++ x.pp\n");
    }

    #[test]
    fn many_lines_are_compared_one_by_one() {
        let lines = |end: &str| -> String { (0..MOST_LINES).map(|it| format!("{it}{end}\n")).collect() };
        let before = format!("{}same\n{}", lines("a"), lines("a"));
        let after = format!("{}same\n{}", lines("b"), lines("b"));
        let parts = |before: &str, after: &str| {
            let before: Vec<&str> = before.split_inclusive('\n').collect();
            differences(&before, &after.split_inclusive('\n').collect::<Vec<&str>>()).len()
        };
        assert_eq!(parts(&before, &after), 3);
        // Texts of different lengths are replaced as a whole.
        assert_eq!(parts(&before, &format!("new\n{after}")), 1);
    }
}
