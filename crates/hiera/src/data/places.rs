use std::sync::Arc;

use marotte_pcore::value::Value;
use marotte_text::TextRange;

/// The range of a value in its document, and the ranges of its parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The range of the whole value. If an alias refers to the value: the range of the alias.
    pub range: TextRange,
    /// The places of its parts.
    pub inner: Inner,
}

/// The places of the parts of a value, in the order of the value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Inner {
    /// A value without parts.
    #[default]
    Scalar,
    /// The elements of an array.
    Elements(Arc<[Places]>),
    /// The keys of a hash, and their values.
    Entries(Arc<[(TextRange, Places)]>),
}

impl Places {
    /// The place of a value without parts.
    pub(super) fn scalar(range: TextRange) -> Places {
        Places { range, inner: Inner::Scalar }
    }

    /// Returns the entries of a hash to which these places belong, each with the range of its key. `None` if the value
    /// isn't a hash.
    pub fn entries<'v>(
        &'v self,
        value: &'v Value,
    ) -> Option<impl Iterator<Item = (&'v Value, TextRange, &'v Value, &'v Places)>> {
        let (Value::Hash(hash), Inner::Entries(places)) = (value, &self.inner) else { return None };
        Some(hash.iter().zip(places.iter()).map(|((key, value), (at, inner))| (key, *at, value, inner)))
    }

    /// Returns the range of a key of a hash to which these places belong.
    pub fn key(&self, value: &Value, key: &str) -> Option<TextRange> {
        self.entries(value)?.find(|(it, ..)| it.as_str() == Some(key)).map(|(_, at, ..)| at)
    }
}
