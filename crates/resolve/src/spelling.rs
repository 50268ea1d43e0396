//! Suggestions for misspelled names, by edit distance.

/// The existing name closest to `name`, if any is close enough.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    /// The maximum number of names that are compared: code with more of them may misspell many of them too, and the total cost
    /// would be quadratic.
    const MOST: usize = 1000;
    let name = name.to_lowercase();
    let limit = (name.chars().count() / 3).max(1);
    let near = known.into_iter().take(MOST).filter(|it| may_be_near(&name, it, limit));
    let scored = near.filter_map(|it| {
        let other = it.to_lowercase();
        // What both begin with says nothing: many begin with the name of their module, or of their folder.
        let same = namespace_of_both(&name, &other);
        let (name, other) = (&name[same..], &other[same..]);
        let distance = strsim::damerau_levenshtein(name, other);
        let limit = (name.chars().count().max(other.chars().count()) / 3).max(1);
        (distance > 0 && distance <= limit).then_some((distance, it))
    });
    scored.min().map(|(_, it)| it)
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
    let is_slip = |it: &&str| {
        name.len() >= SHORTEST
            && !it.starts_with(name)
            && !name.starts_with(*it)
            && !name.ends_with(*it)
            // One typo affects one end at most; this check is much cheaper.
            && (name.bytes().next() == it.bytes().next() || name.bytes().last() == it.bytes().last())
            && may_be_near(name, it, 1)
            && strsim::damerau_levenshtein(name, it) == 1
    };
    known.into_iter().filter(is_slip).min()
}

/// Whether at most `limit` typos may turn one name into the other, ignoring case, judging only by the letters that they
/// contain. This rules out most names, in a fraction of the time that their distance takes.
fn may_be_near(name: &str, other: &str, limit: usize) -> bool {
    /// The maximum number of bytes of a character.
    const LONGEST_LETTER: usize = 4;
    if name.len().abs_diff(other.len()) > limit * LONGEST_LETTER {
        return false;
    }
    if !name.is_ascii() || !other.is_ascii() {
        return true;
    }
    let mut letters = [0_i32; 128];
    for byte in name.bytes() {
        letters[usize::from(byte.to_ascii_lowercase())] += 1;
    }
    for byte in other.bytes() {
        letters[usize::from(byte.to_ascii_lowercase())] -= 1;
    }
    // A typo adds a letter, removes one, or does both.
    let more: i32 = letters.iter().filter(|it| **it > 0).sum();
    let fewer: i32 = letters.iter().filter(|it| **it < 0).sum();
    [more, fewer].iter().all(|it| it.unsigned_abs() as usize <= limit)
}

/// Whether one of two names is the other with an additional letter, or with two neighboring letters swapped, except at its
/// ends.
pub fn is_slip(one: &str, other: &str) -> bool {
    const SHORTEST: usize = 4;
    one.chars().count().min(other.chars().count()) >= SHORTEST && is_letter_apart(one, other)
}

/// The well-known name that is certainly meant, for names that are too short for [`slip`], judged by the letters between the
/// ends.
pub fn short_slip<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const SHORTEST: usize = 3;
    const SHORTEST_KNOWN: usize = 4;
    let is_it = |it: &&str| it.len() >= SHORTEST_KNOWN && is_letter_apart(name, it);
    if name.len() < SHORTEST { None } else { known.into_iter().filter(is_it).min() }
}

fn is_letter_apart(one: &str, other: &str) -> bool {
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
    use super::nearest;

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
