//! `cargo xtask bench growth`: the cost of one more item, at 1,000, 4,000 and 16,000 resources, edges, ancestors,
//! options, keys.

use std::path::Path;

use marotte_tests::hostile::family;

use super::hostile::{Arguments, limited, write};
use super::report::{Bound, Report};
use super::scratch::Scratch;
use crate::Result;

/// The numbers of items.
const COUNTS: [usize; 3] = [1_000, 4_000, 16_000];

/// The permitted ratio of the time per item among many to that among the fewest.
const SLACK: f64 = 1.5;

/// The time per item, in seconds, below which it cannot be told from the time that the process takes to start.
const SHORTEST: f64 = 2e-6;

/// The seconds of processor time after which a check is killed: many times what the largest trees take.
const LONGEST: u32 = 60;

/// The growing items: those families of the tests' generators whose trees resemble real code.
const FAMILIES: [&str; 67] = [
    "requires",
    "require-cycle",
    "arrow-cycle",
    "inherits",
    "case-options",
    "case-values",
    "case-regexps",
    "selector-entries",
    "elsifs",
    "yaml-keys",
    "hash-entries",
    "array-elements",
    "reads",
    "branch-variables",
    "resource-bodies",
    "resource-titles",
    "same-resources",
    "collectors",
    "overrides",
    "includes",
    "nodes",
    "parameters",
    "unknown-variables",
    "unknown-facts",
    "custom-facts",
    "unknown-functions",
    "unknown-resource-types",
    "unknown-classes",
    "unknown-class-variables",
    "unknown-titles",
    "unknown-keys",
    "attribute-values",
    "case-words",
    "misspelled-case-words",
    "selector-words",
    "perhaps-unset",
    "declared-in-alternatives",
    "function-parameters",
    "same-parameters",
    "suppressed-lines",
    "suppressed-blocks",
    "unknown-titles-in-part",
    "references-in-part",
    "titles-and-references-in-part",
    "cycles-through-one",
    "same-define",
    "same-function",
    "declared-unless-it-fails",
    "perhaps-unset-unless-it-fails",
    "perhaps-set-once",
    "hiera-levels",
    "hiera-paths",
    "hiera-missing-paths",
    "hiera-files",
    "hiera-files-of-levels",
    "erb-reads",
    "erb-names",
    "erb-loops",
    "erb-files",
    "tasks",
    "task-parameters",
    "metadata-dependencies",
    "metadata-versions",
    "puppetfile",
    "small-files",
    "small-modules",
    "small-environments",
];

/// Measures the cost of one more item.
pub(super) fn measure(arguments: &Arguments, report: &mut Report) -> Result<()> {
    let marotte = arguments.program()?;
    let scratch = Scratch::new("items")?;
    let nothing = family("requires").ok_or("there is no such family")?.tree(0);
    let folder = write(&nothing, &scratch, "nothing")?;
    let start = least(&marotte, &folder)??;
    for name in FAMILIES {
        let Some(family) = family(name).filter(|it| arguments.wants_check(it.name)) else { continue };
        let mut fewest = None;
        for count in COUNTS {
            let folder = write(&family.tree(count), &scratch, &format!("{name}-{count}"))?;
            let (factor, note) = match least(&marotte, &folder)? {
                Ok(cpu) => {
                    let each = ((cpu - start) / count as f64).max(SHORTEST);
                    let factor = each / *fewest.get_or_insert(each);
                    (factor, format!("{:.1} µs each, {:.2} s in all", each * 1e6, cpu))
                }
                Err(end) => (f64::INFINITY, end),
            };
            report.add(&format!("{count} of {name}"), factor, "times", Bound::AtMost(SLACK), &note);
        }
    }
    Ok(())
}

/// Returns the least processor time of several checks, in seconds: the first reads files that are not cached yet. An error tells
/// how one ended that did not end properly.
fn least(marotte: &Path, folder: &Path) -> Result<std::result::Result<f64, String>> {
    const RUNS: usize = 3;
    let mut least = f64::INFINITY;
    for _ in 0..RUNS {
        let usage = limited(marotte, folder, &["check", "--output-format", "concise"], LONGEST)?;
        match usage.ended(&[0, 1]) {
            Ok(cpu) => least = least.min(cpu),
            Err(end) => return Ok(Err(end)),
        }
    }
    Ok(Ok(least))
}
