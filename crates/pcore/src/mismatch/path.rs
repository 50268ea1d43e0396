use std::fmt;

use marotte_text::Str;

/// One step from what is described to what does not fit (H36).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PathElement {
    /// What is described, as messages call it.
    Subject(Str),
    /// The signature of this index.
    Signature(usize),
    /// A parameter.
    Parameter(Str),
    /// The block.
    Block,
    /// What is returned.
    Return,
    /// The value of this key.
    EntryValue(Str),
    /// The key itself.
    EntryKey(Str),
    /// The element at this index.
    Index(usize),
    /// The alternative of this index. Mismatches that differ only in this have one place.
    Variant(usize),
}

impl PathElement {
    /// Whether it tells alternatives apart, and not places.
    pub(super) fn is_alternative(&self) -> bool {
        matches!(self, PathElement::Variant(_) | PathElement::Signature(_))
    }
}

impl fmt::Display for PathElement {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathElement::Subject(name) => out.write_str(name),
            PathElement::Signature(index) => write!(out, "{}.", index.saturating_add(1)),
            PathElement::Parameter(name) => write!(out, "parameter '{name}'"),
            PathElement::Block => out.write_str("block"),
            PathElement::Return => out.write_str("return"),
            PathElement::EntryValue(key) => write!(out, "entry '{key}'"),
            PathElement::EntryKey(key) => write!(out, "key of entry '{key}'"),
            PathElement::Index(index) => write!(out, "index {index}"),
            PathElement::Variant(index) => write!(out, "variant {index}"),
        }
    }
}
