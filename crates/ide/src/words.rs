//! An index of the words in each file: a search for a name only needs the files that contain it.

use marotte_db::{File, source_text};

use crate::Db;

/// The words of a text, as hashes. Because of collisions, a file may be searched in vain.
///
/// The result doesn't change when existing words are repeated, or lines move.
#[salsa::tracked(returns(deref))]
pub(crate) fn words(db: &dyn Db, file: File) -> Box<[u32]> {
    let source = source_text(db, file);
    let mut found: Vec<u32> = split(source.text()).map(number).collect();
    found.sort_unstable();
    found.dedup();
    found.into()
}

/// Whether all words of a name occur in a file, ignoring case.
pub(crate) fn has_words(db: &dyn Db, file: File, name: &str) -> bool {
    let words = words(db, file);
    split(name).all(|it| words.binary_search(&number(it)).is_ok())
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '_';
    text.split(move |it| !is_part(it)).filter(|it| !it.is_empty())
}

/// FNV-1a of the word in lower case.
fn number(word: &str) -> u32 {
    word.bytes().fold(0x811c_9dc5, |hash, byte| {
        (hash ^ u32::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0193)
    })
}
