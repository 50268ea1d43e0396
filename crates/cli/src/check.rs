//! `marotte check`.

pub(crate) mod baseline;
mod choices;
mod fetched;
mod fix;
pub(crate) mod options;
mod progress;
mod screen;
mod summary;
mod watch;

use marotte_diagnostics::{Diagnostic, output, rules};
use std::collections::BTreeSet;
use std::io::{self, Read as _, Write};
use std::sync::Arc;
use std::time::Instant;

use camino::{Utf8Path, Utf8PathBuf};
use clap::ArgMatches;
use marotte_db::system::{ConfinedSystem, Outward};
use marotte_db::{DiskSystem, OverlaySystem, System};
use marotte_diagnostics::baseline::Known;
use marotte_project::{Project, ProjectDatabase, Report, discovery};

use crate::Status;
use crate::args::CheckArgs;
use crate::config;
use crate::failure::Failure;
use baseline::Scope;
use fetched::Fetched;
pub(crate) use fix::unified;
use options::Options;
use summary::Summary;

/// The path that denotes standard input.
const STDIN: &str = "-";

/// The name of standard input if the user gives none.
const UNNAMED: &str = "<stdin>";

/// Checks the paths in the arguments, once or until the user ends it.
pub(crate) fn run(args: &CheckArgs, matches: &ArgMatches) -> Result<Status, Failure> {
    let mut system: Arc<dyn System> = Arc::new(DiskSystem::new()?);
    let mut paths = args.paths.clone();
    if paths.is_empty() {
        paths.push(if args.stdin_filename.is_some() { STDIN.into() } else { ".".into() });
    }
    let reads_stdin = paths.iter().any(|path| path == STDIN);
    if args.stdin_filename.is_some() && !reads_stdin {
        return Err(Failure::Message("`--stdin-filename` needs the path `-`".to_owned()));
    }
    let stdin_name = args.stdin_filename.as_deref().unwrap_or(Utf8Path::new(UNNAMED));
    refuse_unfit(&*system, &paths)?;
    let named = paths.iter_mut().filter(|path| *path == STDIN);
    named.for_each(|path| *path = stdin_name.to_owned());

    let disk = Arc::clone(&system);
    let set_up = || set_up(args, matches, &disk, &paths);
    let options;
    (system, options) = set_up()?;
    if reads_stdin {
        if args.watch || args.fix {
            let what = if args.watch { "watched" } else { "fixed in place; `--diff` shows the changes" };
            return Err(Failure::Message(format!("standard input cannot be {what}")));
        }
        let overlay = OverlaySystem::new(system);
        overlay.insert(stdin_name, stdin(options.project.max_file_size)?);
        system = Arc::new(overlay);
    }
    if args.watch {
        let sources = || sources(args, &*disk, &paths);
        watch::run(&disk, (system, options), &paths, &sources, &set_up)
    } else if args.diff {
        fix::diff(system, &paths, &options)
    } else if args.fix {
        fix::write(system, &paths, options)
    } else {
        once(system, &paths, options, Ending::Plain)
    }
}

/// The combined options of flags, environment and configuration, and the system for reading the tree.
fn set_up(
    args: &CheckArgs,
    matches: &ArgMatches,
    disk: &Arc<dyn System>,
    paths: &[Utf8PathBuf],
) -> Result<(Arc<dyn System>, Options), Failure> {
    let untrusted = args.untrusted.unwrap_or_default();
    let config = match (&args.config, untrusted) {
        (None, true) => config::passed_over(&**disk, &paths[0])?,
        (named, _) => config::load(&**disk, named.as_deref(), &paths[0])?,
    };
    let absolute: Vec<Utf8PathBuf> = paths.iter().map(|it| disk.absolute(it)).collect();
    let options = Options::new(args, config, matches, &**disk, &absolute)?;
    if options.rules.is_selective()
        && options.rules.names_only(&[rules::UNUSED_SUPPRESSION, rules::UNKNOWN_SUPPRESSION])
        && options.project.rules.contains(rules::UNUSED_SUPPRESSION)
        && !options.quiet
    {
        let note =
            "`unused-suppression` reports only comments about selected rules, and no other rule is selected";
        writeln!(io::stderr(), "note: {note}")?;
    }
    Ok((confined(Arc::clone(disk), args, paths, &options, untrusted), options))
}

/// The absolute paths of the files on which the options depend, whether or not they exist.
fn sources(args: &CheckArgs, disk: &dyn System, paths: &[Utf8PathBuf]) -> BTreeSet<Utf8PathBuf> {
    let sources = match (&args.config, args.untrusted.unwrap_or_default()) {
        (None, true) => config::candidates(disk, &paths[0]),
        (named, _) => config::sources(disk, named.as_deref(), &paths[0]),
    };
    sources.into_iter().chain(args.baseline.as_ref().map(|it| disk.absolute(it))).collect()
}

