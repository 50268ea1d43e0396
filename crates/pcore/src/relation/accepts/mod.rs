//! The assignability of each kind of type, once aliases, variants and optional types are resolved.
//!
//! Most comparisons are decided by the kinds of the two types and their parameters. Code that compares the parts of a
//! type is kept out of the function that matches on the kinds, so that it compiles to a single jump: hence
//! `inline(never)` on its callees.

mod collection;
mod text;

use super::assignable::Comparison;
use super::guard::Guarded;
use super::members::members;
use super::{init, iterable, matches};
use crate::dialect::IntegerEnds;
use crate::types::{ANY, CallableType, IntegerRange, ObjectType, StringType, Type, TypeKind, UNDEF, UriType};
use crate::value::Value;
use marotte_text::Str;

pub(super) use collection::{tuple_accepts, tuple_accepts_array};

/// Whether `this` accepts `that`, which is neither an alias nor a variant.
pub(super) fn accepts(it: &Comparison<'_>, this: &Type, that: &Type, guard: Guarded<'_>) -> bool {
    use TypeKind as T;
    match this.kind() {
        T::Any | T::Unit => true,
        T::Undef => matches!(that.kind(), T::Undef),
        T::Default => matches!(that.kind(), T::Default),
        T::Binary => matches!(that.kind(), T::Binary),
        T::SemVerRange => matches!(that.kind(), T::SemVerRange),
        T::Scalar => is_scalar(it, that),
        T::ScalarData => is_scalar_data(that),
        T::Numeric => matches!(that.kind(), T::Numeric | T::Integer(_) | T::Float(_)),
        T::Integer(this) => matches!(that.kind(), T::Integer(that) if integer_accepts(it, this, that)),
        T::Float(this) => matches!(that.kind(), T::Float(that) if this.covers(*that)),
        T::Boolean(this) => matches!(that.kind(), T::Boolean(that) if this.is_none() || this == that),
        T::String(StringType::Any) => text::is_text(that),
        T::String(this) => text::string_accepts(this, that),
        T::Enum(this) => text::enum_accepts(this, that),
        T::Pattern(this) => text::pattern_accepts(it, this, that),
        T::Collection(size) => collection::collection_accepts(it, *size, that),
        T::Array(element, size) => collection::array_accepts(it, element, size.as_ref(), that, guard),
        T::Hash(key, value, size) => collection::hash_accepts(it, (key, value), size.as_ref(), that, guard),
        T::Tuple(this) => collection::tuple_accepts_type(it, this, that, guard),
        T::Struct(elements) => collection::struct_accepts_type(it, elements, that, guard),
        T::Variant(types) => variant_accepts(it, this, types, that, guard),
        T::Optional(None) => it.dialect.optional_without_parameters.accepts_all(),
        T::Optional(Some(this)) => matches!(that.kind(), T::Undef) || it.accepts(this, that, guard),
        T::Callable(this) => {
            matches!(that.kind(), T::Callable(that) if callable_accepts(it, this, that, guard))
        }
        T::Alias(alias) => match alias.target() {
            Some(target) => it.accepts(target, that, guard),
            None => this == that,
        },
        _ => others_accept(it, this, that, guard),
    }
}

fn integer_accepts(it: &Comparison<'_>, this: &IntegerRange, that: &IntegerRange) -> bool {
    this.covers(that) || it.dialect.integer_ends == IntegerEnds::Bits64 && this.covers(&that.with_ends())
}

#[inline(never)]
fn variant_accepts(
    it: &Comparison<'_>,
    this: &Type,
    types: &[Type],
    that: &Type,
    mut guard: Guarded<'_>,
) -> bool {
    types.iter().any(|this| it.accepts(this, that, guard.as_deref_mut()))
        || it.dialect.abstract_types_are_unions && members_accepted(it, this, that, guard)
}

/// Whether a type of a less common kind accepts another.
#[inline(never)]
fn others_accept(it: &Comparison<'_>, this: &Type, that: &Type, mut guard: Guarded<'_>) -> bool {
    use TypeKind as T;
    match (this.kind(), that.kind()) {
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
        (T::NotUndef(this), _) => {
            !it.accepts(that, &UNDEF, guard.as_deref_mut())
                && this.as_ref().is_none_or(|this| it.accepts(this, that, guard))
        }
        (T::Iterable(this), _) => iterable::iterable_accepts(it, this.as_ref(), that, guard),
        (T::Iterator(this), T::Iterator(that)) | (T::Type(this), T::Type(that)) => match (this, that) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(this), Some(that)) => it.accepts(this, that, guard),
        },
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
        (T::Reference(this), T::Reference(that)) => this == that,
        _ => false,
    }
}

/// Whether all members of an abstract type are accepted.
fn members_accepted(it: &Comparison<'_>, this: &Type, that: &Type, mut guard: Guarded<'_>) -> bool {
    members(it.dialect, that)
        .is_some_and(|members| members.iter().all(|member| it.accepts(this, member, guard.as_deref_mut())))
}

/// Whether all instances of a type are scalar data, judged by its kind alone.
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

/// Whether all instances of a type are scalar, judged by its kind alone (D10).
fn is_scalar(it: &Comparison<'_>, that: &Type) -> bool {
    match that.kind() {
        TypeKind::Scalar
        | TypeKind::Regexp(_)
        | TypeKind::SemVer(_)
        | TypeKind::Timespan(..)
        | TypeKind::Timestamp(..) => true,
        TypeKind::SemVerRange => it.dialect.version_ranges_are_scalar,
        _ => is_scalar_data(that),
    }
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

fn uri_accepts(it: &Comparison<'_>, this: &UriType, that: &UriType) -> bool {
    this.parts.iter().all(|(name, wanted)| {
        let given = that.parts.iter().find(|(other, _)| other == name);
        given.is_some_and(|(_, given)| parameter_accepts(it, wanted, given))
    })
}

/// Whether a parameter of a URI or object type accepts another: they match like the value and option of a `case`, or
/// both are types and it accepts the other.
fn parameter_accepts(it: &Comparison<'_>, wanted: &Value, given: &Value) -> bool {
    if matches::matches(it.dialect, given, wanted) {
        return true;
    }
    match (wanted, given) {
        (Value::Type(wanted), Value::Type(given)) => it.accepts(wanted, given, None),
        _ => false,
    }
}

/// Parameters are contravariant: a caller of `this` must be able to call `that` (D35).
#[inline(never)]
fn callable_accepts(
    it: &Comparison<'_>,
    this: &CallableType,
    that: &CallableType,
    mut guard: Guarded<'_>,
) -> bool {
    if let Some(returns) = &this.returns {
        let given = that.returns.as_ref().unwrap_or(&ANY);
        if !it.accepts(returns, given, guard.as_deref_mut()) {
            return false;
        }
    }
    let Some(parameters) = &this.parameters else { return true };
    let Some(others) = &that.parameters else { return false };
    if others != parameters && !tuple_accepts(it, others, parameters, guard.as_deref_mut()) {
        return false;
    }
    if this.block.is_none() && that.block.is_none() {
        return true;
    }
    let block = this.block.as_ref().unwrap_or(&UNDEF);
    let other = that.block.as_ref().unwrap_or(&UNDEF);
    it.accepts(other, block, guard)
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
