//! What a change of code or data does to the catalogs of nodes. Plain data: whoever compiles catalogs hands them in.
//!
//! [`compare`] finds the [`Change`]s between two catalogs of a node, [`Report`] gathers those of all nodes and groups what is the
//! same on many of them, and [`output`] writes a report.
//!
//! What is not known of a catalog is never taken for equal: a change that may only be missing knowledge is not
//! [certain](Finding::is_certain), and a node with such changes and no other is [not fully known](Verdict::NotFullyKnown).

mod cause;
mod change;
mod compare;
mod group;
mod ignore;
mod order;
pub mod output;
pub mod partial;
mod report;
mod shown;
mod text;

pub use cause::{Cause, Edit, Hunk, hunks};
pub use change::{Change, Finding};
pub use compare::compare;
pub use group::{Group, Listed, NodeSet};
pub use ignore::{Ignore, Rule, RuleError, tag_reason};
pub use report::{Counts, Failing, Fault, Gathering, Ignored, Node, Outcome, Report, Side, Verdict};
pub use shown::Shown;
pub use text::TextDiff;
