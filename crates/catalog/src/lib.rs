//! Catalogs: the result of an evaluation. Plain data, without any evaluation.
//!
//! A [`Catalog`] has resources in the order of declaration, containment edges, and the names of classes. [`wire`]
//! writes it as Puppet sends it to agents, [`read`] reads that format, [`diff`] compares two catalogs, [`cycle`] finds
//! dependency cycles, [`picture`] draws graphs, and [`page`] writes a page for browsers.

mod contents;
pub mod cycle;
pub mod diff;
mod gap;
mod model;
pub mod native;
pub mod page;
pub mod picture;
pub mod read;
mod reference;
pub mod rich_data;
mod tags;
mod type_data;
pub mod wire;

pub use contents::{Contents, Fetched, FetchedFile, hides_texts};
pub use gap::{Completeness, Gap, Site};
pub use model::{Catalog, Edge, Kind, Line, Named, Resource};
pub use native::{METAPARAMETERS, NativeType, TitlePattern};
pub use reference::Reference;
pub use tags::{InvalidTag, Tags, is_valid_tag};
