use std::io::{self, Write as _};

use camino::Utf8Path;
use marotte_catalog::Catalog;
use marotte_catalog::wire::Envelope;
use marotte_diagnostics::printable;
use marotte_host::Node;
use marotte_impact::output::{Format, write};
use marotte_impact::{Fault, Ignore, Outcome as Impact, ReportBuilder, Side};
use marotte_text::Str;

use super::{Nodes, Texts, Watched};
use crate::args::{CatalogFormat, CompileArgs};
use crate::compilation::{BATCH, Compilation, Outcome, Reports};
use crate::compile::{print_catalog, written};
use crate::failure::Failure;
use crate::impact::{fault, read, relative};
use crate::terminal::print;

/// Reports the differences from the last catalogs, if there are any. Returns the number of new catalogs. The catalog of a
/// node without a last one is written, too, unless all nodes are compiled: then only its messages are.
pub(super) fn show(
    args: &CompileArgs,
    compilation: &Compilation<'_>,
    nodes: &mut Nodes,
    texts: &mut Texts,
) -> Result<usize, Failure> {
    let root = compilation.root().unwrap_or(Utf8Path::new("/"));
    let mut builder = ReportBuilder::new("the last state".to_owned(), "now".to_owned(), Vec::new());
    let (mut count, mut is_different, mut reports) = (0, false, Reports::default());
    let mut all: Vec<_> = nodes.iter_mut().collect();
    for batch in all.chunks_mut(BATCH) {
        let known: Vec<Node> = batch.iter().filter_map(|(_, it)| it.node.as_ref().ok().copied()).collect();
        let make = |_: &Node, outcome: Outcome| {
            let envelope = Envelope { version: 0.into(), uuid: Str::new() };
            let shown = written(CatalogFormat::Summary, &outcome, &envelope, false)?;
            Ok::<_, Failure>((shown, relative(outcome, root)))
        };
        let mut made = compilation.traced(&known, |it| *it, make).into_iter();
        for (name, it) in batch.iter_mut() {
            let new = match &it.node {
                Ok(_) => match made.next() {
                    Some(Ok(Some(made))) => {
                        let (shown, new) = made?;
                        let failed = name.as_deref().filter(|_| shown.name.is_none());
                        io::stderr().lock().write_all(&reports.add(&shown.report, failed))?;
                        if !args.all && it.last.is_none() {
                            print_catalog(CatalogFormat::Summary, &shown.text)?;
                        }
                        Some(new)
                    }
                    Some(Err(failure)) => Some(Err(vec![fault(&failure)])),
                    Some(Ok(None)) | None => None,
                },
                Err(message) => Some(Err(vec![fault(&message.clone().into())])),
            };
            let new = new.filter(|new| match (new, &it.last) {
                (Err(new), Some(Err(last))) => new != last,
                _ => true,
            });
            let outcome = match (&it.last, &new) {
                (Some(last), Some(new)) => {
                    is_different |= last.is_err() || new.is_err();
                    let of = |last: Result<&Catalog, Vec<Fault>>| {
                        Impact::of(last, new.as_ref().map_err(Vec::clone), &Ignore::default())
                    };
                    // An edit before an error is not lost: what compiles again is compared with the last catalog.
                    let since = it.compiled.as_ref().filter(|_| new.is_ok()).map(|it| of(Ok(it)));
                    let since = since.filter(|it| !it.findings.is_empty());
                    let outcome = since.unwrap_or_else(|| of(last.as_ref().map_err(Vec::clone)));
                    is_different |= !outcome.findings.is_empty();
                    outcome
                }
                (None, Some(it)) | (Some(it), None) => match it {
                    Ok(catalog) => Impact::unaffected(Side::of(catalog), catalog.elsewhere()),
                    Err(faults) => Impact::unaffected(Side::Failed(faults.clone()), Vec::new()),
                },
                (None, None) => continue,
            };
            let of_catalog = || it.last.as_ref()?.as_ref().ok().map(|it| it.name.to_string());
            let name = name.clone().or_else(of_catalog).unwrap_or_else(|| "the node".to_owned());
            builder.add(name, outcome);
            if let Some(new) = new {
                count += 1;
                it.keep(new);
            }
        }
    }
    if let Some(line) = reports.repeated() {
        writeln!(io::stderr().lock(), "{}", printable::line(&line))?;
    }
    let now = |path: &str| read(compilation, path);
    if is_different {
        let mut report = builder.finish();
        report.show_contents(|side, path| if side == 0 { texts.get(path) } else { now(path) });
        print(&write(Format::Full, &report))?;
    }
    if count > 0 {
        texts.update(nodes.values().filter_map(Watched::last_catalog), now);
    }
    io::stdout().lock().flush()?;
    Ok(count)
}
