//! Titles of one type that are searched for similar ones.

use std::sync::OnceLock;

use foldhash::HashMap;
use marotte_resolve::spelling::{Names, Typos};
use marotte_text::Str;

use crate::analysis::resources::declarable::loose;

/// The number of titles that are looked at, of those with the same letters and digits, or with the same words but for one.
const MOST: usize = 1000;

/// The titles of a type that are written somewhere.
#[derive(Debug)]
pub(crate) struct SimilarTitles {
    names: Names,
    index: OnceLock<Index>,
    words: OnceLock<Words>,
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

/// Titles by all of their words, and by all of their words but one.
#[derive(Debug, Default)]
struct Words {
    /// The numbers of the titles with these words.
    whole: HashMap<Vec<String>, Vec<usize>>,
    /// The numbers of the titles that have these words and one more.
    rests: HashMap<Vec<String>, Vec<usize>>,
}

impl PartialEq for SimilarTitles {
    fn eq(&self, other: &Self) -> bool {
        self.names == other.names
    }
}

impl Eq for SimilarTitles {}

impl SimilarTitles {
    pub(crate) fn new<'a>(titles: impl Iterator<Item = &'a Str>) -> SimilarTitles {
        SimilarTitles { names: titles.cloned().collect(), index: OnceLock::new(), words: OnceLock::new() }
    }

    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// The titles whose words are those of a title and one more, or all but one of them, in order.
    pub(crate) fn reworded(&self, title: &str) -> impl Iterator<Item = &Str> {
        let index = self.words.get_or_init(|| self.words());
        let own = words(title);
        let fewer = rests(&own).filter_map(|it| index.whole.get(&it));
        let found = index.rests.get(&own).into_iter().chain(fewer);
        let mut near: Vec<usize> = found.flat_map(|it| it.iter().take(MOST)).copied().collect();
        near.sort_unstable();
        near.dedup();
        near.into_iter().filter_map(|it| self.names.get(it))
    }

    fn words(&self) -> Words {
        let mut all = Words::default();
        for (number, title) in self.names.iter().enumerate() {
            let own = words(title);
            rests(&own).for_each(|it| all.rests.entry(it).or_default().push(number));
            all.whole.entry(own).or_default().push(number);
        }
        all
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

/// The words of a title, in lower case.
pub(crate) fn words(title: &str) -> Vec<String> {
    let words = title.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
    words.map(str::to_lowercase).collect()
}

/// Returns the words without the first one, without the second one, and so on. Empty for a title of very many words.
fn rests(words: &[String]) -> impl Iterator<Item = Vec<String>> {
    /// More words than any title has that is not made to take time: what is left of them takes the square.
    const MOST: usize = 32;
    let count = if words.len() > MOST { 0 } else { words.len() };
    (0..count).map(|without| {
        let kept = words.iter().enumerate().filter(|(at, _)| *at != without);
        kept.map(|(_, it)| it.clone()).collect()
    })
}

fn letters(title: &str) -> String {
    title.chars().filter(|it| it.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The index finds a title among very many, and each that a comparison with all finds.
    #[test]
    fn titles_with_a_word_more_or_less_are_found() {
        let many = (0..3_000).map(|it| format!("a title number {it}"));
        let some =
            ["reload web server", "web server", "Web, server", "reload server", "reload web big server", "x"];
        let all: Vec<Str> = many.chain(some.map(str::to_owned)).map(Str::from).collect();
        let titles = SimilarTitles::new(all.iter());
        let found = |title: &str| titles.reworded(title).map(Str::as_str).collect::<Vec<_>>();
        assert_eq!(
            found("Reload web server"),
            ["Web, server", "reload server", "reload web big server", "web server"]
        );
        assert_eq!(found("a new title number 2999"), ["a title number 2999"]);
        assert!(found("server web").is_empty() && found("one").is_empty());
    }
}
