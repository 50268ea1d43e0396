use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigUint;

use super::{SemVer, SemVerError};

/// A version range, in the grammar of node-semver.
///
/// Two ranges are equal if they have the same comparators, whatever their texts: `1.x` is `>=1.0.0 <2.0.0`. A range
/// only contains a pre-release if a comparator names a pre-release of the same three numbers.
#[derive(Clone, Debug)]
pub struct SemVerRange {
    parts: Vec<Part>,
    text: String,
}

/// A bound of a range.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Bound {
    /// A bound before all versions.
    Min,
    At(SemVer),
    /// A bound after all versions.
    Max,
}

impl Bound {
    fn order(&self, other: &Bound) -> Ordering {
        let rank = |it: &Bound| match it {
            Bound::Min => 0,
            Bound::At(_) => 1,
            Bound::Max => 2,
        };
        match (self, other) {
            (Bound::At(a), Bound::At(b)) => a.precedence(b),
            _ => rank(self).cmp(&rank(other)),
        }
    }
}

/// A single condition of a range.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Comparator {
    Greater(Bound),
    GreaterOrEqual(Bound),
    Less(Bound),
    LessOrEqual(Bound),
    Equal(SemVer),
}

/// The conditions on versions between two bounds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    All,
    One(Comparator),
    Both(Comparator, Comparator),
}

/// The bounds of a part.
struct Ends<'p> {
    low: &'p Bound,
    high: &'p Bound,
    without_low: bool,
    without_high: bool,
}

impl Comparator {
    fn includes(&self, version: &SemVer) -> bool {
        let at = |bound: &Bound| Bound::At(version.clone()).order(bound);
        match self {
            Comparator::Greater(bound) => at(bound).is_gt(),
            Comparator::GreaterOrEqual(bound) => at(bound).is_ge(),
            Comparator::Less(bound) => at(bound).is_lt(),
            Comparator::LessOrEqual(bound) => at(bound).is_le(),
            Comparator::Equal(it) => it == version,
        }
    }

    fn names_prerelease_of(&self, version: &SemVer) -> bool {
        let named = match self {
            Comparator::Equal(it) => it,
            Comparator::Greater(Bound::At(it))
            | Comparator::GreaterOrEqual(Bound::At(it))
            | Comparator::Less(Bound::At(it))
            | Comparator::LessOrEqual(Bound::At(it)) => it,
            _ => return false,
        };
        !named.is_stable() && named.same_numbers(version)
    }

    fn bounds_low(&self) -> bool {
        matches!(
            self,
            Comparator::Greater(_) | Comparator::Equal(_) | Comparator::GreaterOrEqual(Bound::At(_))
        )
    }

    fn bounds_high(&self) -> bool {
        matches!(self, Comparator::Less(_) | Comparator::Equal(_) | Comparator::LessOrEqual(Bound::At(_)))
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::Min => write!(out, "0.0.0"),
            Bound::At(version) => version.fmt(out),
            Bound::Max => write!(out, "*"),
        }
    }
}

impl fmt::Display for Comparator {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Comparator::Greater(bound) => write!(out, ">{bound}"),
            Comparator::GreaterOrEqual(bound) => write!(out, ">={bound}"),
            Comparator::Less(bound) => write!(out, "<{bound}"),
            Comparator::LessOrEqual(Bound::Max) => write!(out, "*"),
            Comparator::LessOrEqual(bound) => write!(out, "<={bound}"),
            Comparator::Equal(version) => version.fmt(out),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::All => write!(out, "*"),
            Part::One(one) => one.fmt(out),
            Part::Both(low, high) => write!(out, "{low} {high}"),
        }
    }
}

impl Part {
    /// Returns the part that accepts no version.
    pub(super) fn nothing() -> Part {
        Part::One(Comparator::Less(Bound::Min))
    }

    fn comparators(&self) -> impl Iterator<Item = &Comparator> {
        let (one, two) = match self {
            Part::All => (None, None),
            Part::One(one) => (Some(one), None),
            Part::Both(low, high) => (Some(low), Some(high)),
        };
        one.into_iter().chain(two)
    }

    fn includes(&self, version: &SemVer) -> bool {
        self.comparators().all(|it| it.includes(version))
    }

    fn admits(&self, version: &SemVer) -> bool {
        self.includes(version)
            && (version.is_stable()
                || *self == Part::All
                || self.comparators().any(|it| it.names_prerelease_of(version)))
    }

    fn low(&self) -> Option<&Comparator> {
        self.comparators().next()
    }

    fn high(&self) -> Option<&Comparator> {
        self.comparators().last()
    }

