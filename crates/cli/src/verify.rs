//! `marotte verify`.

use std::io::{self, Write as _};

use marotte_catalog::diff::{diff, unknown};
use marotte_catalog::read::from_json;
use marotte_diagnostics::printable;

use crate::Status;
use crate::args::VerifyArgs;
use crate::compilation::{Compilation, Outcome};
use crate::failure::Failure;

/// Says where the catalog of a node is another than one that Puppet made.
pub(crate) fn run(args: &VerifyArgs) -> Result<Status, Failure> {
    let Some(compilation) = Compilation::new(&args.compilation)? else { return Ok(Status::Findings) };
    let text = compilation.text(&args.against)?;
    let other = from_json(&text).map_err(|error| format!("{}: {error}", args.against))?;
    let node = args.node.as_deref().unwrap_or(&other.name);
    let mut compiled = None;
    compilation.each(
        &[Some(node.to_owned())],
        |it| it,
        |outcome| {
            compiled = Some(outcome?);
            Ok(())
        },
    )?;
    let Some(Outcome { catalog, told }) = compiled else { return Ok(Status::Findings) };
    io::stderr().lock().write_all(&told)?;
    let Some(catalog) = catalog else { return Ok(Status::Findings) };
    let differences = diff(&other, &catalog);
    let mut out = io::BufWriter::new(io::stdout().lock());
    for it in &differences {
        writeln!(out, "{}", printable::line(&it.to_string()))?;
    }
    let mut unknown_count = 0;
    for (resource, name, by) in unknown(&catalog) {
        unknown_count += 1;
        writeln!(out, "{}", printable::line(&format!("? {resource} {name}: not known, because of {by}")))?;
    }
    let count = other.resources.len();
    match (differences.len(), unknown_count) {
        (0, 0) => writeln!(out, "{node}: the same, all {count} resources")?,
        (0, unknown) => writeln!(out, "{node}: the same as far as it is known; {unknown} values are not")?,
        (several, 0) => writeln!(out, "{node}: {several} differences")?,
        (several, unknown) => {
            writeln!(out, "{node}: {several} differences; {unknown} values are not known")?;
        }
    }
    out.flush()?;
    Ok(if differences.is_empty() { Status::Clean } else { Status::Findings })
}
