//! Suggestions for misspelled names, by edit distance: the number of letters that were added, removed, replaced, or swapped
//! with their neighbor.

use std::cell::{Cell, OnceCell};
use std::hash::BuildHasher as _;

use foldhash::HashMap;
use foldhash::fast::FixedState;
use rapidfuzz::distance::osa::BatchComparator;

/// The existing name closest to `name`, if any is close enough.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// The maximum number of names that are compared: code with more of them may misspell many of them too, and the total cost
    /// would be quadratic.
    const MOST: usize = 1000;
    if name.len() > LONGEST {
        return None;
    }
    let name = name.to_lowercase();
    let letters = Letters::of(&name);
    let typos = BatchComparator::new(name.chars());
    let mut limit = (name.chars().count() / 3).max(1);
    let mut nearest: Option<(usize, &str)> = None;
    for it in known.into_iter().take(MOST).filter(|it| it.len() <= LONGEST) {
        if !letters.may_be_near(it, limit) {
            continue;
        }
        let other = it.to_lowercase();
        let distance = typos.distance(other.chars());
        // What both begin with says nothing: many begin with the name of their module, or of their folder.
        let same = namespace_of_both(&name, &other);
        let longest = name[same..].chars().count().max(other[same..].chars().count());
        if distance > 0
            && distance <= (longest / 3).max(1)
            && nearest.is_none_or(|best| (distance, it) < best)
        {
            nearest = Some((distance, it));
            limit = limit.min(distance);
        }
    }
    nearest.map(|(_, it)| it)
}

/// Returns the length of the common prefix of two names that consists of whole namespaces, or whole folders of paths.
fn namespace_of_both(name: &str, other: &str) -> usize {
    let same = name.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    let end = |separator: &str| {
        name.as_bytes()[..same].windows(separator.len()).rposition(|it| it == separator.as_bytes())
    };
    let ends = ["::", "/"].into_iter().filter_map(|it| Some(end(it)? + it.len()));
    ends.max().unwrap_or(0)
}

/// Returns the existing name that is certainly meant: one typo away, and not only with another ending or prefix letter, which
/// would be a separate name. Reliable enough even where the set of names is incomplete.
pub fn slip<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const SHORTEST: usize = 5;
    if name.len() < SHORTEST || name.len() > LONGEST {
        return None;
    }
    let letters = Letters::of(name);
    let typos = BatchComparator::new(name.chars());
    let is_slip = |it: &&str| {
        it.len() <= LONGEST
            && !it.starts_with(name)
            && !name.starts_with(*it)
            && !name.ends_with(*it)
            // One typo affects one end at most; this check is much cheaper.
            && (name.bytes().next() == it.bytes().next() || name.bytes().last() == it.bytes().last())
            && letters.may_be_near(it, 1)
            && typos.distance(it.chars()) == 1
    };
    known.into_iter().filter(is_slip).min()
}

/// Names that are searched for slips many times.
pub struct Slips<'a> {
    /// The names, in order, each once.
    names: Vec<&'a str>,
    /// The indexes of the names, by the hashes of what is left of them without one character, or as they are: names that are one typo
    /// apart have such a text in common.
    by_rest: OnceCell<HashMap<u64, Vec<usize>>>,
    /// The number of searches.
    searches: Cell<usize>,
}

impl<'a> Slips<'a> {
    /// Prepares the search among these names.
    pub fn new(names: impl Iterator<Item = &'a str>) -> Self {
        let mut names: Vec<&str> = names.collect();
        names.sort_unstable();
        names.dedup();
        Slips { names, by_rest: OnceCell::new(), searches: Cell::new(0) }
    }

