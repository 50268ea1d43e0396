//! The levels of a configuration, and an index of the files that they may read.

use std::collections::{BTreeSet, HashMap};
use std::ops::Deref;

use camino::Utf8Path;
use marotte_text::Str;

use super::{FilePattern, Level};

/// Levels in the order in which they are read.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    all: Box<[Level]>,
    /// The levels that read a file for every node, by its path.
    fixed: HashMap<Str, Vec<usize>>,
    /// The other patterns, by the folders of their files.
    patterns: HashMap<Str, Patterns>,
}

/// Patterns of files in a folder.
#[derive(Clone, Debug, Default)]
struct Patterns {
    /// The number of the level, and of the pattern in it, by what paths end with.
    by_end: HashMap<Str, Vec<(usize, usize)>>,
    /// The lengths of these ends, in bytes.
    lengths: BTreeSet<usize>,
}

impl PartialEq for Levels {
    fn eq(&self, other: &Self) -> bool {
        self.all == other.all
    }
}

impl Eq for Levels {}

impl Deref for Levels {
    type Target = [Level];

    fn deref(&self) -> &[Level] {
        &self.all
    }
}

impl Levels {
    pub(super) fn new(levels: Vec<Level>) -> Levels {
        let mut all = Levels { all: levels.into(), ..Levels::default() };
        for (number, level) in all.all.iter().enumerate() {
            for (index, pattern) in level.files.iter().flatten().enumerate() {
                if let Some(path) = pattern.path() {
                    all.fixed.entry(path.clone()).or_default().push(number);
                } else {
                    let patterns = all.patterns.entry(pattern.folder().clone()).or_default();
                    patterns.by_end.entry(pattern.end().clone()).or_default().push((number, index));
                    patterns.lengths.insert(pattern.end().len());
                }
            }
        }
        all
    }

    /// The first level that may read a file.
    pub fn of_file(&self, path: &Utf8Path) -> Option<usize> {
        let fixed = self.fixed.get(path.as_str()).and_then(|it| it.first()).copied();
        let folders = path.ancestors().filter_map(|it| self.patterns.get(it.as_str()));
        let found = folders.filter_map(|it| {
            let ends = it.lengths.range(..=path.as_str().len());
            let ends = ends.filter_map(|it| path.as_str().get(path.as_str().len() - it..));
            let among = ends.filter_map(|end| it.by_end.get(end));
            among.filter_map(|it| Some(it.iter().find(|it| self.may_be(**it, path))?.0)).min()
        });
        found.chain(fixed).min()
    }

    fn may_be(&self, (level, index): (usize, usize), path: &Utf8Path) -> bool {
        let pattern: Option<&FilePattern> = self.all[level].files.as_ref().and_then(|it| it.get(index));
        pattern.is_some_and(|it| it.may_be(path.as_str()))
    }

    /// The levels that read a file for every node.
    pub fn fixed(&self, path: &Utf8Path) -> &[usize] {
        self.fixed.get(path.as_str()).map_or(&[], |it| it)
    }
}
