//! `marotte compile`.

mod sink;
mod watch;

use std::borrow::Cow;
use std::io::{self, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use marotte_catalog::Catalog;
use marotte_catalog::cycle::cycles;
use marotte_catalog::page::{Pages, html};
use marotte_catalog::picture::dot;
use marotte_catalog::wire::{Envelope, Wire, plain};
use marotte_diagnostics::printable;
use marotte_pcore::print::expression;

use crate::Status;
use crate::args::{CatalogFormat, CompileArgs};
use crate::compilation::{Compilation, NodeReport, Outcome, Reports, distinct};
use crate::evaluation;
use crate::failure::Failure;
use crate::terminal::{print, print_json};
use sink::Sink;

/// Compiles the catalogs of nodes and writes them.
pub(crate) fn run(args: &CompileArgs) -> Result<Status, Failure> {
    if args.watch {
        evaluation::refuse_recording(&args.compilation.evaluation, "compile --watch")?;
        return watch::run(args);
    }
    let Some(compilation) = Compilation::new(&args.compilation)? else { return Ok(Status::Findings) };
    let names = names(args, &compilation)?;
    compilation.require_facts(args.nodes.iter().map(String::as_str))?;
    let is_alone = names.len() == 1;
    let mut status = Status::Clean;
    let mut sink = Sink::new(args, names.len())?;
    let is_page = matches!(sink, Sink::Page);
    let mut reports = Reports::default();
    let write = |number: usize, outcome: Outcome| {
        Ok::<_, Failure>((number, written(args.format, &outcome, &envelope(), is_page)?))
    };
    let mut given = names.iter();
    compilation.each(&names, write, |written| {
        let of = given.next().and_then(Option::as_deref);
        if !matches!(&written, Ok(Ok((_, Written { name: Some(_), .. }))))
            && let Some(of) = of
        {
            sink.remove(of)?;
        }
        match written {
            Ok(written) => {
                let (number, Written { name, report, text, status: own }) = written?;
                let node = names.get(number).and_then(Option::as_deref);
                let failed = node.filter(|_| name.is_none());
                io::stderr().lock().write_all(&reports.add(&report, failed))?;
                if let Some(name) = name {
                    sink.add(&name, &text)?;
                }
                let is_allowed = own == Status::Incomplete && args.compilation.allow_incomplete;
                status = status.and(if is_allowed { Status::Clean } else { own });
                Ok(())
            }
            // The other nodes are compiled nevertheless.
            Err(failure) if !is_alone => {
                status = status.and(Status::Findings);
                Ok(writeln!(io::stderr().lock(), "error: {}", printable::text(&failure.to_string()))?)
            }
            Err(failure) => Err(failure),
        }
    })?;
    sink.finish()?;
    if let Some(line) = reports.repeated() {
        writeln!(io::stderr().lock(), "{}", printable::line(&line))?;
    }
    compilation.save()?;
    Ok(status)
}

/// Returns the names of the nodes; None for a node that is named only by its facts.
fn names(args: &CompileArgs, compilation: &Compilation<'_>) -> Result<Vec<Option<String>>, Failure> {
    Ok(match (&args.nodes[..], args.all) {
        (_, true) => compilation.all_nodes()?.into_iter().map(Some).collect(),
        ([], false)
            if args.compilation.evaluation.facts.is_none()
                && let Some(source) = args.compilation.facts_of_nodes() =>
        {
            let message = format!("`{source}` has the facts of nodes: name a node, or compile `--all`");
            return Err(Failure::Message(message));
        }
        ([], false) => vec![None],
        (nodes, false) => distinct(nodes).into_iter().map(Some).collect(),
    })
}

/// The output for a node.
struct Written {
    /// The name of the node. None if it has no catalog.
    name: Option<String>,
    report: NodeReport,
    text: Vec<u8>,
    status: Status,
}

/// Creates the output for a node. `is_page` is set if it's a section of a page.
fn written(
    format: CatalogFormat,
    outcome: &Outcome,
    envelope: &Envelope,
    is_page: bool,
) -> Result<Written, Failure> {
    let Outcome { catalog, report, .. } = outcome;
    let (mut report, mut text) = (report.clone(), Vec::new());
    if let Some(catalog) = catalog {
        for cycle in cycles(catalog) {
            let name = &catalog.name;
            let cycle = cycle.to_string();
            writeln!(
                report.own,
                "Warning: resources of {name} wait for each other: {}",
                printable::line(&cycle)
            )?;
        }
        match format {
            CatalogFormat::Json => {
                serde_json::to_writer_pretty(&mut text, &Wire { catalog, envelope })
                    .map_err(io::Error::from)?;
                text.push(b'\n');
            }
            CatalogFormat::Dot => text.write_all(dot(catalog).as_bytes())?,
            CatalogFormat::Html if is_page => text.write_all(Pages::section(catalog).as_bytes())?,
            CatalogFormat::Html => text.write_all(html(catalog).as_bytes())?,
            CatalogFormat::Summary => summary(catalog, &mut text)?,
        }
    }
    let status = match catalog {
        None => Status::Findings,
        Some(_) if outcome.is_incomplete() => Status::Incomplete,
        Some(_) => Status::Clean,
    };
    let name = catalog.as_ref().map(|it| it.name.to_string());
    Ok(Written { name, report, text, status })
}

/// Converts the output for a catalog, which may have millions of lines: valid text is only checked, which is faster than looking
/// for what to replace.
fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// Writes the output for a catalog.
fn print_catalog(format: CatalogFormat, text: &[u8]) -> io::Result<()> {
    let text = lossy(text);
    if format == CatalogFormat::Json { print_json(&text) } else { print(&text) }
}

/// The metadata of a catalog: the time of compilation, and a unique number derived from it.
fn envelope() -> Envelope {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let number = now.as_nanos() ^ (u128::from(std::process::id()) << 96);
    let text = format!("{number:032x}");
    let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    let uuid = format!("{}-{}-{}-{}-{}", part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32));
    Envelope { version: now.as_secs().into(), uuid: uuid.into() }
}

/// Writes the catalog as a list for people.
fn summary(catalog: &Catalog, out: &mut impl Write) -> io::Result<()> {
    let (resources, edges) = (catalog.resources.len(), catalog.edges.len());
    writeln!(out, "{} ({}): {resources} resources, {edges} edges", catalog.name, catalog.environment)?;
    let completeness = catalog.completeness();
    if !completeness.is_complete() {
        writeln!(out, "INCOMPLETE: {completeness}")?;
    }
    writeln!(out, "classes: {}", catalog.classes.join(", "))?;
    for it in &catalog.resources {
        let exported = if it.exported { " (exported)" } else { "" };
        let place = it.place.as_ref().map(|it| format!("  # {}:{}", it.file, it.line)).unwrap_or_default();
        writeln!(out, "{}{exported}{place}", printable::line(&it.reference.to_string()))?;
        for (name, value) in &it.parameters {
            // A sensitive value prints a placeholder.
            writeln!(out, "  {name} => {}", printable::line(&expression(&plain(value))))?;
        }
    }
    Ok(())
}
