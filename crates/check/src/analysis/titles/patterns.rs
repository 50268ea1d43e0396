//! Sets of titles that are searched by titles that are computed in part, and the other way round.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher as _;
use std::sync::OnceLock;

use foldhash::HashMap;
use foldhash::fast::FixedState;
use marotte_text::Str;

use crate::analysis::titles::pattern::TitlePattern;

/// The number of patterns up to which it takes less time to compare all of them than to index them.
const FEW: usize = 16;

/// Titles that are computed in part.
#[derive(Clone, Debug, Default)]
pub(crate) struct TitlePatterns {
    all: BTreeSet<TitlePattern>,
    index: OnceLock<Box<Index>>,
}

/// The patterns by what they begin and end with.
#[derive(Clone, Debug)]
struct Index {
    patterns: Vec<TitlePattern>,
    /// The numbers of the patterns, by the hash of their first and last texts.
    by_ends: HashMap<u64, Vec<usize>>,
    /// The lengths in bytes of the first and last texts.
    lengths: BTreeSet<(usize, usize)>,
    starts: Beginnings,
    /// The last texts, reversed.
    ends: Beginnings,
}

impl PartialEq for TitlePatterns {
    fn eq(&self, other: &Self) -> bool {
        self.all == other.all
    }
}

impl Eq for TitlePatterns {}

impl Extend<TitlePattern> for TitlePatterns {
    fn extend<I: IntoIterator<Item = TitlePattern>>(&mut self, patterns: I) {
        self.index.take();
        self.all.extend(patterns);
    }
}

impl FromIterator<TitlePattern> for TitlePatterns {
    fn from_iter<I: IntoIterator<Item = TitlePattern>>(patterns: I) -> Self {
        TitlePatterns { all: patterns.into_iter().collect(), index: OnceLock::new() }
    }
}

impl TitlePatterns {
    pub(crate) fn insert(&mut self, pattern: TitlePattern) {
        self.index.take();
        self.all.insert(pattern);
    }

    /// The patterns that only one of two sets has.
    pub(crate) fn other(&self, other: &TitlePatterns) -> TitlePatterns {
        self.all.symmetric_difference(&other.all).cloned().collect()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &TitlePattern> {
        self.all.iter()
    }

    /// Whether a text may be one of those patterns for which `wanted` is true.
    pub(crate) fn may_be(&self, text: &str, wanted: impl Fn(&TitlePattern) -> bool) -> bool {
        let is_it = |it: &TitlePattern| wanted(it) && it.may_be(text);
        let Some(index) = self.index() else { return self.all.iter().any(is_it) };
        index.lengths.iter().any(|(start, end)| {
            let (Some(first), Some(last)) =
                (text.get(..*start), text.len().checked_sub(*end).and_then(|it| text.get(it..)))
            else {
                return false;
            };
            let numbers = index.by_ends.get(&hash(first, last));
            numbers.is_some_and(|it| it.iter().any(|it| is_it(&index.patterns[*it])))
        })
    }

    /// Whether one of the patterns [may meet](TitlePattern::may_meet) another one, and `wanted` is true of it.
    pub(crate) fn may_meet(&self, other: &TitlePattern, wanted: impl Fn(&TitlePattern) -> bool) -> bool {
        let is_it = |it: &TitlePattern| it.may_meet(other) && wanted(it);
        let Some(index) = self.index() else { return self.all.iter().any(is_it) };
        let by_start = index.starts.compatible(other.first());
        let by_end = index.ends.compatible(&reversed(other.last()));
        let count = |ranges: &[&[(Str, usize)]]| ranges.iter().map(|it| it.len()).sum::<usize>();
        let fewer = if count(&by_start) < count(&by_end) { by_start } else { by_end };
        fewer.into_iter().flatten().any(|(_, number)| is_it(&index.patterns[*number]))
    }

    /// None for few patterns.
    fn index(&self) -> Option<&Index> {
        (self.all.len() > FEW).then(|| &**self.index.get_or_init(|| Box::new(Index::new(&self.all))))
    }
}

impl Index {
    fn new(all: &BTreeSet<TitlePattern>) -> Index {
        let patterns: Vec<TitlePattern> = all.iter().cloned().collect();
        let mut by_ends: HashMap<u64, Vec<usize>> = HashMap::default();
        let mut lengths = BTreeSet::new();
        for (number, it) in patterns.iter().enumerate() {
            by_ends.entry(hash(it.first(), it.last())).or_default().push(number);
            lengths.insert((it.first().len(), it.last().len()));
        }
        let starts = Beginnings::new(patterns.iter().map(|it| it.first().into()));
        let ends = Beginnings::new(patterns.iter().map(|it| reversed(it.last())));
        Index { patterns, by_ends, lengths, starts, ends }
    }
}

/// Literal titles, keyed by their [`loose`](crate::analysis::resources::declarable::loose) form, which are searched by patterns.
#[derive(Clone, Debug, Default)]
pub(crate) struct LiteralTitles {
    all: BTreeMap<Str, Str>,
    index: OnceLock<Box<TitleIndex>>,
}

/// The loose forms of titles by what they begin and end with.
#[derive(Clone, Debug)]
struct TitleIndex {
    titles: Vec<Str>,
    starts: Beginnings,
    /// The titles, reversed.
    ends: Beginnings,
}

impl PartialEq for LiteralTitles {
    fn eq(&self, other: &Self) -> bool {
        self.all == other.all
    }
}

impl Eq for LiteralTitles {}

impl LiteralTitles {
    pub(crate) fn insert(&mut self, loose: Str, title: Str) {
        self.index.take();
        self.all.insert(loose, title);
    }

