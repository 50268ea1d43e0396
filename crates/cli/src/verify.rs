//! `marotte verify`.

use std::io::{self, Write as _};

use marotte_catalog::diff::diff;
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
    let count = other.resources.len();
    match differences.len() {
        0 => writeln!(out, "{node}: the same, all {count} resources")?,
        several => writeln!(out, "{node}: {several} differences")?,
    }
    out.flush()?;
    Ok(if differences.is_empty() { Status::Clean } else { Status::Findings })
}
