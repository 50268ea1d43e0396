//! Merges those alternatives of a `Variant` that a single type can represent.
//!
//! Each step removes the alternatives of one kind; the merged type is added at the end or, for ranges, at the front, as
//! in the reference.

use std::cmp::Ordering;

use super::normalize;
use crate::effort;
use crate::semver::SemVerRange;
use crate::types::{EnumType, FloatRange, IntegerRange, PatternType, StringType, Type, TypeKind};
use crate::value::Integer;

/// Merges all alternatives that can be merged.
pub(super) fn merge(types: Vec<Type>) -> Vec<Type> {
    let types = merge_not_undefs(types);
    let types = merge_strings(types);
    let types = merge_case_insensitive(types);
    let types = merge_patterns(types);
    let types = merge_versions(types);
    let types = merge_ranges(types, integer_range, TypeKind::Integer, merge_integers);
    let types = merge_ranges(types, float_range, TypeKind::Float, merge_floats);
    let types = merge_ranges(types, timespan_range, |(from, to)| TypeKind::Timespan(from, to), merge_times);
    merge_ranges(types, timestamp_range, |(from, to)| TypeKind::Timestamp(from, to), merge_times)
}

/// Partitions the types by whether a function picks them. `None` if it picks fewer than two: then there is nothing to merge.
fn take<T>(types: &[Type], pick: impl Fn(&Type) -> Option<T>) -> Option<(Vec<T>, Vec<Type>)> {
    let (mut picked, mut others) = (Vec::new(), Vec::new());
    for it in types {
        match pick(it) {
            Some(part) => picked.push(part),
            None => others.push(it.clone()),
        }
    }
    (picked.len() > 1).then_some((picked, others))
}

fn merge_not_undefs(types: Vec<Type>) -> Vec<Type> {
    let inner = |it: &Type| match it.kind() {
        TypeKind::NotUndef(inner) => Some(inner.clone()),
        _ => None,
    };
    let Some((inner, mut others)) = take(&types, inner) else { return types };
    let any = inner.iter().any(Option::is_none);
    let inner = normalize(&Type::variant(inner.into_iter().flatten()));
    others.push(if any { TypeKind::NotUndef(None).into() } else { Type::not_undef(inner) });
    others
}

fn merge_strings(types: Vec<Type>) -> Vec<Type> {
    let values = |it: &Type| match it.kind() {
        TypeKind::Enum(it) if !it.values().is_empty() && !it.is_case_insensitive() => {
            Some(it.values().to_vec())
        }
        TypeKind::String(StringType::Literal(text)) => Some(vec![text.clone()]),
        _ => None,
    };
    let Some((values, mut others)) = take(&types, values) else { return types };
    others.push(TypeKind::Enum(EnumType::new(values.into_iter().flatten(), false)).into());
    others
}

fn merge_case_insensitive(types: Vec<Type>) -> Vec<Type> {
    let values = |it: &Type| match it.kind() {
        TypeKind::Enum(it) if !it.values().is_empty() && it.is_case_insensitive() => {
            Some(it.values().to_vec())
        }
        _ => None,
    };
    let Some((values, mut others)) = take(&types, values) else { return types };
    let values = values.into_iter().flatten().map(|it| it.to_lowercase());
    others.push(TypeKind::Enum(EnumType::new(values, true)).into());
    others
}

fn merge_patterns(types: Vec<Type>) -> Vec<Type> {
    let patterns = |it: &Type| match it.kind() {
        TypeKind::Pattern(it) => Some(it.patterns.to_vec()),
        _ => None,
    };
    let Some((patterns, mut others)) = take(&types, patterns) else { return types };
    let mut merged = Vec::new();
    for it in patterns.into_iter().flatten() {
        if !merged.contains(&it) {
            merged.push(it);
        }
    }
    others.push(TypeKind::Pattern(PatternType { patterns: merged.into() }).into());
    others
}

fn merge_versions(types: Vec<Type>) -> Vec<Type> {
    let ranges = |it: &Type| match it.kind() {
        TypeKind::SemVer(ranges) => Some(ranges.to_vec()),
        _ => None,
    };
    let Some((ranges, others)) = take(&types, ranges) else { return types };
    let ranges = merge_version_ranges(ranges.into_iter().flatten().collect());
    let mut merged = vec![TypeKind::SemVer(ranges.into()).into()];
    merged.extend(others);
    merged
}

