//! A project: what paths stand for, its files, and their findings, kept current while files change.
//!
//! [`Project`] owns the concrete database. [`discovery`] finds its files, [`check_file`] is the query that checks one,
//! [`Project::check`] runs it over all of them in parallel, [`Project::apply`] tells the database what changed, and
//! [`watch`] drives the two. [`Fleet`] does the same for catalogs of nodes, each of which is a query, too: [`evaluation::evaluate`]. Parallelism, setters and panics are dealt with here, outside all queries.

mod change;
mod db;
pub mod discovery;
mod driver;
pub mod evaluation;
pub mod fix;
mod fleet;
mod project;
mod sources;
pub mod watch;

pub use change::{Applied, ChangeBatch};
pub use db::ProjectDatabase;
pub use driver::{Panicked, Progress, keep_panics_quiet};
pub use fleet::Fleet;
pub use marotte_check::check_file;
pub use marotte_hiera::queries as hiera;
pub use project::{Project, ProjectOptions, Report, outermost};
pub use sources::ProjectSources;
