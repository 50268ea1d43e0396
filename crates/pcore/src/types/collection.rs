use marotte_text::Str;

use super::{Size, Type};

/// Arrays, described by the type of each element.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TupleType {
    /// The type of each element; the last one repeats if the size permits more. Empty for all arrays.
    pub types: Box<[Type]>,
    /// The number of elements; by default, the number of types.
    pub size: Option<Size>,
}

impl TupleType {
    /// Returns the number of elements of an instance.
    pub fn size_range(&self) -> Size {
        match self.size {
            Some(size) => size,
            None if self.types.is_empty() => Size::ANY,
            None => Size::exactly(self.types.len()),
        }
    }

    /// Returns the type of the element at an index; the last type repeats.
    pub fn type_at(&self, index: usize) -> Option<&Type> {
        self.types.get(index).or(self.types.last())
    }
}

/// An entry of a `Struct`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StructElement {
    /// The key of the element.
    pub name: Str,
    /// Whether the key may be missing. Follows from the value type unless `Optional[…]` or `NotUndef[…]` overrides it.
    pub optional: bool,
    /// The type of the value.
    pub value: Type,
}

/// The signature of code that can be called.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CallableType {
    /// The parameters, with their required and optional number; `None` for all signatures.
    pub parameters: Option<TupleType>,
    /// The block: a `Callable`, or `Optional` or `Variant` of them; `None` if no block is accepted.
    pub block: Option<Type>,
    /// The return type; `None` for any type.
    pub returns: Option<Type>,
}