    /// The names, in order, each once.
    pub fn names(&self) -> impl Iterator<Item = &'a str> {
        self.names.iter().copied()
    }

    /// The name among those for which `may_be` is true that is certainly meant, as [`slip`] finds it.
    pub fn of(&self, name: &str, may_be: impl Fn(&'a str) -> bool) -> Option<&'a str> {
        /// It takes less time, and much less memory, to compare this many names, or all of them this many times, than to keep a
        /// table of what is left of them.
        const FEW: usize = 200;
        self.searches.set(self.searches.get() + 1);
        if self.names.len().min(self.searches.get()) <= FEW {
            return slip(name, self.names().filter(|it| may_be(it)));
        }
        if name.len() > LONGEST_SLIP {
            return None;
        }
        let by_rest = self.by_rest.get_or_init(|| {
            let mut by_rest: HashMap<u64, Vec<usize>> = HashMap::default();
            for (index, name) in self.names.iter().enumerate().filter(|(_, it)| it.len() <= LONGEST_SLIP) {
                rests(name, |rest| by_rest.entry(rest).or_default().push(index));
            }
            by_rest
        });
        let mut near: Vec<usize> = Vec::new();
        rests(name, |rest| near.extend(by_rest.get(&rest).into_iter().flatten()));
        near.sort_unstable();
        near.dedup();
        slip(name, near.into_iter().map(|it| self.names[it]).filter(|it| may_be(it)))
    }
}

/// The length in bytes of the longest name that is looked for in a table: its entries take the square of it.
const LONGEST_SLIP: usize = 64;

/// Calls `found` with the hash of a name, and with that of each text that is left without one of its characters.
fn rests(name: &str, mut found: impl FnMut(u64)) {
    let hashes = FixedState::default();
    let mut rest = String::with_capacity(name.len());
    found(hashes.hash_one(name));
    for (at, character) in name.char_indices() {
        rest.clear();
        rest.push_str(&name[..at]);
        rest.push_str(&name[at + character.len_utf8()..]);
        found(hashes.hash_one(rest.as_str()));
    }
}

/// The length in bytes of a name, and how often it contains each letter: names that differ by few typos contain nearly the
/// same letters. Comparing these rules out most names, in a fraction of the time that their distance takes.
struct Letters {
    length: usize,
    /// None unless the name is ASCII and has at most [`LONGEST`] bytes. Letters count without case.
    counts: Option<[i16; 128]>,
}

/// The maximum length in bytes of a name that is compared with others.
const LONGEST: usize = 1000;

impl Letters {
    fn of(name: &str) -> Self {
        let is_counted = name.is_ascii() && name.len() <= LONGEST;
        let counts = is_counted.then(|| {
            let mut counts = [0; 128];
            name.bytes().for_each(|it| counts[usize::from(it.to_ascii_lowercase())] += 1);
            counts
        });
        Letters { length: name.len(), counts }
    }

    /// Whether at most `limit` typos may turn one name into the other, ignoring case, judging only by their letters.
    fn may_be_near(&self, other: &str, limit: usize) -> bool {
        /// The maximum number of bytes of a character.
        const LONGEST_LETTER: usize = 4;
        if self.length.abs_diff(other.len()) > limit * LONGEST_LETTER {
            return false;
        }
        let Some(mut counts) = self.counts.filter(|_| other.is_ascii() && other.len() <= LONGEST) else {
            return true;
        };
        other.bytes().for_each(|it| counts[usize::from(it.to_ascii_lowercase())] -= 1);
        // A typo adds a letter, removes one, or does both.
        let (more, fewer) =
            counts.iter().fold((0, 0), |(more, fewer), it| (more + it.max(&0), fewer + it.min(&0)));
        [more, fewer].iter().all(|it| usize::from(it.unsigned_abs()) <= limit)
    }
}

/// Whether one of two names is the other with an additional letter, or with two neighboring letters swapped, except at its
/// ends.
pub fn is_slip(one: &str, other: &str) -> bool {
    const SHORTEST: usize = 4;
    is_letter_apart(one, other) && one.chars().count().min(other.chars().count()) >= SHORTEST
}

/// The well-known name that is certainly meant, for names that are too short for [`slip`], judged by the letters between the
/// ends.
pub fn short_slip<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const SHORTEST: usize = 3;
    const SHORTEST_KNOWN: usize = 4;
    let is_it = |it: &&str| it.len() >= SHORTEST_KNOWN && is_letter_apart(name, it);
    if name.len() < SHORTEST { None } else { known.into_iter().filter(is_it).min() }
}

