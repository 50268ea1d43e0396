use std::fmt;

use marotte_text::Str;

/// One step from the described subject to a mismatch (H36).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PathElement {
    /// The described subject, as named in messages.
    Subject(Str),
    /// The signature at this index.
    Signature(usize),
    /// A parameter, by its name.
    Parameter(Str),
    /// The block of a call.
    Block,
    /// The value that a function returns.
    Return,
    /// The value of this key.
    EntryValue(Str),
    /// The key of an entry, rather than its value.
    EntryKey(Str),
    /// The element at this index.
    Index(usize),
    /// The alternative at this index. Mismatches that differ only in this have the same place.
    Variant(usize),
}

impl PathElement {
    /// Whether it only distinguishes alternatives, and not places.
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
