//! `marotte format`.

mod editorconfig;
mod options;
mod report;

use std::io::{self, Read as _, Write as _};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::{DEFAULT_MAX_FILE_SIZE, DiskSystem, OverlaySystem, System};
use marotte_project::format::{Formatted, Outcome};
use marotte_project::{Project, ProjectDatabase, ProjectOptions};

use crate::Status;
use crate::args::FormatArgs;
use crate::config;
use crate::failure::Failure;
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
    let (project, settings) = project(&system, &[name.to_owned()], args)?;
    let formatted = project.format(&|path| settings.of(path), settings.lines());
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
        io::stdout().lock().write_all(out)?;
    }
    Ok(report.status())
}

fn files(system: Arc<dyn System>, args: &FormatArgs) -> Result<Status, Failure> {
    let mut paths = args.paths.clone();
    if paths.is_empty() {
        paths.push(".".into());
    }
    for path in &paths {
        if system.metadata(&system.absolute(path)).is_err() {
            return Err(Failure::no_path(path));
        }
    }
    let (project, settings) = project(&system, &paths, args)?;
    let formatted = project.format(&|path| settings.of(path), settings.lines());
    if settings.lines().is_some() && formatted.len() != 1 {
        let message = format!("`--range` is about one file, and {} are named", formatted.len());
        return Err(Failure::Message(message));
    }
    if formatted.is_empty() && !settings.allow_empty {
        let names: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
        return Err(Failure::Message(format!(
            "nothing was formatted: there is no manifest or template in {} (`--allow-empty` allows that)",
            names.join(", ")
        )));
    }
    let roots = Roots::new(&*system, &paths);
    let mut report = Report::new(&project, &settings);
    for file in formatted {
        let file = if settings.writes() { written(&*system, &roots, file) } else { file };
        report.add(&file)?;
    }
    report.summary()?;
    let status = report.status();
    // The process ends here: freeing every text individually would only take time.
    std::mem::forget(project);
    Ok(status)
}

fn project(
    system: &Arc<dyn System>,
    paths: &[Utf8PathBuf],
    args: &FormatArgs,
) -> Result<(Project, Settings), Failure> {
    let config = config::load(&**system, args.config.as_deref(), &paths[0])?;
    let options = ProjectOptions {
        ignore: !args.no_ignore.or(config.no_ignore).unwrap_or_default(),
        tasks: args.tasks.or(config.tasks).unwrap_or_default(),
        max_file_size: config.max_file_size.map_or(DEFAULT_MAX_FILE_SIZE, |size| size.0),
        threads: usize::from(args.threads.or(config.threads).unwrap_or_default()),
        exclude: config.exclude.clone().unwrap_or_default().and(config.extend_exclude.clone()),
        ..ProjectOptions::default()
    };
    let project = Project::new(ProjectDatabase::frozen(Arc::clone(system)), paths, options);
    Ok((project, Settings::new(args, config, Arc::clone(system))))
}

/// Writes a changed file. Files that cannot or may not be written are rejected.
fn written(system: &dyn System, roots: &Roots, file: Formatted) -> Formatted {
    let Outcome::Changed { after, .. } = &file.outcome else { return file };
    let refused = if roots.contain(system, &file.path) {
        system
            .write_atomically(&file.path, after.as_bytes())
            .err()
            .map(|error| format!("it cannot be written: {error}"))
    } else {
        Some("a symbolic link leads out of what is to be formatted".to_owned())
    };
    match refused {
        Some(message) => Formatted { path: file.path, outcome: Outcome::Refused(message) },
        None => file,
    }
}

/// The paths that the user named, without symbolic links: nothing else is written.
struct Roots(Vec<Utf8PathBuf>);

impl Roots {
    fn new(system: &dyn System, paths: &[Utf8PathBuf]) -> Self {
        Roots(paths.iter().filter_map(|path| system.canonicalize(&system.absolute(path)).ok()).collect())
    }

    fn contain(&self, system: &dyn System, path: &Utf8Path) -> bool {
        system.canonicalize(path).is_ok_and(|real| self.0.iter().any(|root| real.starts_with(root)))
    }
}
