//! Texts in memory, for the tests of this crate.

use marotte_text::{LineIndex, TextRange, TextSize};

use crate::{Diagnostic, FileId, Level, Sources, rules};

pub(crate) struct Texts(Vec<(&'static str, String, LineIndex)>);

impl Texts {
    pub(crate) fn new(files: &[(&'static str, &str)]) -> Self {
        Texts(files.iter().map(|(path, text)| (*path, (*text).to_owned(), LineIndex::new(text))).collect())
    }

    /// The first range of `needle` in a file.
    pub(crate) fn range(&self, file: FileId, needle: &str) -> TextRange {
        let at = self.text(file).find(needle).unwrap();
        TextRange::at(TextSize::new(at as u32), TextSize::of(needle))
    }

    /// A finding about the first `needle` in a file.
    pub(crate) fn finding(&self, rule: &str, file: FileId, needle: &str, message: &str) -> Diagnostic {
        Diagnostic::new(
            rules::rule(rule).unwrap(),
            Level::Error,
            file,
            self.range(file, needle),
            message.to_owned(),
        )
    }
}

impl Sources for Texts {
    fn path(&self, file: FileId) -> &str {
        self.0[file.0 as usize].0
    }

    fn text(&self, file: FileId) -> &str {
        &self.0[file.0 as usize].1
    }

    fn line_index(&self, file: FileId) -> &LineIndex {
        &self.0[file.0 as usize].2
    }
}
