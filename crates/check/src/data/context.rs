use std::cell::Cell;
use std::ops::{Deref, Range};

use marotte_db::Db;
use marotte_db::{Environment, File, environment_of, source_text};
use marotte_diagnostics::{Diagnostic, Related, Rule};
use marotte_hiera::Layer;
use marotte_hiera::data::{Document, Inner, Places, Step};
use marotte_pcore::effort;
use marotte_pcore::value::Value;
use marotte_resolve::data_files::{HieraFile, HieraFileKind};
use marotte_text::{Str, TextRange, TextSize};

/// A parsed data or configuration file.
#[derive(Clone, Copy)]
pub(crate) struct DataFile<'db> {
    pub(crate) db: &'db dyn Db,
    pub(crate) file: File,
    pub(crate) environment: Environment,
    pub(crate) layer: &'db Layer,
    /// Whether strings in the file may be encrypted.
    pub(crate) encrypted: bool,
    pub(crate) document: &'db Document,
}

/// A top-level entry of a data file.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'db> {
    pub(crate) key: &'db str,
    pub(crate) key_range: TextRange,
    pub(crate) value: &'db Value,
    pub(crate) places: &'db Places,
}

/// The limit on the total size of all entries of a file, in units of extents: a minimum, plus an amount per byte of text.
const LEAST_LEFT: usize = 1 << 20;
const EACH_BYTE: usize = 64;

impl<'db> DataFile<'db> {
    pub(crate) fn new(db: &'db dyn Db, file: File, hiera: &'db HieraFile, document: &'db Document) -> Self {
        DataFile {
            db,
            file,
            environment: environment_of(db, file),
            layer: &hiera.layer,
            encrypted: matches!(hiera.kind, HieraFileKind::Data { encrypted: true, .. }),
            document,
        }
    }

    /// The module that the data belongs to.
    pub(crate) fn module(&self) -> Option<&'db Str> {
        match self.layer {
            Layer::Module(name) => Some(name),
            _ => None,
        }
    }

    /// The top-level entries whose keys are strings. Entries that are much larger than their text, because aliases in them
    /// repeat other parts, are left out.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Entry<'db>> + use<'db> {
        let mut left = LEAST_LEFT.saturating_add(EACH_BYTE.saturating_mul(self.text_length()));
        let entries = self.document.entries().into_iter().flatten();
        entries.filter_map(move |(key, key_range, value, places)| {
            left = left.checked_sub(value.extent().size())?;
            Some(Entry { key: key.as_str()?, key_range, value, places })
        })
    }

    fn text_length(&self) -> usize {
        source_text(self.db, self.file).text().len()
    }

    /// The range of a part of the document; its first line.
    pub(crate) fn range_at<'s>(&self, steps: impl IntoIterator<Item = &'s Step>) -> TextRange {
        self.document.range_at(steps)
    }
}

/// The limit on the bytes that are searched for the parts of strings that are written differently from their values: a minimum,
/// plus an amount per byte of text.
const LEAST_SEARCHED: usize = 16 << 20;
const SEARCHED_FOR_EACH_BYTE: usize = 64;

/// The input and output of a data rule: one file, and the list of findings.
pub(crate) struct DataContext<'db, 'f> {
    data: DataFile<'db>,
    findings: &'f mut Vec<Diagnostic>,
    search: PartSearch,
}

impl<'db> Deref for DataContext<'db, '_> {
    type Target = DataFile<'db>;

    fn deref(&self) -> &DataFile<'db> {
        &self.data
    }
}

impl<'db, 'f> DataContext<'db, 'f> {
    pub(crate) fn new(data: DataFile<'db>, findings: &'f mut Vec<Diagnostic>) -> Self {
        let left = LEAST_SEARCHED.saturating_add(SEARCHED_FOR_EACH_BYTE.saturating_mul(data.text_length()));
        DataContext { data, findings, search: PartSearch::within(left) }
    }

    /// The range of a part (in bytes) of `text`, which is the value of the scalar at `within`. The range of the whole scalar if
    /// it contains escapes or folded lines there, or takes too long to search.
    pub(crate) fn range_of(&self, within: TextRange, text: &str, part: Range<usize>) -> TextRange {
        let source = &source_text(self.db, self.file).text()[within];
        match self.search.offset(within, source, text, part.clone()) {
            Some(at) => {
                let at = TextSize::try_from(at).unwrap_or_default();
                TextRange::at(within.start() + at, TextSize::of(&text[part]))
            }
            None => within,
        }
    }

