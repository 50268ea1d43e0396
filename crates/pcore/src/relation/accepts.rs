//! Which types each kind of type accepts, once aliases, variants and optional types are opened.

use super::assignable::Comparison;
use super::guard::Guarded;
use super::members::members;
use super::{init, iterable, matches};
use crate::create::named;
use crate::dialect::StructSizes;
use crate::types::{
    CallableType, EnumType, ObjectType, PatternType, Size, StringType, StructElement, TupleType, Type,
    TypeKind, UriType,
};
use crate::value::Value;
use marotte_text::Str;

/// Whether `this` accepts `that`, which is no alias and no variant.
pub(super) fn accepts(it: &Comparison<'_>, this: &Type, that: &Type, mut guard: Guarded<'_>) -> bool {
    use TypeKind as T;
    match (this.kind(), that.kind()) {
        (T::Any | T::Unit, _) => true,
        (_, T::Struct(elements))
            if elements.is_empty() && it.dialect.struct_without_parameters.accepts_all() =>
        {
            named(it.dialect, "Hash").is_some_and(|hashes| it.accepts(this, &hashes, guard))
        }
        (T::Undef, T::Undef) | (T::Default, T::Default) | (T::Binary, T::Binary) => true,
        (T::SemVerRange, T::SemVerRange) => true,
        (T::Scalar, T::SemVerRange) => it.dialect.version_ranges_are_scalar,
        (T::Scalar, _) => is_scalar(that),
        (T::ScalarData, _) => is_scalar_data(that),
        (T::Numeric, T::Numeric | T::Integer(_) | T::Float(_)) => true,
        (T::Integer(this), T::Integer(that)) => this.covers(that),
        (T::Float(this), T::Float(that)) => this.covers(*that),
        (T::String(this), _) => string_accepts(this, that),
        (T::Enum(this), _) => enum_accepts(this, that),
        (T::Pattern(this), _) => pattern_accepts(it, this, that),
        (T::Boolean(this), T::Boolean(that)) => this.is_none() || this == that,
        (T::Regexp(this), T::Regexp(that)) => this.is_none() || this == that,
        (T::SemVer(this), T::SemVer(that)) => {
            this.is_empty()
                || !that.is_empty()
                    && that.iter().all(|that| this.iter().any(|this| that.is_covered_by(this)))
        }
        (T::Timespan(from, to), T::Timespan(other_from, other_to)) => {
            covers(from.as_ref(), to.as_ref(), other_from.as_ref(), other_to.as_ref())
        }
        (T::Timestamp(from, to), T::Timestamp(other_from, other_to)) => {
            covers(from.as_ref(), to.as_ref(), other_from.as_ref(), other_to.as_ref())
        }
        (T::Uri(this), T::Uri(that)) => uri_accepts(it, this, that),
        (T::Collection(size), _) => {
            size_as_collection(it, that).is_some_and(|that| sized(*size).covers(that))
        }
        (T::Array(element, size), T::Array(other, other_size)) => {
            sized(*size).covers(sized(*other_size)) && it.accepts(element, other, guard)
        }
        (T::Array(element, size), T::Tuple(tuple)) => {
            sized(*size).covers(tuple.size.unwrap_or(Size::exactly(tuple.types.len())))
                && tuple.types.iter().all(|that| it.accepts(element, that, guard.as_deref_mut()))
        }
        (T::Hash(key, value, size), T::Hash(other_key, other_value, other_size)) => {
            if sized(*size).min == 0 && is_empty_hash(that) {
                return true;
            }
            it.accepts(key, other_key, guard.as_deref_mut())
                && it.accepts(value, other_value, guard)
                && sized(*size).covers(sized(*other_size))
        }
        (T::Hash(key, value, size), T::Struct(elements)) => {
            sized(*size).contains(elements.len())
                && elements.iter().all(|element| {
                    it.instance_of(key, &Value::String(element.name.clone()))
                        && it.accepts(value, &element.value, guard.as_deref_mut())
                })
        }
        (T::Tuple(this), T::Tuple(that)) => this == that || tuple_accepts(it, this, that, guard),
        (T::Tuple(this), T::Array(element, size)) => tuple_accepts_array(it, this, element, *size, guard),
        (T::Struct(this), T::Struct(that)) => struct_accepts(it, this, that, guard),
        (T::Struct(elements), T::Hash(key, value, size)) => {
            struct_accepts_hash(it, elements, key, value, *size, guard)
        }
        (T::Variant(types), _) => {
            types.iter().any(|this| it.accepts(this, that, guard.as_deref_mut()))
                || it.dialect.abstract_types_are_unions && members_accepted(it, this, that, guard)
        }
        (T::Optional(None), _) => it.dialect.optional_without_parameters.accepts_all(),
        (T::Optional(_), T::Undef) => true,
        (T::Optional(Some(this)), _) => it.accepts(this, that, guard),
        (T::NotUndef(this), _) => {
            !it.accepts(that, &Type::undef(), guard.as_deref_mut())
                && this.as_ref().is_none_or(|this| it.accepts(this, that, guard))
        }
        (T::Iterable(this), _) => iterable::iterable_accepts(it, this.as_ref(), that, guard),
        (T::Iterator(this), T::Iterator(that)) | (T::Type(this), T::Type(that)) => match (this, that) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(this), Some(that)) => it.accepts(this, that, guard),
        },
        (T::Callable(this), T::Callable(that)) => callable_accepts(it, this, that, guard),
        (T::CatalogEntry, T::CatalogEntry | T::Class(_) | T::Resource(_)) => true,
        (T::Class(this), T::Class(that)) => this.is_none() || this == that,
        (T::Resource(this), T::Resource(that)) => {
            this.type_name.is_none()
                || this.has_type_of(that) && (this.title.is_none() || this.title == that.title)
        }
        (T::Sensitive(this), T::Sensitive(that)) => it.accepts(this, that, guard),
        (T::Init { target, arguments }, _) => init::init_accepts(it, target.as_ref(), arguments, that, guard),
        (
            T::Runtime { runtime, name, pattern },
            T::Runtime { runtime: other_runtime, name: other_name, pattern: other_pattern },
        ) => {
            (runtime.is_none() || runtime == other_runtime)
                && (name.is_none() && pattern.is_none() || (name, pattern) == (other_name, other_pattern))
        }
        (T::Object(None), T::Object(_) | T::ObjectExtension(..)) => true,
        (T::Object(Some(_)), T::Object(Some(other))) => {
            this == that || other.parent.as_ref().is_some_and(|parent| it.accepts(this, parent, guard))
        }
        (T::Object(Some(_)), T::ObjectExtension(base, _)) => {
            it.accepts(this, &T::Object(Some(base.clone())).into(), guard)
        }
        (T::ObjectExtension(base, parameters), _) => extension_accepts(it, base, parameters, that, guard),
        (T::TypeSet(this), T::TypeSet(that)) => this.is_none() || this == that,
        (T::Alias(alias), _) => match alias.target() {
            Some(target) => it.accepts(target, that, guard),
            None => this == that,
        },
        (T::Reference(this), T::Reference(that)) => this == that,
        _ => false,
    }
}

