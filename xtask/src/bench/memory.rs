//! The resource usage of evaluation as a whole process: a nearly empty program, and loops that build and drop values,
//! whose peak must not depend on the number of values.

use std::process::Command;

use super::build::Programs;
use super::measure::sample;
use super::report::{Bound, Report};
use crate::Result;

/// The numbers of values that the loops build, in millions.
const MILLIONS: [u64; 3] = [1, 3, 10];

/// The number of values that one iteration builds: a text, a hash, two arrays, and the integer counter.
const VALUES_EACH_TURN: u64 = 5;

/// The permitted ratio of the memory for any number of values to that for the fewest: allows noise, but no trend.
const SLACK: f64 = 1.05;

/// Measures the memory of loops.
pub(super) fn measure(programs: &Programs, runs: u32, report: &mut Report) -> Result<()> {
    let least = sample(runs, &[0], || programs.eval("1"))?;
    let note = format!("whole process, median of {runs}; {:.0} MB at the peak", least.peak / 1e6);
    report.add("eval -e 1", least.wall * 1e3, "ms", Bound::AtMost(10.0), &note);
    let mut fewest = None;
    for millions in MILLIONS {
        let turns = millions * 1_000_000 / VALUES_EACH_TURN;
        let program = format!(
            "Integer[1, {turns}].each |$x| {{ [[\"a text with ${{x}} in it\"], {{ 'key' => $x }}] }}"
        );
        let sample = sample(1, &[0], || programs.eval(&program))?;
        let growth = sample.peak / *fewest.get_or_insert(sample.peak);
        let bound = if millions == MILLIONS[0] { Bound::None } else { Bound::AtMost(SLACK) };
        let note = format!("{:.1} MB at the peak, {:.1} s", sample.peak / 1e6, sample.wall);
        report.add(
            &format!("memory of {millions} million values, built and dropped"),
            growth,
            "times",
            bound,
            &note,
        );
    }
    Ok(())
}

impl Programs {
    /// The command that evaluates a program.
    fn eval(&self, program: &str) -> Command {
        let mut command = Command::new(&self.marotte);
        command.args(["eval", "-e", program]);
        command
    }
}
