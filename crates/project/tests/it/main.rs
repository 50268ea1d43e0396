//! Tests of a project as its users see it.

mod catalogs;
mod data;
mod failures;
mod faults;
mod hiera;
mod layout;
mod location;
mod loose;
mod outlines;
mod output;
mod promises;
mod ruby;
mod update;
mod watch;
mod writing;