    pub(crate) fn add(&mut self, other: &LiteralTitles) {
        self.index.take();
        self.all.extend(other.all.iter().map(|(loose, title)| (loose.clone(), title.clone())));
    }

    /// The loose forms, in order.
    pub(crate) fn loose(&self) -> impl Iterator<Item = &Str> {
        self.all.keys()
    }

    /// The titles as they are written.
    pub(crate) fn written(&self) -> impl Iterator<Item = &Str> {
        self.all.values()
    }

    pub(crate) fn has(&self, loose: &str) -> bool {
        self.all.contains_key(loose)
    }

    /// Whether a title may be one of a pattern of loose texts.
    pub(crate) fn may_be(&self, pattern: &TitlePattern) -> bool {
        if self.all.len() <= FEW {
            return self.all.keys().any(|it| pattern.may_be(it));
        }
        let index = self.index.get_or_init(|| Box::new(TitleIndex::new(self.all.keys())));
        let by_start = index.starts.with(pattern.first());
        let by_end = index.ends.with(&reversed(pattern.last()));
        let fewer = if by_start.len() < by_end.len() { by_start } else { by_end };
        fewer.iter().any(|(_, number)| pattern.may_be(&index.titles[*number]))
    }
}

impl TitleIndex {
    fn new<'a>(titles: impl Iterator<Item = &'a Str>) -> TitleIndex {
        let titles: Vec<Str> = titles.cloned().collect();
        let starts = Beginnings::new(titles.iter().cloned());
        let ends = Beginnings::new(titles.iter().map(|it| reversed(it)));
        TitleIndex { titles, starts, ends }
    }
}

/// Numbered texts in order, which are searched by what they begin with.
#[derive(Clone, Debug)]
struct Beginnings {
    texts: Vec<(Str, usize)>,
    /// The lengths of the texts, in bytes.
    lengths: BTreeSet<usize>,
}

impl Beginnings {
    fn new(texts: impl Iterator<Item = Str>) -> Beginnings {
        let mut texts: Vec<(Str, usize)> = texts.enumerate().map(|(number, text)| (text, number)).collect();
        texts.sort_unstable();
        let lengths = texts.iter().map(|it| it.0.len()).collect();
        Beginnings { texts, lengths }
    }

    /// The texts that begin with another text.
    fn with(&self, start: &str) -> &[(Str, usize)] {
        let from = self.texts.partition_point(|it| it.0.as_str() < start);
        let rest = &self.texts[from..];
        &rest[..rest.partition_point(|it| it.0.starts_with(start))]
    }

    /// The texts that another text begins with, and those that begin with it.
    fn compatible(&self, text: &str) -> Vec<&[(Str, usize)]> {
        let shorter = self.lengths.range(..text.len()).filter_map(|it| text.get(..*it));
        let equal = |start: &str| {
            let longer = self.with(start);
            &longer[..longer.partition_point(|it| it.0.len() == start.len())]
        };
        shorter.map(equal).chain([self.with(text)]).collect()
    }
}

fn reversed(text: &str) -> Str {
    text.chars().rev().collect()
}

fn hash(first: &str, last: &str) -> u64 {
    FixedState::default().hash_one((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All patterns of up to three texts of two letters, and all texts of up to five.
    fn samples() -> (Vec<TitlePattern>, Vec<String>) {
        let longer = |all: &[String]| -> Vec<String> {
            all.iter().flat_map(|it| ["a", "é"].map(|letter| format!("{it}{letter}"))).collect()
        };
        let mut texts = vec![vec![String::new()]];
        for _ in 0..5 {
            texts.push(longer(&texts[texts.len() - 1]));
        }
        let short: Vec<&String> = texts[..3].iter().flatten().collect();
        let mut patterns = Vec::new();
        for first in &short {
            for last in &short {
                patterns.push(TitlePattern::with(&[first, last]));
                patterns.extend(["a", "aé"].map(|between| TitlePattern::with(&[first, between, last])));
            }
        }
        (patterns, texts.concat())
    }

    /// An index finds what a comparison with each pattern finds.
    #[test]
    fn an_index_finds_the_same() {
        let (patterns, texts) = samples();
        let mut found = [0; 3];
        for part in [&patterns[..20], &patterns[60..100], &patterns[120..]] {
            let set: TitlePatterns = part.iter().cloned().collect();
            assert!(set.index().is_some());
            for text in &texts {
                let expected = part.iter().any(|it| it.may_be(text));
                assert_eq!(set.may_be(text, |_| true), expected, "{part:?} {text}");
                found[0] += usize::from(expected);
            }
            for other in &patterns {
                let expected = part.iter().any(|it| it.may_meet(other));
                assert_eq!(set.may_meet(other, |_| true), expected, "{part:?} {other:?}");
                found[1] += usize::from(expected);
            }
        }
        for part in texts.chunks(21) {
            let mut set = LiteralTitles::default();
            part.iter().for_each(|it| set.insert(it.as_str().into(), "".into()));
            for pattern in &patterns {
                let expected = part.iter().any(|it| pattern.may_be(it));
                assert_eq!(set.may_be(pattern), expected, "{part:?} {pattern:?}");
                found[2] += usize::from(expected);
            }
        }
        let all = [3 * texts.len(), 3 * patterns.len(), texts.len().div_ceil(21) * patterns.len()];
        assert!(found.iter().zip(all).all(|(found, all)| (1..all).contains(found)), "{found:?} of {all:?}");
    }
}
