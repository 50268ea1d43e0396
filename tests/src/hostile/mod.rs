//! Generators of small hostile trees: code that doubles, chains, nests and repeats in as few bytes as possible.
//!
//! Each [`Family`] generates trees of any size. Tests check the largest that fits into [`SMALL`]; benchmarks of growth
//! and fuzz targets use other sizes.

mod chains;
mod data;
mod doubling;
mod followed;
mod growing;
mod nesting;
mod patterns;
mod programs;
mod signs;
mod similar;
mod types;
mod wide;

use std::fmt::Display;

pub use programs::{Program, programs};

/// The maximum size of a small text, in bytes.
pub const SMALL: usize = 16 << 10;

/// A kind of hostile tree.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The name, in kebab case.
    pub name: &'static str,
    make: fn(usize) -> Tree,
}

impl Family {
    /// Returns a tree of `count` links, levels or items.
    pub fn tree(&self, count: usize) -> Tree {
        (self.make)(count)
    }

    /// Returns the largest tree of at most this number of bytes.
    pub fn at_most(&self, bytes: usize) -> Tree {
        let fits = |count: usize| self.tree(count).size() <= bytes;
        let mut above = 1;
        while above < bytes && fits(above) {
            above *= 2;
        }
        let mut below = above / 2;
        while above - below > 1 {
            let middle = usize::midpoint(below, above);
            if fits(middle) {
                below = middle;
            } else {
                above = middle;
            }
        }
        self.tree(below)
    }
}

/// A tree of code: paths and texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// The files, with their paths below the root.
    pub files: Vec<(String, String)>,
}

impl Tree {
    /// A tree with one manifest.
    pub fn manifest(text: impl Into<String>) -> Tree {
        Tree::default().with("manifests/x.pp", text)
    }

    /// Adds a file to the tree.
    #[must_use]
    pub fn with(mut self, path: impl Into<String>, text: impl Into<String>) -> Tree {
        self.files.push((path.into(), text.into()));
        self
    }

    /// Returns the number of bytes of its texts and paths.
    pub fn size(&self) -> usize {
        self.files.iter().map(|(path, text)| path.len() + text.len()).sum()
    }
}

/// All families whose trees are checked.
pub fn families() -> Vec<Family> {
    [
        doubling::FAMILIES,
        chains::FAMILIES,
        nesting::FAMILIES,
        similar::FAMILIES,
        types::FAMILIES,
        wide::FAMILIES,
        data::FAMILIES,
        growing::FAMILIES,
        signs::FAMILIES,
        followed::FAMILIES,
        patterns::FAMILIES,
    ]
    .concat()
}

/// Returns the family of a name.
pub fn family(name: &str) -> Option<Family> {
    families().into_iter().find(|it| it.name == name)
}

/// Concatenates the results of a function for each number below `count`.
fn repeated<T: Display>(count: usize, make: impl Fn(usize) -> T) -> String {
    (0..count).map(|it| make(it).to_string()).collect()
}

/// Like [`repeated`], with separators.
fn joined<T: Display>(count: usize, separator: &str, make: impl Fn(usize) -> T) -> String {
    let parts: Vec<String> = (0..count).map(|it| make(it).to_string()).collect();
    parts.join(separator)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn families_are_many_and_small() {
        let families = families();
        let names: HashSet<_> = families.iter().map(|it| it.name).collect();
        assert_eq!(names.len(), families.len());
        assert!(names.len() >= 40);
        for family in families {
            let size = family.at_most(SMALL).size();
            assert!(size <= SMALL, "{}: {size}", family.name);
            assert!(size > SMALL / 3, "{}: {size}", family.name);
        }
    }
}
