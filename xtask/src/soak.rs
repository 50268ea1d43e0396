//! `cargo xtask soak`: `marotte check --watch` on a monorepo that is edited at random, compared with a cold check after each pause.
//! Needs Linux and git.

mod edits;
mod watched;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::bench::scratch::Scratch;
use crate::bench::{build, monorepo};
use crate::console::{complain, say};
use crate::{Result, files};
use edits::{Edits, Scope};
use watched::{Watched, findings};

/// The time to wait for a further report after the last one.
const QUIET: Duration = Duration::from_millis(400);

/// The maximum time for a report after an edit, before a cold check decides whether one is missing.
const PATIENCE: Duration = Duration::from_secs(3);

/// The number of slow reports of edits of files that are listed.
const SLOWEST: usize = 20;

/// Watch a monorepo that is edited at random, and say whether the promises of watch mode hold.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The duration in minutes.
    #[arg(long, default_value_t = 60.0)]
    minutes: f64,
    /// The number of copies of the monorepo, each of more than 3,000 manifests.
    #[arg(long, default_value_t = 1)]
    copies: usize,
    /// The edits depend on this number.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The maximum time in milliseconds from an edit to the report, for 99 of 100 reports.
    #[arg(long, default_value_t = 150.0)]
    p99: f64,
    /// The factor by which memory may grow after the first quarter of the time.
    #[arg(long, default_value_t = 1.1)]
    growth: f64,
    /// The program to try, instead of a release build.
    #[arg(long)]
    marotte: Option<PathBuf>,
}

/// The observations of a run.
#[derive(Default)]
struct Seen {
    rounds: usize,
    edits: usize,
    /// The milliseconds from the last write of a round to the report, after edits of a few files.
    latencies: Vec<f64>,
    /// The slowest of these, with the edits and the summary of the report.
    slowest: Vec<(f64, String)>,
    /// The same, after changes of many files or of the configuration.
    latencies_of_all: Vec<f64>,
    /// The descriptions of what was broken.
    broken: Vec<String>,
    /// The minutes since the start, with the bytes of memory.
    memory: Vec<(f64, f64)>,
    descriptors: Vec<usize>,
}

/// Edits until the time is over.
///
/// # Errors
/// If a promise is broken: a stale answer, a panic, an early end, memory that grows, or reports that are late.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let marotte = match &arguments.marotte {
        Some(path) => std::path::absolute(path)?,
        None => build::release()?.marotte,
    };
    let scratch = Scratch::new("soak")?;
    let tree = scratch.folder().join("tree");
    let manifests = monorepo::write(&tree, arguments.copies)?;
    let mut edits = Edits::new(&tree, arguments.copies, arguments.seed)?;
    say(&format!(
        "{manifests} manifests, {} minutes, seed {}, load {}",
        arguments.minutes,
        arguments.seed,
        load()
    ));
    let mut watched = Watched::start(&marotte, &tree)?;
    let mut seen = Seen::default();
    let done = watch(arguments, &marotte, &tree, &mut edits, &mut watched, &mut seen);
    let errors = watched.stop(&mut seen.broken);
    if let Err(error) = done {
        seen.broken.push(error.to_string());
    }
    if errors.contains("bug in marotte") || errors.contains("panicked") {
        seen.broken.push(format!("a panic: {errors}"));
    }
    tell(arguments, &seen)
}

/// Edits, waits, and compares, round by round.
fn watch(
    arguments: &Arguments,
    marotte: &Path,
    tree: &Path,
    edits: &mut Edits,
    watched: &mut Watched,
    seen: &mut Seen,
) -> Result<()> {
    let start = Instant::now();
    let end = start + Duration::from_secs_f64(arguments.minutes * 60.0);
    let mut minute = 0.0;
    watched.settle(Instant::now(), Duration::from_secs(60), QUIET)?;
    while Instant::now() < end {
        let (scope, written) = edits.round()?;
        seen.rounds += 1;
        let report = watched.settle(written, PATIENCE, QUIET)?;
        let since = |(at, summary): (Instant, String)| (at.duration_since(written), summary);
        let mut last = report.map(since);
        let compared = |watched: &Watched| -> Result<Option<Vec<String>>> {
            Ok(cold(marotte, tree)?.filter(|cold| watched.findings() != cold))
        };
        let mut wrong = compared(watched)?;
        if wrong.is_some() {
            // It is late, or it is wrong.
            let report = watched.settle(written, Duration::from_secs(5), Duration::from_secs(2))?;
            last = report.map(since).or(last);
            wrong = compared(watched)?;
        }
        if let Some(cold) = wrong {
            let difference = difference(watched.findings(), &cold);
            seen.broken.push(format!("round {} is stale, after {}: {difference}", seen.rounds, edits.told()));
            complain(seen.broken.last().map_or("", String::as_str));
        }
        if let Some((latency, summary)) = last {
            let latency = latency.as_secs_f64() * 1e3;
            match scope {
                Scope::Files => {
                    seen.latencies.push(latency);
                    seen.slowest.push((latency, format!("{}: {summary}", edits.told())));
                    seen.slowest.sort_by(|(one, _), (other, _)| other.total_cmp(one));
                    seen.slowest.truncate(SLOWEST);
                }
                Scope::Tree => seen.latencies_of_all.push(latency),
            }
        }
        let minutes = start.elapsed().as_secs_f64() / 60.0;
        let (memory, descriptors) = watched.resources()?;
        seen.memory.push((minutes, memory));
        seen.descriptors.push(descriptors);
        if minutes >= minute {
            minute += 1.0;
            say(&format!(
                "minute {minutes:.0}: {:.1} MB, {descriptors} descriptors, {} rounds, {} edits, {} broken promises",
                memory / 1e6,
                seen.rounds,
                edits.count(),
                seen.broken.len()
            ));
        }
        seen.edits = edits.count();
    }
    Ok(())
}

