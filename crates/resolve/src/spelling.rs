//! Suggestions for misspelled names, by edit distance: the number of letters that were added, removed, replaced, or swapped
//! with their neighbor.

mod names;
mod typos;

pub use names::Names;
pub use typos::Typos;

use rapidfuzz::distance::osa::BatchComparator;

/// The maximum number of names that are compared with a name: code with more of them may misspell many of them too, and the total
/// cost would be quadratic.
pub(crate) const MOST: usize = 1000;

/// The existing name closest to `name`, if any is close enough.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    closest(name, known.into_iter().take(MOST), usize::MAX)
}

/// The existing name closest to `name`, if any is close enough, and at most two typos away: for names of keys, where others may exist.
pub fn near<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    closest(name, known.into_iter().take(MOST), 2)
}

/// The existing name closest to `name`, if any is close enough, and at most `most` typos away.
fn closest<'a>(name: &str, known: impl Iterator<Item = &'a str>, most: usize) -> Option<&'a str> {
    if name.len() > LONGEST {
        return None;
    }
    let name = name.to_lowercase();
    let letters = Letters::of(&name);
    let typos = BatchComparator::new(name.chars());
    let mut limit = (name.chars().count() / 3).max(1).min(most);
    let mut nearest: Option<(usize, &str)> = None;
    for it in known.filter(|it| it.len() <= LONGEST) {
        if !letters.may_be_near(it, limit) {
            continue;
        }
        let other = it.to_lowercase();
        let distance = typos.distance(other.chars());
        // What both begin with says nothing: many begin with the name of their module, or of their folder.
        let same = namespace_of_both(&name, &other);
        let longest = name[same..].chars().count().max(other[same..].chars().count());
        if distance > 0
            && distance <= (longest / 3).max(1).min(most)
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
/// would be a separate name, unless that letter is doubled. Reliable enough even where the set of names is incomplete.
pub fn slip<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const SHORTEST: usize = 5;
    if name.len() < SHORTEST || name.len() > LONGEST {
        return None;
    }
    let letters = Letters::of(name);
    let typos = BatchComparator::new(name.chars());
    let is_slip = |it: &&str| {
        it.len() <= LONGEST
            && (!it.starts_with(name) || is_stuttered(it, name))
            && (!name.starts_with(*it) || is_stuttered(name, it))
            && !name.ends_with(*it)
            // One typo affects one end at most; this check is much cheaper.
            && (name.bytes().next() == it.bytes().next() || name.bytes().last() == it.bytes().last())
            && letters.may_be_near(it, 1)
            && typos.distance(it.chars()) == 1
    };
    known.into_iter().filter(is_slip).min()
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

/// Whether a name equals another one with its last letter doubled.
pub fn is_stuttered(name: &str, other: &str) -> bool {
    const SHORTEST: usize = 4;
    let last = other.chars().next_back();
    other.len() >= SHORTEST
        && last.is_some_and(|it| {
            it.is_alphabetic() && name.strip_prefix(other) == Some(it.encode_utf8(&mut [0; 4]))
        })
}

/// Whether one of two names is the other with an additional letter, or with two neighboring letters swapped, except at its
/// ends.
pub fn is_slip(one: &str, other: &str) -> bool {
    const SHORTEST: usize = 4;
    is_letter_apart(one, other) && one.chars().count().min(other.chars().count()) >= SHORTEST
}

/// Whether one of two names of at least three letters is the other with an additional letter, or with two neighboring letters
/// swapped, except at its ends.
pub fn is_inner_slip(one: &str, other: &str) -> bool {
    const SHORTEST: usize = 3;
    is_letter_apart(one, other) && one.chars().count().min(other.chars().count()) >= SHORTEST
}

/// The well-known name that is certainly meant, for names that are too short for [`slip`], judged by the letters between the
/// ends.
pub fn short_slip<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const SHORTEST: usize = 3;
    const SHORTEST_KNOWN: usize = 4;
    let is_it = |it: &&str| {
        it.len() >= SHORTEST_KNOWN && (is_letter_apart(name, it) || has_swapped_letters(name, it))
    };
    if name.len() < SHORTEST { None } else { known.into_iter().filter(is_it).min() }
}

/// Whether one of two names is the other with two neighboring letters swapped, of which neither is the first one.
pub fn has_swapped_letters(one: &str, other: &str) -> bool {
    const SHORTEST: usize = 3;
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() || one.len() < SHORTEST {
        return false;
    }
    let mut differ = (0..one.len()).filter(|it| one[*it] != other[*it]);
    match (differ.next(), differ.next(), differ.next()) {
        (Some(first), Some(second), None) => {
            let is_letter = |it: usize| one[it].is_ascii_alphabetic();
            first > 0
                && second == first + 1
                && is_letter(first)
                && is_letter(second)
                && one[first] == other[second]
                && one[second] == other[first]
        }
        _ => false,
    }
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

/// The known name of several words of which a name is the plural, or the singular: a name of one word says too little.
pub fn other_number<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const SHORTEST: usize = 8;
    let is_it = |it: &&str| is_other_number(name, it);
    let may_have_one = name.len() >= SHORTEST && name.contains('_');
    if may_have_one { known.into_iter().filter(is_it).min() } else { None }
}

/// Whether one of two names is the plural of the other one.
pub fn is_other_number(one: &str, other: &str) -> bool {
    one.strip_suffix('s') == Some(other) || other.strip_suffix('s') == Some(one)
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
    use super::{Names, is_slip, nearest, slip};

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
    fn an_index_of_names_finds_the_same() {
        const NAMES: [&str; 9] = [
            "varable_7_x",
            "variabel_12_x",
            "variable_299_y",
            "Variable_29_x",
            "vraiabel_29_x",
            "größe_der_dati",
            "zone_nme",
            "zome_name",
            "x",
        ];
        let numbered: Vec<String> = (0..900).map(|it| format!("variable_{it}_x")).collect();
        let all = || numbered.iter().map(String::as_str).chain(["größe_der_datei", "zone_name"]);
        let names: Names = all().collect();
        let compare = || {
            for name in NAMES {
                assert_eq!(names.slip(name, |_| true), slip(name, all()), "{name}");
                assert_eq!(names.nearest(name, |_| true), nearest(name, all()), "{name}");
                let inner = all().filter(|it| is_slip(name, it)).min();
                assert_eq!(names.inner_slip(name), inner, "{name}");
            }
        };
        compare();
        for _ in 0..300 {
            names.slip("another", |_| true);
        }
        compare();
        assert_eq!(names.slip("zone_nme", |_| true), Some("zone_name"));
        assert_eq!(names.slip("zone_nme", |it| it != "zone_name"), None);
    }

    /// Among very many names, those that begin alike are compared, and all that are one typo away, with an index and without.
    #[test]
    fn very_many_names_are_searched() {
        let all =
            || (0..5_000).map(|it| format!("name_{it:04}_of_a_variable")).chain(["zone_of_all".to_owned()]);
        let names: Names = all().collect();
        for _ in 0..300 {
            assert_eq!(names.nearest("aone_of_all", |_| true), Some("zone_of_all"));
            assert_eq!(names.nearest("name_4321_of_a_varaibel", |_| true), Some("name_4321_of_a_variable"));
            assert_eq!(names.nearest("something_else", |_| true), None);
        }
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