    fn ends(&self) -> Ends<'_> {
        let (mut low, mut high) = (&Bound::Min, &Bound::Max);
        let (mut without_low, mut without_high) = (false, false);
        if let Some(Comparator::Greater(bound) | Comparator::GreaterOrEqual(bound)) = self.low() {
            low = bound;
            without_low = matches!(self.low(), Some(Comparator::Greater(_)));
        }
        if let Some(Comparator::Less(bound) | Comparator::LessOrEqual(bound)) = self.high() {
            high = bound;
            without_high = matches!(self.high(), Some(Comparator::Less(_)));
        }
        Ends { low, high, without_low, without_high }
    }

    /// An exact version as a range, since the version is both bounds.
    fn widened(&self) -> Part {
        match self {
            Part::One(Comparator::Equal(version)) => Part::Both(
                Comparator::GreaterOrEqual(Bound::At(version.clone())),
                Comparator::LessOrEqual(Bound::At(version.clone())),
            ),
            part => part.clone(),
        }
    }

    /// Returns the intersection of two parts.
    pub(super) fn intersection(&self, other: &Part) -> Option<Part> {
        match (self, other) {
            (Part::All, part) | (part, Part::All) => return Some(part.clone()),
            _ => {}
        }
        let (wide, wide_other) = (self.widened(), other.widened());
        let (a, b) = (wide.ends(), wide_other.ends());
        for (low, high) in [(&a, &b), (&b, &a)] {
            match low.low.order(high.high) {
                Ordering::Greater => return None,
                Ordering::Equal if low.without_low || high.without_high => return None,
                Ordering::Equal => {
                    return Some(match low.low {
                        Bound::At(version) => Part::One(Comparator::Equal(version.clone())),
                        Bound::Min | Bound::Max => Part::nothing(),
                    });
                }
                Ordering::Less => {}
            }
        }
        let low = match a.low.order(b.low) {
            Ordering::Less => other,
            Ordering::Greater => self,
            Ordering::Equal if a.without_low => self,
            Ordering::Equal => other,
        };
        let high = match a.high.order(b.high) {
            Ordering::Greater => other,
            Ordering::Less => self,
            Ordering::Equal if a.without_high => self,
            Ordering::Equal => other,
        };
        Some(match (low.low().filter(|it| it.bounds_low()), high.high().filter(|it| it.bounds_high())) {
            (_, None) => low.clone(),
            (None, _) => high.clone(),
            (Some(low), Some(high)) if low == high => Part::One(low.clone()),
            (Some(low), Some(high)) => Part::Both(low.clone(), high.clone()),
        })
    }

    /// Returns the union of two parts, if they overlap or adjoin.
    fn union(&self, other: &Part) -> Option<Part> {
        if *self == Part::All || *other == Part::All {
            return Some(Part::All);
        }
        let (wide, wide_other) = (self.widened(), other.widened());
        let (a, b) = (wide.ends(), wide_other.ends());
        let meet = |low: &Ends<'_>, high: &Ends<'_>| match low.low.order(high.high) {
            Ordering::Less => true,
            Ordering::Equal => !low.without_low || !high.without_high,
            // There is no stable version between one and the next patch.
            Ordering::Greater => match (low.low, high.high) {
                (Bound::At(low_at), Bound::At(high_at)) => {
                    let next = SemVer::stable(
                        high_at.major.clone(),
                        high_at.minor.clone(),
                        &high_at.patch + BigUint::from(1u8),
                    );
                    !low.without_low && !high.without_high && *low_at == next
                }
                _ => false,
            },
        };
        if !meet(&a, &b) || !meet(&b, &a) {
            return None;
        }
        let low = match a.low.order(b.low) {
            Ordering::Less => &a,
            Ordering::Greater => &b,
            Ordering::Equal if a.without_low => &b,
            Ordering::Equal => &a,
        };
        let high = match a.high.order(b.high) {
            Ordering::Greater => &a,
            Ordering::Less => &b,
            Ordering::Equal if a.without_high => &b,
            Ordering::Equal => &a,
        };
        Some(between(low.low.clone(), low.without_low, high.high.clone(), high.without_high))
    }
}

fn between(low: Bound, without_low: bool, high: Bound, without_high: bool) -> Part {
    if !without_low
        && !without_high
        && low == high
        && let Bound::At(version) = low
    {
        return Part::One(Comparator::Equal(version));
    }
    let low_end = match low {
        Bound::Min => None,
        low if without_low => Some(Comparator::Greater(low)),
        low => Some(Comparator::GreaterOrEqual(low)),
    };
    let high_end = match high {
        Bound::Max => None,
        high if without_high => Some(Comparator::Less(high)),
        high => Some(Comparator::LessOrEqual(high)),
    };
    match (low_end, high_end) {
        // Unlike `*`, which also contains pre-releases.
        (None, None) => Part::One(Comparator::GreaterOrEqual(Bound::Min)),
        (Some(one), None) | (None, Some(one)) => Part::One(one),
        (Some(low), Some(high)) => Part::Both(low, high),
    }
}