/// Merges version ranges that overlap or touch.
pub(crate) fn merge_version_ranges(ranges: Vec<SemVerRange>) -> Vec<SemVerRange> {
    if ranges.len() < 2 {
        return ranges;
    }
    let mut merged = collapse(ranges, SemVerRange::union);
    merged.reverse();
    merged
}

/// Merges ranges as long as possible, beginning with the last.
fn collapse<R: Clone>(mut ranges: Vec<R>, merge: impl Fn(&R, &R) -> Option<R>) -> Vec<R> {
    let mut result = Vec::new();
    while let Some(last) = ranges.pop() {
        // Once the effort is exhausted, ranges stay unmerged, which is equivalent.
        if !effort::spend(ranges.len() as u64) {
            result.push(last);
            continue;
        }
        let mut unmerged = Vec::new();
        let mut grown = last;
        for it in ranges {
            match merge(&grown, &it) {
                Some(merged) => grown = merged,
                None => unmerged.push(it),
            }
        }
        result.push(grown);
        ranges = unmerged;
    }
    result
}

fn merge_ranges<R: Clone>(
    types: Vec<Type>,
    pick: impl Fn(&Type) -> Option<R>,
    kind: impl Fn(R) -> TypeKind,
    merge: impl Fn(&R, &R) -> Option<R>,
) -> Vec<Type> {
    let Some((ranges, others)) = take(&types, pick) else { return types };
    let mut merged: Vec<Type> = collapse(ranges, merge).into_iter().map(|it| kind(it).into()).collect();
    merged.extend(others);
    merged
}

fn integer_range(it: &Type) -> Option<IntegerRange> {
    match it.kind() {
        TypeKind::Integer(range) => Some(range.clone()),
        _ => None,
    }
}

fn float_range(it: &Type) -> Option<FloatRange> {
    match it.kind() {
        TypeKind::Float(range) => Some(*range),
        _ => None,
    }
}

type Bounds<T> = (Option<T>, Option<T>);

fn timespan_range(it: &Type) -> Option<Bounds<crate::time::Timespan>> {
    match it.kind() {
        TypeKind::Timespan(from, to) => Some((*from, *to)),
        _ => None,
    }
}

fn timestamp_range(it: &Type) -> Option<Bounds<crate::time::Timestamp>> {
    match it.kind() {
        TypeKind::Timestamp(from, to) => Some((*from, *to)),
        _ => None,
    }
}

/// Integer ranges also merge if one ends directly before the other begins.
fn merge_integers(a: &IntegerRange, b: &IntegerRange) -> Option<IntegerRange> {
    let touches = |end: &Option<Integer>, start: &Option<Integer>| match (end, start) {
        (Some(end), Some(start)) => start.to_big() - end.to_big() == 1.into(),
        _ => false,
    };
    let bounds = |it: &IntegerRange| (it.from.clone(), it.to.clone());
    let merge = overlap(&bounds(a), &bounds(b)) || touches(&a.to, &b.from) || touches(&b.to, &a.from);
    merge.then(|| span(bounds(a), bounds(b))).map(|(from, to)| IntegerRange::ascending(from, to))
}

fn merge_floats(a: &FloatRange, b: &FloatRange) -> Option<FloatRange> {
    let overlap = !(a.to < b.from || b.to < a.from);
    overlap.then(|| FloatRange { from: a.from.min(b.from), to: a.to.max(b.to) })
}

fn merge_times<T: Ord + Copy>(a: &Bounds<T>, b: &Bounds<T>) -> Option<Bounds<T>> {
    overlap(a, b).then(|| span(*a, *b))
}

fn overlap<T: Ord>(a: &Bounds<T>, b: &Bounds<T>) -> bool {
    let before = |end: &Option<T>, start: &Option<T>| match (end, start) {
        (Some(end), Some(start)) => end < start,
        _ => false,
    };
    !before(&a.1, &b.0) && !before(&b.1, &a.0)
}

/// Returns the smallest range that covers both.
pub(super) fn span<T: Ord>(a: Bounds<T>, b: Bounds<T>) -> Bounds<T> {
    let from = a.0.zip(b.0).map(|(a, b)| if a.cmp(&b) == Ordering::Greater { b } else { a });
    let to = a.1.zip(b.1).map(|(a, b)| a.max(b));
    (from, to)
}
