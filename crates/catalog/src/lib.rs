//! Catalogs: what an evaluation is for. Plain data, without any evaluation.
//!
//! A [`Catalog`] has resources in the order in which they were declared, edges of containment, and the names of classes.
//! [`wire`] writes it as Puppet sends it to agents, [`read`] reads that, [`diff`] tells two catalogs apart, [`cycle`] finds
//! resources that wait for each other, [`picture`] draws, and [`page`] is for browsers.

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

pub use gap::{Completeness, Gap, Site};
pub use model::{Catalog, Edge, Kind, Line, Named, Resource};
pub use native::{METAPARAMETERS, NativeType, TitlePattern};
pub use reference::Reference;
pub use tags::{InvalidTag, Tags, is_valid_tag};
