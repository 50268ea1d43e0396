use std::sync::LazyLock;

use indexmap::IndexSet;
use marotte_text::Str;

use super::merge::{merge_version_ranges, span};
use crate::dialect::{
    AbstractType, CallablesInCommon, Dialect, NotUndefInCommon, OptionalInCommon, SensitiveContent,
    SizesInCommon, StringsInCommon, StructsInCommon, TimesInCommon, TuplesInCommon, UndefInCommon,
    VariantsInCommon,
};
use crate::relation::strictly_assignable as assignable;
use crate::types::{
    CallableType, DATA, EnumType, FloatRange, IntegerRange, PatternType, RICH_DATA, ResourceType, Size,
    StringType, TupleType, Type, TypeKind,
};

/// Returns the common type of two types: the inferred element type of an array that has elements of both (D.2). It
/// accepts both, except that `undef` may add nothing.
pub fn common(dialect: &Dialect, a: &Type, b: &Type) -> Type {
    if dialect.undef_in_common == UndefInCommon::Nothing {
        if matches!(a.kind(), TypeKind::Undef) {
            return b.clone();
        }
        if matches!(b.kind(), TypeKind::Undef) {
            return a.clone();
        }
    }
    match (a.kind(), b.kind()) {
        (TypeKind::Unit, _) => b.clone(),
        (_, TypeKind::Unit) => a.clone(),
        (TypeKind::NotUndef(Some(it)), other) | (other, TypeKind::NotUndef(Some(it)))
            if it.kind() == other && dialect.not_undef_in_common == NotUndefInCommon::Kept =>
        {
            Type::not_undef(it.clone())
        }
        (TypeKind::Optional(Some(it)), other) | (other, TypeKind::Optional(Some(it)))
            if it.kind() == other && dialect.optional_in_common == OptionalInCommon::Dropped =>
        {
            it.clone()
        }
        (TypeKind::Type(Some(a)), TypeKind::Type(Some(b)))
            if dialect.optional_in_common == OptionalInCommon::Dropped =>
        {
            Type::of(common(dialect, a, b))
        }
        _ if assignable(dialect, a, b) => a.clone(),
        _ if assignable(dialect, b, a) => b.clone(),
        _ => of_same_kind(dialect, a, b).unwrap_or_else(|| abstract_type(dialect, a, b)),
    }
}

