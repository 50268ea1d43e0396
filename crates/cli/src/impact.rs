//! `marotte impact`.

mod affected;
mod beside;
mod cached;
mod causes;
mod ignored;
mod inputs;
mod part;
mod patched;
mod running;
mod shard;
mod switched;
mod trees;

use std::io::{self, Write as _};
use std::time::Instant;

use camino::Utf8Path;
use marotte_catalog::Catalog;
use marotte_diagnostics::printable;
use marotte_host::Clock;
use marotte_impact::output::{Format, write};
use marotte_impact::partial::Search;
use marotte_impact::{Counts, Fault, Ignore, Outcome as Impact, Report, ReportBuilder};
use marotte_text::Str;

use crate::Status;
use crate::args::{ImpactArgs, ImpactFormat};
use crate::compilation::{Compilation, Outcome, Reuse, distinct};
use crate::failure::Failure;
use crate::result_cache::ResultCache;
use crate::terminal::{print, print_json};
use affected::Reporting;
use causes::Found;
use part::PendingPart;
pub(crate) use shard::ShardArg;
use trees::Trees;

/// Compiles the catalogs of nodes from two code trees, and reports the differences.
pub(crate) fn run(args: &ImpactArgs) -> Result<Status, Failure> {
    crate::evaluation::refuse_recording(&args.compilation.evaluation, "impact")?;
    if !args.merge.is_empty() {
        return part::merge(args);
    }
    let shard = shard::of(args)?;
    if args.from_puppetdb {
        return running::run(args, shard);
    }
    let trees = Trees::of(args)?;
    // Both at one moment: that time passes is no change.
    let clock = Clock::Fixed(Clock::System.now());
    let compilation =
        |args, code| Compilation::of(args, trees.sources(), trees.disk(), code, clock, Reuse::Never);
    let before = compilation(&trees.compilation_before, trees.before.code());
    let Some(before) = before.map_err(|it| trees.before.named(&it))? else {
        return Ok(Status::Findings);
    };
    let after = compilation(&trees.compilation, trees.after.code());
    let Some(after) = after.map_err(|it| trees.after.named(&it))? else {
        return Ok(Status::Findings);
    };
    if before.root() != after.root() {
        return Err(trees.before.named(&Failure::Message("there is no such environment".to_owned())));
    }
    let names = names(args, &before, &after)?;
    let ignore = ignored::ignore(args, &*trees.disk(), &after)?;
    let sides = [&before, &after];
    let part = shard.map(|it| PendingPart::new(it, args, sides, &names, &ignore)).transpose()?;
    let names = match shard {
        Some(shard) => shard.take(names),
        None => names,
    };
    let doubts = trees.doubts(sides);
    let mut builder =
        ReportBuilder::new(trees.before.label().to_owned(), trees.after.label().to_owned(), doubts);
    let mut tracked = match args.compile_all {
        true => None,
        false => {
            let reporting = Reporting { ignore: &ignore, builder: &mut builder };
            let cache = ResultCache::open(
                &args.cache,
                &trees.compilation,
                &after,
                &[trees.folder_before()],
                trees.disk(),
            )?;
            affected::gather(args, &trees, clock, &names, sides, reporting, cache)?
        }
    };
    if tracked.is_none() {
        let mut found = Vec::new();
        compare(&names, sides, &ignore, &mut builder, &mut found, causes::most_samples(args))?;
        tracked = affected::sampled(args, &trees, clock, &names, sides, found)?;
    }
    let compilations = tracked.as_ref().map(|it| &it.compilation).into_iter().chain(sides);
    builder.doubt(trees.doubts_after(compilations.flat_map(Compilation::known_paths)));
    let mut report = builder.finish();
    let mut search = Search { is_whole: true, ..Search::default() };
    if let Some(tracked) = tracked {
        let started = Instant::now();
        search = causes::find(&mut report, tracked, &ignore, shard.is_some())?;
        if args.compilation.evaluation.verbose {
            let seconds = started.elapsed().as_secs_f64();
            writeln!(io::stderr().lock(), "the causes took {seconds:.2} s")?;
        }
    }
    report.show_contents(|side, path| read(sides[side], path));
    if let Some(part) = part {
        return part.write(report, search);
    }
    ignored::tell_unused(&ignored::flags(args), &report)?;
    finish(args.output_format, &report, args.compilation.allow_incomplete)
}

/// Reads a file that a report names. None if that is impossible.
pub(crate) fn read(compilation: &Compilation<'_>, path: &str) -> Option<Vec<u8>> {
    let path = compilation.root().unwrap_or(Utf8Path::new("/")).join(path);
    compilation.system().read(&path, trees::SIZE).ok()
}

/// Writes a report, and returns its status.
fn finish(format: ImpactFormat, report: &Report, allow_incomplete: bool) -> Result<Status, Failure> {
    let text = write(Format::from(format), report);
    match format {
        ImpactFormat::Json | ImpactFormat::Sarif => print_json(&text)?,
        _ => print(&text)?,
    }
    Ok(status(report, allow_incomplete))
}