    /// Runs a rule within the effort limit. A rule that exceeds it reports nothing; real data stays below the limit.
    pub(crate) fn within_effort(&mut self, rule: impl FnOnce(&mut Self)) {
        const STEPS: u64 = 100_000;
        const STEPS_FOR_EACH_BYTE: u64 = 100;
        let count = self.findings.len();
        let steps = STEPS.saturating_add(STEPS_FOR_EACH_BYTE.saturating_mul(self.text_length() as u64));
        if effort::within(steps, || rule(self)).is_err() {
            self.findings.truncate(count);
        }
    }

    /// Adds a finding, at the level of its rule.
    pub(crate) fn report(
        &mut self,
        rule: &'static Rule,
        range: TextRange,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        let level = rule.level;
        let index = self.findings.len();
        self.findings.push(Diagnostic::new(
            rule,
            level,
            self.data.file.id(self.data.db),
            range,
            message.into(),
        ));
        &mut self.findings[index]
    }

    /// A related place in the same file.
    pub(crate) fn related(&self, range: TextRange, message: impl Into<String>) -> Related {
        Related { file: self.file.id(self.db), range, message: message.into() }
    }
}

/// Finds parts of strings in the sources of their scalars.
struct PartSearch {
    /// The number of bytes that are still searched.
    left: Cell<usize>,
    /// The scalar whose part was requested last, the length of its value, and the offset of the value in its source if it is
    /// written there as it is: a string may have very many parts.
    verbatim: Cell<Option<(TextRange, usize, Option<usize>)>>,
}

impl PartSearch {
    fn within(bytes: usize) -> PartSearch {
        PartSearch { left: Cell::new(bytes), verbatim: Cell::default() }
    }

    /// The offset of a part of a text in the source of its scalar, which is at `range`. None if it isn't there, or if the search
    /// would take too long.
    fn offset(&self, range: TextRange, source: &str, text: &str, part: Range<usize>) -> Option<usize> {
        let start = match self.verbatim.get() {
            Some((known, length, start)) if (known, length) == (range, text.len()) => start,
            _ => {
                let start = source.find(text);
                self.verbatim.set(Some((range, text.len(), start)));
                start
            }
        };
        if let Some(start) = start {
            return Some(start + part.start);
        }
        // Of several equal parts, the one of the same number is meant.
        self.left.set(self.left.get().checked_sub(source.len() + part.end)?);
        let before = text[..part.end].matches(&text[part.clone()]).count().saturating_sub(1);
        source.match_indices(&text[part]).nth(before).map(|it| it.0)
    }
}

/// The strings in a value, keys included, with their ranges.
pub(crate) fn strings<'v>(value: &'v Value, places: &'v Places) -> Vec<(&'v str, TextRange)> {
    let mut found = Vec::new();
    collect(value, places, &mut found);
    found
}

fn collect<'v>(value: &'v Value, places: &'v Places, found: &mut Vec<(&'v str, TextRange)>) {
    match (value, &places.inner) {
        (Value::String(text), _) => found.push((text, places.range)),
        (Value::Array(elements), Inner::Elements(inner)) => {
            elements.iter().zip(inner.iter()).for_each(|(it, places)| collect(it, places, found));
        }
        _ => {
            for (key, at, value, places) in places.entries(value).into_iter().flatten() {
                found.extend(key.as_str().map(|it| (it, at)));
                collect(value, places, found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PartSearch, TextRange};

    #[test]
    fn parts_are_found_where_they_are_written() {
        let offset = |source: &str, text: &str, at: usize, limit: usize| {
            let length = text[at..].find('}').map_or(1, |it| it + 1);
            PartSearch::within(limit).offset(TextRange::default(), source, text, at..at + length)
        };
        assert_eq!(offset("\"%{a} %{b} %{a}\"", "%{a} %{b} %{a}", 10, 0), Some(11));
        // Indentation and escapes aren't in the value.
        assert_eq!(offset("|\n  %{a}\n  %{a}\n", "%{a}\n%{a}\n", 5, 100), Some(11));
        assert_eq!(offset("\"\\t%{a}%{a}\"", "\t%{a}%{a}", 5, 100), Some(7));
        assert_eq!(offset("\"\\x25{a}\"", "%{a}", 0, 100), None);
    }

    /// Without a limit, the time is the square of the number of parts.
    #[test]
    fn the_search_for_many_parts_is_limited() {
        let count = 100;
        let (source, text) = ("|\n".to_owned() + &"  %{a}\n".repeat(count), "%{a}\n".repeat(count));
        let search = PartSearch::within(source.len() * 10);
        let found = (0..count)
            .filter_map(|it| search.offset(TextRange::default(), &source, &text, it * 5..it * 5 + 4));
        let found: Vec<usize> = found.collect();
        assert_eq!(found[..3], [4, 11, 18]);
        assert!((5..50).contains(&found.len()), "{}", found.len());
    }
}
