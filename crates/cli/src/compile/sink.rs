use std::io::{self, Write as _};

use camino::{Utf8Path, Utf8PathBuf};
use marotte_catalog::page::Pages;
use marotte_db::{DiskSystem, System as _};
use marotte_diagnostics::printable;

use super::{lossy, print_catalog};
use crate::args::{CatalogFormat, CompileArgs};
use crate::failure::Failure;
use crate::terminal::{print, print_json};

/// The destination of catalogs.
pub(super) enum Sink {
    /// Standard output, one catalog after the other.
    Output(CatalogFormat),
    /// A JSON array on standard output. `is_empty` is set until the first element is written.
    Array { is_empty: bool },
    /// One HTML page on standard output.
    Page,
    /// A folder, with a file for each node.
    Folder { disk: DiskSystem, path: Utf8PathBuf, extension: &'static str },
}

impl Sink {
    /// Creates the destination that the arguments name, for a number of nodes.
    pub(super) fn new(args: &CompileArgs, nodes: usize) -> Result<Sink, Failure> {
        let are_several = args.all || nodes > 1;
        if let Some(folder) = &args.output_dir {
            let disk = DiskSystem::new()?;
            let path = disk.absolute(folder);
            if disk.metadata(&path).is_err() {
                disk.create_folder(&path).map_err(|error| format!("cannot create {folder}: {error}"))?;
            }
            let extension = match args.format {
                CatalogFormat::Summary => "txt",
                CatalogFormat::Json => "json",
                CatalogFormat::Dot => "dot",
                CatalogFormat::Html => "html",
            };
            return Ok(Sink::Folder { disk, path, extension });
        }
        Ok(match args.format {
            CatalogFormat::Json if are_several => Sink::Array { is_empty: true },
            CatalogFormat::Html if are_several => {
                print(&Pages::start())?;
                Sink::Page
            }
            format => Sink::Output(format),
        })
    }

    /// Writes the catalog of a node.
    pub(super) fn add(&mut self, name: &str, text: &[u8]) -> Result<(), Failure> {
        match self {
            Sink::Output(format) => print_catalog(*format, text)?,
            Sink::Array { is_empty } => {
                print(if *is_empty { "[\n" } else { ",\n" })?;
                *is_empty = false;
                print_json(lossy(text).trim_end())?;
            }
            Sink::Page => print(&lossy(text))?,
            Sink::Folder { disk, path, extension } => {
                let Some(file) = file(path, name, extension) else {
                    let name = printable::line(name);
                    return Err(Failure::Message(format!("`{name}` cannot be the name of a file")));
                };
                let written = disk.write_atomically(&file, text);
                written.map_err(|error| format!("cannot write {file}: {error}"))?;
            }
        }
        Ok(())
    }

    /// Removes what an earlier run has written for a node that has no catalog now: nobody should take it for the current one.
    pub(super) fn remove(&mut self, name: &str) -> Result<(), Failure> {
        if let Sink::Folder { disk, path, extension } = self
            && let Some(file) = file(path, name, extension)
            && disk.is_file(&file)
        {
            disk.remove_file(&file).map_err(|error| format!("cannot remove {file}: {error}"))?;
        }
        Ok(())
    }

    /// Writes the end of an array or a page.
    pub(super) fn finish(self) -> Result<(), Failure> {
        match self {
            Sink::Output(_) | Sink::Folder { .. } => {}
            Sink::Array { is_empty: true } => print("[]\n")?,
            Sink::Array { is_empty: false } => print("\n]\n")?,
            Sink::Page => print(&Pages::end())?,
        }
        Ok(io::stdout().lock().flush()?)
    }
}

/// The file of a node. None if its name cannot be that of a file.
fn file(folder: &Utf8Path, name: &str, extension: &str) -> Option<Utf8PathBuf> {
    let is_name = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0']);
    is_name.then(|| folder.join(format!("{name}.{extension}")))
}
