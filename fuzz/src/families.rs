//! Trees of the hostile families, of any size, with some bytes changed.

use marotte_db::MemorySystem;
use marotte_tests::arbitrary::check_all;
use marotte_tests::hostile::{SMALL, families};

/// Checks the tree that `bytes` choose: the family by the first, how many items it has by the next two, and then, three by three,
/// which bytes of its first text are replaced by what.
///
/// # Panics
/// If something that is said points at what is not there.
pub fn check(bytes: &[u8]) {
    let [family, high, low, edits @ ..] = bytes else { return };
    let families = families();
    let family = families[usize::from(*family) % families.len()];
    let mut tree = family.tree(usize::from(u16::from_be_bytes([*high, *low])));
    if tree.size() > SMALL {
        tree = family.at_most(SMALL);
    }
    if let Some((_, text)) = tree.files.first_mut() {
        let mut edited = std::mem::take(text).into_bytes();
        for edit in edits.chunks_exact(3) {
            let at = usize::from(u16::from_be_bytes([edit[0], edit[1]]));
            if let Some(byte) = edited.get_mut(at) {
                *byte = edit[2];
            }
        }
        *text = String::from_utf8_lossy(&edited).into_owned();
    }
    let files: Vec<(String, String)> =
        tree.files.into_iter().map(|(path, text)| (format!("/{path}"), text)).collect();
    check_all(MemorySystem::with_files(files.iter().map(|(path, text)| (path.as_str(), text.as_str()))));
}
