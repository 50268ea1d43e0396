//! Evaluation of small programs, warm, compared with the reference in the same run.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use marotte_eval::{Interpreter, NoRequests, Settings, Unit, UnitSource};
use marotte_hir::lower;
use marotte_pcore::print::literal;
use marotte_syntax::{Mode, parse};
use serde::{Deserialize, Serialize};

use super::measure::median;
use super::report::{Bound, Report};
use crate::{Result, console, files, process};

/// The programs, with descriptions.
const PROGRAMS: [(&str, &str); 6] = [
    ("loops", "20,000 turns of a loop with arithmetic and conditions"),
    ("strings", "10,000 strings with interpolation, joined"),
    ("hashes", "2,000 hashes, each merged into all before"),
    ("matches", "10,000 strings matched with two regular expressions"),
    ("lambdas", "60,000 calls of lambdas, most with typed parameters"),
    ("recursion", "8,361 calls of a function by itself"),
];

/// The required speedup of each program over the reference.
const FACTOR: f64 = 30.0;

/// The number of runs of each program in the reference: it takes long, and varies less.
const REFERENCE_RUNS: u32 = 3;

/// Evaluate programs some times over; prints their values and what that took as JSON.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The number of runs.
    runs: u32,
    /// The paths of the programs.
    programs: Vec<PathBuf>,
}

/// The result and duration of a program.
#[derive(Serialize, Deserialize)]
struct Outcome {
    /// The value as text.
    value: String,
    /// The seconds of each run, without reading the program.
    seconds: Vec<f64>,
}

/// Runs the hidden subcommand `eval-passes`, which measures in a separate process.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut outcomes = BTreeMap::new();
    for path in &arguments.programs {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        outcomes.insert(name, evaluate(&files::read(path)?, arguments.runs)?);
    }
    console::say(&serde_json::to_string(&outcomes)?);
    Ok(())
}

fn evaluate(text: &str, runs: u32) -> Result<Outcome> {
    let lowered = Arc::new(lower(&parse(text, Mode::default()).program));
    let unit = Unit { lowered, source: UnitSource::Text("program".into(), text.into()) };
    let mut outcome = Outcome { value: String::new(), seconds: Vec::new() };
    // One additional run for warming up.
    for number in 0..=runs {
        let mut effects = Vec::new();
        let mut interpreter = Interpreter::new(Settings::default(), &NoRequests, &mut effects);
        let start = Instant::now();
        let value = black_box(interpreter.run_unit(black_box(&unit)))?;
        let seconds = start.elapsed().as_secs_f64();
        if number > 0 {
            outcome.seconds.push(seconds);
        }
        outcome.value = literal(&value);
    }
    Ok(outcome)
}

/// Measures both sides, and reports the speedup.
pub(super) fn measure(xtask: &Path, runs: u32, report: &mut Report) -> Result<()> {
    let root = files::repository();
    let folder = root.join("xtask/src/bench/programs");
    let paths: Vec<PathBuf> =
        PROGRAMS.iter().map(|(name, _)| folder.join(name).with_extension("pp")).collect();
    let mut ours = Command::new(xtask);
    ours.arg("eval-passes").arg(runs.to_string()).args(&paths);
    let ours: BTreeMap<String, Outcome> = serde_json::from_str(&process::output(&mut ours)?)?;
    let mut theirs = Command::new("ruby");
    theirs.arg(root.join("xtask/oracle/speed.rb")).arg(REFERENCE_RUNS.to_string()).args(&paths);
    let theirs: BTreeMap<String, Outcome> = serde_json::from_str(&process::output(&mut theirs)?)?;
    for (name, about) in PROGRAMS {
        let (Some(own), Some(reference)) = (ours.get(name), theirs.get(name)) else {
            return Err(format!("nothing was measured of `{name}`").into());
        };
        if own.value != reference.value {
            return Err(format!("`{name}` gave {}, and {} in Puppet", own.value, reference.value).into());
        }
        let (own, reference) = (median(own.seconds.clone()), median(reference.seconds.clone()));
        let note = format!("{about}: {:.1} ms against {:.0} ms of Puppet", own * 1e3, reference * 1e3);
        report.add(name, reference / own, "times", Bound::AtLeast(FACTOR), &note);
    }
    Ok(())
}
