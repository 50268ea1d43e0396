//! Merges equal mismatches of several alternatives into one.

use indexmap::IndexSet;

use super::{Mismatch, MismatchKind, PathElement};
use crate::infer::normalize;
use crate::types::{Size, Type};

/// The mismatches of sizes that can be merged.
#[derive(Clone, Copy)]
pub(super) enum Mergeable {
    /// Those of collections and of arguments: among the alternatives of a `Variant`.
    Sizes,
    /// Those of arguments only: among signatures.
    Counts,
}

/// The classes of mismatches that can be merged, in the order in which they are tried.
#[derive(Clone, Copy)]
enum Class {
    Size(Mergeable),
    MissingBlock,
    UnexpectedBlock,
    Type,
}

impl Class {
    fn holds(self, kind: &MismatchKind) -> bool {
        match self {
            Class::Size(Mergeable::Sizes) => {
                matches!(kind, MismatchKind::Size { .. } | MismatchKind::Count { .. })
            }
            Class::Size(Mergeable::Counts) => matches!(kind, MismatchKind::Count { .. }),
            Class::MissingBlock => matches!(kind, MismatchKind::MissingRequiredBlock),
            Class::UnexpectedBlock => matches!(kind, MismatchKind::UnexpectedBlock),
            Class::Type => matches!(kind, MismatchKind::Type { .. } | MismatchKind::Pattern { .. }),
        }
    }
}

/// Merges the mismatches of alternatives: if each alternative has one mismatch of the same class and place, only that
/// is reported, whatever others there are. A single result loses the path element at `position`, which distinguishes
/// the alternatives.
pub(super) fn merge(position: usize, sizes: Mergeable, alternatives: Vec<Vec<Mismatch>>) -> Vec<Mismatch> {
    let count = alternatives.len();
    let all: Vec<Mismatch> = alternatives.into_iter().flatten().collect();
    let classes = [Class::Size(sizes), Class::MissingBlock, Class::UnexpectedBlock, Class::Type];
    let generic = classes.into_iter().find_map(|class| {
        let found: Vec<&Mismatch> = all.iter().filter(|it| class.holds(&it.kind)).collect();
        if found.len() == count { merge_all(&found) } else { None }
    });
    let mut merged = match generic {
        Some(generic) => vec![generic],
        None => unique(all),
    };
    if let [only] = &mut merged[..] {
        only.chop(position);
    }
    merged
}

/// Merges all mismatches into one, if they have the same place.
fn merge_all(mismatches: &[&Mismatch]) -> Option<Mismatch> {
    let (first, others) = mismatches.split_first()?;
    others.iter().try_fold(Mismatch::clone(first), |merged, it| {
        let same_place = merged.place().eq(it.place());
        same_place.then(|| Mismatch { kind: merge_kinds(&merged.kind, &it.kind), path: merged.path })
    })
}

fn merge_kinds(a: &MismatchKind, b: &MismatchKind) -> MismatchKind {
    use MismatchKind as K;
    match (a, b) {
        (
            K::Type { expected, actual },
            K::Type { expected: other, .. } | K::Pattern { expected: other, .. },
        ) => K::Type { expected: either(expected, other), actual: actual.clone() },
        (
            K::Pattern { expected, actual },
            K::Type { expected: other, .. } | K::Pattern { expected: other, .. },
        ) => K::Pattern { expected: either(expected, other), actual: actual.clone() },
        (
            K::Size { expected, actual },
            K::Size { expected: other, .. } | K::Count { expected: other, .. },
        ) => K::Size { expected: span(*expected, *other), actual: *actual },
        (
            K::Count { expected, actual },
            K::Size { expected: other, .. } | K::Count { expected: other, .. },
        ) => K::Count { expected: span(*expected, *other), actual: *actual },
        _ => a.clone(),
    }
}

fn either(a: &Type, b: &Type) -> Type {
    normalize(&Type::variant([a.clone(), b.clone()]))
}

fn span(a: Size, b: Size) -> Size {
    Size { min: a.min.min(b.min), max: a.max.zip(b.max).map(|(a, b)| a.max(b)) }
}

/// Removes duplicates, ignoring the alternative that a mismatch comes from.
fn unique(mismatches: Vec<Mismatch>) -> Vec<Mismatch> {
    let mut seen = IndexSet::new();
    let is_new = |it: &Mismatch| seen.insert((it.place().cloned().collect::<Vec<_>>(), it.kind.clone()));
    mismatches.into_iter().filter(is_new).collect()
}

impl Mismatch {
    /// The path without the elements that only distinguish alternatives.
    fn place(&self) -> impl Iterator<Item = &PathElement> {
        self.path.iter().filter(|it| !it.is_alternative())
    }

    /// Removes an element of the path, if the path is long enough.
    pub(super) fn chop(&mut self, position: usize) {
        if position < self.path.len() {
            self.path.remove(position);
        }
    }
}
