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
use similar::{ChangeTag, TextDiff};

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
        fix::write(&*system, file, &roots).map_err(|error| format!("cannot write {}: {error}", file.path))?;
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

/// Formats a unified diff, as `patch` reads it.
pub(crate) fn unified(path: &str, before: &str, after: &str, color: Color, exact: bool, text: &mut String) {
    let path = if exact { path.into() } else { printable::line(path) };
    let _ = writeln!(
        text,
        "{}\n{}",
        styled(color, "1", &format!("--- {path}")),
        styled(color, "1", &format!("+++ {path}"))
    );
    let diff = TextDiff::from_lines(before, after);
    for hunk in diff.unified_diff().iter_hunks() {
        let _ = writeln!(text, "{}", styled(color, "36", &hunk.header().to_string()));
        for change in hunk.iter_changes() {
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
