//! The reports of `marotte format`.

use std::io::{self, Write as _};

use marotte_diagnostics::output::{self, Format};
use marotte_project::Project;
use marotte_project::format::{Formatted, Outcome};

use super::options::Settings;
use crate::Status;
use crate::check::unified;
use crate::terminal::is_raw;

/// Reports one file after the other, and counts.
pub(super) struct Report<'r> {
    project: &'r Project,
    settings: &'r Settings,
    same: usize,
    changed: usize,
    failed: usize,
}

impl<'r> Report<'r> {
    pub(super) fn new(project: &'r Project, settings: &'r Settings) -> Self {
        Report { project, settings, same: 0, changed: 0, failed: 0 }
    }

    /// Reports a file: findings and failures on standard error, differences on standard output.
    pub(super) fn add(&mut self, file: &Formatted) -> io::Result<()> {
        let current = self.project.system().current_dir();
        let path = file.path.strip_prefix(current).unwrap_or(&file.path);
        match &file.outcome {
            Outcome::Same => self.same += 1,
            Outcome::Changed { before, after } => {
                self.changed += 1;
                let mut text = String::new();
                if self.settings.diff {
                    unified(path.as_str(), before, after, self.settings.color, is_raw(), &mut text);
                } else if self.settings.check && !self.settings.quiet {
                    text = format!("Would reformat: {path}\n");
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
                writeln!(io::stderr().lock(), "error: {path} is not formatted: {message}")?;
            }
        }
        Ok(())
    }

    /// Writes one line; with `--diff` on standard error.
    pub(super) fn summary(&self) -> io::Result<()> {
        if self.settings.quiet {
            return Ok(());
        }
        let files = |count: usize| if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
        let (done, left) = match self.settings.writes() {
            true => ("reformatted", "left unchanged"),
            false => ("would be reformatted", "already formatted"),
        };
        let mut parts = Vec::new();
        if self.changed > 0 {
            parts.push(format!("{} {done}", files(self.changed)));
        }
        if self.same > 0 || self.changed + self.failed == 0 {
            parts.push(format!("{} {left}", files(self.same)));
        }
        if self.failed > 0 {
            parts.push(format!("{} not formatted", files(self.failed)));
        }
        let text = parts.join(", ") + "\n";
        if self.settings.diff {
            io::stderr().lock().write_all(text.as_bytes())
        } else {
            io::stdout().lock().write_all(text.as_bytes())
        }
    }

    pub(super) fn status(&self) -> Status {
        if self.failed > 0 {
            Status::Error
        } else if self.changed > 0 && !self.settings.writes() {
            Status::Findings
        } else {
            Status::Clean
        }
    }
}
