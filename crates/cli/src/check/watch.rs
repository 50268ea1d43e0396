//! `marotte check --watch`.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Arc;
use std::sync::mpsc;

use camino::Utf8PathBuf;
use marotte_db::System;
use marotte_diagnostics::output::{self, Format};
use marotte_project::watch::{self, Debounce, FileWatcher, Observer, Signal};
use marotte_project::{ChangeBatch, Project, ProjectDatabase, Report, outermost};

use super::options::Options;
use super::{shown, summary};
use crate::Status;
use crate::failure::Failure;
use crate::interrupt::stop_on_interrupt;

/// Checks, and checks again after every change, until the user interrupts it.
pub(super) fn run(
    system: Arc<dyn System>,
    paths: &[Utf8PathBuf],
    options: &Options,
) -> Result<Status, Failure> {
    if !matches!(options.format, Format::Full | Format::Concise | Format::JsonLines) {
        let formats = "`full`, `concise` and `json-lines`";
        return Err(Failure::Message(format!("`--watch` writes {formats}, not `{}`", options.format)));
    }
    let (signals, received) = mpsc::channel();
    stop_on_interrupt(signals.clone())?;

    let roots = outermost(paths.iter().map(|path| system.absolute(path)));
    // Watching starts first, so that no change falls between the first look and the first event.
    let watcher =
        FileWatcher::new(Arc::clone(&system), roots, signals.clone()).map_err(|error| error.to_string())?;
    let mut project = Project::new(ProjectDatabase::new(system), paths, options.project.clone());
    let mut screen = Screen {
        options,
        watcher,
        signals: signals.clone(),
        redraw: options.format.is_for_people() && io::stdout().is_terminal(),
        result: Ok(()),
    };
    watch::run(&mut project, &signals, &received, Debounce::default(), &mut screen);
    screen.result.map(|()| Status::Clean)
}

struct Screen<'a> {
    options: &'a Options,
    watcher: FileWatcher,
    signals: mpsc::Sender<Signal>,
    /// There is a screen, so each report takes the place of the one before.
    redraw: bool,
    /// Why the loop was stopped, if the user did not do it.
    result: Result<(), Failure>,
}

impl Observer for Screen<'_> {
    fn report(&mut self, project: &Project, report: Report) {
        if let Err(error) = self.draw(project, report) {
            self.fail(error.into());
        }
        // An environment may say now that its modules are elsewhere.
        match self.watcher.set_roots(project.watched()) {
            Ok(new) if new.is_empty() => {}
            Ok(new) => drop(self.signals.send(Signal::Changed(new))),
            Err(error) => self.fail(Failure::Message(error.to_string())),
        }
    }

    fn touched(&mut self, batch: &ChangeBatch) {
        if let Err(error) = self.watcher.follow(batch) {
            self.fail(Failure::Message(error.to_string()));
        }
    }
}

impl Screen<'_> {
    fn draw(&self, project: &Project, report: Report) -> io::Result<()> {
        let (report, known) = shown(project, report, self.options);
        let mut text = Vec::new();
        output::write(
            self.options.format,
            &report.findings,
            &project.sources(),
            self.options.color,
            &mut text,
        )?;
        if self.options.format == Format::JsonLines {
            writeln!(text, "{}", machine_summary(&report))?;
        } else if !self.options.quiet {
            writeln!(
                text,
                "{}{} in {}; checked {} of {} in {}. Waiting for changes.",
                summary::findings(&report, self.options.color),
                summary::left_out(known),
                summary::count(report.files, "file"),
                report.checked,
                report.files,
                summary::seconds(report.elapsed)
            )?;
        }
        let mut out = io::stdout().lock();
        out.write_all(&if self.redraw { in_place(&text) } else { text })?;
        out.flush()
    }

    fn fail(&mut self, failure: Failure) {
        self.result = Err(failure);
        // It listens: it is what calls this.
        let _ = self.signals.send(Signal::Stop);
    }
}

/// Ends a report for programs: they know that it is complete, and what it cost.
fn machine_summary(report: &Report) -> serde_json::Value {
    serde_json::json!({
        "summary": {
            "findings": report.findings.len(),
            "files": report.files,
            "checked": report.checked,
            "milliseconds": report.elapsed.as_secs_f64() * 1000.0,
        }
    })
}

/// A text that takes the place of what is on the screen, in one go: written over it line by line, the rest cleared, so
/// that what stays the same does not flicker.
fn in_place(text: &[u8]) -> Vec<u8> {
    let mut screen = b"\x1b[H".to_vec();
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        match line.split_last() {
            Some((b'\n', line)) => {
                screen.extend_from_slice(line);
                screen.extend_from_slice(b"\x1b[K\n");
            }
            _ => screen.extend_from_slice(line),
        }
    }
    screen.extend_from_slice(b"\x1b[J");
    screen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_written_over_the_one_before() {
        assert_eq!(in_place(b"a\nb\n"), b"\x1b[Ha\x1b[K\nb\x1b[K\n\x1b[J");
    }
}
