//! A process of `marotte check --watch`, and its reports.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::{Result, files};

/// A process, with its last report.
pub(super) struct Watched {
    child: Child,
    reports: Receiver<Report>,
    errors: Option<JoinHandle<String>>,
    last: Vec<String>,
}

/// A report of the process.
struct Report {
    /// The time when its last line was read.
    at: Instant,
    /// The findings, sorted.
    findings: Vec<String>,
    /// The last line: the number of checked files, and the time that the check took.
    summary: String,
}

/// The findings among lines of output, sorted. The others are summaries.
pub(super) fn findings<'l>(lines: impl Iterator<Item = &'l str>) -> Vec<String> {
    let mut found: Vec<String> = lines.filter(|it| !is_summary(it)).map(str::to_owned).collect();
    found.sort_unstable();
    found
}

/// Whether a line ends a report.
fn is_summary(line: &str) -> bool {
    line.starts_with("{\"summary\"")
}

impl Watched {
    /// Starts the process in a folder.
    pub(super) fn start(marotte: &Path, tree: &Path) -> Result<Watched> {
        let mut command = Command::new(marotte);
        command.args(["check", "--watch", "--output-format", "json-lines", "."]).current_dir(tree);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (Some(output), Some(mut errors)) = (child.stdout.take(), child.stderr.take()) else {
            return Err("the process has no output".into());
        };
        let (sender, reports) = channel();
        thread::spawn(move || {
            let mut lines = Vec::new();
            for line in BufReader::new(output).lines().map_while(std::io::Result::ok) {
                if !is_summary(&line) {
                    lines.push(line);
                    continue;
                }
                let at = Instant::now();
                let mut findings = std::mem::take(&mut lines);
                findings.sort_unstable();
                if sender.send(Report { at, findings, summary: line }).is_err() {
                    break;
                }
            }
        });
        let errors = thread::spawn(move || {
            let mut text = Vec::new();
            // What was read until an error is enough.
            let _ = errors.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        Ok(Watched { child, reports, errors: Some(errors), last: Vec::new() })
    }

    /// Waits at most `patience` for a report, and then until no further one arrives within `quiet`. Returns the time of the last
    /// one and its summary, if that was after the given time.
    ///
    /// # Errors
    /// If the process has ended.
    pub(super) fn settle(
        &mut self,
        since: Instant,
        patience: Duration,
        quiet: Duration,
    ) -> Result<Option<(Instant, String)>> {
        let mut found = None;
        loop {
            let wait = if found.is_some() { quiet } else { patience };
            match self.reports.recv_timeout(wait) {
                Ok(Report { at, findings, summary }) => {
                    self.last = findings;
                    if at >= since {
                        found = Some((at, summary));
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Ok(found),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(format!("the process has ended with {}", self.child.wait()?).into());
                }
            }
        }
    }

    /// The findings of the last report, sorted.
    pub(super) fn findings(&self) -> &[String] {
        &self.last
    }

    /// The bytes of memory, and the number of open descriptors.
    pub(super) fn resources(&self) -> Result<(f64, usize)> {
        let process = Path::new("/proc").join(self.child.id().to_string());
        let status = files::read(&process.join("status"))?;
        let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:")).ok_or("no memory is told")?;
        let kilobytes: f64 = line.trim().trim_end_matches(" kB").parse()?;
        Ok((kilobytes * 1024.0, files::names(&process.join("fd"))?.len()))
    }

    /// Interrupts the process, and returns its standard error. Adds to the broken promises if it does not end soon.
    pub(super) fn stop(mut self, broken: &mut Vec<String>) -> String {
        let start = Instant::now();
        let id = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        let _ = id.map(|id| kill_process(id, Signal::INT));
        while start.elapsed() < Duration::from_secs(1) && matches!(self.child.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(10));
        }
        if matches!(self.child.try_wait(), Ok(None)) {
            broken.push("it has not ended a second after an interrupt".to_owned());
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        self.errors.take().and_then(|it| it.join().ok()).unwrap_or_default()
    }
}
