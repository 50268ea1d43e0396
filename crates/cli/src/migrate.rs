//! `marotte migrate`.

mod puppet_lint;

use std::io::{self, Write as _};
use std::sync::Arc;

use camino::Utf8Path;
use marotte_db::system::{ConfinedSystem, Outward, ReadError};
use marotte_db::{DiskSystem, System};
use marotte_diagnostics::printable;
use marotte_project::discovery;

use crate::Status;
use crate::args::{MigrateArgs, MigrateCommand, PuppetLintArgs};
use crate::failure::Failure;
use puppet_lint::Migration;

/// The maximum size of such a file, longer than any real one.
const MAX_SIZE: u64 = 1 << 20;

/// The file with the options of puppet-lint.
const RC: &str = ".puppet-lint.rc";
const RAKEFILE: &str = "Rakefile";

/// Converts the configuration of another tool.
pub(crate) fn run(args: &MigrateArgs) -> Result<Status, Failure> {
    match &args.command {
        MigrateCommand::PuppetLint(args) => {
            let disk: Arc<dyn System> = Arc::new(DiskSystem::new()?);
            // The notes quote the files.
            let roots = discovery::roots(&*disk, &[disk.absolute(&args.folder)], &[]);
            of_puppet_lint(&ConfinedSystem::new(disk, roots, Outward::Left), args)
        }
    }
}

fn of_puppet_lint(system: &dyn System, args: &PuppetLintArgs) -> Result<Status, Failure> {
    let folder = system.absolute(&args.folder);
    let mut migration = Migration::default();
    let options = text(system, &folder.join(RC))?;
    let rakefile = text(system, &folder.join(RAKEFILE))?;
    if options.is_none() && rakefile.is_none() {
        return Err(Failure::Message(format!("there is neither a {RC} nor a {RAKEFILE} in {folder}")));
    }
    if let Some(text) = &options {
        migration.read_options(text);
    }
    if let Some(text) = &rakefile {
        migration.read_rakefile(text);
    }
    let sources = [(RC, &options), (RAKEFILE, &rakefile)];
    let sources: Vec<&str> = sources.iter().filter(|it| it.1.is_some()).map(|it| it.0).collect();
    let configuration = migration.configuration(&sources.join(" and "));
    if args.stdout {
        io::stdout().lock().write_all(configuration.as_bytes())?;
    } else {
        let path = folder.join("marotte.toml");
        if system.is_file(&path) && !args.overwrite {
            let message =
                format!("{path} is there already: `--overwrite` replaces it, `--stdout` shows the other");
            return Err(Failure::Message(message));
        }
        let written = system.write_atomically(&path, configuration.as_bytes());
        written.map_err(|error| Failure::Message(format!("cannot write {path}: {error}")))?;
        writeln!(io::stderr().lock(), "Wrote {}", printable::line(path.as_str()))?;
    }
    for note in migration.notes() {
        writeln!(io::stderr().lock(), "note: {}", printable::line(&note))?;
    }
    Ok(Status::Clean)
}

/// Returns the content of a file. None if it doesn't exist.
fn text(system: &dyn System, path: &Utf8Path) -> Result<Option<String>, Failure> {
    let bytes = match system.read(path, MAX_SIZE) {
        Ok(bytes) => bytes,
        Err(ReadError::NotFound) => return Ok(None),
        Err(error) => return Err(Failure::Message(format!("cannot read {path}: {error}"))),
    };
    let text = String::from_utf8(bytes).map_err(|_| format!("{path} is not UTF-8"))?;
    Ok(Some(text))
}