/// Returns the names of the nodes; None for a node that is named only by its facts.
fn names(
    args: &ImpactArgs,
    before: &Compilation<'_>,
    after: &Compilation<'_>,
) -> Result<Vec<Option<String>>, Failure> {
    if args.from_facts_dir.is_some() {
        // Nodes may be new, but their folder is there.
        let known = before.all_nodes()?;
        if args.node.is_empty() {
            tell_gone(&known, after)?;
        }
    }
    if !args.node.is_empty() {
        if args.compilation.facts_of_nodes() == Some("--puppetdb") {
            after.require_facts(args.node.iter().map(String::as_str))?;
        }
        let has_none_before = |it: &&str| before.require_facts([*it]).is_err();
        after.require_facts(args.node.iter().map(String::as_str).filter(has_none_before))?;
        return Ok(distinct(&args.node).into_iter().map(Some).collect());
    }
    if args.compilation.facts_dir.is_none() && args.compilation.evaluation.facts.is_some() {
        return Ok(vec![None]);
    }
    let names = after.all_nodes()?;
    if let (true, Some(folder)) = (names.is_empty(), &args.compilation.facts_dir) {
        return Err(Failure::Message(format!("there are no files of facts in {folder}")));
    }
    Ok(names.into_iter().map(Some).collect())
}

/// Warns of nodes that only have facts from before the change, which are not compared.
fn tell_gone(before: &[String], after: &Compilation<'_>) -> Result<(), Failure> {
    /// The number of names that are shown.
    const SHOWN: usize = 5;
    let gone: Vec<&str> =
        before.iter().map(String::as_str).filter(|it| after.require_facts([*it]).is_err()).collect();
    let more = match gone.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    if !gone.is_empty() {
        let shown = gone.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
        let text = format!("note: not compared, because there are no facts after the change: {shown}{more}");
        writeln!(io::stderr().lock(), "{}", printable::line(&text))?;
    }
    Ok(())
}

/// Compiles some nodes from both trees, and compares the results. Records the first nodes with a change, up to `most` of them.
fn compare(
    names: &[Option<String>],
    [before, after]: [&Compilation<'_>; 2],
    ignore: &Ignore,
    builder: &mut ReportBuilder,
    found: &mut Vec<Found>,
    most: usize,
) -> Result<(), Failure> {
    let root = after.root().unwrap_or(Utf8Path::new("/"));
    let side = |made: Result<Outcome, Failure>| {
        made.map_or_else(|failure| Err(vec![fault(&failure)]), |it| relative(it, root))
    };
    Compilation::each_of_two(
        [before, after],
        names,
        |number, made| {
            let [old, new] = made.map(side);
            let outcome = impact(&old, &new, ignore);
            (shown_name(names[number].as_deref(), &[&old, &new]), outcome)
        },
        |made| {
            // Without a comparison, nothing can be said about the node.
            let (name, outcome) = made?;
            let (index, after) = (builder.number(), outcome.after.clone());
            if builder.add(name, outcome) && found.len() < most {
                found.push(Found { number: index, after });
            }
            Ok(())
        },
    )
}

/// Returns the name of a node: the one that the user gave, or else that of its catalog.
fn shown_name(given: Option<&str>, catalogs: &[&Result<Catalog, Vec<Fault>>]) -> String {
    let known = || catalogs.iter().find_map(|it| Some(it.as_ref().ok()?.name.to_string()));
    given.map(str::to_owned).or_else(known).unwrap_or_else(|| "the node".to_owned())
}

fn impact(
    before: &Result<Catalog, Vec<Fault>>,
    after: &Result<Catalog, Vec<Fault>>,
    ignore: &Ignore,
) -> Impact {
    Impact::of(before.as_ref().map_err(Vec::clone), after.as_ref().map_err(Vec::clone), ignore)
}

/// Returns the reason why a node has no catalog, for failures that don't come from its code or data.
pub(crate) fn fault(failure: &Failure) -> Fault {
    Fault { message: failure.to_string(), place: None }
}

/// Returns a catalog or errors, with the paths in the environment relative to its folder.
pub(crate) fn relative(outcome: Outcome, root: &Utf8Path) -> Result<Catalog, Vec<Fault>> {
    let below = |path: &str| Utf8Path::new(path).strip_prefix(root).map_or(path, Utf8Path::as_str).to_owned();
    let folder = format!("{root}/");
    let without_folder = |text: &str| if root == "/" { text.to_owned() } else { text.replace(&folder, "") };
    let Some(mut catalog) = outcome.catalog else {
        let fault = |it: Fault| Fault {
            message: without_folder(&it.message),
            place: it.place.map(|(file, line)| (below(&file), line)),
        };
        return Err(outcome.faults.into_iter().map(fault).collect());
    };
    for reason in catalog.gaps.iter_mut().filter_map(|it| it.reason.as_mut()) {
        *reason = without_folder(reason).into();
    }
    // Most resources are declared in the same file as the one before.
    let (mut last, mut shown) = (Str::default(), Str::default());
    let resources = catalog.resources.iter_mut().chain(&mut catalog.exports);
    for place in resources.filter_map(|it| it.place.as_mut()) {
        if place.file != last {
            shown = below(&place.file).into();
            last.clone_from(&place.file);
        }
        place.file.clone_from(&shown);
    }
    Ok(catalog)
}

/// Returns the status for a report. A node that fails now outweighs changes, and changes outweigh unknown parts.
fn status(report: &Report, allow_incomplete: bool) -> Status {
    let Counts {
        nodes: _,
        changed,
        partly_known: _,
        unchanged: _,
        not_fully_known,
        failing_now,
        failing_before,
        failing_still,
    } = report.counts();
    if failing_now > 0 {
        Status::Broken
    } else if changed > 0 || failing_before > 0 {
        Status::Findings
    } else if failing_still > 0 || not_fully_known > 0 && !allow_incomplete {
        Status::Incomplete
    } else {
        Status::Clean
    }
}
