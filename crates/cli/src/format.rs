//! `marotte format`.

mod editorconfig;
mod options;
mod report;

use std::fmt;
use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::system::{ConfinedSystem, Outward, ReadError, is_ignore_file};
use marotte_db::{DEFAULT_MAX_FILE_SIZE, DiskSystem, OverlaySystem, System};
use marotte_project::format::{Formatted, Outcome, unread};
use marotte_project::{Project, ProjectDatabase, ProjectOptions, fix};

use crate::Status;
use crate::args::FormatArgs;
use crate::config;
use crate::failure::Failure;
use crate::terminal::print;
pub(crate) use editorconfig::EditorConfigs;
use options::Settings;
pub(crate) use options::layout;
use report::Report;

/// The path that denotes standard input.
const STDIN: &str = "-";

/// The name of standard input if the user gives none.
const UNNAMED: &str = "stdin.pp";

/// Formats the paths in the arguments.
pub(crate) fn run(args: &FormatArgs) -> Result<Status, Failure> {
    let system: Arc<dyn System> = Arc::new(DiskSystem::new()?);
    let reads_stdin =
        args.paths.iter().any(|path| path == STDIN) || args.paths.is_empty() && args.stdin_filename.is_some();
    if args.stdin_filename.is_some() && !reads_stdin {
        return Err(Failure::Message("`--stdin-filename` needs the path `-`".to_owned()));
    }
    if reads_stdin { stdin(system, args) } else { files(system, args) }
}

/// Formats standard input to standard output.
fn stdin(system: Arc<dyn System>, args: &FormatArgs) -> Result<Status, Failure> {
    if args.paths.len() > 1 {
        return Err(Failure::Message("`-` cannot be formatted together with other paths".to_owned()));
    }
    let name = args.stdin_filename.as_deref().unwrap_or(Utf8Path::new(UNNAMED));
    let mut bytes = Vec::new();
    io::stdin().lock().take(DEFAULT_MAX_FILE_SIZE + 1).read_to_end(&mut bytes)?;
    let overlay = OverlaySystem::new(Arc::clone(&system));
    overlay.insert(name, bytes.clone());
    let system: Arc<dyn System> = Arc::new(overlay);
    let (project, settings) = project(&system, &system, &[name.to_owned()], args)?;
    let formatted = project.format(&|path| settings.of(path), settings.lines());
    all_read(&project, &settings)?;
    let mut report = Report::new(&project, &settings);
    let Some(file) = formatted.first() else {
        return Err(Failure::Message(format!("{name} is neither a manifest nor a template")));
    };
    report.add(file)?;
    if settings.writes() {
        let out = match &file.outcome {
            Outcome::Changed { after, .. } => after.as_bytes(),
            Outcome::Same => &bytes,
            Outcome::Unreadable(_) | Outcome::Refused(_) => &[],
        };
        print_formatted(out)?;
    }
    Ok(report.status())
}

/// Writes a text to standard output: unchanged, unless that is a terminal.
fn print_formatted(text: &[u8]) -> io::Result<()> {
    if io::stdout().is_terminal() {
        return print(&String::from_utf8_lossy(text));
    }
    let mut out = io::stdout().lock();
    out.write_all(text)?;
    out.flush()
}

