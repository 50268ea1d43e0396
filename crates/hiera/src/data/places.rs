use std::sync::Arc;

use marotte_pcore::value::Value;
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

    /// The entries of a hash whose places these are, each with where its key stands. None if the value is no hash.
    pub fn entries<'v>(
        &'v self,
        value: &'v Value,
    ) -> Option<impl Iterator<Item = (&'v Value, TextRange, &'v Value, &'v Places)>> {
        let (Value::Hash(hash), Inner::Entries(places)) = (value, &self.inner) else { return None };
        Some(hash.iter().zip(places.iter()).map(|((key, value), (at, inner))| (key, *at, value, inner)))
    }

    /// Where a key of a hash stands whose places these are.
    pub fn key(&self, value: &Value, key: &str) -> Option<TextRange> {
        self.entries(value)?.find(|(it, ..)| it.as_str() == Some(key)).map(|(_, at, ..)| at)
    }
}
