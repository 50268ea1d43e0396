//! The paths that change: as they are given, on the disk, and whether they concern any node.

use std::io::{self, Write as _};

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;
use marotte_diagnostics::printable;
use marotte_host::layout::{ENVIRONMENT_FILE, PUPPETFILE};

use crate::args::AffectedArgs;
use crate::compilation::Compilation;
use crate::failure::Failure;

/// Returns the paths that change, as they are given: `-` stands for those that standard input lists, one on each line or separated by
/// null characters.
pub(super) fn changes(args: &AffectedArgs) -> Result<Vec<Utf8PathBuf>, Failure> {
    let mut all = Vec::new();
    for path in &args.changes {
        if path != "-" {
            all.push(path.clone());
            continue;
        }
        let text = io::read_to_string(io::stdin().lock())?;
        let separator = if text.contains('\0') { '\0' } else { '\n' };
        all.extend(text.split(separator).filter(|it| !it.is_empty()).map(Utf8PathBuf::from));
    }
    Ok(all)
}

/// Returns the absolute paths of the files that change.
pub(super) fn files(changes: &[Utf8PathBuf], disk: &dyn System) -> Result<Vec<Utf8PathBuf>, Failure> {
    // A file that was deleted left its folder, mostly.
    let has_there = |there: &Utf8Path, here: &Utf8Path| {
        let has_folder = |it: &Utf8Path| it.parent().is_some_and(|it| disk.is_directory(it));
        disk.metadata(there).is_ok() || has_folder(there) && !has_folder(here)
    };
    let file = |path: &Utf8PathBuf| {
        let absolute = disk.absolute(path);
        if path.as_str().is_empty() {
            return Err(Failure::Message("a path of a change is empty".to_owned()));
        }
        if disk.metadata(&absolute).is_ok() || disk.read_link(&absolute).is_some() {
            return Ok(absolute);
        }
        if path.as_str().starts_with('"') {
            let message =
                format!("{path} does not exist: git puts names in quotes unless it is called with `-z`");
            return Err(Failure::Message(message));
        }
        let above = absolute.ancestors().skip(1).find(|it| disk.metadata(&it.join(".git")).is_ok());
        let here = disk.absolute(Utf8Path::new("."));
        if let Some(above) = above.filter(|it| path.is_relative() && **it != here)
            && has_there(&above.join(path), &absolute)
        {
            let message = format!(
                "{path} does not exist here, but in {above}: `git diff --relative` lists paths within this folder"
            );
            return Err(Failure::Message(message));
        }
        let text =
            format!("note: {path} does not exist: it is taken for a new file, or one that was deleted");
        writeln!(io::stderr().lock(), "{}", printable::line(&text))?;
        Ok(absolute)
    };
    changes.iter().map(file).collect()
}

/// Whether a change decides on the code that any node gets: the path is that of the configuration of the environment, of the list of
/// modules that are installed from elsewhere, or of what may be a folder with Ruby, which may take precedence over that of others.
pub(super) fn decides_on_code(path: &Utf8Path, tracked: &Compilation<'_>, disk: &dyn System) -> bool {
    let real = |it: &Utf8Path| disk.canonicalize(it).unwrap_or_else(|_| it.to_owned());
    // The path itself may be a link, which changes, or not exist.
    let (Some(folder), Some(name)) = (path.parent().map(real), path.file_name()) else { return true };
    let is_in_root = tracked.root().is_some_and(|root| folder == real(root));
    if is_in_root && [ENVIRONMENT_FILE, PUPPETFILE].contains(&name) {
        return true;
    }
    if disk.is_file(path) || path.extension() == Some("rb") {
        return false;
    }
    // A module, its `lib` and folders in that, or what contains modules.
    let is_code = |below: &Utf8Path| below.components().nth(1).is_none_or(|it| it.as_str() == "lib");
    let path = folder.join(name);
    let mut folders = tracked.module_path().iter().map(|it| real(it));
    folders.any(|it| it.starts_with(&path) || path.strip_prefix(it).is_ok_and(is_code))
}
