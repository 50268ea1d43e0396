//! Titles that a file declares, and that a reference in it comes close to.

use std::collections::BTreeSet;

use marotte_db::{Db, File, environment_of, module_file};
use marotte_text::Str;

use crate::analysis::names::mentions::is_mentioned;
use crate::analysis::resources::declarable::{
    is_declared, is_written_somewhere, loose, only_defines, similar_of_environment, similar_of_file,
};
use crate::analysis::titles::similar::words;

/// Types whose titles are texts of the code's own choice. Others name things outside of the code: a package and its server are two
/// packages, a folder and one in it are two files.
const OF_OWN_CHOICE: [&str; 3] = ["anchor", "exec", "notify"];

/// The title that a reference means, among those that the same file declares, or the environment for titles of the code's own choice,
/// if it differs by a letter, or, in a complete environment, by a word. None if any literal title, or one that is
/// literal in part, is the one.
///
/// Other slips are those of `misspelled_title`.
#[salsa::tracked(returns(clone))]
pub(crate) fn near_title_here(db: &dyn Db, file: File, type_name: Str, title: Str) -> Option<Str> {
    let environment = environment_of(db, file);
    if module_file(db, file).is_none() && only_defines(db, file)
        || is_declared(db, file, type_name.clone(), title.clone())
    {
        return None;
    }
    let is_own = OF_OWN_CHOICE.contains(&type_name.as_str());
    let may_be_reworded = type_name == "exec" && environment.is_complete(db);
    let loosely = loose(&title);
    let here = similar_of_file(db, file, type_name.clone());
    let letter_off = here.like(&loosely).filter(|it| {
        is_letter_off(&title, it) || is_cut(&title, it) || is_own && is_short_word_off(&title, it)
    });
    let reworded = || here.reworded(&title).filter(|it| is_reworded(&title, it));
    let reworded = may_be_reworded.then(reworded).into_iter().flatten();
    let elsewhere = || {
        let all = similar_of_environment(db, environment, type_name.clone());
        // Titles are qualified with the names of modules, which are other ones.
        let is_of_same = |it: &&Str| module_in(it) == module_in(&title);
        let is_off = |it: &&Str| is_letter_off(&title, it) || is_short_word_off(&title, it);
        all.like(&loosely).filter(is_of_same).filter(is_off).min()
    };
    let near = letter_off.chain(reworded).min().or_else(|| if is_own { elsewhere() } else { None })?;
    let is_another = is_written_somewhere(db, file, &type_name, &title)
        || is_mentioned(db, environment, file, &title, near);
    (!is_another).then(|| near.clone())
}

/// What a title is qualified with: the name of a module, mostly.
fn module_in(title: &str) -> Option<&str> {
    title.split_once("::").map(|(module, _)| module)
}

/// Whether two titles that are qualified in the same way differ by a letter in a short word.
fn is_short_word_off(title: &str, other: &str) -> bool {
    const SHORTEST: usize = 3;
    module_in(title).is_some()
        && module_in(title) == module_in(other)
        && has_letter_off(title, other, SHORTEST)
}

/// Titles that were added or removed, as far as a reference anywhere in the environment may have meant them: their types and lengths.
#[derive(Debug)]
pub struct MeantElsewhere<'a>(BTreeSet<(&'a str, usize)>);

impl<'a> MeantElsewhere<'a> {
    /// Of titles as [`loose`] makes them, with their types.
    pub fn of(titles: &'a BTreeSet<(Str, Str)>) -> Self {
        let of_own_choice = titles.iter().filter(|it| OF_OWN_CHOICE.contains(&it.0.as_str()));
        MeantElsewhere(of_own_choice.map(|(kind, title)| (kind.as_str(), title.len())).collect())
    }

    /// Whether a reference to a title of a type may have meant one of them.
    pub fn may_be(&self, type_name: &str, title: &str) -> bool {
        /// The largest difference in bytes that one letter makes.
        const LETTER: usize = 4;
        // An anchor is missing if its module has others, whatever these are called.
        let lengths = match type_name {
            "anchor" => 0..=usize::MAX,
            _ => title.len().saturating_sub(LETTER)..=title.len().saturating_add(LETTER),
        };
        self.0.range((type_name, *lengths.start())..=(type_name, *lengths.end())).next().is_some()
    }
}

