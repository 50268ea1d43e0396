//! The effects of a change of code or data on the catalogs of nodes. Plain data: the caller compiles the catalogs.
//!
//! [`compare`] finds the [`Change`]s between two catalogs of a node, [`Report`] collects those of all nodes and groups changes
//! that several nodes share, and [`output`] writes a report.
//!
//! Unknown parts of a catalog never count as equal: a change for which unknown parts may be the only reason is not
//! [certain](Finding::is_certain), and a node with only such changes is [not fully known](Verdict::NotFullyKnown).

mod cause;
mod change;
mod compare;
mod content;
mod group;
mod ignore;
mod order;
pub mod output;
pub mod partial;
mod report;
mod shown;
mod text;

pub use cause::{Cause, Edit, Hunk, hunks};
pub use change::{Change, Finding, Origin};
pub use compare::compare;
pub use content::{COMPARED_SIZE, Content};
pub use group::{Group, GroupedChange, NodeSet};
pub use ignore::{Ignore, Rule, RuleError, tag_reason};
pub use report::{Counts, Failing, Fault, Ignored, Node, Outcome, Report, ReportBuilder, Side, Verdict};
pub use shown::Shown;
pub use text::TextDiff;
