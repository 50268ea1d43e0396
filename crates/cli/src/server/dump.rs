use std::io::{self, Write as _};

use camino::Utf8Path;
use marotte_diagnostics::printable;
use marotte_lsp::dump;

use super::options;
use crate::Status;
use crate::args::IdeDumpArgs;
use crate::failure::Failure;

/// Prints the server's answers for a file.
pub(crate) fn run(args: &IdeDumpArgs) -> Result<Status, Failure> {
    let options = options()?;
    let file = options.system.absolute(&args.file);
    if !options.system.is_file(&file) {
        return Err(Failure::no_file(&args.file));
    }
    let current = options.system.current_dir().to_owned();
    let folder = match &args.folder {
        Some(folder) => options.system.absolute(folder),
        None if file.starts_with(&current) => current,
        None => file.parent().unwrap_or(Utf8Path::new("/")).to_owned(),
    };
    let mut out = io::stdout().lock();
    for line in dump(options, &folder, &file)? {
        writeln!(out, "{}", printable::json(&line))?;
    }
    Ok(Status::Clean)
}
