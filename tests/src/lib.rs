//! The workspace's own tests: literate suites, snapshots of broken source, properties, hostile input.
//!
//! The tests are under `tests/tests`; this library contains the code that several of them share, and that the `record`
//! command needs to fill in the expectations of the literate chapters.

pub mod arbitrary;
pub mod catalogs;
pub mod checked;
pub mod documents;
pub mod faults;
pub mod hiera;
pub mod hostile;
pub mod literate;
pub mod marotte;
pub mod programs;
pub mod reference;
pub mod scenarios;
pub mod types;
pub mod workspace;
