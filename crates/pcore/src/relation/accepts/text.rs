//! The assignability of string types: `String`, `Enum` and `Pattern`.

use crate::relation::assignable::Comparison;
use crate::relation::matches;
use crate::types::{EnumType, PatternType, Size, StringType, Type, TypeKind};

/// Whether all instances of a type are strings, judged by its kind alone.
pub(super) fn is_text(it: &Type) -> bool {
    matches!(it.kind(), TypeKind::String(_) | TypeKind::Enum(_) | TypeKind::Pattern(_))
}

#[inline(never)]
pub(super) fn string_accepts(this: &StringType, that: &Type) -> bool {
    match (this, that.kind()) {
        (StringType::Any, _) => is_text(that),
        (StringType::Sized(size), TypeKind::String(that)) => size.covers(that.size()),
        // Without values, the length of the strings is unknown.
        (StringType::Sized(size), TypeKind::Enum(that)) => size.covers(that.lengths().unwrap_or(Size::ANY)),
        (StringType::Sized(size), TypeKind::Pattern(_)) => size.covers(Size::ANY),
        (StringType::Literal(_), TypeKind::String(that)) => this == that,
        (StringType::Among(texts), TypeKind::String(that)) => {
            that.texts().is_some_and(|that| that.iter().all(|it| texts.contains(it)))
        }
        (StringType::Among(texts), TypeKind::Enum(_)) => enum_accepts(texts, that),
        // The reference compares the number of values, not the value.
        (StringType::Literal(_), TypeKind::Enum(that)) => {
            that.values().len() == 1 && !that.is_case_insensitive()
        }
        _ => false,
    }
}

#[inline(never)]
pub(super) fn enum_accepts(this: &EnumType, that: &Type) -> bool {
    if this.values().is_empty() && is_text(that) {
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

#[inline(never)]
pub(super) fn pattern_accepts(it: &Comparison<'_>, this: &PatternType, that: &Type) -> bool {
    match that.kind() {
        TypeKind::Pattern(that) if this == that => true,
        TypeKind::Pattern(that) if it.dialect.assignable_by_instances && !that.patterns.is_empty() => {
            this.patterns.is_empty() || that.patterns.iter().all(|it| this.patterns.contains(it))
        }
        TypeKind::String(StringType::Literal(text)) => matches::matches_any(it.dialect, this, text),
        TypeKind::String(StringType::Among(that)) => {
            that.values().iter().all(|text| matches::matches_any(it.dialect, this, text))
        }
        TypeKind::Enum(that) if !that.values().is_empty() => {
            that.values().iter().all(|text| matches::matches_any(it.dialect, this, text))
        }
        // Strings of unknown text match only if there are no patterns.
        TypeKind::String(_) | TypeKind::Enum(_) | TypeKind::Pattern(_) => {
            this.patterns.is_empty() && it.dialect.pattern_without_parameters.accepts_all()
        }
        _ => false,
    }
}
