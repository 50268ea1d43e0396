//! The assignability of collection types: `Collection`, `Array`, `Hash`, `Tuple` and `Struct`.

use foldhash::HashMap;

use crate::dialect::StructSizes;
use crate::relation::assignable::Comparison;
use crate::relation::guard::Guarded;
use crate::types::{STRING, Size, StructElement, TupleType, Type, TypeKind};

fn sized(size: Option<Size>) -> Size {
    size.unwrap_or(Size::ANY)
}

#[inline(never)]
pub(super) fn collection_accepts(it: &Comparison<'_>, size: Option<Size>, that: &Type) -> bool {
    size_as_collection(it, that).is_some_and(|that| sized(size).covers(that))
}

#[inline(never)]
pub(super) fn array_accepts(
    it: &Comparison<'_>,
    element: &Type,
    size: Option<&Size>,
    that: &Type,
    mut guard: Guarded<'_>,
) -> bool {
    let fits = |that: Size| size.is_none_or(|size| size.covers(that));
    match that.kind() {
        TypeKind::Array(other, other_size) => fits(sized(*other_size)) && it.accepts(element, other, guard),
        TypeKind::Tuple(tuple) => {
            fits(tuple.size.unwrap_or(Size::exactly(tuple.types.len())))
                && tuple.types.iter().all(|that| it.accepts(element, that, guard.as_deref_mut()))
        }
        _ => false,
    }
}

#[inline(never)]
pub(super) fn hash_accepts(
    it: &Comparison<'_>,
    (key, value): (&Type, &Type),
    size: Option<&Size>,
    that: &Type,
    mut guard: Guarded<'_>,
) -> bool {
    match that.kind() {
        TypeKind::Hash(..) if size.is_none_or(|size| size.min == 0) && is_empty_hash(that) => true,
        TypeKind::Hash(other_key, other_value, other_size) => {
            it.accepts(key, other_key, guard.as_deref_mut())
                && it.accepts(value, other_value, guard)
                && size.is_none_or(|size| size.covers(sized(*other_size)))
        }
        TypeKind::Struct(elements) => {
            size.is_none_or(|size| size.covers(struct_size(it, elements)))
                && elements.iter().all(|element| {
                    it.holds_text(key, &element.name)
                        && it.accepts(value, &element.value, guard.as_deref_mut())
                })
        }
        _ => false,
    }
}

#[inline(never)]
pub(super) fn tuple_accepts_type(
    it: &Comparison<'_>,
    this: &TupleType,
    that: &Type,
    guard: Guarded<'_>,
) -> bool {
    match that.kind() {
        TypeKind::Tuple(that) => this == that || tuple_accepts(it, this, that, guard),
        TypeKind::Array(element, size) => tuple_accepts_array(it, this, element, *size, guard),
        _ => false,
    }
}

#[inline(never)]
pub(super) fn struct_accepts_type(
    it: &Comparison<'_>,
    elements: &[StructElement],
    that: &Type,
    guard: Guarded<'_>,
) -> bool {
    match that.kind() {
        TypeKind::Struct(that) => struct_accepts(it, elements, that, guard),
        TypeKind::Hash(key, value, size) => struct_accepts_hash(it, elements, key, value, *size, guard),
        _ => false,
    }
}

/// The size of the arrays or hashes that a type describes. A tuple without types counts as empty here, as in the reference.
fn size_as_collection(it: &Comparison<'_>, that: &Type) -> Option<Size> {
    match that.kind() {
        TypeKind::Collection(size) | TypeKind::Array(_, size) | TypeKind::Hash(_, _, size) => {
            Some(sized(*size))
        }
        TypeKind::Tuple(tuple) => Some(tuple.size.unwrap_or(Size::exactly(tuple.types.len()))),
        TypeKind::Struct(elements) => Some(struct_size(it, elements)),
        _ => None,
    }
}

/// The number of entries in the hashes of a `Struct` (X121).
fn struct_size(it: &Comparison<'_>, elements: &[StructElement]) -> Size {
    let all = Size::exactly(elements.len());
    match it.dialect.struct_sizes {
        StructSizes::All => all,
        StructSizes::FromRequired => {
            let required = elements.iter().filter(|element| !element.optional).count();
            Size { min: Size::exactly(required).min, ..all }
        }
    }
}