/// Whether each of the types is accepted that one without instances of its own is made of.
fn members_accepted(it: &Comparison<'_>, this: &Type, that: &Type, mut guard: Guarded<'_>) -> bool {
    members(it.dialect, that)
        .is_some_and(|members| members.iter().all(|member| it.accepts(this, member, guard.as_deref_mut())))
}

/// Whether all instances of a type are scalar data, by its kind alone.
fn is_scalar_data(it: &Type) -> bool {
    matches!(
        it.kind(),
        TypeKind::ScalarData
            | TypeKind::Numeric
            | TypeKind::Integer(_)
            | TypeKind::Float(_)
            | TypeKind::String(_)
            | TypeKind::Enum(_)
            | TypeKind::Pattern(_)
            | TypeKind::Boolean(_)
    )
}

/// Whether all instances of a type are scalar, by its kind alone (D10).
fn is_scalar(it: &Type) -> bool {
    is_scalar_data(it)
        || matches!(
            it.kind(),
            TypeKind::Scalar
                | TypeKind::Regexp(_)
                | TypeKind::SemVer(_)
                | TypeKind::Timespan(..)
                | TypeKind::Timestamp(..)
        )
}

fn sized(size: Option<Size>) -> Size {
    size.unwrap_or(Size::ANY)
}

