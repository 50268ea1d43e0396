//! Files and the first queries: text, lines, syntax tree.
//!
//! Salsa starts here. The outside world is one trait, [`System`]; nothing above this crate touches the disk. A [`File`] is an
//! input that holds no text: [`source_text`] reads it through the system, and the code that learns of a change calls
//! [`File::refresh`]. Diagnostics are return values of queries; nothing is accumulated on the side.

mod asked;
mod environment;
mod files;
mod folder;
mod ignored;
mod location;
mod module;
mod path;
mod settings;
mod source;
mod submodules;
mod syntax;
pub mod system;
pub mod testing;

pub use asked::{Asked, Topic};
pub use environment::{Environment, EnvironmentSet, Modules, environment_of, freeze, module_folder};
pub use files::{File, FileStatus, Files, set_open};
pub use folder::{Below, below, below_entered, entry, files_below, listing, listing_error};
pub use ignored::is_left_out;
pub use location::{AffectedFiles, Resolver, link_target, real_path};
pub use module::{ModuleFile, module_file};
pub use path::{by_parts, may_be_hiera, relative_to};
pub use settings::{DEFAULT_MAX_FILE_SIZE, Settings};
pub use source::{Source, SourceError, source_text};
pub use submodules::{SUBMODULES_FILE_NAME, submodules};
pub use syntax::{ParsedFile, mode, mode_in};
pub use system::{DiskSystem, MemorySystem, OverlaySystem, System};

/// The dependencies of every query of this crate: the outside world, and the table of known files.
#[salsa::db]
pub trait Db: salsa::Database {
    /// Returns the interface to the outside world.
    fn system(&self) -> &dyn System;

    /// Returns the table of the requested files.
    fn files(&self) -> &Files;

    /// Counts a file that is checked rather than taken from the cache: a statistic that no result depends on.
    fn note_check(&self) {}
}