fn files(disk: Arc<dyn System>, args: &FormatArgs) -> Result<Status, Failure> {
    let mut paths = args.paths.clone();
    if paths.is_empty() {
        paths.push(".".into());
    }
    for path in &paths {
        let found = disk.metadata(&disk.absolute(path));
        if found.is_err_and(|error| ReadError::from(error) == ReadError::NotFound) {
            return Err(Failure::no_path(path));
        }
    }
    let roots: Vec<Utf8PathBuf> = paths.iter().map(|it| disk.absolute(it)).collect();
    let system: Arc<dyn System> =
        Arc::new(ConfinedSystem::new(Arc::clone(&disk), roots.clone(), Outward::Followed));
    let (project, settings) = project(&disk, &system, &paths, args)?;
    let formatted = project.format(&|path| settings.of(path), settings.lines());
    all_read(&project, &settings)?;
    if settings.lines().is_some() && formatted.len() != 1 {
        let message = format!("`--range` is about one file, and {} are named", formatted.len());
        return Err(Failure::Message(message));
    }
    let mut report = Report::new(&project, &settings);
    for (path, problem) in unread(&project, settings.ignores) {
        // A named path is among the files even if it is not one.
        if !formatted.iter().any(|it| it.path == path) {
            report.unread(path, problem)?;
        }
    }
    if formatted.is_empty() && !settings.allow_empty && report.status() == Status::Clean {
        let names: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
        return Err(Failure::Message(format!(
            "nothing was formatted: there is no manifest or template in {} (`--allow-empty` allows that)",
            names.join(", ")
        )));
    }
    for file in formatted {
        let is_same = matches!(file.outcome, Outcome::Same);
        if !is_same && system.is_outside(&file.path) {
            report.outside(&file.path);
        } else {
            report.add(&if settings.writes() { written(&*disk, file, &roots) } else { file })?;
        }
    }
    report.summary()?;
    let status = report.status();
    // The process ends here: freeing every text individually would only take time.
    std::mem::forget(project);
    Ok(status)
}

/// Fails if a file cannot be read that decides which files are formatted, or how.
fn all_read(project: &Project, settings: &Settings) -> Result<(), Failure> {
    let current = project.system().current_dir();
    let shown = |path: &Utf8Path, reason: &dyn fmt::Display, hint: &str| {
        format!("{} cannot be read: {reason}{hint}", path.strip_prefix(current).unwrap_or(path))
    };
    let lists = unread(project, settings.ignores).filter(|(path, _)| is_ignore_file(path));
    let lists = lists.map(|(path, problem)| shown(path, problem, " (`--no-ignore` does without it)"));
    let layouts = settings.unread();
    let layouts = layouts.iter().map(|(path, error)| shown(path, error, ""));
    let all: Vec<String> = lists.chain(layouts).collect();
    match all.is_empty() {
        true => Ok(()),
        false => Err(Failure::Message(format!("nothing was formatted: {}", all.join(", ")))),
    }
}

/// Finds the files in `system`, and reads settings, which may be outside of the paths, from `disk`.
fn project(
    disk: &Arc<dyn System>,
    system: &Arc<dyn System>,
    paths: &[Utf8PathBuf],
    args: &FormatArgs,
) -> Result<(Project, Settings), Failure> {
    let config = config::load(&**disk, args.config.as_deref(), &paths[0])?;
    let options = ProjectOptions {
        ignore: !args.no_ignore.or(config.no_ignore).unwrap_or_default(),
        tasks: args.tasks.or(config.tasks).unwrap_or_default(),
        max_file_size: config.max_file_size.map_or(DEFAULT_MAX_FILE_SIZE, |size| size.0),
        threads: usize::from(args.threads.or(config.threads).unwrap_or_default()),
        exclude: config.exclude.clone().unwrap_or_default().and(config.extend_exclude.clone()),
        ..ProjectOptions::default()
    };
    let project = Project::new(ProjectDatabase::frozen(Arc::clone(system)), paths, options);
    Ok((project, Settings::new(args, config, Arc::clone(disk))))
}

/// Writes a changed file. Files that cannot be written are rejected.
fn written(system: &dyn System, file: Formatted, roots: &[Utf8PathBuf]) -> Formatted {
    let Outcome::Changed { before, after } = &file.outcome else { return file };
    match fix::write(system, &file.path, before, after, roots) {
        Ok(()) => file,
        Err(error) => {
            let outcome = Outcome::Refused(format!("it cannot be written: {error}"));
            Formatted { path: file.path, outcome }
        }
    }
}