fn covers<T: PartialOrd>(
    from: Option<&T>,
    to: Option<&T>,
    other_from: Option<&T>,
    other_to: Option<&T>,
) -> bool {
    from.is_none_or(|from| other_from.is_some_and(|it| from <= it))
        && to.is_none_or(|to| other_to.is_some_and(|it| it <= to))
}

fn string_accepts(this: &StringType, that: &Type) -> bool {
    match (this, that.kind()) {
        (StringType::Any, TypeKind::String(_) | TypeKind::Enum(_) | TypeKind::Pattern(_)) => true,
        (StringType::Sized(size), TypeKind::String(that)) => size.covers(that.size()),
        // How long the strings are is not known without values.
        (StringType::Sized(size), TypeKind::Enum(that)) => size.covers(that.lengths().unwrap_or(Size::ANY)),
        (StringType::Sized(size), TypeKind::Pattern(_)) => size.covers(Size::ANY),
        (StringType::Literal(_), TypeKind::String(that)) => this == that,
        (StringType::Among(texts), TypeKind::String(that)) => {
            that.texts().is_some_and(|that| that.iter().all(|it| texts.contains(it)))
        }
        (StringType::Among(texts), TypeKind::Enum(_)) => enum_accepts(texts, that),
        // The reference looks at the number of values, not at the value.
        (StringType::Literal(_), TypeKind::Enum(that)) => {
            that.values().len() == 1 && !that.is_case_insensitive()
        }
        _ => false,
    }
}

fn enum_accepts(this: &EnumType, that: &Type) -> bool {
    let of_strings = matches!(that.kind(), TypeKind::String(_) | TypeKind::Enum(_) | TypeKind::Pattern(_));
    if this.values().is_empty() && of_strings {
        return true;
    }
    match that.kind() {
        TypeKind::String(StringType::Literal(text)) => this.contains(text),
        TypeKind::String(StringType::Among(texts)) => texts.values().iter().all(|it| this.contains(it)),
        TypeKind::Enum(that) => {
            this == that
                || !that.values().is_empty()
                    && (this.is_case_insensitive() || !that.is_case_insensitive())
                    && that.values().iter().all(|it| this.contains(it))
        }
        _ => false,
    }
}

fn pattern_accepts(it: &Comparison<'_>, this: &PatternType, that: &Type) -> bool {
    match that.kind() {
        TypeKind::Pattern(that) if this == that => true,
        TypeKind::String(StringType::Literal(text)) => matches::matches_any(it.dialect, this, text),
        TypeKind::String(StringType::Among(that)) => {
            that.values().iter().all(|text| matches::matches_any(it.dialect, this, text))
        }
        TypeKind::Enum(that) if !that.values().is_empty() => {
            that.values().iter().all(|text| matches::matches_any(it.dialect, this, text))
        }
        // Strings of unknown text match all patterns only if there are none.
        TypeKind::String(_) | TypeKind::Enum(_) | TypeKind::Pattern(_) => {
            this.patterns.is_empty() && it.dialect.pattern_without_parameters.accepts_all()
        }
        _ => false,
    }
}

fn uri_accepts(it: &Comparison<'_>, this: &UriType, that: &UriType) -> bool {
    this.parts.iter().all(|(name, wanted)| {
        let given = that.parts.iter().find(|(other, _)| other == name);
        given.is_some_and(|(_, given)| parameter_accepts(it, wanted, given))
    })
}

