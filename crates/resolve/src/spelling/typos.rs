//! An index of names by what is left of them without one character.

use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;

/// The length in bytes of the longest name that is indexed: its entries take the square of it.
const LONGEST: usize = 256;

/// The number of names that a search looks at, of those that share what is left of them without one character.
const MOST: usize = 1000;

/// An index of names that finds those that are at most one typo away from another: both have a text in common that is left
/// without one of their characters, or as they are.
#[derive(Debug)]
pub struct Typos {
    /// The hashes of such texts, each with the number of its name.
    rests: Vec<(u64, u32)>,
}

impl Typos {
    /// Indexes names, without case. Long ones are left out.
    pub fn new<'a>(names: impl Iterator<Item = &'a str>) -> Typos {
        let mut rests = Vec::new();
        for (number, name) in names.enumerate() {
            let Ok(number) = u32::try_from(number) else { break };
            each_rest(name, |rest| rests.push((rest, number)));
        }
        rests.sort_unstable();
        rests.dedup();
        Typos { rests }
    }

    /// Whether a name is left out because of its length.
    pub fn is_too_long(name: &str) -> bool {
        name.len() > LONGEST
    }

    /// The numbers of the names that may be at most one typo away from a name, in order, each once. Other names are among them
    /// rarely.
    pub fn near(&self, name: &str) -> Vec<usize> {
        let mut near = Vec::new();
        each_rest(name, |rest| {
            let start = self.rests.partition_point(|it| it.0 < rest);
            let found = self.rests.iter().skip(start).take_while(|it| it.0 == rest).take(MOST);
            near.extend(found.map(|it| it.1 as usize));
        });
        near.sort_unstable();
        near.dedup();
        near
    }
}

/// Calls `found` with the hash of a name in lower case, and with that of each text that is left without one of its characters.
fn each_rest(name: &str, mut found: impl FnMut(u64)) {
    if Typos::is_too_long(name) {
        return;
    }
    let name = name.to_lowercase();
    let hashes = FixedState::default();
    let mut rest = String::with_capacity(name.len());
    found(hashes.hash_one(name.as_str()));
    for (at, character) in name.char_indices() {
        rest.clear();
        rest.push_str(&name[..at]);
        rest.push_str(&name[at + character.len_utf8()..]);
        found(hashes.hash_one(rest.as_str()));
    }
}
