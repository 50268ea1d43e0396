//! Makes one mismatch of those of several alternatives, where they say the same.

use indexmap::IndexSet;

use super::{Mismatch, MismatchKind, PathElement};
use crate::infer::normalize;
use crate::types::{Size, Type};

/// Which mismatches of sizes can be merged.
#[derive(Clone, Copy)]
pub(super) enum Mergeable {
    /// Of collections and of arguments: among the alternatives of a `Variant`.
    Sizes,
    /// Of arguments only: among signatures.
    Counts,
}

/// What may be merged, in the order in which it is tried.
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

/// Merges the mismatches of alternatives: if each has one of a class, all at one place, that is what is wrong, whatever
/// else there is. A single result loses the element at `position` of its path, which tells the alternatives apart.
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

/// One for all, if all are at one place.
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

/// Each mismatch once, whichever alternative it comes from.
fn unique(mismatches: Vec<Mismatch>) -> Vec<Mismatch> {
    let mut seen = IndexSet::new();
    let is_new = |it: &Mismatch| seen.insert((it.place().cloned().collect::<Vec<_>>(), it.kind.clone()));
    mismatches.into_iter().filter(is_new).collect()
}

impl Mismatch {
    /// The path without what only tells alternatives apart.
    fn place(&self) -> impl Iterator<Item = &PathElement> {
        self.path.iter().filter(|it| !it.is_alternative())
    }

    /// Takes an element out of the path, if it is that long.
    pub(super) fn chop(&mut self, position: usize) {
        if position < self.path.len() {
            self.path.remove(position);
        }
    }
}