/// Whether a title differs from another one by one letter, more, less or another, or by two that are swapped, within a long word.
/// Short words are often numbered by letters, and titles with digits by these.
pub(crate) fn is_letter_off(title: &str, other: &str) -> bool {
    const SHORTEST: usize = 6;
    has_letter_off(title, other, SHORTEST)
}

/// Whether a title is another one, of a file with one of these endings, without its last letter.
fn is_cut(title: &str, other: &str) -> bool {
    const ENDINGS: [&str; 9] =
        [".cfg", ".conf", ".json", ".rules", ".service", ".socket", ".timer", ".xml", ".yaml"];
    ENDINGS.iter().any(|it| other.ends_with(it)) && other.strip_prefix(title).is_some_and(|it| it.len() == 1)
}

/// [`is_letter_off`], within words whose other letters are at least so many.
fn has_letter_off(title: &str, other: &str, shortest: usize) -> bool {
    const SHORTEST_AROUND_SWAPPED: usize = 3;
    let (one, other): (Vec<char>, Vec<char>) = (title.chars().collect(), other.chars().collect());
    let start = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let (one_rest, other_rest) = (&one[start..], &other[start..]);
    let end = one_rest.iter().rev().zip(other_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let differ = [&one_rest[..one_rest.len() - end], &other_rest[..other_rest.len() - end]];
    let letters = |side: &[char]| side.len() <= 1 && side.iter().all(|it| it.is_ascii_lowercase());
    let word = |all: &[char]| {
        let (before, after) = (&all[..start], &all[all.len() - end..]);
        let of_word = |it: &&char| it.is_alphanumeric();
        let parts = before.iter().rev().take_while(of_word).chain(after.iter().take_while(of_word));
        let parts: Vec<char> = parts.copied().collect();
        parts.iter().all(|it| it.is_alphabetic()).then_some(parts.len())
    };
    let is_swap = matches!(differ, [[a, b], [c, d]] if a == d && b == c && a.is_ascii_lowercase() && b.is_ascii_lowercase());
    let least = if is_swap { SHORTEST_AROUND_SWAPPED } else { shortest };
    one != other
        && (is_swap || differ.iter().all(|it| letters(it)))
        && word(&one).is_some_and(|it| it >= least)
}

/// Whether a title has a word less or more than another one, of several.
fn is_reworded(title: &str, other: &str) -> bool {
    let (one, other) = (words(title), words(other));
    let (fewer, more) = if one.len() < other.len() { (one, other) } else { (other, one) };
    if fewer.len() < 2 || more.len() != fewer.len() + 1 {
        return false;
    }
    let same = fewer.iter().zip(&more).take_while(|(a, b)| a == b).count();
    // A number makes another title.
    fewer[same..] == more[same + 1..] && more[same].chars().all(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::{is_cut, is_letter_off, is_reworded};

    #[test]
    fn a_word_may_lack() {
        for (title, other, expected) in [
            ("update_initramfs", "update_initramfs_all", true),
            ("join_the_domain", "join_domain", true),
            ("reload web server", "restart web server", false),
            ("reload", "reload web", false),
            ("web server 1", "web server", false),
            ("web server", "server web", false),
        ] {
            assert_eq!(is_reworded(title, other), expected, "{title}");
        }
    }

    #[test]
    fn the_last_letter_of_an_ending_may_be_missing() {
        for (title, other, expected) in [
            ("/etc/archiva/jetty.xm", "/etc/archiva/jetty.xml", true),
            ("/etc/a.con", "/etc/a.conf", true),
            ("/srv/index.htm", "/srv/index.html", false),
            ("/usr/bin/java", "/usr/bin/javac", false),
            ("/etc/a.co", "/etc/a.conf", false),
        ] {
            assert_eq!(is_cut(title, other), expected, "{title}");
        }
    }

    #[test]
    fn a_letter_may_differ() {
        for (title, other, expected) in [
            ("systemd-journal", "systemd-journald", true),
            ("web-server", "web-servers", true),
            ("unattended-upgrade", "unattended-upgrades", true),
            ("relay::modules post", "relay::module post", true),
            ("/srv/socket", "/srv/sockets", true),
            ("mysql::server::statr", "mysql::server::start", true),
            ("db", "bd", false),
            ("ssh", "sshd", false),
            ("web-server", "web-server2", false),
            ("server_a", "server_b", false),
            ("worker1", "worker2", false),
            ("php5-mysql", "php7-mysql", false),
        ] {
            assert_eq!(is_letter_off(title, other), expected, "{title}");
        }
    }
}