/// The system for reading the user's tree. Symbolic links out of it are followed only if its authors are trusted.
fn confined(
    system: Arc<dyn System>,
    args: &CheckArgs,
    paths: &[Utf8PathBuf],
    options: &Options,
    untrusted: bool,
) -> Arc<dyn System> {
    let absolute = |it: &Utf8PathBuf| system.absolute(it);
    let paths: Vec<Utf8PathBuf> = paths.iter().map(absolute).collect();
    // A configuration that was found rather than named may be part of the tree, and cannot define the tree's extent.
    let is_named = args.module_path.is_some() || args.config.is_some();
    let folders = if is_named { options.project.module_path.as_slice() } else { &[] };
    let folders: Vec<Utf8PathBuf> = folders.iter().map(absolute).collect();
    let roots = discovery::roots(&*system, &paths, &folders);
    let outward = if untrusted { Outward::Left } else { Outward::Followed };
    Arc::new(ConfinedSystem::new(system, roots, outward))
}

/// Reads standard input, up to one byte beyond the limit, so that excess is detected.
fn stdin(limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Rejects paths that do not exist, and Ruby files, which are read only as parts of their tree.
fn refuse_unfit(system: &dyn System, paths: &[Utf8PathBuf]) -> Result<(), Failure> {
    for path in paths.iter().filter(|path| *path != STDIN) {
        if let Err(error) = system.metadata(&system.absolute(path))
            && error.kind() == io::ErrorKind::NotFound
        {
            return Err(Failure::no_path(path));
        }
        if matches!(path.extension(), Some("rb" | "erb")) && system.is_file(&system.absolute(path)) {
            return Err(Failure::Message(format!(
                "`{path}` is written in Ruby, which is only read as a part of a module: name the module's folder"
            )));
        }
    }
    Ok(())
}

/// Whether there was nothing to check although the user expects something; reports that.
fn nothing_to_check(project: &Project, paths: &[Utf8PathBuf], options: &Options) -> io::Result<bool> {
    if project.files().len() > 0 || options.allow_empty {
        return Ok(false);
    }
    let names: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    writeln!(
        io::stderr(),
        "error: nothing was checked: there is no manifest, template or Hiera data in {} (`--allow-empty` allows that)",
        names.join(", ")
    )?;
    Ok(true)
}

/// The lines after the summary.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// No further lines.
    Plain,
    /// The fixes that weren't applied.
    OfFix,
}

fn once(
    system: Arc<dyn System>,
    paths: &[Utf8PathBuf],
    mut options: Options,
    ending: Ending,
) -> Result<Status, Failure> {
    let started = Instant::now();
    let project = Project::new(ProjectDatabase::frozen(system), paths, options.project.clone());
    Summary::new(&options).targets(&project)?;
    let mut report = progress::with(&options, project.files().len(), |progress| project.check(progress));
    let fetched = leave_out_others(&project, &mut report.findings, &options);
    if options.write_baseline {
        let mut findings = report.findings.clone();
        options.rules.apply(&mut findings, |it| project.path(it));
        if let Some(known) = &mut options.known {
            // The file may be outside of the tree, if the user names it.
            let scope = Scope { rules: &options.rules, third_party: options.third_party };
            known.write(&DiskSystem::new()?, &project, scope, &findings)?;
        }
    }
    // The search contributes to the waiting time, too.
    let (report, known) = shown(&project, Report { elapsed: started.elapsed(), ..report }, &options);
    let mut summary = Summary::new(&options);

    let mut out = io::BufWriter::new(io::stdout().lock());
    project.write(options.format, &report.findings, options.color, &mut out)?;
    out.flush()?;
    drop(out);
    summary.statistics(&report)?;
    let mut status = status(&report.findings, &options);
    if nothing_to_check(&project, paths, &options)? {
        status = status.and(Status::Error);
    } else {
        summary.summary(&report, known, fetched)?;
        summary.topics(&report)?;
        if ending == Ending::Plain {
            summary.fixes(&report)?;
        }
        summary.modules(&project)?;
        if ending == Ending::OfFix {
            summary.unsafe_fixes(&report)?;
        }
    }
    // The process ends here: freeing every tree individually would only take time.
    std::mem::forget(project);
    Ok(status)
}

/// Removes the findings that are the responsibility of other maintainers, and those that are about no upgrade, unless the options
/// include them.
fn leave_out_others(project: &Project, findings: &mut Vec<Arc<Diagnostic>>, options: &Options) -> Fetched {
    if options.only_upgrades {
        findings.retain(|it| !it.in_all_versions);
    }
    match options.third_party {
        true => Fetched::default(),
        false => fetched::leave_out(project, findings),
    }
}

/// Returns the findings to show, in order, and the known ones.
fn shown(project: &Project, mut report: Report, options: &Options) -> (Report, Known) {
    report.findings = project.with_levels(&report.findings, &options.rules);
    output::sort(&mut report.findings, &project.sources());
    let scope = Scope { rules: &options.rules, third_party: options.third_party };
    let known = options.known.as_ref().map(|it| it.apply(project, scope, &mut report.findings));
    (report, known.unwrap_or_default())
}

fn status(findings: &[Arc<Diagnostic>], options: &Options) -> Status {
    if findings.iter().any(|finding| finding.rule == rules::INTERNAL_ERROR) {
        Status::Error
    } else if findings.is_empty() || options.exit_zero {
        Status::Clean
    } else {
        Status::Findings
    }
}
