use marotte_text::Str;

use super::{Size, Type};

/// Arrays by the type of each element.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TupleType {
    /// One for each element; the last repeats if the size allows more. None for all arrays.
    pub types: Box<[Type]>,
    /// How many elements; where not given, one for each type.
    pub size: Option<Size>,
}

impl TupleType {
    /// How many elements an instance has.
    pub fn size_range(&self) -> Size {
        match self.size {
            Some(size) => size,
            None if self.types.is_empty() => Size::ANY,
            None => Size::exactly(self.types.len()),
        }
    }

    /// The type of the element at an index; the last type repeats.
    pub fn type_at(&self, index: usize) -> Option<&Type> {
        self.types.get(index).or(self.types.last())
    }
}

/// An entry of a `Struct`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StructElement {
    /// The key.
    pub name: Str,
    /// The key may be missing. Follows from the value type unless `Optional[…]` or `NotUndef[…]` says otherwise.
    pub optional: bool,
    /// The value's type.
    pub value: Type,
}

/// Signatures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CallableType {
    /// Parameters with required and optional count; none for all signatures.
    pub parameters: Option<TupleType>,
    /// The block: a `Callable`, or `Optional` or `Variant` of them; none where no block is taken.
    pub block: Option<Type>,
    /// What it returns; none for anything.
    pub returns: Option<Type>,
}
