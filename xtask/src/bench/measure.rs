//! Clocks for wall time and processor time.

use std::process::{Command, Stdio};
use std::time::Instant;

use wait4::Wait4;

use crate::{Result, process};

/// The resource usage of a program: medians of some runs.
pub(super) struct Sample {
    /// Seconds from start to end.
    pub(super) wall: f64,
    /// Seconds of processor time, in all threads.
    pub(super) cpu: f64,
    /// Bytes of memory at the peak.
    pub(super) peak: f64,
}

/// The exit statuses of a checker that completed, whatever it found.
pub(super) const RAN: &[i32] = &[0, 1];

/// The exit status of a checker that reported an error: the corpus contains a file that doesn't parse, so a checker
/// that finds nothing there has read nothing.
pub(super) const REFUSED: &[i32] = &[1];

/// Runs a command `runs` times; if that is more than once, runs it first to warm the caches.
///
/// The command's output is discarded. Its exit status must be one of `statuses`, otherwise it didn't complete.
pub(super) fn sample(runs: u32, statuses: &[i32], mut command: impl FnMut() -> Command) -> Result<Sample> {
    if runs > 1 {
        once(command(), statuses)?;
    }
    let samples = (0..runs).map(|_| once(command(), statuses)).collect::<Result<Vec<Sample>>>()?;
    let middle = |of: fn(&Sample) -> f64| median(samples.iter().map(of).collect());
    Ok(Sample { wall: middle(|it| it.wall), cpu: middle(|it| it.cpu), peak: middle(|it| it.peak) })
}

fn once(command: Command, statuses: &[i32]) -> Result<Sample> {
    logged(command, statuses, Stdio::null())
}

/// Runs a command once, as [`sample`] does. Its standard error goes to `log`.
pub(super) fn logged(mut command: Command, statuses: &[i32], log: Stdio) -> Result<Sample> {
    let words = process::words(&command);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
    let start = Instant::now();
    let mut child = command.spawn().map_err(|error| format!("cannot run `{words}`: {error}"))?;
    let used = child.wait4()?;
    let wall = start.elapsed().as_secs_f64();
    if !used.status.code().is_some_and(|code| statuses.contains(&code)) {
        return Err(format!("`{words}` failed ({})", used.status).into());
    }
    let cpu = (used.rusage.utime + used.rusage.stime).as_secs_f64();
    Ok(Sample { wall, cpu, peak: used.rusage.maxrss as f64 })
}

/// Returns the median; of an even number of values, the mean of the two in the middle; 0 without values.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        count if count % 2 == 1 => values[middle],
        _ => f64::midpoint(values[middle - 1], values[middle]),
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::{RAN, REFUSED, median, sample};

    #[test]
    fn median_is_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(vec![]), 0.0);
    }

    #[test]
    fn program_that_fails_is_no_measurement() {
        let shell = |script| {
            move || {
                let mut command = Command::new("sh");
                command.args(["-c", script]);
                command
            }
        };
        assert!(sample(2, RAN, shell("exit 2")).is_err());
        assert!(sample(1, REFUSED, shell("exit 0")).is_err());
        let sample = sample(1, RAN, shell("exit 1")).expect("status 1 is a result");
        assert!(sample.wall > 0.0 && sample.peak > 0.0);
    }
}
