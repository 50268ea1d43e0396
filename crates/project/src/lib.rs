//! A project: the files at the given paths and their findings, kept current while files change.
//!
//! [`Project`] owns the concrete database. [`discovery`] finds its files, [`check_file`](marotte_check::check_file) is the query that checks one,
//! [`Project::check`] runs it over all of them in parallel, [`Project::apply`] updates the database after changes, and
//! [`watch`] drives the two. [`Fleet`] does the same for catalogs of nodes, each of which is a query, too:
//! [`evaluate`](marotte_host::evaluate). Parallelism, setters and panics are dealt with here, outside all queries.

mod change;
pub mod discovery;
mod driver;
mod fetched;
mod findings;
pub mod fix;
mod fleet;
pub mod format;
mod index;
mod project;
mod quotations;
mod report;
mod secrets;
mod support;
mod trace;
pub mod watch;
mod withheld;

pub use change::{Applied, ChangeBatch};
pub use driver::{Panicked, Progress, keep_panics_quiet};
pub use fetched::{fetched_modules, is_own_of_reader};
pub use findings::{Delta, Findings, is_of_module};
pub use fleet::Fleet;
pub use marotte_check::unresolved::Unresolved;
pub use marotte_host::{ProjectDatabase, ProjectSources};
pub use project::{CheckJob, Checked, Project, ProjectOptions, check_one, check_support, outermost};
pub use report::Report;
pub use secrets::has_secret;
pub use trace::{Traced, traced};
pub use withheld::way_out;
