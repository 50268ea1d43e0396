//! Compares with the catalogs that nodes run now, as PuppetDB has them.

use std::sync::Arc;

use camino::Utf8Path;
use marotte_catalog::Catalog;
use marotte_db::{DiskSystem, System};
use marotte_host::Clock;
use marotte_impact::partial::{Search, Shard};
use marotte_impact::{Fault, Ignore, Outcome as Impact, ReportBuilder, Side};
use marotte_puppetdb::Comparable;

use super::part::PendingPart;
use super::{fault, finish, ignored, impact, names, relative};
use crate::Status;
use crate::args::ImpactArgs;
use crate::compilation::{BATCH, Compilation, Reuse};
use crate::failure::Failure;
use crate::sources::Sources;

/// Compiles the catalogs of nodes, and reports their differences from those that PuppetDB has. With a shard, only those of a
/// part of the nodes, in a partial result.
pub(super) fn run(args: &ImpactArgs, shard: Option<Shard>) -> Result<Status, Failure> {
    let disk: Arc<dyn System> = Arc::new(DiskSystem::new()?);
    let sources = Sources::new(&args.compilation, &*disk)?;
    let clock = Clock::Fixed(Clock::System.now());
    let code = Arc::clone(&disk);
    let compilation = Compilation::of(
        &args.compilation,
        Arc::clone(&sources),
        Arc::clone(&disk),
        code,
        clock,
        Reuse::Never,
    )?;
    let Some(after) = compilation else { return Ok(Status::Findings) };
    let names = names(args, &after, &after)?;
    if names.contains(&None) {
        return Err("`--from-puppetdb` needs the names of nodes: `--node NAME`".to_owned().into());
    }
    let ignore = ignored::ignore(args, &*disk, &after)?;
    let part = shard.map(|it| PendingPart::new(it, args, [&after, &after], &names, &ignore)).transpose()?;
    let names = match shard {
        Some(shard) => shard.take(names),
        None => names,
    };
    let names: Vec<String> = names.into_iter().flatten().collect();
    let root = after.root().unwrap_or(Utf8Path::new("/"));
    let label = format!("the catalogs in PuppetDB at {}", sources.address());
    let mut builder = ReportBuilder::new(label, "the working tree".to_owned(), Vec::new());
    for names in names.chunks(BATCH) {
        let running = sources.catalogs(names)?;
        let named: Vec<Option<String>> = names.iter().cloned().map(Some).collect();
        let old = |number: usize| {
            let name = names.get(number).map_or("", String::as_str);
            let message = || format!("PuppetDB has no catalog of {name}");
            running.get(name).ok_or_else(|| vec![Fault { message: message(), place: None }])
        };
        let mut number = 0;
        after.each(
            &named,
            |number, outcome| compared(old(number), relative(outcome, root), &ignore),
            |made| {
                let outcome = made.unwrap_or_else(|failure| {
                    impact(&old(number).cloned(), &Err(vec![fault(&failure)]), &ignore)
                });
                builder.add(names.get(number).cloned().unwrap_or_default(), outcome);
                number += 1;
                Ok(())
            },
        )?;
    }
    let report = builder.finish();
    if let Some(part) = part {
        // There are no causes to look for: the code before is not known.
        return part.write(report, Search { is_whole: true, ..Search::default() });
    }
    ignored::tell_unused(&ignored::flags(args), &report)?;
    finish(args.output_format, &report, args.compilation.allow_incomplete)
}

/// Compares the catalogs of a node, as far as both are comparable.
fn compared(old: Result<&Catalog, Vec<Fault>>, new: Result<Catalog, Vec<Fault>>, ignore: &Ignore) -> Impact {
    let (old, new) = match (old, new) {
        (Ok(old), Ok(new)) => (old, new),
        (old, new) => return impact(&old.cloned(), &new, ignore),
    };
    let Comparable { running, compiled, left_out } = Comparable::new(old.clone(), new);
    let mut outcome = impact(&Ok(running), &Ok(compiled), ignore);
    if left_out > 0 {
        outcome.before = Side::Incomplete(vec!["values that PuppetDB keeps as text".into()]);
    }
    outcome
}