/// Returns the common type of two types of one kind, as a type of that kind. Neither accepts the other.
fn of_same_kind(dialect: &Dialect, a: &Type, b: &Type) -> Option<Type> {
    use TypeKind as T;
    let kind = match (a.kind(), b.kind()) {
        (T::Array(a, a_size), T::Array(b, b_size)) => {
            return Some(Type::array(common(dialect, a, b), common_size(dialect, *a_size, *b_size)));
        }
        (T::Hash(a_key, a_value, a_size), T::Hash(b_key, b_value, b_size)) => {
            let (key, value) = (common(dialect, a_key, b_key), common(dialect, a_value, b_value));
            return Some(Type::hash(key, value, common_size(dialect, *a_size, *b_size)));
        }
        (T::Class(_), T::Class(_)) => T::Class(None),
        (T::Resource(a), T::Resource(b)) => {
            let type_name = if a.type_name == b.type_name { a.type_name.clone() } else { None };
            T::Resource(ResourceType { type_name, ..ResourceType::default() })
        }
        (T::Integer(a), T::Integer(b)) => {
            let (from, to) = span((a.from.clone(), a.to.clone()), (b.from.clone(), b.to.clone()));
            T::Integer(IntegerRange::ascending(from, to))
        }
        (T::Float(a), T::Float(b)) => T::Float(FloatRange { from: a.from.min(b.from), to: a.to.max(b.to) }),
        (T::String(a), T::String(b)) => of_strings(dialect, a, b),
        (T::String(text), T::Enum(values)) | (T::Enum(values), T::String(text)) => match text {
            StringType::Literal(text) => {
                T::Enum(EnumType::new(values.values().iter().cloned().chain([text.clone()]), false))
            }
            _ => T::Enum(EnumType::default()),
        },
        (T::Enum(a), T::Enum(b)) => {
            T::Enum(EnumType::new(a.values().iter().chain(b.values()).cloned(), false))
        }
        (T::Pattern(a), T::Pattern(b)) => {
            let patterns: IndexSet<_> = a.patterns.iter().chain(&b.patterns).cloned().collect();
            T::Pattern(PatternType { patterns: patterns.into_iter().collect() })
        }
        (T::Optional(Some(a)), T::Optional(Some(b)))
            if dialect.optional_in_common == OptionalInCommon::Dropped =>
        {
            T::Optional(Some(common(dialect, a, b)))
        }
        (T::NotUndef(Some(a)), T::NotUndef(Some(b)))
            if dialect.not_undef_in_common == NotUndefInCommon::Kept =>
        {
            return Some(Type::not_undef(common(dialect, a, b)));
        }
        (T::SemVer(a), T::SemVer(b))
            if dialect.merges_versions_in_common && !a.is_empty() && !b.is_empty() =>
        {
            T::SemVer(merge_version_ranges(a.iter().chain(&**b).cloned().collect()).into())
        }
        (T::Timespan(a_from, a_to), T::Timespan(b_from, b_to))
            if dialect.times_in_common == TimesInCommon::Covered =>
        {
            let (from, to) = span((*a_from, *a_to), (*b_from, *b_to));
            T::Timespan(from, to)
        }
        (T::Timestamp(a_from, a_to), T::Timestamp(b_from, b_to))
            if dialect.times_in_common == TimesInCommon::Covered =>
        {
            let (from, to) = span((*a_from, *a_to), (*b_from, *b_to));
            T::Timestamp(from, to)
        }
        (T::Tuple(a), T::Tuple(b)) if dialect.tuples_in_common == TuplesInCommon::ByPosition => {
            T::Tuple(of_tuples(dialect, a, b))
        }
        (T::Struct(_), T::Struct(_)) if dialect.structs_in_common == StructsInCommon::Merged => {
            T::Struct([].into())
        }
        (T::Struct(_), T::Hash(..)) if dialect.structs_in_common == StructsInCommon::Merged => {
            return Some(common(dialect, &as_hash(dialect, a), b));
        }
        (T::Hash(..), T::Struct(_)) if dialect.structs_in_common == StructsInCommon::Merged => {
            return Some(common(dialect, a, &as_hash(dialect, b)));
        }
        (T::Variant(a), T::Variant(b)) => return Some(Type::variant(a.iter().chain(b).cloned())),
        (T::Variant(a), _) if dialect.variants_in_common == VariantsInCommon::Extended => {
            return Some(Type::variant(a.iter().chain([b]).cloned()));
        }
        (_, T::Variant(b)) if dialect.variants_in_common == VariantsInCommon::Extended => {
            return Some(Type::variant([a].into_iter().chain(b).cloned()));
        }
        (T::Boolean(_), T::Boolean(_)) if dialect.booleans_in_common => T::Boolean(None),
        (T::Sensitive(a), T::Sensitive(b)) if dialect.sensitive_content == SensitiveContent::AsWritten => {
            T::Sensitive(common(dialect, a, b))
        }
        (T::Regexp(_), T::Regexp(_)) => T::Regexp(None),
        (T::Callable(a), T::Callable(b)) => T::Callable(of_callables(dialect, a, b).unwrap_or_default()),
        _ => return None,
    };
    Some(kind.into())
}

/// Returns the common type of callables, part by part. `None` if neither accepts all arguments that the other accepts.
fn of_callables(dialect: &Dialect, a: &CallableType, b: &CallableType) -> Option<CallableType> {
    if dialect.callables_in_common == CallablesInCommon::Any {
        return None;
    }
    let (these, those) = (a.parameters.as_ref()?, b.parameters.as_ref()?);
    let tuple = |it: &TupleType| Type::from(TypeKind::Tuple(it.clone()));
    let parameters = if assignable(dialect, &tuple(these), &tuple(those)) {
        those.clone()
    } else if assignable(dialect, &tuple(those), &tuple(these)) {
        these.clone()
    } else {
        return None;
    };
    let block = match (&a.block, &b.block) {
        (None, None) => None,
        (Some(a), Some(b)) => Some(common(dialect, a, b)),
        // One requires a block that the other doesn't take.
        _ => return None,
    };
    let any = Type::any();
    let result = common(dialect, a.returns.as_ref().unwrap_or(&any), b.returns.as_ref().unwrap_or(&any));
    let returns = (!matches!(result.kind(), TypeKind::Any)).then_some(result);
    Some(CallableType { parameters: Some(parameters), block, returns })
}

/// Converts a struct to a hash type: strings as keys, and the common type of its values.
fn as_hash(dialect: &Dialect, it: &Type) -> Type {
    let TypeKind::Struct(elements) = it.kind() else { return it.clone() };
    let values = elements.iter().map(|it| it.value.clone());
    let value = values.reduce(|a, b| common(dialect, &a, &b)).unwrap_or_else(Type::any);
    Type::hash(Type::string(), value, None)
}

