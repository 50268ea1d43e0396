//! The reports of `marotte format`.

use std::collections::BTreeSet;
use std::io::{self, Write as _};

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::system::WalkProblem;
use marotte_diagnostics::output::{self, Format};
use marotte_diagnostics::printable;
use marotte_project::format::{Formatted, Outcome};
use marotte_project::{Project, way_out};

use super::options::Settings;
use crate::Status;
use crate::check::unified;
use crate::terminal::is_raw;

/// The number of links that are named of those that lead out of the named paths.
const NAMED_LINKS: usize = 3;

/// Reports one file after the other, and counts.
pub(super) struct Report<'r> {
    project: &'r Project,
    settings: &'r Settings,
    same: usize,
    changed: usize,
    failed: usize,
    /// The number of paths that could not be read.
    unread: usize,
    /// The number of files outside of the named paths that are not formatted.
    outside: usize,
    /// The links that lead to these files.
    links: BTreeSet<Utf8PathBuf>,
}

impl<'r> Report<'r> {
    pub(super) fn new(project: &'r Project, settings: &'r Settings) -> Self {
        let (same, changed, failed, unread, outside) = (0, 0, 0, 0, 0);
        Report { project, settings, same, changed, failed, unread, outside, links: BTreeSet::new() }
    }

    fn shown<'p>(&self, path: &'p Utf8Path) -> &'p Utf8Path {
        path.strip_prefix(self.project.system().current_dir()).unwrap_or(path)
    }

    /// Reports a path that could not be read, on standard error.
    pub(super) fn unread(&mut self, path: &Utf8Path, problem: &WalkProblem) -> io::Result<()> {
        self.unread += 1;
        let text = format!("error: {} cannot be read: {problem}", self.shown(path));
        writeln!(io::stderr().lock(), "{}", printable::line(&text))
    }

    /// Counts a file outside of the named paths that formatting would change or cannot read. Nothing of it is shown.
    pub(super) fn outside(&mut self, path: &Utf8Path) {
        self.outside += 1;
        self.links.insert(way_out(self.project.system(), path));
    }

    /// Reports a file: findings and failures on standard error, differences on standard output.
    pub(super) fn add(&mut self, file: &Formatted) -> io::Result<()> {
        let path = self.shown(&file.path);
        match &file.outcome {
            Outcome::Same => self.same += 1,
            Outcome::Changed { before, after } => {
                self.changed += 1;
                let mut text = String::new();
                if self.settings.diff {
                    unified(path.as_str(), before, after, self.settings.color, is_raw(), &mut text);
                } else if self.settings.check && !self.settings.quiet {
                    text = printable::line(&format!("Would reformat: {path}")).into_owned() + "\n";
                }
                io::stdout().lock().write_all(text.as_bytes())?;
            }
            Outcome::Unreadable(findings) => {
                self.failed += 1;
                let mut err = io::stderr().lock();
                output::write(
                    Format::Concise,
                    findings,
                    &self.project.sources(),
                    self.settings.color,
                    &mut err,
                )?;
            }
            Outcome::Refused(message) => {
                self.failed += 1;
                let text = format!("error: {path} is not formatted: {message}");
                writeln!(io::stderr().lock(), "{}", printable::line(&text))?;
            }
        }
        Ok(())
    }

    /// Writes one line; with `--diff` on standard error. A line before it counts the files outside of the named paths.
    pub(super) fn summary(&self) -> io::Result<()> {
        let files = |count: usize| if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
        if self.outside > 0 {
            let mut links: Vec<&str> = self.links.iter().map(|it| self.shown(it).as_str()).collect();
            if links.len() > NAMED_LINKS {
                links.truncate(NAMED_LINKS);
                links.push("…");
            }
            let (count, links) = (files(self.outside), links.join(", "));
            let text = format!(
                "error: {count} not formatted: symbolic links lead out of what is to be formatted ({links})"
            );
            writeln!(io::stderr().lock(), "{}", printable::line(&text))?;
        }
        if self.settings.quiet {
            return Ok(());
        }
        let (done, left) = match self.settings.writes() {
            true => ("reformatted", "left unchanged"),
            false => ("would be reformatted", "already formatted"),
        };
        let mut parts = Vec::new();
        if self.changed > 0 {
            parts.push(format!("{} {done}", files(self.changed)));
        }
        if self.same > 0 || self.changed + self.failed + self.outside == 0 {
            parts.push(format!("{} {left}", files(self.same)));
        }
        if self.failed + self.outside > 0 {
            parts.push(format!("{} not formatted", files(self.failed + self.outside)));
        }
        let text = parts.join(", ") + "\n";
        if self.settings.diff {
            io::stderr().lock().write_all(text.as_bytes())
        } else {
            io::stdout().lock().write_all(text.as_bytes())
        }
    }

    pub(super) fn status(&self) -> Status {
        if self.failed + self.unread + self.outside > 0 {
            Status::Error
        } else if self.changed > 0 && !self.settings.writes() {
            Status::Findings
        } else {
            Status::Clean
        }
    }
}
