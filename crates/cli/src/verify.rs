//! `marotte verify`.

use std::io::{self, Write as _};

use marotte_catalog::diff::{Difference, diff, unknown};
use marotte_catalog::read::from_json;
use marotte_diagnostics::printable;

use crate::Status;
use crate::args::VerifyArgs;
use crate::compilation::{Compilation, Outcome};
use crate::evaluation;
use crate::failure::Failure;

/// Reports the differences between the catalog of a node and one compiled by Puppet.
pub(crate) fn run(args: &VerifyArgs) -> Result<Status, Failure> {
    evaluation::refuse_recording(&args.compilation.evaluation, "verify")?;
    let Some(compilation) = Compilation::new(&args.compilation)? else { return Ok(Status::Findings) };
    let text = compilation.text(&args.against)?;
    let other = from_json(&text).map_err(|error| format!("{}: {error}", args.against))?;
    let node = args.node.as_deref().unwrap_or(&other.name);
    let mut compiled = None;
    compilation.each(
        &[Some(node.to_owned())],
        |_, it| it,
        |outcome| {
            compiled = Some(outcome?);
            Ok(())
        },
    )?;
    let Some(Outcome { catalog, report, .. }) = compiled else { return Ok(Status::Findings) };
    io::stderr().lock().write_all(&report.whole())?;
    let Some(catalog) = catalog else { return Ok(Status::Findings) };
    let completeness = catalog.completeness();
    let is_whole = completeness.skipped == 0;
    // Missing parts may have been left out of the other catalog.
    let is_other_whole = other.completeness().is_complete();
    let all = diff(&other, &catalog).into_iter().filter(|it| is_other_whole || !it.is_presence());
    let (left_out, differences): (Vec<Difference>, Vec<Difference>) =
        all.partition(|it| !is_whole && it.is_absence());
    let mut out = io::BufWriter::new(io::stdout().lock());
    for it in &differences {
        writeln!(out, "{}", printable::line(&it.to_string()))?;
    }
    for it in &left_out {
        let why = "not known, because something is left out";
        writeln!(out, "{}", printable::line(&format!("? {it}: {why}")))?;
    }
    let unknown: Vec<_> = unknown(&catalog).collect();
    for (resource, name, by) in &unknown {
        writeln!(out, "{}", printable::line(&format!("? {resource} {name}: not known, because of {by}")))?;
    }
    let count = other.resources.len();
    let missing = left_out.iter().filter(|it| matches!(it, Difference::Missing(_))).count();
    let mut said = match (&differences[..], completeness.is_complete()) {
        ([], true) => format!("the same, all {count} resources"),
        ([], false) => "the same as far as it is known".to_owned(),
        (several, _) => format!("{} differences", several.len()),
    };
    if !completeness.is_complete() {
        said += &format!("; INCOMPLETE: {} of {count} resources are known", count - missing);
        if !unknown.is_empty() {
            said += &format!(", {} values are not", unknown.len());
        }
    }
    writeln!(out, "{node}: {said}")?;
    let both = completeness.is_complete() && is_other_whole;
    if !is_other_whole {
        writeln!(out, "{}: INCOMPLETE: what it lacks is not compared", args.against)?;
    }
    out.flush()?;
    Ok(match &differences[..] {
        [] if both || args.compilation.allow_incomplete => Status::Clean,
        [] => Status::Incomplete,
        _ => Status::Findings,
    })
}
