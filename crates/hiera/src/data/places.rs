use std::sync::Arc;

use marotte_text::TextRange;

/// Where a value stands in its document, and where its parts do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// All of it. For what an alias stands for: the alias.
    pub range: TextRange,
    /// Its parts.
    pub inner: Inner,
}

/// Where the parts of a value stand, in the order in which the value has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Inner {
    /// There are no parts.
    #[default]
    Scalar,
    /// The elements of an array.
    Elements(Arc<[Places]>),
    /// The keys of a hash, and their values.
    Entries(Arc<[(TextRange, Places)]>),
}

impl Places {
    /// A value without parts.
    pub(super) fn scalar(range: TextRange) -> Places {
        Places { range, inner: Inner::Scalar }
    }
}
