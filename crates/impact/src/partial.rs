//! Partial results: reports on some of the nodes, created by several processes, which are merged into the report on all nodes.
//!
//! [`Shard`] is one of the parts into which nodes are split, [`Part`] is the report on it, [`write`] and [`read`] convert it to
//! and from a file, and [`merge`] creates the report that one process would have created. A file contains no more than a report
//! shows: nothing of `Sensitive` values.

mod file;
mod merge;
mod shard;

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use file::{Unreadable, is_part, read, write};
pub use merge::{MergeError, merge};
pub use shard::{Shard, ShardError};

use crate::Report;

/// The report on one part of the nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// The part of the nodes.
    pub shard: Shard,
    /// The number of nodes in all parts.
    pub nodes: u32,
    /// The digests of the inputs. The same for all parts.
    pub inputs: Inputs,
    /// The options that the exit status and the warnings depend on. The same for all parts.
    pub options: Options,
    /// The report on the nodes of this part.
    pub report: Report,
    /// The extent of the search for causes.
    pub search: Search,
}

/// Digests of the inputs that all parts have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inputs {
    /// The code and data before.
    pub before: String,
    /// The code and data after.
    pub after: String,
    /// The facts of all nodes, before and after, and everything else that describes nodes.
    pub facts: String,
    /// The names of all nodes, in order.
    pub nodes: String,
    /// The options that a report depends on, including the rules for ignored changes.
    pub options: String,
}

/// Options that take effect after the nodes were compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Whether incomplete catalogs are acceptable.
    pub allow_incomplete: bool,
    /// The flags with rules for ignored changes, each with the reason that the report has if the rule matches.
    pub ignoring: Vec<(String, String)>,
}

/// The extent of the search for the causes of changes. It makes the merged causes equal to those of a single process, whose
/// search is limited to a certain amount of work.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Search {
    /// The nodes that were examined: the first ones with a change, in ascending order.
    pub samples: Vec<Sample>,
    /// Whether all relevant differences between the trees are known as edits of files.
    pub is_whole: bool,
}

/// A node that was examined for causes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// The number of the node in the report.
    pub node: u32,
    /// The number of compilations that the search takes. None if it was omitted, because others had taken too many.
    pub effort: Option<u32>,
}

impl Search {
    /// The maximum number of nodes that are examined.
    pub const SAMPLES: usize = 32;

    /// The maximum number for a part: other parts may have the first nodes with the same changes.
    pub const SAMPLES_OF_PART: usize = 2 * Search::SAMPLES;

    /// The maximum number of compilations. The causes of a node that would exceed it are unknown, and so are those of the nodes
    /// after it.
    pub const EFFORT: u32 = 400;

    /// The maximum number of compilations for a part.
    pub const EFFORT_OF_PART: u32 = 2 * Search::EFFORT;
}

/// Serialization of a shared value in a file.
pub(crate) mod shared {
    use super::{Arc, Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer, T: Serialize>(it: &Arc<T>, out: S) -> Result<S::Ok, S::Error> {
        (**it).serialize(out)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
        from: D,
    ) -> Result<Arc<T>, D::Error> {
        T::deserialize(from).map(Arc::new)
    }
}

/// Serialization of a reference in a file: its type and its title, either of which may be any text.
pub(crate) mod reference {
    use marotte_catalog::Reference;
    use marotte_text::Str;

    use super::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(it: &Reference, out: S) -> Result<S::Ok, S::Error> {
        (&it.type_name, &it.title).serialize(out)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Reference, D::Error> {
        let (type_name, title) = <(Str, Str)>::deserialize(from)?;
        Ok(Reference { type_name, title })
    }
}

/// Serialization of several references in a file.
pub(crate) mod references {
    use marotte_catalog::Reference;
    use marotte_text::Str;

    use super::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(all: &[Reference], out: S) -> Result<S::Ok, S::Error> {
        out.collect_seq(all.iter().map(|it| (&it.type_name, &it.title)))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Reference>, D::Error> {
        let all = Vec::<(Str, Str)>::deserialize(from)?;
        Ok(all.into_iter().map(|(type_name, title)| Reference { type_name, title }).collect())
    }
}
