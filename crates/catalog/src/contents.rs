use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use marotte_pcore::value::Value;
use marotte_text::Str;

use crate::Reference;

/// The contents of the files that agents fetch for resources. A catalog only has the names of their sources, such as
/// `puppet:///modules/ntp/ntp.conf`; the contents are looked up for comparisons of catalogs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// The files of each resource that has sources, in the order of the resources.
    pub fetched: Vec<Fetched>,
    /// The sources whose contents are not in the code tree, or cannot be read, each with the reason if it isn't obvious. Or
    /// [`Contents::IMPORTS`].
    pub elsewhere: BTreeSet<Str>,
}

impl Contents {
    /// Stands for the resources that a node collects from others, if there is no PuppetDB to ask for them.
    pub const IMPORTS: &str = "exported resources of other nodes (there is no `--puppetdb`)";
}

/// The files that agents fetch for one resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// The resource.
    pub resource: Reference,
    /// The source that agents use: the first one that exists, or else the first one.
    pub source: Str,
    /// Whether texts must not be shown, because the resource has `show_diff => false`.
    pub is_hidden: bool,
    /// The files by their paths below the resource's own, which has the empty path. Empty if no source exists.
    pub files: Arc<BTreeMap<Str, FetchedFile>>,
}

/// A file that agents fetch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FetchedFile {
    /// A regular file.
    File {
        /// The path: relative to the environment, or absolute if it is outside of it.
        path: Str,
        /// The number of bytes.
        size: u64,
        /// The SHA-256 digest of the bytes.
        digest: [u8; 32],
    },
    /// A folder.
    Folder,
    /// A symbolic link that agents create rather than follow, with its target as a path like those of files.
    Link(Str),
}

/// Whether agents must not show the texts of a `File`, given its `show_diff`: `false` or `no`, in any case, is what Puppet takes for
/// false.
pub fn hides_texts(show_diff: Option<&Value>) -> bool {
    match show_diff {
        Some(Value::Boolean(it)) => !it,
        Some(Value::String(it)) => ["false", "no"].iter().any(|word| it.eq_ignore_ascii_case(word)),
        _ => false,
    }
}
