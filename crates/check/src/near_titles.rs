//! Titles that a file declares, and that a reference in it comes close to.

use marotte_db::{Db, File, environment_of, module_file};
use marotte_hir::titles;
use marotte_text::Str;

use crate::declarable::{is_declared, is_written_somewhere, loose, only_defines};

/// Types whose titles are texts of the code's own choice. Others name things outside of the code: a package and its server are two
/// packages, a folder and one in it are two files.
const OF_OWN_CHOICE: [&str; 1] = ["exec"];

/// The title that a reference means, among those that the same file declares, if it differs by a word or lacks the last letter. None if
/// the title may be declared by code that isn't here, or if any literal title, or one that is literal in part, is the one.
///
/// Slips are those of `misspelled_title`.
#[salsa::tracked(returns(clone))]
pub(crate) fn near_title_here(db: &dyn Db, file: File, type_name: Str, title: Str) -> Option<Str> {
    /// Files with more titles than these are not searched: many references would take quadratic time.
    const MOST: usize = 1000;
    let environment = environment_of(db, file);
    if !OF_OWN_CHOICE.contains(&type_name.as_str())
        || !environment.is_complete(db)
        || module_file(db, file).is_none() && only_defines(db, file)
        || is_declared(db, file, type_name.clone(), title.clone())
    {
        return None;
    }
    let here = titles(db, file);
    let name = loose(&title);
    let is_near = |it: &&Str| is_cut(&name, &loose(it)) || is_reworded(&title, it);
    let near = here.of_type(&type_name).take(MOST).filter(is_near).min()?;
    (!is_written_somewhere(db, file, &type_name, &title)).then(|| near.clone())
}

/// Whether a long name lacks the last letter of another one.
fn is_cut(name: &str, other: &str) -> bool {
    const SHORTEST: usize = 8;
    let rest = other.strip_prefix(name).filter(|_| name.len() >= SHORTEST);
    rest.is_some_and(|it| it.len() == 1 && it != "s" && it.chars().all(char::is_alphabetic))
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

fn words(title: &str) -> Vec<String> {
    let words = title.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::{is_cut, is_reworded};

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
    fn a_last_letter_may_lack() {
        assert!(is_cut("systemd-journal", "systemd-journald"));
        for (name, other) in [("ssh", "sshd"), ("web-server", "web-servers"), ("web-server", "web-server2")] {
            assert!(!is_cut(name, other), "{name}");
        }
    }
}