/// The findings of a check of its own, sorted. None if the configuration is wrong: watch mode then keeps to the last one.
fn cold(marotte: &Path, tree: &Path) -> Result<Option<Vec<String>>> {
    let mut command = Command::new(marotte);
    command.args(["check", "--output-format", "json-lines", "."]).current_dir(tree).stdin(Stdio::null());
    let output = command.output()?;
    match output.status.code() {
        Some(0 | 1) => Ok(Some(findings(String::from_utf8(output.stdout)?.lines()))),
        Some(2) if String::from_utf8_lossy(&output.stderr).contains("marotte.toml") => Ok(None),
        _ => Err(format!("the cold check ended with {}", output.status).into()),
    }
}

/// Describes how two lists differ: the number of stale entries and of missing entries, and the first of each.
fn difference(watched: &[String], cold: &[String]) -> String {
    let only = |these: &[String], others: &[String]| -> Vec<String> {
        these.iter().filter(|it| others.binary_search(it).is_err()).cloned().collect()
    };
    let (stale, missing) = (only(watched, cold), only(cold, watched));
    let first = |it: &[String]| it.first().map(|it| it.chars().take(300).collect::<String>());
    let (stale_first, missing_first) = (first(&stale), first(&missing));
    format!("{} stale {stale_first:?}, {} missing {missing_first:?}", stale.len(), missing.len())
}

/// Writes what was seen.
///
/// # Errors
/// If a promise is broken.
fn tell(arguments: &Arguments, seen: &Seen) -> Result<()> {
    let mut broken = seen.broken.clone();
    say(&format!("{} rounds with {} edits, load {}", seen.rounds, seen.edits, load()));
    let of_files = quantiles(&seen.latencies);
    for (what, latencies, [median, p99, most]) in [
        ("edits of files", &seen.latencies, of_files),
        (
            "changes of many files or of the configuration",
            &seen.latencies_of_all,
            quantiles(&seen.latencies_of_all),
        ),
    ] {
        let count = latencies.len();
        say(&format!("{what}: {count} reports, p50 {median:.0} ms, p99 {p99:.0} ms, at most {most:.0} ms"));
    }
    for (latency, what) in &seen.slowest {
        say(&format!("  {latency:.0} ms after {what}"));
    }
    if of_files[1] > arguments.p99 {
        broken.push(format!("p99 is {:.0} ms, more than {:.0} ms", of_files[1], arguments.p99));
    }
    let [warm, late] = [(0.25, 0.5), (0.75, 1.0)].map(|(from, to)| {
        let within = |it: &&(f64, f64)| (from..=to).contains(&(it.0 / arguments.minutes));
        quantiles(&seen.memory.iter().filter(within).map(|it| it.1).collect::<Vec<_>>())[0]
    });
    let growth = if warm > 0.0 { late / warm } else { 1.0 };
    say(&format!(
        "memory: {:.1} MB in the second quarter, {:.1} MB in the last one: {growth:.3} times; at most {:.1} MB",
        warm / 1e6,
        late / 1e6,
        seen.memory.iter().map(|it| it.1).fold(0.0, f64::max) / 1e6
    ));
    if growth > arguments.growth {
        broken.push(format!("memory grows {growth:.3} times, more than {}", arguments.growth));
    }
    if let (Some(first), Some(last)) = (seen.descriptors.first(), seen.descriptors.last()) {
        say(&format!("descriptors: {first} at first, {last} at last"));
        if *last > first + 16 {
            broken.push(format!("{last} descriptors are open, {first} were"));
        }
    }
    if seen.rounds == 0 {
        broken.push("nothing was edited".to_owned());
    }
    match &broken[..] {
        [] => {
            say("no stale answer, no panic");
            Ok(())
        }
        broken => {
            let first = broken.iter().take(5).map(String::as_str).collect::<Vec<_>>().join("\n");
            Err(format!("{} broken promises, of which the first are\n{first}", broken.len()).into())
        }
    }
}

/// The median, the 99th percentile and the maximum; zeros without values.
fn quantiles(values: &[f64]) -> [f64; 3] {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let at = |part: f64| {
        // Of so few values, the rounding does not matter.
        let index = (part * values.len().saturating_sub(1) as f64).ceil();
        values.get(index as usize).copied().unwrap_or_default()
    };
    [at(0.5), at(0.99), at(1.0)]
}

/// The load of the machine, which latencies depend on.
fn load() -> String {
    let text = files::read(Path::new("/proc/loadavg")).unwrap_or_default();
    text.split(' ').next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_that_were_seen() {
        let values: Vec<f64> = (1..=100).rev().map(f64::from).collect();
        assert_eq!(quantiles(&values), [51.0, 100.0, 100.0]);
        assert_eq!((quantiles(&[7.0]), quantiles(&[])), ([7.0; 3], [0.0; 3]));
    }

    #[test]
    fn a_difference_names_what_is_stale_and_what_is_missing() {
        let lines = |all: &[&str]| all.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let found = difference(&lines(&["a", "b"]), &lines(&["b", "c"]));
        assert_eq!(found, "1 stale Some(\"a\"), 1 missing Some(\"c\")");
    }
}
