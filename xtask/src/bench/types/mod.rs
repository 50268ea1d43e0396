//! `cargo xtask bench types`: the type system, compared with the reference's on the same values in the same run.

mod cases;
mod passes;

use std::process::Command;

use super::report::{Bound, Report};
use super::{build, files};
use crate::{Result, console, process};
use cases::{Case, Scale};
pub(crate) use passes::run as passes;

/// Measure the type system: relations, inference, formats, conversions; the reference does the same in the same run.
///
/// The reference is the installed Puppet, or the library in the folder that `PUPPET_LIB` names.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

/// The script that runs the cases in the reference.
const REFERENCE: &str = "xtask/oracle/type_passes.rb";

/// Runs `cargo xtask bench types`.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let programs = build::release()?;
    let cases = cases::all();
    let input = serde_json::to_string(&cases)?;

    let mut ours = Command::new(&programs.xtask);
    ours.arg("type-passes");
    let ours = seconds(&process::filter(&mut ours, &input)?, &cases)?;
    let mut theirs = Command::new("ruby");
    theirs.arg(files::repository().join(REFERENCE));
    let theirs = seconds(&process::filter(&mut theirs, &input)?, &cases)?;

    let mut report = Report::default();
    for ((case, ours), theirs) in cases.iter().zip(ours).zip(theirs) {
        add(&mut report, case, ours, theirs);
    }
    console::say(&if arguments.json { report.json()? } else { report.table() });
    Ok(())
}

/// Returns the seconds that each case took once.
fn seconds(answer: &str, cases: &[Case]) -> Result<Vec<f64>> {
    let seconds: Vec<f64> = serde_json::from_str(answer)?;
    if seconds.len() != cases.len() {
        return Err(format!("{} cases, but {} answers", cases.len(), seconds.len()).into());
    }
    Ok(seconds)
}

fn add(report: &mut Report, case: &Case, ours: f64, theirs: f64) {
    let ratio = theirs / ours;
    match case.scale {
        Scale::Nanoseconds(most) => {
            let note = format!("the reference {:.0} ns, {ratio:.0} times as long", theirs * 1e9);
            let bound = most.map_or(Bound::None, Bound::AtMost);
            report.add(&case.what, ours * 1e9, "ns", bound, &note);
        }
        Scale::Milliseconds(most) => {
            let note = format!("the reference {:.1} ms, {ratio:.0} times as long", theirs * 1e3);
            report.add(&case.what, ours * 1e3, "ms", Bound::AtMost(most), &note);
        }
        Scale::EachSecond { values, least } => {
            let values = f64::from(values);
            let note = format!("the reference {:.0}, {ratio:.0} times as slow", values / theirs);
            report.add(&case.what, values / ours, "values/s", Bound::AtLeast(least), &note);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::cases::{Operation, all};
    use super::seconds;

    #[test]
    fn every_case_needs_an_answer() {
        let cases = &all()[..2];
        assert_eq!(seconds("[0.5, 1.5]", cases).expect("two answers"), [0.5, 1.5]);
        assert!(seconds("[0.5]", cases).is_err());
    }

    #[test]
    fn every_case_does_what_its_title_says() {
        for case in all() {
            let values =
                super::passes::values(&case).unwrap_or_else(|error| panic!("{}: {error}", case.what));
            let result = super::passes::once(case.operation, &values);
            let result = result.unwrap_or_else(|error| panic!("{}: {error}", case.what));
            if matches!(case.operation, Operation::Assignable | Operation::Instance) {
                assert_eq!(result, 1, "{} does not hold", case.what);
            }
        }
    }
}
