//! `marotte check --watch`.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Arc;
use std::sync::mpsc;

use camino::Utf8PathBuf;
use marotte_db::System;
use marotte_diagnostics::output::Format;
use marotte_diagnostics::printable;
use marotte_project::watch::{self, Debounce, FileWatcher, Observer, Signal, WatchError, Watched};
use marotte_project::{ChangeBatch, Project, ProjectDatabase, Report};

use super::options::Options;
use super::screen::Screen;
use super::{leave_out_others, shown, summary};
use crate::Status;
use crate::failure::Failure;
use crate::interrupt::stop_on_interrupt;
use crate::terminal;

/// Recreates the system and the options.
type SetUp<'a> = dyn Fn() -> Result<(Arc<dyn System>, Options), Failure> + 'a;

/// Returns the paths on which the options depend.
type Sources<'a> = dyn Fn() -> BTreeSet<Utf8PathBuf> + 'a;

/// Checks, and checks again after every change, until the user interrupts it. After a change of the configuration or of the
/// baseline, everything starts over.
pub(super) fn run(
    disk: &Arc<dyn System>,
    (mut system, mut options): (Arc<dyn System>, Options),
    paths: &[Utf8PathBuf],
    sources: &Sources<'_>,
    set_up: &SetUp<'_>,
) -> Result<Status, Failure> {
    let (signals, received) = mpsc::channel();
    stop_on_interrupt(signals.clone())?;
    let watched = |sources: &BTreeSet<Utf8PathBuf>| {
        let trees = Watched::new(paths.iter().map(|path| disk.absolute(path)));
        trees.with_lists(&**disk).with(sources.iter().cloned())
    };
    // Watching starts first, so that no change is lost between the first check and the first event.
    let mut sources_now = sources();
    let mut watcher =
        FileWatcher::new(Arc::clone(disk), watched(&sources_now), signals.clone()).map_err(watch_failure)?;
    loop {
        if !matches!(options.format, Format::Full | Format::Concise | Format::JsonLines) {
            let formats = "`full`, `concise` and `json-lines`";
            return Err(Failure::Message(format!("`--watch` writes {formats}, not `{}`", options.format)));
        }
        let db = ProjectDatabase::new(Arc::clone(&system));
        let mut project = Project::new(db, paths, options.project.clone());
        let mut screen = Watcher {
            options: &options,
            watcher: &mut watcher,
            signals: signals.clone(),
            sources: &sources_now,
            is_outdated: false,
            redraw: options.format.is_for_people() && io::stdout().is_terminal(),
            changed: BTreeSet::new(),
            screen: Screen::default(),
            result: Ok(()),
        };
        watch::run(&mut project, &signals, &received, Debounce::default(), &mut screen);
        let Watcher { is_outdated, result, .. } = screen;
        result?;
        if !is_outdated {
            return Ok(Status::Clean);
        }
        // The files that the configuration names now are watched before they are read.
        sources_now = sources();
        watcher.set(watched(&sources_now)).map_err(watch_failure)?;
        match set_up() {
            Ok(new) => (system, options) = new,
            Err(failure) => {
                let text = failure.to_string();
                writeln!(io::stderr().lock(), "error: {}", printable::text(&text))?;
            }
        }
    }
}

fn watch_failure(error: WatchError) -> Failure {
    Failure::Message(error.to_string())
}

struct Watcher<'a> {
    options: &'a Options,
    watcher: &'a mut FileWatcher,
    signals: mpsc::Sender<Signal>,
    /// The paths on which the options depend.
    sources: &'a BTreeSet<Utf8PathBuf>,
    /// Whether the configuration or the baseline may have changed.
    is_outdated: bool,
    /// Whether the output is a terminal, so that each report replaces the previous one.
    redraw: bool,
    /// The paths that may have changed since the last report.
    changed: BTreeSet<Utf8PathBuf>,
    screen: Screen,
    /// The reason why the loop stopped, unless the user stopped it.
    result: Result<(), Failure>,
}

impl Observer for Watcher<'_> {
    fn report(&mut self, project: &Project, report: Report) {
        if let Err(error) = self.draw(project, report) {
            self.fail(error.into());
        }
        // An environment may have changed its module path, and links their targets.
        match self.watcher.set(project.watched().with(self.sources.iter().cloned())) {
            Ok(new) if new.is_empty() => {}
            Ok(new) => drop(self.signals.send(Signal::Changed(new))),
            Err(error) => self.fail(watch_failure(error)),
        }
    }

    fn touched(&mut self, batch: &ChangeBatch) {
        if let Err(error) = self.watcher.follow(batch) {
            return self.fail(watch_failure(error));
        }
        // Folders that become watched don't count as changes of the files in them.
        if batch.is_rescan() || batch.paths().any(|it| self.sources.contains(it)) {
            self.is_outdated = true;
            // The receiver exists: it is the caller.
            let _ = self.signals.send(Signal::Stop);
            return;
        }
        self.changed.extend(batch.paths().cloned());
    }
}

impl Watcher<'_> {
    fn draw(&mut self, project: &Project, mut report: Report) -> io::Result<()> {
        let fetched = leave_out_others(project, &mut report.findings, self.options);
        let (report, known) = shown(project, report, self.options);
        let end = if self.options.format == Format::JsonLines {
            format!("{}\n", machine_summary(&report))
        } else if self.options.quiet {
            String::new()
        } else {
            format!(
                "{}{}{} in {}; checked {} of {} in {}. Waiting for changes.\n",
                summary::findings(&report, self.options.color),
                summary::left_out(known),
                fetched.summary(),
                summary::count(report.files, "file"),
                report.checked,
                report.files,
                summary::seconds(report.elapsed)
            )
        };
        let mut text = Vec::new();
        match self.redraw.then(terminal::size).flatten() {
            Some((width, height)) => {
                // The summary may take two lines, and the cursor is below it.
                let size = (width, height.saturating_sub(3));
                let changed = std::mem::take(&mut self.changed);
                let shown = self.screen.text(project, &report.findings, self.options, &changed, size)?;
                text.extend_from_slice(shown.as_bytes());
            }
            None => {
                let (format, color) = (self.options.format, self.options.color);
                project.write(format, &report.findings, color, &mut text)?;
            }
        }
        text.extend_from_slice(end.as_bytes());
        let mut out = io::stdout().lock();
        out.write_all(&if self.redraw { in_place(&text) } else { text })?;
        out.flush()
    }

    fn fail(&mut self, failure: Failure) {
        self.result = Err(failure);
        // The receiver exists: it is the caller.
        let _ = self.signals.send(Signal::Stop);
    }
}

/// Returns the last record of a machine-readable report, which marks the report as complete, with its statistics.
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

/// Wraps a text so that it replaces the content of the screen at once: it is written over the old content line by line, and the
/// rest is cleared, to avoid flickering.
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