impl SemVerRange {
    /// Parses a range: comparators, `~`, `^`, partial versions, hyphens, alternatives separated by `||`.
    ///
    /// # Errors
    /// If the text isn't a range.
    pub fn parse(text: &str) -> Result<SemVerRange, SemVerError> {
        let parts = super::range_parse::parse(text)?;
        let text = if parts == [Part::All] && !text.contains(['*', 'x', 'X']) { "*" } else { text };
        Ok(SemVerRange { parts: merged(parts), text: text.into() })
    }

    /// Creates the range from one version to another; `None` means unlimited.
    ///
    /// Printed in the syntax of ranges. The reference's `semantic_puppet` mistakenly swaps the bounds there.
    pub fn between(min: Option<SemVer>, max: Option<SemVer>, exclude_max: bool) -> SemVerRange {
        let low = min.map_or(Bound::Min, Bound::At);
        let high = max.map_or(Bound::Max, Bound::At);
        let empty = match low.order(&high) {
            Ordering::Greater => true,
            Ordering::Equal => exclude_max,
            Ordering::Less => false,
        };
        let part = if empty { Part::nothing() } else { between(low, false, high, exclude_max) };
        SemVerRange::of(vec![part])
    }

    /// Creates the range of exactly one version.
    pub fn exactly(version: SemVer) -> SemVerRange {
        SemVerRange::of(vec![Part::One(Comparator::Equal(version))])
    }

    fn of(parts: Vec<Part>) -> SemVerRange {
        let mut range = SemVerRange { parts: merged(parts), text: String::new() };
        range.text = range.comparators();
        range
    }

    /// Returns the normalized form, whatever the text: comparators, with `||` between alternatives.
    pub fn comparators(&self) -> String {
        self.parts.iter().map(Part::to_string).collect::<Vec<_>>().join(" || ")
    }

    /// Whether a version is in the range.
    pub fn includes(&self, version: &SemVer) -> bool {
        self.parts.iter().any(|part| part.admits(version))
    }

    /// Whether no version is in the range, because its bounds contradict each other.
    pub fn is_empty(&self) -> bool {
        self.parts.iter().all(|it| *it == Part::nothing())
    }

    /// Whether it consists of alternatives that neither overlap nor adjoin.
    pub fn is_disjoint(&self) -> bool {
        self.parts.len() > 1
    }

    /// Returns the intersection of both ranges.
    pub fn intersection(&self, other: &SemVerRange) -> SemVerRange {
        let parts =
            self.parts.iter().flat_map(|a| other.parts.iter().filter_map(|b| a.intersection(b))).collect();
        SemVerRange::of(parts)
    }

    /// Returns one range of all versions of both, if they overlap or adjoin.
    pub fn union(&self, other: &SemVerRange) -> Option<SemVerRange> {
        let all = SemVerRange::of(self.parts.iter().chain(&other.parts).cloned().collect());
        (all.parts.len() <= self.parts.len().max(other.parts.len())).then_some(all)
    }

    /// Whether another range contains all of its versions, judged by the bounds alone (D20).
    pub fn is_covered_by(&self, other: &SemVerRange) -> bool {
        self.parts.iter().all(|part| {
            let part = part.widened();
            let inner = part.ends();
            other.parts.iter().any(|outer| {
                let outer = outer.widened();
                let outer = outer.ends();
                outer.low.order(inner.low).is_le()
                    && match outer.high.order(inner.high) {
                        Ordering::Greater => true,
                        Ordering::Equal => !outer.without_high || inner.without_high,
                        Ordering::Less => false,
                    }
            })
        })
    }
}

/// Merges parts that overlap or adjoin, and drops duplicates.
fn merged(parts: Vec<Part>) -> Vec<Part> {
    let mut result: Vec<Part> = Vec::new();
    let nothing = Part::nothing();
    for mut part in parts {
        if part == nothing || result.contains(&part) {
            continue;
        }
        // The merged part may now overlap others.
        while let Some((at, whole)) =
            result.iter().enumerate().find_map(|(at, it)| it.union(&part).map(|whole| (at, whole)))
        {
            result.remove(at);
            part = whole;
        }
        result.push(part);
    }
    if result.is_empty() {
        result.push(nothing);
    }
    result
}

impl PartialEq for SemVerRange {
    fn eq(&self, other: &SemVerRange) -> bool {
        self.parts == other.parts
    }
}

impl Eq for SemVerRange {}

impl std::hash::Hash for SemVerRange {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.parts.hash(state);
    }
}

/// Formats the text as written.
impl fmt::Display for SemVerRange {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(out)
    }
}
