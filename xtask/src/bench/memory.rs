//! What evaluation takes as a whole process: a program that does next to nothing, and loops that build values and drop
//! them, whose peak must not depend on how many there are.

use std::process::Command;

use super::build::Programs;
use super::measure::sample;
use super::report::{Bound, Report};
use crate::Result;

/// The numbers of values that the loops build, in millions.
const MILLIONS: [u64; 3] = [1, 3, 10];

/// How many values one turn of the loop builds: a text, a hash, two arrays, and the integer that is counted.
const VALUES_EACH_TURN: u64 = 5;

/// How much more memory than for the fewest values any number of them may take: noise, not a trend.
const SLACK: f64 = 1.05;

/// Measures.
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
