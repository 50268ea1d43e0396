//! Names that are searched for similar ones many times.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use marotte_text::Str;

use super::typos::Typos;
use super::{MOST, closest, is_slip, nearest, slip};

/// The number of names up to which it takes less time, and much less memory, to compare all of them than to index them.
const FEW: usize = 200;

/// The number of searches up to which that is so, whatever the number of names.
const FEW_SEARCHES: usize = 40;

/// A set of names that is searched for similar ones. What a search finds does not depend on those before.
#[derive(Debug, Default)]
pub struct Names {
    /// The names, in order, each once.
    names: Vec<Str>,
    index: OnceLock<Index>,
    searches: AtomicUsize,
}

#[derive(Debug)]
struct Index {
    typos: Typos,
    /// The letters of each name.
    letters: Vec<u64>,
}

impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        self.names == other.names
    }
}

impl Eq for Names {}

impl<S: Into<Str>> FromIterator<S> for Names {
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> Self {
        let mut names: Vec<Str> = names.into_iter().map(Into::into).collect();
        names.sort_unstable();
        names.dedup();
        Names { names, ..Names::default() }
    }
}

impl Names {
    /// The names, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Str> {
        self.names.iter()
    }

    /// The name of a number, in order.
    pub fn get(&self, number: usize) -> Option<&Str> {
        self.names.get(number)
    }

    /// Whether a name is among them.
    pub fn has(&self, name: &str) -> bool {
        self.names.binary_search_by(|it| it.as_str().cmp(name)).is_ok()
    }

    /// Returns the name that is certainly meant, as [`slip`] does, among those for which `may_be` is true.
    pub fn slip(&self, name: &str, may_be: impl Fn(&str) -> bool) -> Option<&str> {
        let wanted = |it: &&str| may_be(it);
        match self.index() {
            None => slip(name, self.among(0..self.names.len()).filter(wanted)),
            Some(index) => slip(name, self.one_typo_away(index, name).filter(wanted)),
        }
    }

    /// Returns the first name that is a letter apart from a name, as [`is_slip`] compares them.
    pub fn inner_slip(&self, name: &str) -> Option<&str> {
        let is_it = |it: &&str| is_slip(name, it);
        match self.index() {
            None => self.among(0..self.names.len()).find(is_it),
            Some(index) => self.one_typo_away(index, name).find(is_it),
        }
    }

    /// Returns the closest name, as [`nearest`] does, among those for which `may_be` is true. Of more than [`MOST`] names, the
    /// closest one is a typo away, or begins similarly.
    pub fn nearest(&self, name: &str, may_be: impl Fn(&str) -> bool) -> Option<&str> {
        let wanted = |it: &&str| may_be(it);
        let around = self.around(name);
        let Some(index) = self.index() else {
            let is_all = around.len() == self.names.len();
            let typo =
                if is_all { None } else { closest(name, self.among(0..self.names.len()).filter(wanted), 1) };
            return typo.or_else(|| nearest(name, self.among(around).filter(wanted)));
        };
        let typo = closest(name, self.one_typo_away(index, name).filter(wanted), 1);
        typo.or_else(|| {
            let own = letters(name);
            let limit = (name.chars().count() / 3).max(1);
            // A typo adds a letter, removes one, or does both.
            let is_near =
                |other: u64| [own & !other, other & !own].iter().all(|it| it.count_ones() as usize <= limit);
            let near = around.filter(|at| index.letters.get(*at).is_none_or(|it| is_near(*it)));
            nearest(name, near.filter_map(|at| self.names.get(at).map(Str::as_str)).filter(wanted))
        })
    }

    /// The index, if there are enough names and searches for one.
    fn index(&self) -> Option<&Index> {
        let searches = self.searches.fetch_add(1, Ordering::Relaxed);
        (self.names.len() > FEW && searches > FEW_SEARCHES).then(|| {
            self.index.get_or_init(|| Index {
                typos: Typos::new(self.names.iter().map(Str::as_str)),
                letters: self.names.iter().map(|it| letters(it)).collect(),
            })
        })
    }

    fn among(&self, range: Range<usize>) -> impl Iterator<Item = &str> {
        self.names.get(range).unwrap_or_default().iter().map(Str::as_str)
    }

    fn one_typo_away<'a>(&'a self, index: &Index, name: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let near = index.typos.near(name);
        near.into_iter().filter_map(|at| self.names.get(at).map(Str::as_str))
    }

    /// The places of at most [`MOST`] names, those before and after the place that a name would have.
    fn around(&self, name: &str) -> Range<usize> {
        let place = self.names.partition_point(|it| it.as_str() < name);
        let end = (place + MOST / 2).max(MOST).min(self.names.len());
        end.saturating_sub(MOST)..end
    }
}

/// The ASCII letters, digits and signs in a name, without case, as bits.
fn letters(name: &str) -> u64 {
    name.bytes().filter(u8::is_ascii).fold(0, |bits, it| bits | 1 << (it.to_ascii_lowercase() & 63))
}
