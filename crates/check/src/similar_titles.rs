//! Titles of one type that are searched for similar ones.

use std::sync::OnceLock;

use foldhash::HashMap;
use marotte_resolve::spelling::{Names, Typos};
use marotte_text::Str;

use crate::declarable::loose;

/// The number of titles with the same letters and digits that are looked at.
const MOST: usize = 1000;

/// The titles of a type that are written somewhere.
#[derive(Debug)]
pub(crate) struct SimilarTitles {
    names: Names,
    index: OnceLock<Index>,
}

#[derive(Debug)]
struct Index {
    /// The typos in titles as [`loose`] makes them.
    typos: Typos,
    /// The numbers of the titles that have the same letters and digits.
    by_letters: HashMap<String, Vec<usize>>,
    /// The numbers of titles that are too long for an index.
    long: Vec<usize>,
}

impl PartialEq for SimilarTitles {
    fn eq(&self, other: &Self) -> bool {
        self.names == other.names
    }
}

impl Eq for SimilarTitles {}

impl SimilarTitles {
    pub(crate) fn new<'a>(titles: impl Iterator<Item = &'a Str>) -> SimilarTitles {
        SimilarTitles { names: titles.cloned().collect(), index: OnceLock::new() }
    }

    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// The titles that may be like one that [`loose`] has made: at most one typo away, or with the same letters and digits.
    /// Others are among them.
    pub(crate) fn like(&self, title: &str) -> impl Iterator<Item = &Str> {
        let index = self.index.get_or_init(|| self.indexed());
        let mut near = index.typos.near(title);
        near.extend(index.by_letters.get(&letters(title)).into_iter().flatten().take(MOST));
        near.extend(&index.long);
        near.sort_unstable();
        near.dedup();
        near.into_iter().filter_map(|it| self.names.get(it))
    }

    fn indexed(&self) -> Index {
        let loose: Vec<Str> = self.names.iter().map(|it| loose(it)).collect();
        let mut by_letters: HashMap<String, Vec<usize>> = HashMap::default();
        for (number, it) in loose.iter().enumerate() {
            by_letters.entry(letters(it)).or_default().push(number);
        }
        let is_long = |it: &(usize, &Str)| Typos::is_too_long(it.1);
        let long = loose.iter().enumerate().filter(is_long).map(|it| it.0).collect();
        Index { typos: Typos::new(loose.iter().map(Str::as_str)), by_letters, long }
    }
}

fn letters(title: &str) -> String {
    title.chars().filter(|it| it.is_alphanumeric()).collect()
}
