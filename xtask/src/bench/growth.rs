//! Time at one, four and sixteen copies of the corpus: it must grow as the input does.

use std::path::Path;

use super::build::Programs;
use super::measure::{REFUSED, sample};
use super::report::{Bound, Report};
use super::scratch::Scratch;
use crate::Result;

/// The numbers of copies.
const COPIES: [u32; 3] = [1, 4, 16];

/// The permitted ratio of the time per input at many copies to that at one: allows noise, but no trend.
const SLACK: f64 = 1.25;

/// Measures the time at one, four and sixteen copies of the corpus.
pub(super) fn measure(programs: &Programs, tree: &Path, runs: u32, report: &mut Report) -> Result<()> {
    let scratch = Scratch::new("growth")?;
    let mut single = None;
    let mut copied = 0;
    for copies in COPIES {
        while copied < copies {
            scratch.copy(tree, &["pp", "epp"], &format!("copy-{copied}"))?;
            copied += 1;
        }
        let sample = sample(runs.min(5), REFUSED, || programs.check(scratch.folder()))?;
        let each = sample.wall / f64::from(copies);
        let factor = each / *single.get_or_insert(each);
        let bound = if copies == 1 { Bound::None } else { Bound::AtMost(SLACK) };
        let note = format!("{:.0} ms in all, {:.0} MB at the peak", sample.wall * 1e3, sample.peak / 1e6);
        report.add(&format!("time for each of {copies} copies of the corpus"), factor, "times", bound, &note);
    }
    Ok(())
}
