//! `marotte migrate`.

mod options;
mod puppet_lint;

use std::io::{self, Write as _};

use camino::Utf8Path;
use marotte_db::system::ReadError;
use marotte_db::{DiskSystem, System};
use marotte_diagnostics::printable;

use crate::Status;
use crate::args::{MigrateArgs, MigrateCommand, PuppetLintArgs};
use crate::bounds::{Bounds, Named, way};
use crate::failure::Failure;
use crate::terminal::print_exactly;
use puppet_lint::Migration;

/// The maximum size of such a file, longer than any real one.
const MAX_SIZE: u64 = 1 << 20;

/// The file with the options of puppet-lint.
const RC: &str = ".puppet-lint.rc";
const RAKEFILE: &str = "Rakefile";

/// Converts the configuration of another tool.
pub(crate) fn run(args: &MigrateArgs) -> Result<Status, Failure> {
    match &args.command {
        MigrateCommand::PuppetLint(args) => of_puppet_lint(&DiskSystem::new()?, args),
    }
}

fn of_puppet_lint(system: &dyn System, args: &PuppetLintArgs) -> Result<Status, Failure> {
    let folder = system.absolute(&args.folder);
    let mut migration = Migration::default();
    // The command itself names the files, but the tree may have links in their places.
    let bounds = Bounds::new(system, std::slice::from_ref(&folder), None, Named::ByTree);
    let options = text(system, &folder.join(RC), &bounds)?;
    let rakefile = text(system, &folder.join(RAKEFILE), &bounds)?;
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
        print_exactly(&configuration)?;
    } else {
        let path = folder.join("marotte.toml");
        if let Some(target) = bounds.led_out(system, &path) {
            return Err(Failure::Message(format!(
                "{} is outside of the tree, and not written: `--stdout` shows the configuration",
                way(&path, &target)
            )));
        }
        if system.is_file(&path) && !args.overwrite {
            let message =
                format!("{path} is there already: `--overwrite` replaces it, `--stdout` shows the other");
            return Err(Failure::Message(message));
        }
        let written = bounds.write(system, &path, configuration.as_bytes());
        written.map_err(|error| Failure::Message(format!("cannot write {path}: {error}")))?;
        writeln!(io::stderr().lock(), "Wrote {}", printable::line(path.as_str()))?;
    }
    for note in migration.notes() {
        writeln!(io::stderr().lock(), "note: {}", printable::line(&note))?;
    }
    Ok(Status::Clean)
}

/// Returns the content of a file. None if it doesn't exist.
///
/// # Errors
/// If it cannot be read, or is outside of the tree: the configuration and the notes quote it.
fn text(system: &dyn System, path: &Utf8Path, bounds: &Bounds) -> Result<Option<String>, Failure> {
    if let Some(target) = bounds.led_out(system, path) {
        return Err(Failure::Message(format!(
            "{} is outside of the tree, and not read: replace the link by a copy",
            way(path, &target)
        )));
    }
    let bytes = match system.read(path, MAX_SIZE) {
        Ok(bytes) => bytes,
        Err(ReadError::NotFound) => return Ok(None),
        Err(error) => return Err(Failure::Message(format!("cannot read {path}: {error}"))),
    };
    let text = String::from_utf8(bytes).map_err(|_| format!("{path} is not UTF-8"))?;
    Ok(Some(text))
}