/// The well-known name that is certainly meant by one that lacks its last letter, or doubles it. Plurals are separate names.
pub fn other_end<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const SHORTEST: usize = 6;
    let is_it = |it: &&str| {
        let last = it.chars().next_back().filter(|it| it.is_ascii_alphabetic());
        last.is_some_and(|last| {
            let is_cut = last != 's' && it.strip_suffix(last) == Some(name);
            is_cut || name.strip_suffix(last) == Some(it)
        })
    };
    if name.len() < SHORTEST { None } else { known.into_iter().filter(is_it).min() }
}

fn is_letter_apart(one: &str, other: &str) -> bool {
    /// The difference in bytes that one letter makes.
    const LONGEST_LETTER: usize = 4;
    if one.len().abs_diff(other.len()) > LONGEST_LETTER || one.chars().next() != other.chars().next() {
        return false;
    }
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let same = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let (one_rest, other_rest) = (&one[same..], &other[same..]);
    let same_end = one_rest.iter().rev().zip(other_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let differ = (&one_rest[..one_rest.len() - same_end], &other_rest[..other_rest.len() - same_end]);
    let is_slip = match differ {
        ([more], []) | ([], [more]) => more.is_alphabetic() && *more != 's',
        ([a, b], [c, d]) => a == d && b == c && a.is_alphabetic() && b.is_alphabetic(),
        _ => false,
    };
    is_slip && same > 0 && same_end > 0
}

#[cfg(test)]
mod tests {
    use super::{Slips, is_slip, nearest, slip};

    #[test]
    fn slips_are_between_the_ends() {
        for (one, other, expected) in [
            ("port", "poort", true),
            ("port", "prot", true),
            ("größe", "grösße", false),
            ("größe", "gröxße", true),
            ("port", "ports", false),
            ("port", "sport", false),
            ("port", "pooort", false),
            ("post", "host", false),
            ("abc", "abbc", false),
        ] {
            assert_eq!(is_slip(one, other), expected, "{one} {other}");
            assert_eq!(is_slip(other, one), expected, "{other} {one}");
        }
    }

    /// An index must find what a comparison with each name finds.
    #[test]
    fn an_index_of_names_finds_the_same_slips() {
        const NAMES: [&str; 7] = [
            "varable_7_x",
            "variabel_12_x",
            "variable_299_y",
            "größe_der_dati",
            "zone_nme",
            "zome_name",
            "x",
        ];
        let names: Vec<String> = (0..300).map(|it| format!("variable_{it}_x")).collect();
        let all = || names.iter().map(String::as_str).chain(["größe_der_datei", "zone_name"]);
        let slips = Slips::new(all());
        for name in NAMES {
            assert_eq!(slips.of(name, |_| true), slip(name, all()), "{name}");
        }
        for _ in 0..300 {
            slips.of("another", |_| true);
        }
        assert!(slips.by_rest.get().is_some(), "the table is used");
        for name in NAMES {
            assert_eq!(slips.of(name, |_| true), slip(name, all()), "{name}");
        }
        assert_eq!(slips.of("zone_nme", |_| true), Some("zone_name"));
        assert_eq!(slips.of("zone_nme", |it| it != "zone_name"), None);
    }

    /// Letters are added, removed, replaced or swapped, but not around those that were swapped.
    #[test]
    fn a_swap_is_one_typo() {
        assert_eq!(nearest("ab_cde_fgh", ["ab_cde_fgi", "ba_cde_fgh"]), Some("ab_cde_fgi"));
        assert_eq!(nearest("ca", ["abc"]), None);
    }

    #[test]
    fn what_names_have_in_common_makes_them_no_nearer() {
        let known = ["profile::shop", "profile::selinux", "ntp", "/etc/web.conf"];
        for (name, meant) in [
            ("profile::selinx", Some("profile::selinux")),
            ("profile::shopp", Some("profile::shop")),
            ("profile::web", None),
            ("profile::xyz", None),
            ("prfile::shop", Some("profile::shop")),
            ("npt", Some("ntp")),
            ("/etc/web.cnf", Some("/etc/web.conf")),
            ("/etc/mail", None),
        ] {
            assert_eq!(nearest(name, known), meant, "{name}");
        }
        assert_eq!(nearest("profile::selinx", ["profile::shop"]), None);
    }
}
