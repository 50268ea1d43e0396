//! `marotte compile`.

use std::io::{self, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use marotte_catalog::Catalog;
use marotte_catalog::cycle::cycles;
use marotte_catalog::picture::dot;
use marotte_catalog::wire::{Envelope, plain, to_json};
use marotte_diagnostics::printable;
use marotte_pcore::print::literal;

use crate::Status;
use crate::args::{CatalogFormat, CompileArgs};
use crate::compilation::Compilation;
use crate::failure::Failure;

/// Compiles the catalogs of nodes and writes them.
pub(crate) fn run(args: &CompileArgs) -> Result<Status, Failure> {
    let compilation = Compilation::new(&args.compilation)?;
    let nodes: Vec<Option<String>> = match (&args.nodes[..], args.all) {
        (_, true) => compilation.all_nodes()?.into_iter().map(Some).collect(),
        ([], false) => vec![None],
        (nodes, false) => nodes.iter().cloned().map(Some).collect(),
    };
    let mut status = Status::Clean;
    for node in nodes {
        let Some(catalog) = compilation.compile(node.as_deref())? else {
            status = Status::Findings;
            continue;
        };
        for cycle in cycles(&catalog) {
            writeln!(
                io::stderr().lock(),
                "Warning: resources of {} wait for each other: {cycle}",
                catalog.name
            )?;
        }
        let mut out = io::BufWriter::new(io::stdout().lock());
        match args.format {
            CatalogFormat::Json => writeln!(out, "{:#}", to_json(&catalog, &envelope()))?,
            CatalogFormat::Dot => out.write_all(dot(&catalog).as_bytes())?,
            CatalogFormat::Summary => summary(&catalog, &mut out)?,
        }
        out.flush()?;
    }
    Ok(status)
}

/// What a catalog says of itself: when it was made, and a number of its own that comes of that.
fn envelope() -> Envelope {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let number = now.as_nanos() ^ (u128::from(std::process::id()) << 96);
    let text = format!("{number:032x}");
    let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    let uuid = format!("{}-{}-{}-{}-{}", part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32));
    Envelope { version: now.as_secs().into(), uuid: uuid.into() }
}

/// The catalog as a list that people read.
fn summary(catalog: &Catalog, out: &mut impl Write) -> io::Result<()> {
    let (resources, edges) = (catalog.resources.len(), catalog.edges.len());
    writeln!(out, "{} ({}): {resources} resources, {edges} edges", catalog.name, catalog.environment)?;
    writeln!(out, "classes: {}", catalog.classes.join(", "))?;
    for it in &catalog.resources {
        let exported = if it.exported { " (exported)" } else { "" };
        let place = it.place.as_ref().map(|it| format!("  # {}:{}", it.file, it.line)).unwrap_or_default();
        writeln!(out, "{}{exported}{place}", printable::line(&it.reference.to_string()))?;
        for (name, value) in &it.parameters {
            // What is sensitive says so itself, and no more.
            writeln!(out, "  {name} => {}", printable::line(&literal(&plain(value))))?;
        }
    }
    Ok(())
}