/// Whether a parameter of a URI or object type lets another through: it matches it as a `case` option does, or both are
/// types and it accepts it.
fn parameter_accepts(it: &Comparison<'_>, wanted: &Value, given: &Value) -> bool {
    if matches::matches(it.dialect, given, wanted) {
        return true;
    }
    match (wanted, given) {
        (Value::Type(wanted), Value::Type(given)) => it.accepts(wanted, given, None),
        _ => false,
    }
}

/// The size of the arrays or hashes that a type describes. A tuple without types counts as empty here, as in the
/// reference.
fn size_as_collection(it: &Comparison<'_>, that: &Type) -> Option<Size> {
    match that.kind() {
        TypeKind::Collection(size) | TypeKind::Array(_, size) | TypeKind::Hash(_, _, size) => {
            Some(sized(*size))
        }
        TypeKind::Tuple(tuple) => Some(tuple.size.unwrap_or(Size::exactly(tuple.types.len()))),
        TypeKind::Struct(elements) => {
            let all = Size::exactly(elements.len());
            let required = || elements.iter().filter(|element| !element.optional).count();
            Some(match it.dialect.struct_sizes {
                StructSizes::All => all,
                StructSizes::FromRequired => Size { min: Size::exactly(required()).min, ..all },
            })
        }
        _ => None,
    }
}

/// Whether a type is that of the empty hash.
pub(super) fn is_empty_hash(it: &Type) -> bool {
    match it.kind() {
        TypeKind::Hash(key, value, Some(Size::ZERO)) => {
            matches!((key.kind(), value.kind()), (TypeKind::Unit, TypeKind::Unit))
        }
        _ => false,
    }
}

pub(super) fn tuple_accepts(
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

pub(super) fn tuple_accepts_array(
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
    let fits = this.iter().all(|element| match that.iter().find(|it| it.name == element.name) {
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
    // Which keys the hash has is unknown; it must be able to have them.
    let fits = elements.iter().filter(|it| !it.optional).all(|element| {
        it.accepts(&element.value, value, guard.as_deref_mut()) && it.accepts(&Type::string(), key, None)
    });
    let counts = Size { min: required as u64, max: Some(elements.len() as u64) };
    fits && counts.covers(sized(size))
}

/// Parameters are compared the other way round: who calls `this` must be able to call `that` (D35).
fn callable_accepts(
    it: &Comparison<'_>,
    this: &CallableType,
    that: &CallableType,
    mut guard: Guarded<'_>,
) -> bool {
    if let Some(returns) = &this.returns {
        let given = that.returns.clone().unwrap_or_else(Type::any);
        if !it.accepts(returns, &given, guard.as_deref_mut()) {
            return false;
        }
    }
    let Some(parameters) = &this.parameters else { return true };
    let Some(others) = &that.parameters else { return false };
    if others != parameters && !tuple_accepts(it, others, parameters, guard.as_deref_mut()) {
        return false;
    }
    let block = this.block.clone().unwrap_or_else(Type::undef);
    let other = that.block.clone().unwrap_or_else(Type::undef);
    it.accepts(&other, &block, guard)
}

fn extension_accepts(
    it: &Comparison<'_>,
    base: &std::sync::Arc<ObjectType>,
    parameters: &[(Str, Value)],
    that: &Type,
    guard: Guarded<'_>,
) -> bool {
    let base: Type = TypeKind::Object(Some(base.clone())).into();
    match that.kind() {
        TypeKind::ObjectExtension(other, given) => {
            it.accepts(&base, &TypeKind::Object(Some(other.clone())).into(), guard)
                && parameters.iter().all(|(name, wanted)| {
                    let given = given.iter().find(|(other, _)| other == name);
                    given.is_some_and(|(_, given)| parameter_accepts(it, wanted, given))
                })
        }
        _ => parameters.is_empty() && it.accepts(&base, that, guard),
    }
}
