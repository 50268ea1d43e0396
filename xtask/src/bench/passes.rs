//! Parsing and formatting in memory, in a separate process.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use marotte_format::{Options, format};
use marotte_syntax::{Mode, parse};
use serde::{Deserialize, Serialize};

use crate::bench::measure::median;
use crate::{Error, Result, console, files, process};

/// Read a folder into memory and parse or format it some times over; prints what that took as JSON.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder with manifests and templates.
    dir: PathBuf,
    /// The number of passes.
    #[arg(long, default_value_t = 1)]
    passes: u32,
    /// The work to do with each text.
    #[arg(long, value_enum, default_value_t = What::Parse)]
    what: What,
}

/// The work of a pass.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum What {
    /// The files are parsed.
    Parse,
    /// The files are formatted.
    Format,
}

/// The result of the passes.
#[derive(Serialize, Deserialize)]
pub(super) struct Outcome {
    /// The number of files read.
    pub(super) files: usize,
    /// The total size of the files.
    pub(super) bytes: usize,
    /// The seconds of each pass.
    seconds: Vec<f64>,
}

impl Outcome {
    /// Returns the throughput of the median pass.
    pub(super) fn megabytes_per_second(&self) -> f64 {
        self.megabytes() / median(self.seconds.clone())
    }

    /// Returns the throughput of the fastest pass, which was disturbed least by other work on the machine.
    pub(super) fn best_megabytes_per_second(&self) -> f64 {
        self.megabytes() / self.seconds.iter().copied().fold(f64::INFINITY, f64::min)
    }

    fn megabytes(&self) -> f64 {
        self.bytes as f64 / 1e6
    }
}

/// Runs the hidden subcommand `parse-passes`, which measures in a separate process.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut texts = Vec::new();
    for path in files::regular_files(&arguments.dir, &["pp", "epp"])? {
        let mode = Mode { template: path.extension().is_some_and(|it| it == "epp"), ..Mode::default() };
        texts.push((files::read(&arguments.dir.join(path))?, mode));
    }
    let mut seconds = Vec::new();
    for _ in 0..arguments.passes {
        let start = Instant::now();
        for (text, mode) in &texts {
            match arguments.what {
                What::Parse => drop(black_box(parse(black_box(text), *mode))),
                What::Format => drop(black_box(format(black_box(text), *mode, &Options::default()))),
            }
        }
        seconds.push(start.elapsed().as_secs_f64());
    }
    let bytes = texts.iter().map(|(text, _)| text.len()).sum();
    console::say(&serde_json::to_string(&Outcome { files: texts.len(), bytes, seconds })?);
    Ok(())
}

/// Starts `xtask` for `passes` passes over `folder`.
pub(super) fn in_process(xtask: &Path, folder: &Path, passes: u32, what: What) -> Result<Outcome> {
    let mut command = Command::new(xtask);
    if what == What::Format {
        command
            .args(["parse-passes", "--what", "format"])
            .arg(folder)
            .args(["--passes", &passes.to_string()]);
        return Ok(serde_json::from_str(&process::output(&mut command)?)?);
    }
    command.arg("parse-passes").arg(folder).args(["--passes", &passes.to_string()]);
    Ok(serde_json::from_str(&process::output(&mut command)?)?)
}

/// Returns the instructions of one pass: those of a run with a pass, minus those of a run without.
pub(super) fn instructions(xtask: &Path, folder: &Path) -> Result<u64> {
    let with = under_callgrind(xtask, folder, 1)?;
    let without = under_callgrind(xtask, folder, 0)?;
    Ok(with.saturating_sub(without))
}

fn under_callgrind(xtask: &Path, folder: &Path, passes: u32) -> Result<u64> {
    let mut command = Command::new("valgrind");
    // The report goes to standard output, after the output of the program itself; the profile isn't needed.
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-fd=1"]);
    command.arg(xtask).arg("parse-passes").arg(folder).args(["--passes", &passes.to_string()]);
    collected(&process::output(&mut command)?)
}

/// Reads the total from callgrind's report.
pub(super) fn collected(report: &str) -> Result<u64> {
    let line = report.lines().find_map(|line| line.split_once("Collected :"));
    let (_, total) = line.ok_or_else(|| Error::from("valgrind reported no instruction count"))?;
    Ok(total.trim().parse()?)
}

#[cfg(test)]
mod tests {
    use super::{Outcome, collected};

    #[test]
    fn total_is_read_from_the_report() {
        let report =
            "==7== Callgrind, a call-graph generating cache profiler\n==7== Collected : 1234567\n==7== \n";
        assert_eq!(collected(report).expect("a count"), 1_234_567);
        assert!(collected("==7== Events : Ir\n").is_err());
    }

    #[test]
    fn throughput_is_of_the_median_pass() {
        let outcome = Outcome { files: 1, bytes: 2_000_000, seconds: vec![4.0, 1.0, 0.5] };
        assert_eq!(outcome.megabytes_per_second(), 2.0);
        assert_eq!(outcome.best_megabytes_per_second(), 4.0);
    }
}