/// Returns the common type of tuples, by position. A position that only one of them has keeps its type.
fn of_tuples(dialect: &Dialect, a: &TupleType, b: &TupleType) -> TupleType {
    let (a_size, b_size) = (a.size_range(), b.size_range());
    let at = |it: &TupleType, size: Size, index: usize| {
        let reached = index < it.types.len() || size.max.is_none_or(|max| max > index as u64);
        it.type_at(index).filter(|_| reached).cloned()
    };
    let places = 0..a.types.len().max(b.types.len());
    let types = places.filter_map(|index| match (at(a, a_size, index), at(b, b_size, index)) {
        (Some(a), Some(b)) => Some(common(dialect, &a, &b)),
        (one, other) => one.or(other),
    });
    let types: Box<[Type]> = types.collect();
    let size = cover(a_size, b_size);
    let size = (size != Size::exactly(types.len())).then_some(size);
    TupleType { types, size }
}

/// Returns the common type of some texts.
pub(super) fn of_texts(dialect: &Dialect, texts: impl IntoIterator<Item = Str>) -> TypeKind {
    let texts = EnumType::new(texts, false);
    match (texts.values(), dialect.strings_in_common) {
        ([only], _) => TypeKind::String(StringType::Literal(only.clone())),
        (_, StringsInCommon::Enum) => TypeKind::Enum(texts),
        (_, StringsInCommon::Remembered) => TypeKind::String(StringType::Among(texts)),
    }
}

fn of_strings(dialect: &Dialect, a: &StringType, b: &StringType) -> TypeKind {
    if let (Some(these), Some(those)) = (a.texts(), b.texts()) {
        return of_texts(dialect, these.iter().chain(those).cloned());
    }
    match (a, b) {
        (StringType::Sized(a), StringType::Sized(b)) => TypeKind::String(StringType::Sized(cover(*a, *b))),
        _ => TypeKind::String(StringType::Any),
    }
}

/// Returns the size that covers both.
fn cover(a: Size, b: Size) -> Size {
    Size { min: a.min.min(b.min), max: a.max.zip(b.max).map(|(a, b)| a.max(b)) }
}

fn common_size(dialect: &Dialect, a: Option<Size>, b: Option<Size>) -> Option<Size> {
    match dialect.sizes_in_common {
        SizesInCommon::Dropped => None,
        SizesInCommon::Kept => a.zip(b).map(|(a, b)| cover(a, b)),
    }
}

static NUMERIC: LazyLock<Type> = LazyLock::new(|| TypeKind::Numeric.into());
static SCALAR_DATA: LazyLock<Type> = LazyLock::new(|| TypeKind::ScalarData.into());
static SCALAR: LazyLock<Type> = LazyLock::new(|| TypeKind::Scalar.into());
static COLLECTION: LazyLock<Type> = LazyLock::new(|| TypeKind::Collection(None).into());
static CATALOG_ENTRY: LazyLock<Type> = LazyLock::new(|| TypeKind::CatalogEntry.into());

/// Returns the most specific abstract type that accepts both.
fn abstract_type(dialect: &Dialect, a: &Type, b: &Type) -> Type {
    for abstract_type in dialect.abstract_types {
        let it: &LazyLock<Type> = match (abstract_type, a.kind(), b.kind()) {
            (AbstractType::TypeOfCommon, TypeKind::Type(Some(a)), TypeKind::Type(Some(b))) => {
                return Type::of(common(dialect, a, b));
            }
            (AbstractType::TypeOfCommon, ..) => continue,
            (AbstractType::Numeric, ..) => &NUMERIC,
            (AbstractType::ScalarData, ..) => &SCALAR_DATA,
            (AbstractType::Scalar, ..) => &SCALAR,
            (AbstractType::ScalarButNoNumber, ..) => {
                let is_number = |it: &Type| assignable(dialect, &NUMERIC, it);
                if is_number(a) || is_number(b) {
                    continue;
                }
                &SCALAR
            }
            (AbstractType::Collection, ..) => &COLLECTION,
            (AbstractType::CatalogEntry, ..) => &CATALOG_ENTRY,
            (AbstractType::Data, ..) => &DATA,
            (AbstractType::RichData, ..) => &RICH_DATA,
        };
        if assignable(dialect, it, a) && assignable(dialect, it, b) {
            return Type::clone(it);
        }
    }
    Type::any()
}