/// Whether a type is that of the empty hash.
fn is_empty_hash(it: &Type) -> bool {
    match it.kind() {
        TypeKind::Hash(key, value, Some(Size::ZERO)) => {
            matches!((key.kind(), value.kind()), (TypeKind::Unit, TypeKind::Unit))
        }
        _ => false,
    }
}

pub(in crate::relation) fn tuple_accepts(
    it: &Comparison<'_>,
    this: &TupleType,
    that: &TupleType,
    mut guard: Guarded<'_>,
) -> bool {
    if !this.size_range().covers(that.size_range()) {
        return false;
    }
    if this.types.is_empty() {
        return true;
    }
    if that.types.is_empty() {
        return this.size_range().min == 0;
    }
    let mut pairs = that.types.iter().enumerate();
    pairs.all(|(index, that)| {
        this.type_at(index).is_some_and(|this| it.accepts(this, that, guard.as_deref_mut()))
    })
}

pub(in crate::relation) fn tuple_accepts_array(
    it: &Comparison<'_>,
    this: &TupleType,
    element: &Type,
    size: Option<Size>,
    mut guard: Guarded<'_>,
) -> bool {
    let size = sized(size);
    if !this.size_range().covers(size) {
        return false;
    }
    let count = size.max.map_or(usize::MAX, |max| usize::try_from(max).unwrap_or(usize::MAX));
    this.types.iter().take(count).all(|this| it.accepts(this, element, guard.as_deref_mut()))
}

/// The elements of a struct by name, if there are enough to make an index worthwhile.
struct Names<'t>(Option<HashMap<&'t str, &'t StructElement>>);

impl<'t> Names<'t> {
    /// Builds the index of a struct that is compared with another.
    fn of(this: &[StructElement], that: &'t [StructElement]) -> Names<'t> {
        /// The number of elements from which an index is faster than a linear search.
        const MANY: usize = 32;
        let are_many = this.len().min(that.len()) > MANY;
        Names(are_many.then(|| that.iter().map(|it| (it.name.as_str(), it)).collect()))
    }

    /// Finds the element with the name of another, which is usually at the same position.
    fn find(
        &self,
        that: &'t [StructElement],
        element: &StructElement,
        index: usize,
    ) -> Option<&'t StructElement> {
        let has_name = |it: &&StructElement| it.name == element.name;
        that.get(index).filter(has_name).or_else(|| match &self.0 {
            Some(names) => names.get(element.name.as_str()).copied(),
            None => that.iter().find(has_name),
        })
    }
}

fn struct_accepts(
    it: &Comparison<'_>,
    this: &[StructElement],
    that: &[StructElement],
    mut guard: Guarded<'_>,
) -> bool {
    if this.is_empty() && it.dialect.struct_without_parameters.accepts_all() {
        return true;
    }
    let mut matched = 0;
    let names = Names::of(this, that);
    let fits = this.iter().enumerate().all(|(index, element)| match names.find(that, element, index) {
        None => element.optional,
        Some(other) => {
            matched += 1;
            (element.optional || !other.optional)
                && it.accepts(&element.value, &other.value, guard.as_deref_mut())
        }
    });
    fits && matched == that.len()
}

fn struct_accepts_hash(
    it: &Comparison<'_>,
    elements: &[StructElement],
    key: &Type,
    value: &Type,
    size: Option<Size>,
    mut guard: Guarded<'_>,
) -> bool {
    if elements.is_empty() && it.dialect.struct_without_parameters.accepts_all() {
        return true;
    }
    let required = elements.iter().filter(|it| !it.optional).count();
    // The keys of the hash are unknown; it must be able to have the required ones.
    let fits = elements.iter().filter(|it| !it.optional).all(|element| {
        it.accepts(&element.value, value, guard.as_deref_mut()) && it.accepts(&STRING, key, None)
    });
    let counts = Size { min: required as u64, max: Some(elements.len() as u64) };
    fits && counts.covers(sized(size))
}
